#!/usr/bin/env bash
# Checks the command on a full and on a read-only disk: it prints the problem and what to
# do, it does not damage stored files, and it works again when there is space. The check
# needs permission to mount a small file system; without it, it prints so and exits.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
temp=$(mktemp -d)
mounted=()
trap 'for m in "${mounted[@]}"; do umount "$m"; done; rm -rf "$temp"' EXIT

small() { # folder, options
	mkdir -p "$1"
	mount -t tmpfs -o "$2" none "$1" && mounted+=("$1")
}
mkdir -p "$temp/try"
if ! mount -t tmpfs -o size=64k none "$temp/try" 2>/dev/null; then
	echo "not run: this user may not mount a file system"
	exit 0
fi
umount "$temp/try"

go build -o "$temp/allele" "$root/cmd/allele"
mkdir -p "$temp/module"
cd "$temp/module"
cat >go.mod <<END
module example.com/disk

go 1.25

require github.com/allele-go/allele v0.0.0

replace github.com/allele-go/allele => $root
END
cat >disk_test.go <<'END'
package disk

import (
	"slices"
	"testing"

	"github.com/allele-go/allele"
)

func TestHolds(t *testing.T) {
	allele.Check(t, func(t *allele.T, in []int) {
		for i, x := range in {
			if x > 3 && i > 2 {
				continue
			}
		}
	})
}

func TestFails(t *testing.T) {
	allele.Check(t, func(t *allele.T, in []int) {
		if len(in) > 3 && slices.Max(in) == in[0] {
			t.Error("first is largest")
		}
	})
}
END
export GOWORK=off GOFLAGS=-buildvcs=false GOCACHE XDG_CACHE_HOME="$temp/cache"
GOCACHE=$(XDG_CACHE_HOME='' go env GOCACHE)

# run STATUS args... checks the exit status of allele test. Its output is in $temp/output.
run() {
	local want=$1 got=0
	shift
	"$temp/allele" test "$@" . >"$temp/output" 2>&1 || got=$?
	if [ "$got" != "$want" ]; then
		printf 'allele test %s: exit %s, want %s\n' "$*" "$got" "$want"
		cat "$temp/output"
		exit 1
	fi
}
prints() { # pattern
	if ! grep -qE -- "$1" "$temp/output"; then
		printf 'missing in the output: %s\n' "$1"
		cat "$temp/output"
		exit 1
	fi
}
prints_not() { # pattern
	if grep -qE -- "$1" "$temp/output"; then
		printf 'unexpected in the output: %s\n' "$1"
		cat "$temp/output"
		exit 1
	fi
}

run 0 -run Holds
corpus="$temp/cache/allele/corpus"
rm -rf "$corpus"

# There is no space to record the input of a run.
small "$corpus" size=512k
run 2 -run Holds
prints 'no space left on device; free some disk space, or set XDG_CACHE_HOME'
umount "$corpus"
mounted=()

# There is space for that, but little for the corpus: the command reports it, the search
# continues, and the inputs that were saved are complete.
small "$corpus" size=2060k
run 0 -run Holds -tests 20000
prints 'TestHolds .* ok'
prints 'the corpus is incomplete: .*no space left on device'
mount -o remount,size=8m "$corpus"
run 0 -run Holds -v
prints '[0-9,]+ saved inputs run again'
prints_not 'the corpus is incomplete'
umount "$corpus"
mounted=()

# The cache is read-only.
small "$corpus" size=4m,ro
run 2 -run Holds
prints 'read-only file system'
umount "$corpus"
mounted=()

# A finding that cannot be stored is still shown, with the reason.
for options in size=4k size=4m,ro; do
	small "$temp/module/testdata" "$options"
	[ "$options" = size=4k ] && dd if=/dev/zero of=testdata/fill bs=4k 2>/dev/null || true
	run 1 -run Fails -fresh
	prints 'property failed: first is largest'
	prints 'not saved: .*(no space left on device|read-only file system)'
	prints 'replay   .*allele test .*-run .\^TestFails\$'
	run 1 -run '^TestFails$' # the input is in the corpus
	prints 'property failed: first is largest'
	if find testdata -name '*.case' | grep .; then
		echo 'there is a case file, which must be incomplete'
		exit 1
	fi
	umount "$temp/module/testdata"
	mounted=()
done
run 1 -run Fails
prints 'saved    testdata/allele/TestFails/fail-'
echo 'disk: ok'
