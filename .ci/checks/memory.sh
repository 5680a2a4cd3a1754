#!/usr/bin/env bash
# Values are built with unsafe stores. This runs their tests in a mode that reveals
# mistakes: under the race detector, which enables checkptr, with every garbage
# collection done twice and compared (gccheckmark), and with collections as often as
# possible (GOGC=1).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export GOGC=1 GODEBUG=gccheckmark=1
CGO_ENABLED=1 go test -count=1 -timeout 40m -race -run '^TestBuild$' -v ./internal/value/schema | grep -E 'terms over|^(ok|FAIL|---)'
