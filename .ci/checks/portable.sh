#!/usr/bin/env bash
# Everything builds and vets for other systems, and on this one the tests of
# processes and kept cases pass with what other systems lack switched off: shared
# memory, locks and limits.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
for target in darwin/arm64 windows/amd64 linux/arm64; do
	echo "$target"
	GOOS=${target%/*} GOARCH=${target#*/} go build ./...
	GOOS=${target%/*} GOARCH=${target#*/} go vet ./...
done
# The packages that know of shared memory and locks.
ALLELE_SHARED=off go test -count=1 -timeout 40m ./internal/ops/proc ./internal/ops/corpus ./internal/ops/claims ./internal/ops/filelock ./internal/ops/child ./internal/ops/campaign
(cd e2e && ALLELE_SHARED=off go test -count=1 -timeout 40m -run 'TestScripts/(search|panic|several|race|log|sealed)$' .)
echo 'portable: ok'
