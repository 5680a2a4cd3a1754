#!/usr/bin/env bash
# Checks that everything builds and vets for other systems. On this system, the tests of
# processes and of the corpus must pass without the features that other systems lack:
# shared memory, locks and limits.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
for target in darwin/arm64 windows/amd64 linux/arm64; do
	echo "$target"
	GOOS=${target%/*} GOARCH=${target#*/} go build ./...
	GOOS=${target%/*} GOARCH=${target#*/} go vet ./...
done
# The packages that use shared memory and locks.
ALLELE_SHARED=off go test -count=1 -timeout 40m ./internal/proc ./internal/store/corpus ./internal/proc/claims ./internal/filelock ./internal/proc/child ./internal/campaign
(cd e2e && ALLELE_SHARED=off go test -count=1 -timeout 40m -run 'TestScripts/(search|panic|multicore|race|log|sealed)$' .)
echo 'portable: ok'
