#!/usr/bin/env bash
# A disk that is full or read-only: the command says so and what to do, nothing
# that is stored is damaged, and with room again it works. Needs the right to mount
# a small file system; without it this check says so and ends.
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

# run STATUS NAME args...: the command ends with a status; what it said is in $temp/said.
run() {
	local want=$1 got=0
	shift
	"$temp/allele" test "$@" . >"$temp/said" 2>&1 || got=$?
	if [ "$got" != "$want" ]; then
		printf 'allele test %s: exit %s, want %s\n' "$*" "$got" "$want"
		cat "$temp/said"
		exit 1
	fi
}
says() {
	if ! grep -qE -- "$1" "$temp/said"; then
		printf 'not said: %s\n' "$1"
		cat "$temp/said"
		exit 1
	fi
}
unsaid() {
	if grep -qE -- "$1" "$temp/said"; then
		printf 'said: %s\n' "$1"
		cat "$temp/said"
		exit 1
	fi
}

run 0 -run Holds
corpus="$temp/cache/allele/corpus"
rm -rf "$corpus"

# No room for the input of a run.
small "$corpus" size=512k
run 2 -run Holds
says 'no space left on device; free some space, or set XDG_CACHE_HOME'
umount "$corpus"
mounted=()

# Room for that, but little for what is kept: it is said, the search goes on, and
# what did find room is whole.
small "$corpus" size=2060k
run 0 -run Holds -tests 20000
says 'TestHolds .* ok'
says 'what was kept is not whole: .*no space left on device'
mount -o remount,size=8m "$corpus"
run 0 -run Holds -v
says 'went on with [0-9,]+ inputs kept before'
unsaid 'not whole'
umount "$corpus"
mounted=()

# Read-only.
small "$corpus" size=4m,ro
run 2 -run Holds
says 'read-only file system'
umount "$corpus"
mounted=()

# A finding that cannot be stored is shown all the same, and says so.
for options in size=4k size=4m,ro; do
	small "$temp/module/testdata" "$options"
	[ "$options" = size=4k ] && dd if=/dev/zero of=testdata/fill bs=4k 2>/dev/null || true
	run 1 -run Fails -fresh
	says 'property failed: first is largest'
	says 'not saved: .*(no space left on device|read-only file system)'
	says 'replay   go tool allele test .* -seed [0-9]+ '
	if find testdata -name '*.case' | grep .; then
		echo 'a case is there that cannot be whole'
		exit 1
	fi
	umount "$temp/module/testdata"
	mounted=()
done
run 1 -run Fails
says 'saved    testdata/allele/TestFails/fail-'
echo 'disk: ok'
