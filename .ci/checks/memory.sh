#!/usr/bin/env bash
# Values are built with unsafe stores. This checks them where a mistake shows:
# under the race detector, which turns checkptr on, with every collection done
# twice and compared, and with collections as often as they can be.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
export GOGC=1 GODEBUG=gccheckmark=1
CGO_ENABLED=1 go test -count=1 -timeout 40m -race -run '^TestBuild$' -v ./internal/value/schema | grep -E 'terms over|^(ok|FAIL|---)'
