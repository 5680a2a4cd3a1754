//go:build go1.25

package build

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/allele-go/allele/internal/source/load"
	"github.com/allele-go/allele/internal/source/probe"
)

// leaves returns a predicate that is true for leaves: functions in scope that contain
// no probe and call nothing that may contain one. After a call of a leaf, the caller's
// local copy of the buffer position is still up to date (see package probe). Functions
// are compared by full name, because a package and its variant for a test have different
// objects for the same function.
func leaves(prog *load.Program, impure bool) func(*types.Func) bool {
	quiet := map[string]bool{}
	isLeaf := func(f *types.Func) bool { return quiet[f.FullName()] }
	known := probe.Options{Leaf: isLeaf, Impure: impure}
	for grown := true; grown; { // a function that only calls leaves is a leaf too
		grown = false
		for f := range prog.Funcs() {
			if name := f.Obj.FullName(); !quiet[name] && probe.Silent(f.Pkg.Info, f.Decl.Body, known) {
				quiet[name], grown = true, true
			}
		}
	}
	return isLeaf
}

// spawns reports whether code in scope starts goroutines, or probably calls code
// outside the scope that does. Then several goroutines may write to the path at once,
// so its order is not reliable, and probes also record the set of reached sites. That
// costs a tenth of the speed. Without goroutines, probes record only the path.
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
