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
	var todo []string                        // leaves whose callers are not counted yet
	callers := map[string][]*leafCandidate{} // callee -> the candidates that call it
	for f := range prog.Funcs() {
		c := &leafCandidate{name: f.Obj.FullName()}
		var callees []string
		all := func(f *types.Func) bool { // if all callees were leaves, would f be one?
			callees = append(callees, f.FullName())
			return true
		}
		if !probe.Silent(f.Pkg.Info, f.Decl.Body, probe.Options{Leaf: all, Impure: impure}) {
			continue
		}
		c.missing = len(callees)
		for _, callee := range callees {
			callers[callee] = append(callers[callee], c)
		}
		if c.missing == 0 {
			todo = append(todo, c.name)
		}
	}
	leaf := map[string]bool{}
	for ; len(todo) > 0; todo = todo[1:] {
		if leaf[todo[0]] {
			continue
		}
		leaf[todo[0]] = true
		for _, c := range callers[todo[0]] {
			if c.missing--; c.missing == 0 {
				todo = append(todo, c.name)
			}
		}
	}
	return func(f *types.Func) bool { return leaf[f.FullName()] }
}

// leafCandidate is a function that is a leaf if all its callees are. missing counts the
// calls of functions that are not known to be leaves.
type leafCandidate struct {
	name    string
	missing int
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
		found = found || probe.StartsHere(info, n)
		return !found
	})
	return found
}
