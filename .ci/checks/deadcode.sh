#!/usr/bin/env bash
# Checks that every function is reached from a command or a test of some module, or from code
# that allele writes into the programs of users. All modules are analysed as one program, because
# functions of one are there for another. Functions in test files are left out: types in tests
# have methods that nobody calls, and examples without output are not run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# Functions that may be unreached: a package, a function, and the reason.
allowed='
examples/orderedmap Map.Get: a map without it would be no example
'

# The analysis is that of this system: files for others are not checked.
version=v0.52.0 # of golang.org/x/tools
module=github.com/allele-go/allele

temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
GOBIN=$temp go install "golang.org/x/tools/cmd/deadcode@$version"

# linked lists the functions of a package that rewritten packages call by go:linkname.
linked() { # the word for its import path, folder
	grep -rhoE "go:linkname [A-Za-z_]+ $1\.[A-Z][A-Za-z]*" --include='*.go' internal/source | sed 's/.*\.//' | sort -u |
		while read -r name; do
			! grep -qE "^func $name\(" "$2"/*.go || printf '\t%s.%s,\n' "$(basename "$2")" "$name"
		done
}

# A program that uses what no source of ours calls.
mkdir "$temp/roots"
go=$(awk '$1 == "go" { print $2 }' eval/go.mod)
printf 'module %s/roots\n\ngo %s\n' "$module" "$go" >"$temp/roots/go.mod"
{
	printf 'package main\n\nimport (\n'
	printf '\t"%s"\n' "$module"/{eval/trial/harness,formats,internal/hook,internal/score/suite}
	printf '\t_ "%s"\n' "$module/internal/probed" # imported by programs that allele run builds
	printf ')\n\nvar roots = []any{\n'
	printf '\tformats.RunFile, // internal/testbin/target writes a test that calls it\n'
	printf '\tharness.Count, // eval/decoders/testdata has tests that call it\n'
	linked HOOK internal/hook
	linked SUITE internal/score/suite
	printf '}\n\nfunc main() { println(len(roots)) }\n'
} >"$temp/roots/main.go"

# fleet/deploy/check uses nothing of the other modules, and has only tests.
folders=$(find . -name go.mod -not -path '*/testdata/*' -not -path './.git/*' -not -path './fleet/deploy/*' | sort | xargs -n1 dirname)
{
	printf 'go %s\n\nuse %s/roots\n' "$go" "$temp"
	for folder in $folders; do printf 'use %s\n' "$PWD${folder#.}"; done
} >"$temp/go.work"

# A process that ends soon need not collect garbage.
format='{{$path := .Path}}{{range .Funcs}}{{if not .Marker}}{{printf "%s %s: %s:%d\n" $path .Name .Position.File .Position.Line}}{{end}}{{end}}'
# shellcheck disable=SC2046 # the patterns are words
GOWORK=$temp/go.work GOGC=off GOMEMLIMIT=3GiB "$temp/deadcode" -test -filter "^$module" -f "$format" \
	$(printf '%s/... ' $folders) "$module/roots" >"$temp/found"

bad=0
while read -r path name place; do
	case $place in *_test.go:*) continue ;; esac
	if ! grep -qF "${path#"$module"/} $name " <<<"$allowed"; then
		printf 'deadcode: %s: nothing reaches %s %s\n' "$place" "${path#"$module"/}" "${name%:}"
		bad=1
	fi
done <"$temp/found"
while read -r path name reason; do
	if [ -n "$path" ] && ! grep -qF "$module/$path $name " "$temp/found"; then
		printf 'deadcode: %s %s is reached; take it from the list (%s)\n' "$path" "${name%:}" "$reason"
		bad=1
	fi
done <<<"$allowed"
[ "$bad" = 0 ] && echo "deadcode: ok"
exit "$bad"
