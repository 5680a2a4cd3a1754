//go:build go1.25

package probe

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/source/edit"
)

// visits returns how many nodes the prober looked at in a program.
func visits(t *testing.T, src string) int {
	t.Helper()
	f, err := parser.ParseFile(fset, "a.go", "package a\n"+src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	if _, err := (&types.Config{}).Check("a", fset, []*ast.File{f}, info); err != nil {
		t.Fatal(err)
	}
	var b edit.Buffer
	p := New(fset, info, Options{Site: func(site.Site) uint32 { return 1 }})
	p.File(f, &b)
	return p.visits
}

// The number of nodes that the prober looks at is linear in the length of a chain and in
// the depth of nesting.
func TestLinear(t *testing.T) {
	chain := func(n int, op, operand string) string {
		return strings.Repeat(operand+op, n) + operand
	}
	nest := func(n int, open, end string) string { return strings.Repeat(open, n) + strings.Repeat(end, n) }
	for name, src := range map[string]func(n int) string{
		"one value": func(n int) string { return "func f(a int) bool { return " + chain(n, " || ", "a == 1") + " }" },
		"the last": func(n int) string {
			return "func f(a, b int) bool { return " + chain(n, " || ", "a == 1") + " || b == 1 }"
		},
		"two values": func(n int) string { return "func f(a, b int) bool { return " + chain(n, " && ", "a > b") + " }" },
		"condition": func(n int) string {
			return "func f(a, b int) { if " + chain(n, " || ", "(a == 1 || !(b == 2 && a > b))") + " { a++ } }"
		},
		"parentheses": func(n int) string {
			return "func f(a, b bool) bool { return " + strings.Repeat("a || (b && (", n) + "a" + strings.Repeat("))", n) + " }"
		},
		"comparisons": func(n int) string {
			return "func f(a, b bool) bool { return " + strings.Repeat("(", n) + "a" + strings.Repeat(" && b || a) == b", n) + " }"
		},
		"ifs":      func(n int) string { return "func f(a, b int) { " + nest(n, "if a > b { a++; ", "}; ") + " }" },
		"elses":    func(n int) string { return "func f(a, b int) { " + nest(n, "if a > b { a++ } else { ", "}; ") + " }" },
		"loops":    func(n int) string { return "func f(a []int) { " + nest(n, "for range a { a[0]++; ", "}; ") + " }" },
		"counting": func(n int) string { return "func f(a []int) { " + nest(n, "for i := 0; i < 9; i++ { ", "}; ") + " }" },
		"switches": func(n int) string {
			return "func f(a int) { " + nest(n, "switch a { case 1: a++; case 2: ", "}; ") + " }"
		},
		"closures": func(n int) string { return "func f(a int) { " + nest(n, "func() { if a > 0 { a++ }; ", "}(); ") + " }" },
		"calls": func(n int) string {
			return "func f(a int) int { if a > 1 { a = " + strings.Repeat("f(", n) + "a" + strings.Repeat(")", n) + " }; return a }"
		},
	} {
		short, long := visits(t, src(200)), visits(t, src(400))
		if nodes := fmt.Sprint(short, " and ", long); long > 2*short+100 || short < 200 {
			t.Errorf("%s: %s nodes for lengths 200 and 400", name, nodes)
		}
	}
}
