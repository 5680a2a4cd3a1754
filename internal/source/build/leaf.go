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
// function is known by its full name, as another package sees it through
// export data.
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

// rounds finds functions without a branch that may call themselves through
// others without one: nothing else in such a circle would ever check the limit.
func rounds(prog *load.Program) func(*types.Func) bool {
	calls := map[string][]string{}
	for f := range prog.Funcs() {
		if probe.Straight(f.Pkg.Info, f.Decl.Body) {
			calls[f.Obj.FullName()] = callees(f.Pkg.Info, f.Decl.Body)
		}
	}
	return func(f *types.Func) bool { return reaches(calls, f.FullName(), f.FullName(), map[string]bool{}) }
}

func callees(info *types.Info, body ast.Node) (names []string) {
	ast.Inspect(body, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			if f := probe.Callee(info, c); f != nil {
				names = append(names, f.FullName())
			}
		}
		return true
	})
	return names
}

// reaches reports whether calls lead from one function to another.
func reaches(calls map[string][]string, from, to string, seen map[string]bool) bool {
	for _, next := range calls[from] {
		if next == to {
			return true
		}
		if !seen[next] {
			seen[next] = true
			if reaches(calls, next, to, seen) {
				return true
			}
		}
	}
	return false
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
