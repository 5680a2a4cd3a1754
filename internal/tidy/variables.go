//go:build go1.25

package tidy

import (
	"cmp"
	"go/ast"
	"maps"
	"slices"
	"strings"
)

// variables lists the environment variables that product code names, each with the folders
// that name it. The result is compared with a golden list, because users may depend on
// each variable.
func variables(tree *Tree) []string {
	found := map[string][]string{}
	for _, f := range tree.Files {
		if f.Test || f.Nested || strings.HasPrefix(f.Dir, "internal/tidy") {
			continue
		}
		ast.Inspect(f.AST, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || !strings.HasPrefix(lit.Value, `"ALLELE_`) {
				return true
			}
			if name := strings.Trim(lit.Value, `"`); len(name) > len("ALLELE_") && !slices.Contains(found[name], f.Dir) {
				found[name] = append(found[name], f.Dir)
			}
			return true
		})
	}
	var lines []string
	for _, name := range slices.SortedFunc(maps.Keys(found), cmp.Compare[string]) {
		lines = append(lines, name+" "+strings.Join(found[name], " "))
	}
	return lines
}
