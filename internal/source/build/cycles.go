//go:build go1.25

package build

import (
	"go/ast"
	"go/types"

	"github.com/allele-go/allele/internal/source/load"
	"github.com/allele-go/allele/internal/source/probe"
)

// calls is a call graph: the callees of each function, by full name.
type calls map[string][]string

// cycles returns a predicate that is true for functions that may call themselves,
// directly or indirectly. In every cycle of calls, one function must check the limit on
// the hits of a run. Functions outside cycles need no check.
func cycles(prog *load.Program) func(*types.Func) bool {
	graph := calls{}
	for f := range prog.Funcs() {
		graph[f.Obj.FullName()] = nil
	}
	open := map[string]bool{} // functions with a callee that is unknown or may call any function
	for f := range prog.Funcs() {
		name := f.Obj.FullName()
		for _, callee := range callees(f.Pkg.Info, f.Decl.Body) {
			if callee == nil {
				open[name] = true
				continue
			}
			graph[name] = append(graph[name], callee.FullName())
			if _, inScope := graph[callee.FullName()]; !inScope && probe.CallsBack(callee) {
				open[name] = true
			}
		}
	}
	circular := graph.circular()
	return func(f *types.Func) bool { return open[f.FullName()] || circular[f.FullName()] }
}

// rounds returns a predicate that is true for functions without branches that may call
// themselves through other functions without branches. Such a function must check the
// limit, because nothing else in the cycle would.
func rounds(prog *load.Program) func(*types.Func) bool {
	graph := calls{}
	for f := range prog.Funcs() {
		if !probe.Straight(f.Pkg.Info, f.Decl.Body) {
			continue
		}
		graph[f.Obj.FullName()] = nil
		for _, callee := range callees(f.Pkg.Info, f.Decl.Body) {
			if callee != nil {
				graph[f.Obj.FullName()] = append(graph[f.Obj.FullName()], callee.FullName())
			}
		}
	}
	circular := graph.circular()
	return func(f *types.Func) bool { return circular[f.FullName()] }
}

// callees returns the functions that a body calls. The list contains nil for each call
// whose callee is known only at run time: of a function value, or of an interface's
// method.
func callees(info *types.Info, body ast.Node) (all []*types.Func) {
	ast.Inspect(body, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok && !info.Types[c.Fun].IsType() && !info.Types[c.Fun].IsBuiltin() {
			all = append(all, probe.Callee(info, c))
		}
		return true
	})
	return all
}

// circular returns the functions on a cycle, found by Tarjan's algorithm for
// strongly connected components.
func (g calls) circular() map[string]bool {
	t := &tarjan{g, map[string]int{}, map[string]int{}, nil, map[string]bool{}}
	for name := range g {
		if t.index[name] == 0 {
			t.visit(name)
		}
	}
	return t.circular
}

type tarjan struct {
	calls    calls
	index    map[string]int // number of a function, from 1 in the order of visits
	low      map[string]int // lowest index reachable from a function; deleted when its component is complete
	stack    []string
	circular map[string]bool
}

func (t *tarjan) visit(name string) {
	t.index[name] = len(t.index) + 1
	t.low[name] = t.index[name]
	at := len(t.stack)
	t.stack = append(t.stack, name)
	for _, next := range t.calls[name] {
		if _, known := t.calls[next]; !known {
			continue
		}
		if next == name {
			t.circular[name] = true
		}
		if t.index[next] == 0 {
			t.visit(next)
		}
		if low, open := t.low[next]; open {
			t.low[name] = min(t.low[name], low)
		}
	}
	if t.low[name] != t.index[name] {
		return
	}
	for _, member := range t.stack[at:] {
		delete(t.low, member) // its component is complete
		if len(t.stack)-at > 1 {
			t.circular[member] = true
		}
	}
	t.stack = t.stack[:at]
}
