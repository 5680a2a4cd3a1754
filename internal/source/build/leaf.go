package build

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/allele-go/allele/internal/source/load"
	"github.com/allele-go/allele/internal/source/probe"
)

// leaves finds the functions in scope that carry no probe and call nothing that
// might: behind a call of one, a position kept in a local is still right. A
// function is known by its full name: a package and its variant for a test have
// functions of their own under the same names.
func leaves(prog *load.Program, impure bool) func(*types.Func) bool {
	quiet := map[string]bool{}
	isLeaf := func(f *types.Func) bool { return quiet[f.FullName()] }
	known := probe.Options{Leaf: isLeaf, Impure: impure}
	for grown := true; grown; { // a caller of leaves is one as well
		grown = false
		for f := range prog.Funcs() {
			if name := f.Obj.FullName(); !quiet[name] && probe.Silent(f.Pkg.Info, f.Decl.Body, known) {
				quiet[name], grown = true, true
			}
		}
	}
	return isLeaf
}

// spawns reports whether code in scope starts goroutines, or may well have others
// do so. Only then can two of them write to the path at once, and only then are
// the sites of a run kept as a set too, which costs a tenth: without it the path
// is all there is.
func spawns(prog *load.Program) bool {
	for _, pkg := range prog.Scope {
		for _, f := range pkg.Files {
			for _, spec := range f.AST.Imports {
				if path := spec.Path.Value; path == `"net"` || strings.HasPrefix(path, `"net/http`) || path == `"net/rpc"` {
					return true
				}
			}
			for _, d := range f.AST.Decls {
				if startsAnywhere(pkg.Info, d) {
					return true
				}
			}
		}
	}
	return false
}

func startsAnywhere(info *types.Info, d ast.Decl) (found bool) {
	ast.Inspect(d, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.CallExpr, *ast.GoStmt:
			found = found || probe.Starts(info, n)
		}
		return !found
	})
	return found
}
