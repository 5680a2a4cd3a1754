//go:build go1.25

package facts

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// place returns the part of a parameter that an expression refers to. ok is false if
// the expression does not refer to a parameter, or if that part has been assigned to.
func (w *walker) place(st *state, e ast.Expr) (p place, ok bool) {
	if p, ok = w.find(st, e); !ok || len(p.moves) > depthMax {
		return p, false
	}
	return p, !st.assigned(p)
}

// assigned reports whether a place, or a place that contains it, has been assigned to.
func (s *state) assigned(p place) bool {
	if len(s.dirty) == 0 {
		return false
	}
	key := p.key()
	return slices.ContainsFunc(s.dirty, func(d string) bool { return strings.HasPrefix(key, d) })
}

func (w *walker) find(st *state, e ast.Expr) (p place, ok bool) {
	info := w.pkg.Info
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		p, ok = st.vars[info.ObjectOf(e)]
	case *ast.StarExpr:
		if p, ok = w.find(st, e.X); ok {
			u, isPointer := p.typ.Underlying().(*types.Pointer)
			if ok = isPointer && (structOf(p.typ) != nil || len(p.moves) == 0 && w.x.isSum(u.Elem(), pathOfTests(w.fun))); ok {
				p = p.as(u.Elem())
			}
		}
	case *ast.UnaryExpr:
		if p, ok = w.find(st, e.X); ok {
			ok = e.Op == token.AND && structOf(p.typ) != nil
		}
	case *ast.SelectorExpr:
		return w.selected(st, e)
	case *ast.TypeAssertExpr:
		if e.Type == nil {
			return w.find(st, e.X)
		}
		if p, ok = w.find(st, e.X); ok {
			t := info.TypeOf(e.Type)
			p, ok = p.as(t), w.x.isVariant(p.typ, t)
		}
	case *ast.IndexExpr:
		return w.element(st, e)
	case *ast.CallExpr:
		return w.result(w.outcomes(st, e, 1), info.TypeOf(e))
	}
	return p, ok
}

// selected returns the place of a selected field, x.F. F may be in an embedded field.
func (w *walker) selected(st *state, e *ast.SelectorExpr) (p place, ok bool) {
	s := w.pkg.Info.Selections[e]
	if s == nil || s.Kind() != types.FieldVal {
		return p, false
	}
	if p, ok = w.find(st, e.X); !ok {
		return p, false
	}
	for _, i := range s.Index() {
		t := p.typ
		if ptr, ok := types.Unalias(t).(*types.Pointer); ok {
			t = ptr.Elem()
		}
		if !w.ownStruct(t) {
			return p, false
		}
		f := structOf(t).Field(i)
		p = p.to(move{via: p.typ, field: f}, f.Type())
	}
	return p, true
}

// element returns the place of a list element, x[i]. The index must be a small constant,
// or a loop counter that starts at zero. For a counter, the place is that of the first
// element.
func (w *walker) element(st *state, e *ast.IndexExpr) (p place, ok bool) {
	v := w.pkg.Info.Types[e.Index].Value
	if id, ok := ast.Unparen(e.Index).(*ast.Ident); ok && st.first[w.pkg.Info.ObjectOf(id)] {
		v = constant.MakeInt64(0)
	}
	if v == nil {
		return p, false
	}
	i, exact := constant.Int64Val(constant.ToInt(v))
	if p, ok = w.find(st, e.X); !ok || !exact || i < 0 || i >= listMax {
		return p, false
	}
	return w.item(p, int(i))
}

func (w *walker) item(p place, i int) (place, bool) {
	s, ok := p.typ.Underlying().(*types.Slice)
	if !ok || types.IsInterface(p.typ) {
		return p, false
	}
	return p.to(move{via: s.Elem(), index: i}, s.Elem()), true
}

// anything means that nothing is known: it is one alternative without conditions.
var anything = [][]cond{nil}

// holds returns what is known about parameters if an expression has the value want. The
// result is a list of alternatives, each a list of conditions; all conditions of at
// least one alternative hold.
func (w *walker) holds(st *state, e ast.Expr, want bool) [][]cond {
	if v := w.pkg.Info.Types[e].Value; v != nil && v.Kind() == constant.Bool {
		if constant.BoolVal(v) != want {
			return nil // no alternatives: the expression cannot have this value
		}
		return anything
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			return w.holds(st, e.X, !want)
		}
	case *ast.BinaryExpr:
		switch {
		case e.Op == token.LAND && want, e.Op == token.LOR && !want:
			return both(w.holds(st, e.X, want), w.holds(st, e.Y, want))
		case e.Op == token.LOR:
			return either(w.holds(st, e.X, true), w.holds(st, e.Y, true))
		case e.Op != token.LAND:
			return w.compared(st, e, want)
		}
	case *ast.Ident:
		if c, ok := st.conds[w.pkg.Info.ObjectOf(e)]; ok {
			if want {
				return c[1]
			}
			return c[0]
		}
		return w.flag(st, e, want)
	case *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr:
		return w.flag(st, e, want)
	case *ast.CallExpr:
		if all := w.outcomes(st, e, 1); len(all) > 0 {
			return w.whenResult(all, want)
		}
	}
	return anything
}

