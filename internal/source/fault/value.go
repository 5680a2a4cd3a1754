//go:build go1.25

package fault

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// returns makes the gates of a return statement, one for each result.
func (w *walker) returns(s *ast.ReturnStmt, listed bool) {
	results := w.sig.Results()
	if len(s.Results) != results.Len() {
		if results.Len() > 0 {
			w.decline("return without operands, or of a call with several results")
		}
		children(s, w.node)
		return
	}
	type gated struct{ before, after string }
	gates := make([]gated, len(s.Results))
	for i := range s.Results {
		before, after := w.result(s, i, results.At(i).Type())
		gates[i] = gated{before, after}
	}
	for i, x := range s.Results {
		if gates[i].before != "" {
			w.put(x.Pos(), gates[i].before)
		}
		w.node(x)
		if gates[i].before != "" {
			w.put(x.End(), gates[i].after)
		}
	}
}

// result returns the text before and after a result that make a gate of it. For some types it
// puts a statement before the return statement instead, and returns nothing.
func (w *walker) result(s *ast.ReturnStmt, i int, t types.Type) (before, after string) {
	x := s.Results[i]
	if isNil(w.info(), x) {
		return "", ""
	}
	if _, param := types.Unalias(t).(*types.TypeParam); param {
		w.decline("result whose type is a type parameter")
		return "", ""
	}
	scope := w.pkg.Types.Scope()
	isError := types.Identical(t, types.Universe.Lookup("error").Type()) && scope.Lookup("error") == nil
	if isError && scope.Lookup("nil") == nil && w.pure(x) {
		if n, ok := w.resultPlace(s, i, "nil"); ok {
			return gate(w.gates.err(), n), ")"
		}
		return "", ""
	}
	if _, ok := t.Underlying().(*types.Basic); ok {
		return w.basicResult(s, i, t)
	}
	w.zeroResult(s, i, t)
	return "", ""
}

// resultPlace makes a place for a result that is replaced by other text.
func (w *walker) resultPlace(s *ast.ReturnStmt, i int, to string) (int, bool) {
	x := s.Results[i]
	changed := w.text(s.Pos(), x.Pos()) + to + w.text(x.End(), s.End())
	n, ok := placeOf(w, s, x, change{opReturn, w.src(s), changed})
	if ok {
		w.skip[x] = skipAll
	}
	return n, ok
}

func (w *walker) basicResult(s *ast.ReturnStmt, i int, t types.Type) (before, after string) {
	x := s.Results[i]
	tv := w.info().Types[x]
	b, ok := w.basic(t)
	if !ok {
		return "", ""
	}
	back, ok := w.back(t, x.Pos())
	if !ok {
		return "", ""
	}
	to, name := "", ""
	switch {
	case b.Info()&types.IsBoolean != 0:
		if isComparison(x) {
			return "", "" // the same as a fault of the comparison
		}
		to, name = w.notText(x, tv.Value), "not"
	case b.Info()&types.IsString != 0:
		if tv.Value != nil && constant.StringVal(tv.Value) == "" {
			return "", ""
		}
		to, name = `""`, "Empty"
	default:
		to, name = "0", "Zero"
		if tv.Value != nil && constant.Sign(tv.Value) == 0 {
			to, name = "1", "Up"
		}
	}
	if name != "not" && !w.pure(x) {
		w.instead(s, i, to, to)
		return "", ""
	}
	n, ok := w.resultPlace(s, i, to)
	if !ok {
		return "", ""
	}
	if name == "not" {
		name = w.gates.not()
	} else {
		name = w.gates.constant(name, b)
	}
	conv := ""
	if !isUntyped(tv.Type) && !types.Identical(tv.Type, b) {
		conv = w.gates.alias(b.Kind()) + "("
	}
	return back + gate(name, n) + conv, closing(conv) + ")" + closing(back)
}

// isComparison reports whether an expression has a fault that negates it.
func isComparison(x ast.Expr) bool {
	b, ok := ast.Unparen(x).(*ast.BinaryExpr)
	return ok && b.Op != token.LAND && b.Op != token.LOR
}

// notText returns the negation of a boolean expression, for people.
func (w *walker) notText(x ast.Expr, v constant.Value) string {
	if v != nil {
		return fmt.Sprint(!constant.BoolVal(v))
	}
	if _, ok := x.(*ast.BinaryExpr); ok {
		return "!(" + w.src(x) + ")"
	}
	return strings.TrimPrefix("!"+w.src(x), "!!")
}

// zeroResult makes the gate of a result that becomes nil or empty.
func (w *walker) zeroResult(s *ast.ReturnStmt, i int, t types.Type) {
	x := s.Results[i]
	zero, is := "nil", "nil"
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		name := w.typeName(t, s.Pos())
		if name == "" {
			w.decline("type without a name at that place")
			return
		}
		if isZeroLiteral(x) {
			return
		}
		if zero, is = name+"{}", ""; isExact(t) {
			is = "(" + zero + ")"
		}
	default:
		if !isNilable(w.info().TypeOf(x)) {
			is = ""
		}
	}
	w.instead(s, i, zero, is)
}

// instead makes the gate of a result that another one replaces: a statement before the return statement, which
// returns if the fault is on. The operand is not evaluated then, because it is not in the changed source. is is what
// to compare the operand with, to see whether it makes a difference; if it is empty, it always does.
func (w *walker) instead(s *ast.ReturnStmt, i int, to, is string) {
	x := s.Results[i]
	if to == "nil" && !w.means("nil", s.Pos()) {
		w.decline("predeclared name that the function has redeclared")
		return
	}
	if slices.ContainsFunc(s.Results, func(y ast.Expr) bool { return y != x && hasLiteral(y) }) {
		w.decline("result beside a function literal")
		return
	}
	n, ok := w.resultPlace(s, i, to)
	if !ok {
		return
	}
	cond, before := fmt.Sprintf("%s(%d)", w.gates.drop(), n), ""
	switch src := "(" + w.src(x) + ") != " + is; {
	case is == "" || hasNewline(src) || !repeatable(w.info(), x): // a call that is not made may make a difference whatever it returns
	case w.pure(x):
		cond = gate(w.gates.dropIf(), n) + src + ")"
	default:
		cond = fmt.Sprintf("%s(%d)", w.gates.skip(), n)
		before = seen(w.gates, n, src)
	}
	var list []string
	for _, y := range s.Results {
		list = append(list, w.src(y))
	}
	list[i] = to
	p := w.fset.PositionFor(s.Pos(), false)
	w.put(s.Pos(), fmt.Sprintf("%sif %s{return %s};/*line :%d:%d*/", before, cond, strings.Join(list, ","), p.Line, p.Column))
}

// seen returns a statement that notes whether a fault makes a difference, if its place records.
func seen(g *gates, n int, differs string) string {
	noted := gate(g.differs(), n) + "func()" + g.alias(types.Bool) + "{return " + differs + "})"
	return fmt.Sprintf("if %s(%d){%s};", g.sees(), n, noted)
}

func isNilable(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature, *types.Interface:
		_, param := types.Unalias(t).(*types.TypeParam)
		return !param
	}
	return false
}

func isZeroLiteral(x ast.Expr) bool {
	c, ok := ast.Unparen(x).(*ast.CompositeLit)
	return ok && len(c.Elts) == 0
}

func hasLiteral(n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			found = true
		}
		return !found
	})
	return found
}
