//go:build go1.25

package probe

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/source/edit"
)

// The ifs of a property that do nothing but return before its end are marked, and no others.
func TestEarly(t *testing.T) {
	const src = `package allele
type T struct{}
func (*T) Errorf(string, ...any) {}
func (*T) Log(...any) {}
type TB interface { Fatalf(string, ...any) }
func parse(s string) (int, error) { if s == "" { return 0, nil }; return 1, nil }
func property(t *T, s string) {
	n, err := parse(s)
	if err != nil { // early
		return
	}
	if n == 1 { // a part of the test
		n++
		return
	}
	if n == 2 { // early
		return
	} else if n == 3 { // early
		return
	}
	for range n {
		if n > 5 { return }
	}
	if n == 4 { return } // the end
}
func other(t *T, s string) int { if s == "" { return 1 }; return 2 }
func plain(s string, t *T) { if s == "" { return }; parse(s) }
func none(t *T) { if t == nil { return }; parse("") }
func helper(t TB, s, u string) {
	if s == "" { return } // early
	parse(s)
}
type suite struct{}
func (suite) check(t *T, s string) {
	if _, err := parse(s); err != nil { // early
		t.Log(err)
		return
	}
	if s == "a" { parse(s); return }
	parse(s)
}
var literal = func(t *T, in struct{ S string }) {
	if in.S == "" { return } // early
	parse(in.S)
}
`
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "a.go", src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{},
		Defs: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	if _, err := (&types.Config{}).Check("github.com/allele-go/allele", fset, []*ast.File{f}, info); err != nil {
		t.Fatal(err)
	}
	var lines []int
	opts := Options{Site: func(s site.Site) uint32 { lines = append(lines, s.Line); return uint32(len(lines) - 1) }}
	var out edit.Buffer
	New(fset, info, opts).File(f, &out)
	var early []int
	for _, m := range regexp.MustCompile(`\]=(\d+);`).FindAllSubmatch(out.Apply([]byte(src)), -1) {
		if symbol, _ := strconv.Atoi(string(m[1])); symbol&bitEarly != 0 {
			early = append(early, lines[symbol&(bitCoarse-1)])
		}
	}
	slices.Sort(early)
	if want := []int{9, 16, 18, 30, 35, 43}; !slices.Equal(early, want) {
		t.Errorf("lines %d, want %d", early, want)
	}
}
