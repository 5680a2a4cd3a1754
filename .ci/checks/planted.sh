#!/usr/bin/env bash
# Checks that every example passes as it is and that its properties find the bug
# behind the tag planted. A failing property keeps its counterexample in the
# folder of its package, so all of this happens in a copy of the repository.
set -euo pipefail
shopt -s nullglob

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
copy=$temp/copy
mkdir "$copy"

# What a reader gets is what counts: no setting or workspace of the person who
# runs this.
unset ALLELE_TESTS ALLELE_FOR ALLELE_SEED ALLELE_SIZE ALLELE_V
export GOWORK=off GOFLAGS=-buildvcs=false

# tracked lists the files of the repository, new ones included. Git still lists
# those that were deleted a moment ago.
tracked() {
	git ls-files -co --exclude-standard -z | while IFS= read -r -d '' file; do
		if [ -e "$file" ]; then printf '%s\0' "$file"; fi
	done
}

cd "$root"
# A folder inside some other repository is not a clone of this one.
if [ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$(pwd -P)" ]; then
	tracked | tar --null -T - -cf - | tar -xf - -C "$copy"
else
	cp -r . "$copy"
fi
cd "$copy"
# Without cases of earlier runs: the bug must be found, not remembered.
rm -rf examples/*/testdata/allele

examples=0
failed=0
for file in examples/*/planted.go; do
	name=$(basename "$(dirname "$file")")
	examples=$((examples + 1))
	if ! go test -count=1 -timeout 40m "./examples/$name" >"$temp/plain" 2>&1; then
		printf '%-12s fails without the bug:\n' "$name"
		cat "$temp/plain"
		failed=1
		continue
	fi
	found=no
	if go test -count=1 -timeout 40m -tags planted "./examples/$name" >"$temp/planted" 2>&1; then
		headline="the tests pass with the bug"
	elif headline=$(grep -m 1 -o -E 'property (failed|panicked).*' "$temp/planted"); then
		found=yes
	else
		headline="no property failed, but the test did: $(tail -n 1 "$temp/planted")"
	fi
	printf '%-12s found %-4s %s\n' "$name" "$found" "$headline"
	if [ "$found" = no ]; then failed=1; fi
done

if [ "$examples" = 0 ]; then
	printf 'no example has a planted.go\n'
	exit 1
fi
exit "$failed"
