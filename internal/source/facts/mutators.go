//go:build go1.25

package facts

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/allele-go/allele/internal/source/load"
)

// isMutator reports whether a function is a method with a pointer receiver that has
// parameters, changes what the receiver points to, and returns nothing or only an error
// or bool.
func (x *Index) isMutator(f load.Func, sig *types.Signature) bool {
	if kindOf(f) != Mutator || sig.Params().Len() == 0 {
		return false
	}
	if _, ok := types.Unalias(sig.Recv().Type()).(*types.Pointer); !ok {
		return false
	}
	return x.changes(f.Obj.FullName())
}

// changes reports whether a method changes its receiver, judging by its body.
func (x *Index) changes(method string) bool {
	if x.changing == nil {
		x.changing = map[string]bool{}
		for grown := true; grown; { // repeated, because a method that calls a changing method on its receiver also changes it
			grown = false
			for f := range x.prog.Funcs() {
				name := f.Obj.FullName()
				if f.Decl.Recv != nil && !x.changing[name] && x.stores(f) {
					x.changing[name], grown = true, true
				}
			}
		}
	}
	return x.changing[method]
}

// stores reports whether a method assigns to memory that its receiver leads to. It may
// do so through the receiver, or through a local variable that refers to the same
// memory.
func (x *Index) stores(f load.Func) (found bool) {
	if len(f.Decl.Recv.List[0].Names) == 0 {
		return false
	}
	r := &reached{f.Pkg.Info, map[types.Object]bool{f.Pkg.Info.Defs[f.Decl.Recv.List[0].Names[0]]: true}}
	ast.Inspect(f.Decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				found = found || r.place(e)
			}
			r.alias(n)
		case *ast.IncDecStmt:
			found = found || r.place(n.X)
		case *ast.CallExpr:
			found = found || x.changedBy(r, n)
		}
		return !found
	})
	return found
}

// reached is the set of variables that lead to the memory of a receiver.
type reached struct {
	info *types.Info
	vars map[types.Object]bool
}

// from reports whether an expression begins with one of the variables, as r.left.key
// does with r.
func (r *reached) from(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return r.vars[r.info.ObjectOf(e)]
	case *ast.SelectorExpr:
		return r.from(e.X)
	case *ast.IndexExpr:
		return r.from(e.X)
	case *ast.SliceExpr:
		return r.from(e.X)
	case *ast.StarExpr:
		return r.from(e.X)
	case *ast.UnaryExpr:
		return e.Op == token.AND && r.from(e.X)
	case *ast.TypeAssertExpr:
		return r.from(e.X)
	}
	return false
}

// place reports whether an assignment to an expression changes what the receiver points
// to. An assignment to a variable itself does not.
func (r *reached) place(e ast.Expr) bool {
	_, variable := ast.Unparen(e).(*ast.Ident)
	return !variable && r.from(e)
}

// alias records the variables that lead to the memory of the receiver after an
// assignment.
func (r *reached) alias(n *ast.AssignStmt) {
	for i, e := range n.Lhs {
		id, ok := e.(*ast.Ident)
		if !ok || len(n.Lhs) != len(n.Rhs) || !r.from(n.Rhs[i]) {
			continue
		}
		if o := r.info.ObjectOf(id); o != nil && refers(o.Type()) {
			r.vars[o] = true
		}
	}
}

// refers reports whether a copy of a value leads to the same memory as the value
// itself.
func refers(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Slice, *types.Interface:
		return true
	}
	return false
}

// changedBy reports whether a call changes memory that the receiver leads to. Three
// kinds of calls do: the builtins delete, clear and copy; methods in scope that change
// their receivers; and methods outside the scope that have a pointer receiver and
// arguments. Methods outside the scope without arguments do not count, because they
// include the methods of locks.
func (x *Index) changedBy(r *reached, c *ast.CallExpr) bool {
	switch fun := ast.Unparen(c.Fun).(type) {
	case *ast.Ident:
		_, builtin := r.info.Uses[fun].(*types.Builtin)
		return builtin && strings.Contains(" delete clear copy ", " "+fun.Name+" ") && len(c.Args) > 0 && r.from(c.Args[0])
	case *ast.SelectorExpr:
		m, ok := r.info.Uses[fun.Sel].(*types.Func)
		if !ok || m.Signature().Recv() == nil || !r.from(fun.X) || m.Pkg() == nil {
			return false
		}
		if m = m.Origin(); x.scope[m.Pkg().Path()] {
			return x.changing[m.FullName()]
		}
		_, pointer := m.Signature().Recv().Type().(*types.Pointer)
		return pointer && len(c.Args) > 0
	}
	return false
}
