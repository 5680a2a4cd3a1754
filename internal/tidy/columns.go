//go:build go1.25

package tidy

import (
	"fmt"
	"slices"
	"strings"
)

// columnsMax is the width of a line that fits on a screen beside another file. Test files
// are exempt, because their tables may be wider.
const (
	columnsMax = 140
	tab        = 4
)

func columns(tree *Tree) []string {
	var problems []string
	for _, f := range tree.Files {
		if f.Test {
			continue
		}
		text := tree.Texts[slices.IndexFunc(tree.Texts, func(t Text) bool { return t.Path == f.Path })].Body
		for i, line := range strings.Split(text, "\n") {
			if n := len([]rune(line)) + (tab-1)*strings.Count(line, "\t"); n > columnsMax {
				problems = append(problems, fmt.Sprintf("%s:%d: %d columns, at most %d", f.Path, i+1, n, columnsMax))
			}
		}
	}
	return problems
}
