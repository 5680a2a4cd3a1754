//go:build go1.25

package change

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Lines is the lines of a file that have changed since a revision.
type Lines []span

// span is some lines, from the first to the last.
type span struct{ first, last int }

var everyLine = Lines{{1, math.MaxInt}}

// Touch reports whether one of the lines from first to last has changed.
func (l Lines) Touch(first, last int) bool {
	return slices.ContainsFunc(l, func(s span) bool { return first <= s.last && max(first, last) >= s.first })
}

// ChangedLines returns which lines of some files have changed since a revision of the git
// repository that contains dir. The names of the files are absolute. Lines that were only
// removed are not lines of the file. In a file that the revision does not contain, or that is
// outside the repository, all lines count as changed.
func ChangedLines(rev, dir string, files []string) (map[string]Lines, error) {
	repo, err := open(dir, rev)
	if err != nil {
		return nil, err
	}
	changed, err := repo.changed()
	if err != nil {
		return nil, err
	}
	known, err := repo.known()
	if err != nil {
		return nil, err
	}
	all := map[string]Lines{}
	for _, file := range files {
		name, inside := repo.name(file)
		switch {
		case !inside || !slices.Contains(known, name):
			all[file] = everyLine
		case slices.Contains(changed, name):
			if all[file], err = repo.lines(name); err != nil {
				return nil, err
			}
		}
	}
	return all, nil
}

// name returns the name that git has for a file.
func (r *repository) name(file string) (name string, inside bool) {
	if dir, err := filepath.EvalSymlinks(filepath.Dir(file)); err == nil {
		file = filepath.Join(dir, filepath.Base(file))
	}
	in, err := filepath.Rel(r.dir, file)
	return filepath.ToSlash(in), err == nil && filepath.IsLocal(in)
}

// lines returns which lines of a file differ from the commit.
func (r *repository) lines(name string) (Lines, error) {
	out, err := r.git(nil, "diff", "--unified=0", "--inter-hunk-context=0", "--text", "--no-renames", "--no-relative", "--no-ext-diff",
		"--no-textconv", "--no-color", r.commit, "--", ":(top,literal)"+name)
	if err != nil {
		return nil, err
	}
	lines, err := hunks(out)
	if err != nil {
		return nil, fmt.Errorf("git diff %s: %w", name, err)
	}
	return lines, nil
}

// hunks reads which lines of the new file the hunks of a diff without context contain. A hunk
// begins with a line such as
//
//	@@ -12,3 +14,2 @@ func f() {
//
// where 14 is the first line and 2 the number of lines, which is left out if it is 1.
func hunks(diff []byte) (lines Lines, err error) {
	for line := range bytes.Lines(diff) {
		rest, ok := strings.CutPrefix(string(line), "@@ -")
		if !ok {
			continue
		}
		_, rest, _ = strings.Cut(rest, " +")
		numbers, _, ok := strings.Cut(rest, " @@")
		first, count, counted := strings.Cut(numbers, ",")
		n := 1
		from, err := strconv.Atoi(first)
		if counted && err == nil {
			n, err = strconv.Atoi(count)
		}
		if !ok || err != nil || from < 0 || n < 0 || from > math.MaxInt32 || n > math.MaxInt32 {
			return nil, fmt.Errorf("unexpected line %.80q", line)
		}
		if n > 0 {
			lines = append(lines, span{from, from + n - 1})
		}
	}
	return lines, nil
}
