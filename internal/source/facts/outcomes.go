package facts

import (
	"go/ast"
	"go/constant"
	"go/types"
)

const (
	// callsMax is how deep functions are read in place of calls of them.
	callsMax = 3
	// outcomesMax is how many returns such a function may have.
	outcomesMax = 8
)

// outcome is a return of a function: what it gives, and what is known there.
type outcome struct {
	st *state
	e  ast.Expr
}

// outcomes reads a function of the package in place of a call of it, as far as its
// arguments are parts of a parameter: isRed(t.Left). It gives nothing for functions
// with more than one result, or too many returns.
func (w *walker) outcomes(st *state, call *ast.CallExpr) []outcome {
	f, args := w.callee(call)
	if f == nil || w.calls == callsMax || f.Signature().Variadic() || f.Signature().Results().Len() != 1 {
		return nil
	}
	d := w.x.decl(f)
	if d == nil || d.Body == nil {
		return nil
	}
	params := parameters(w.pkg.Info, d)
	inner, known := newState(), false
	for i := range min(len(params), len(args)) {
		if p, ok := w.place(st, args[i]); ok && params[i] != nil {
			inner.vars[params[i]], known = p.in(params[i]), true
		}
	}
	if !known {
		return nil
	}
	var all []outcome
	before := w.ends
	w.calls, w.ends = w.calls+1, &all
	w.block(d.Body.List, inner)
	w.calls, w.ends = w.calls-1, before
	if len(all) > outcomesMax {
		return nil
	}
	return all
}

// callee is a function of the package with its arguments, the receiver first.
func (w *walker) callee(call *ast.CallExpr) (f *types.Func, args []ast.Expr) {
	info := w.pkg.Info
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		f, _ = info.Uses[fun].(*types.Func)
	case *ast.SelectorExpr:
		f, _ = info.Uses[fun.Sel].(*types.Func)
		if s := info.Selections[fun]; s != nil && s.Kind() == types.MethodVal && len(s.Index()) == 1 {
			args = append(args, fun.X)
		}
	}
	if f == nil || f.Pkg() != w.pkg.Types {
		return nil, nil
	}
	return f, append(args, call.Args...)
}

// decl is the declaration of a function in scope.
func (x *Index) decl(f *types.Func) *ast.FuncDecl {
	if x.decls == nil {
		x.decls = map[*types.Func]*ast.FuncDecl{}
		for g := range x.prog.Funcs() {
			x.decls[g.Obj] = g.Decl
		}
	}
	return x.decls[f]
}

// parameters are the receiver and the parameters of a function, nil for those without
// a name.
func parameters(info *types.Info, d *ast.FuncDecl) (all []types.Object) {
	for _, list := range []*ast.FieldList{d.Recv, d.Type.Params} {
		if list == nil {
			continue
		}
		for _, field := range list.List {
			if len(field.Names) == 0 {
				all = append(all, nil)
			}
			for _, id := range field.Names {
				all = append(all, info.Defs[id])
			}
		}
	}
	return all
}

// told is what holds if a function gives true, or false.
func (w *walker) told(all []outcome, want bool) (ways [][]cond) {
	for _, o := range all {
		ways = either(ways, both([][]cond{o.st.path}, w.holds(o.st, o.e, want)))
	}
	return ways
}

// result is the place that a function gives. All but one of its returns must be of
// nil: then what is known at that one holds if its result is not nil.
func (w *walker) result(st *state, call *ast.CallExpr) (p place, ok bool) {
	all := w.outcomes(st, call)
	for _, o := range all {
		if w.pkg.Info.Types[o.e].IsNil() {
			continue
		}
		if ok {
			return p, false
		}
		if p, ok = w.find(o.st, o.e); !ok {
			return p, false
		}
		p = p.as(w.pkg.Info.TypeOf(call))
		if len(all) > 1 {
			p.given, p.maybe = append(o.st.path[:len(o.st.path):len(o.st.path)], p.given...), true
		}
	}
	return p, ok
}

// isTrue reports whether an expression is the constant true.
func isTrue(v constant.Value) bool {
	return v != nil && v.Kind() == constant.Bool && constant.BoolVal(v)
}
