//go:build go1.25

package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"
)

// The syntax decides whether a test can have a property with another name than its own.
func TestAlone(t *testing.T) {
	for _, c := range []struct {
		body  string
		alone bool
	}{
		{`allele.Check(t, func(t *allele.T, in int) { helper(t, in) })`, true},
		{`t.Parallel(); x := t.TempDir(); allele.Check(t, prop(x), allele.Tests(10), allele.Distribution{})`, true},
		{`t.Fatal("no property")`, true},
		{`allele.Check[int](t, prop)`, true},
		{`if testing.Short() { t.Skip() }; allele.Check(t, prop)`, true},
		{`t.Cleanup(func() { t.Log("over") }); allele.Check(t, prop)`, true},
		{`t.Run("sub", func(t *testing.T) { allele.Check(t, prop) })`, false},
		{`allele.Check(t, prop); allele.Check(t, prop)`, false},
		{`allele.Check(t, prop, allele.Name("x"))`, false},
		{`allele.Check(t, prop, options...)`, false},
		{`allele.Check(t, prop, option)`, false},
		{`for range 3 { allele.Check(t, prop) }`, false},
		{`check := func() { allele.Check(t, prop) }; check(); check()`, false},
		{`helper(t)`, false},
		{`quick.Check(t, prop)`, false},
		{`u := t; helper(u)`, false},
		{`suite{t}.all()`, false},
	} {
		src := "package p\nimport \"github.com/allele-go/allele\"\nfunc TestX(t *testing.T) {" + c.body + "}"
		f, err := parser.ParseFile(token.NewFileSet(), "x_test.go", src, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := alone(f.Decls[1].(*ast.FuncDecl), importName(f)); got != c.alone {
			t.Errorf("%s: %v", c.body, got)
		}
	}
}
