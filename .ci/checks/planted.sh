#!/usr/bin/env bash
# Checks that every example passes, and that its properties find the bug that the build
# tag planted enables. A failing property stores its counterexample in the folder of its
# package, so all of this happens in a copy of the repository.
set -euo pipefail
shopt -s nullglob

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
copy=$temp/copy
mkdir "$copy"

# Settings and workspaces of the user must not affect the result.
unset ALLELE_TESTS ALLELE_FOR ALLELE_SEED ALLELE_SIZE ALLELE_V
export GOWORK=off GOFLAGS=-buildvcs=false

# tracked lists the files of the repository, including untracked ones. It omits deleted
# files, which git still lists.
tracked() {
	git ls-files -co --exclude-standard -z | while IFS= read -r -d '' file; do
		if [ -e "$file" ]; then printf '%s\0' "$file"; fi
	done
}

cd "$root"
# Use git only if this folder is the root of a clone, and not inside another repository.
if [ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$(pwd -P)" ]; then
	tracked | tar --null -T - -cf - | tar -xf - -C "$copy"
else
	cp -r . "$copy"
fi
cd "$copy"
# Remove stored cases: the bug must be found again, not replayed.
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
		headline="the tests pass although the bug is enabled"
	elif headline=$(grep -m 1 -o -E 'property (failed|panicked).*' "$temp/planted"); then
		found=yes
	else
		headline="the test failed, but no property did: $(tail -n 1 "$temp/planted")"
	fi
	printf '%-12s found %-4s %s\n' "$name" "$found" "$headline"
	if [ "$found" = no ]; then failed=1; fi
done

if [ "$examples" = 0 ]; then
	printf 'no example has a planted.go\n'
	exit 1
fi
exit "$failed"