// flag returns what is known if e, a bool that is a part of a parameter, has the value
// want.
func (w *walker) flag(st *state, e ast.Expr, want bool) [][]cond {
	p, ok := w.place(st, e)
	if !ok {
		return anything
	}
	if b, ok := p.typ.Underlying().(*types.Basic); !ok || b.Info()&types.IsBoolean == 0 {
		return anything
	}
	return [][]cond{{{at: p, kind: equals, v: constant.MakeBool(want)}}}
}

func both(a, b [][]cond) (all [][]cond) {
	for _, x := range a {
		for _, y := range b {
			if len(all) == alternativesMax {
				return all
			}
			room := max(0, condsMax-len(x))
			all = append(all, append(slices.Clone(x), y[:min(len(y), room)]...))
		}
	}
	return all
}

func either(a, b [][]cond) [][]cond {
	all := append(append([][]cond(nil), a...), b...)
	return all[:min(len(all), alternativesMax)]
}

// compared returns what is known if the value of a comparison is want.
func (w *walker) compared(st *state, e *ast.BinaryExpr, want bool) [][]cond {
	left, right, op := e.X, e.Y, e.Op
	if w.constant(left) {
		left, right, op = right, left, mirrored[op]
	}
	if !want {
		op = negated[op]
	}
	if op == token.EQL && !w.constant(right) {
		return w.same(st, left, right)
	}
	if !w.constant(right) || op == token.ILLEGAL {
		return anything
	}
	if c, ok := w.lengthOf(st, left, op, right); ok {
		return c
	}
	p, ok := w.place(st, left)
	if !ok {
		return anything
	}
	if c, ok := w.compare(p, op, right); ok {
		return [][]cond{{c}}
	}
	return anything
}

// same returns what is known if x and y are equal. If the value of one of them is
// known, the other one has this value too.
func (w *walker) same(st *state, x, y ast.Expr) [][]cond {
	p, ok := w.place(st, x)
	q, also := w.place(st, y)
	if !ok || !also {
		return anything
	}
	for _, pair := range [][2]place{{p, q}, {q, p}} {
		if s := st.shapes[pair[0].root].at(pair[0].moves); s != nil && s.value != nil {
			return [][]cond{{{at: pair[1], kind: equals, v: s.value, name: s.named}}}
		}
	}
	return anything
}

var mirrored = map[token.Token]token.Token{
	token.EQL: token.EQL, token.NEQ: token.NEQ,
	token.LSS: token.GTR, token.GTR: token.LSS,
	token.LEQ: token.GEQ, token.GEQ: token.LEQ,
}
var negated = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LSS: token.GEQ, token.GEQ: token.LSS,
	token.GTR: token.LEQ, token.LEQ: token.GTR,
}

// constant reports whether an expression is a constant or nil.
func (w *walker) constant(e ast.Expr) bool {
	tv := w.pkg.Info.Types[e]
	return tv.Value != nil || tv.IsNil()
}

// compare returns the condition for a comparison of a place with e, which is a constant
// or nil. ok is false if patterns cannot express the condition, for example if op is <.
func (w *walker) compare(p place, op token.Token, e ast.Expr) (c cond, ok bool) {
	tv := w.pkg.Info.Types[e]
	switch {
	case op != token.EQL && op != token.NEQ:
		return c, false
	case tv.IsNil() && op == token.EQL:
		return cond{at: p, kind: isNil}, !p.maybe
	case tv.IsNil():
		_, pointer := p.typ.Underlying().(*types.Pointer)
		return cond{at: p, kind: notNil}, pointer || p.maybe
	}
	b, ok := p.typ.Underlying().(*types.Basic)
	if !ok {
		return c, false
	}
	v := tv.Value
	if v.Kind() == constant.Bool {
		if op == token.NEQ {
			v = constant.MakeBool(!constant.BoolVal(v))
		}
		return cond{at: p, kind: equals, v: v}, true
	}
	v = convert(b, v)
	if _, ok := literal(v); op != token.EQL || !ok {
		return c, false
	}
	return cond{at: p, kind: equals, v: v, name: namedConst(w.pkg.Info, e)}, true
}

// lengthOf returns what is known if a comparison of a list's length with a constant is
// true. The second result is false if e is not a len of a list.
func (w *walker) lengthOf(st *state, e ast.Expr, op token.Token, with ast.Expr) ([][]cond, bool) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || !w.pkg.Info.Types[call.Fun].IsBuiltin() || w.pkg.Info.Types[with].Value == nil {
		return nil, false
	}
	p, ok := w.place(st, call.Args[0])
	if id, isIdent := ast.Unparen(call.Fun).(*ast.Ident); !ok || !isIdent || id.Name != "len" {
		return nil, false
	}
	if _, ok := p.typ.Underlying().(*types.Slice); !ok {
		return nil, false
	}
	v, exact := constant.Int64Val(constant.ToInt(w.pkg.Info.Types[with].Value))
	c := cond{at: p, kind: atLeast, n: int(v)}
	switch {
	case op == token.EQL, op == token.LEQ && v == 0, op == token.LSS && v == 1:
		c.kind = hasLength
		if op == token.LSS {
			c.n = 0
		}
	case op == token.GTR, op == token.NEQ && v == 0:
		c.n++
	case op != token.GEQ:
		return anything, true
	}
	if !exact || c.n < 0 || c.n > listMax {
		return anything, true
	}
	return [][]cond{{c}}, true
}
