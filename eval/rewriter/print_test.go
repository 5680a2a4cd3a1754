package rewriter

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/allele-go/allele"
)

// Every value prints to a program that type-checks.
func TestWellTyped(t *testing.T) {
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "source", nil)
	allele.Check(t, func(t *allele.T, in struct {
		Prog    Prog
		Threads bool
	}) {
		src := Print("p", in.Prog, in.Threads)
		f, err := parser.ParseFile(fset, "p.go", src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		if _, err := (&types.Config{Importer: imports}).Check("p", fset, []*ast.File{f}, nil); err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
	}, append(options, allele.Tests(600))...)
}
