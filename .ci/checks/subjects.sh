#!/usr/bin/env bash
# Checks the subjects of commits: "area: what changed", at most 72 characters. Older
# commits, up to the one named here, stay as they are.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

first=d1de3164f15e5ee8c4f809240e1aeded55e54627
# The clone may belong to another user.
git() { command git -c safe.directory='*' "$@"; }

if ! git rev-parse --quiet --verify "$first^{commit}" >/dev/null 2>&1; then
	echo "subjects: no history here, nothing to check"
	exit 0
fi

bad=0
while IFS= read -r subject; do
	if [ "${#subject}" -gt 72 ]; then
		printf 'subjects: %d characters, want at most 72: %s\n' "${#subject}" "$subject"
		bad=1
	elif ! [[ $subject =~ ^[a-z0-9./,\ _-]+:\  ]]; then
		printf 'subjects: want "area: what changed": %s\n' "$subject"
		bad=1
	fi
done < <(git log --no-merges --format=%s "$first..HEAD")
[ "$bad" = 0 ] && echo "subjects: ok"
exit "$bad"
