//go:build go1.25

package facts

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
)

const (
	// callsMax is how many nested calls are followed into the called functions.
	callsMax = 3
	// outcomesMax is how many return statements a called function may have.
	outcomesMax = 16
)

// outcome is a return statement of a called function: the results that it returns, and
// what is known there.
type outcome struct {
	st      *state
	results []ast.Expr
	reading []*types.Func // the functions being walked there; the last one contains the statement
}

// inside runs the function do as if the walker were at the return statement o.
func (w *walker) inside(o outcome, do func()) {
	before := w.reading
	w.reading = o.reading
	do()
	w.reading = before
}

// outcomes walks the body of a called function of the package and returns its return
// statements. It does so only if an argument is a part of a parameter, as in
// isRed(t.Left), where t is a parameter. The parameter results is the number of results
// that the caller expects. outcomes returns nil for a function with another number, with
// a bare return or with too many returns. It also returns nil for a function that is
// being walked already: a recursive function that descends a tree has no shape of its
// own.
func (w *walker) outcomes(st *state, call *ast.CallExpr, results int) []outcome {
	f, args := w.callee(call)
	if f == nil || len(w.reading) == callsMax || f == w.fun.Obj || slices.Contains(w.reading, f) ||
		f.Signature().Variadic() || f.Signature().Results().Len() != results {
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
	before, writes := w.ends, w.writes
	w.reading, w.ends, w.writes = append(w.reading, f), &all, w.x.writesOf(d.Body)
	w.block(d.Body.List, inner)
	w.reading, w.ends, w.writes = w.reading[:len(w.reading)-1], before, writes
	if len(all) > outcomesMax || slices.ContainsFunc(all, func(o outcome) bool { return len(o.results) != results }) {
		return nil
	}
	return all
}

// callee returns a called function of the package with its arguments, the receiver
// first. It returns nil for a method of an embedded field, because the call does not
// name the receiver.
func (w *walker) callee(call *ast.CallExpr) (f *types.Func, args []ast.Expr) {
	info := w.pkg.Info
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		f, _ = info.Uses[fun].(*types.Func)
	case *ast.SelectorExpr:
		f, _ = info.Uses[fun.Sel].(*types.Func)
		if s := info.Selections[fun]; s != nil && s.Kind() == types.MethodVal {
			if len(s.Index()) > 1 {
				return nil, nil
			}
			args = append(args, fun.X)
		}
	}
	if f == nil || f.Pkg() != w.pkg.Types {
		return nil, nil
	}
	return f, append(args, call.Args...)
}

// decl returns the declaration of a function in scope, or nil for other functions.
func (x *Index) decl(f *types.Func) *ast.FuncDecl {
	if x.decls == nil {
		x.decls = map[*types.Func]*ast.FuncDecl{}
		for g := range x.prog.Funcs() {
			x.decls[g.Obj] = g.Decl
		}
	}
	return x.decls[f]
}

// parameters returns the receiver and the parameters of a function. The entry for an
// unnamed one is nil.
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

// whenResult returns what is known if the last result of a called function is want.
func (w *walker) whenResult(all []outcome, want bool) (alternatives [][]cond) {
	for _, o := range all {
		w.inside(o, func() {
			alternatives = either(alternatives, both([][]cond{o.st.path}, w.holds(o.st, o.results[len(o.results)-1], want)))
		})
	}
	return alternatives
}

// result returns the place that is the first result of a called function. Exactly one
// return statement may return a place; all others must return nil, or false as the last
// result. So if the result is not nil, all that is known at that one statement holds.
func (w *walker) result(all []outcome, t types.Type) (p place, ok bool) {
	for _, o := range all {
		n := len(o.results)
		if last := w.pkg.Info.Types[o.results[n-1]]; last.IsNil() || last.Value != nil && n > 1 && !isTrue(last.Value) {
			continue
		}
		if ok {
			return p, false
		}
		if w.inside(o, func() { p, ok = w.find(o.st, o.results[0]) }); !ok {
			return p, false
		}
		p = p.as(t)
		if len(all) > 1 {
			p.given, p.maybe = append(slices.Clip(o.st.path), p.given...), true
		}
	}
	return p, ok
}

// assignCall handles an assignment such as x, ok := f(y).
func (w *walker) assignCall(st *state, lhs []ast.Expr, call *ast.CallExpr) {
	all := w.outcomes(st, call, 2)
	var p place
	var ok bool
	t, isTuple := w.pkg.Info.TypeOf(call).(*types.Tuple)
	if len(all) > 0 && isTuple {
		p, ok = w.result(all, t.At(0).Type())
	}
	var conds [2][][]cond
	if len(all) > 0 && isTuple && isBool(t.At(1).Type()) {
		conds = [2][][]cond{w.whenResult(all, false), w.whenResult(all, true)}
	}
	for i, e := range lhs {
		w.forget(st, e)
		id, isIdent := e.(*ast.Ident)
		if !isIdent || id.Name == "_" {
			continue
		}
		if o := w.pkg.Info.ObjectOf(id); i == 0 && ok {
			st.vars[o] = p.in(o)
		} else if i == 1 && conds[0] != nil {
			st.conds[o] = conds
		}
	}
}

// isTrue reports whether a value is the constant true.
func isTrue(v constant.Value) bool {
	return v != nil && v.Kind() == constant.Bool && constant.BoolVal(v)
}
