//go:build go1.25

package fault

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// pure reports whether an expression can be evaluated once more: it has no effects, cannot
// panic and is cheap.
func (w *walker) pure(e ast.Expr) bool {
	if tv := w.info().Types[e]; tv.Value != nil {
		return true
	}
	switch e := e.(type) {
	case *ast.Ident:
		v, ok := w.info().Uses[e].(*types.Var)
		return ok && !v.IsField() || e.Name == "nil"
	case *ast.ParenExpr:
		return w.pure(e.X)
	case *ast.SelectorExpr:
		s := w.info().Selections[e]
		return s != nil && s.Kind() == types.FieldVal && !s.Indirect() && w.pure(e.X)
	case *ast.UnaryExpr:
		return (e.Op == token.NOT || e.Op == token.SUB || e.Op == token.ADD || e.Op == token.XOR) && w.pure(e.X)
	case *ast.BinaryExpr:
		return w.pureOperator(e) && w.pure(e.X) && w.pure(e.Y)
	case *ast.CallExpr:
		id, ok := e.Fun.(*ast.Ident)
		if !ok || len(e.Args) != 1 || id.Name != "len" && id.Name != "cap" {
			return false
		}
		_, builtin := w.info().Uses[id].(*types.Builtin)
		_, pointer := w.info().TypeOf(e.Args[0]).Underlying().(*types.Pointer)
		return builtin && !pointer && w.pure(e.Args[0])
	}
	return false
}

// pureOperator reports whether an operator cannot panic. Comparisons of interfaces can.
func (w *walker) pureOperator(e *ast.BinaryExpr) bool {
	switch e.Op {
	case token.LAND, token.LOR, token.ADD, token.SUB, token.MUL, token.AND, token.OR, token.XOR, token.AND_NOT:
		return true
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		_, x := basicOf(w.info().TypeOf(e.X))
		_, y := basicOf(w.info().TypeOf(e.Y))
		return x && y || isNil(w.info(), e.Y) || isNil(w.info(), e.X)
	}
	return false
}

func isNil(info *types.Info, e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	_, ok = info.Uses[id].(*types.Nil)
	return ok
}

// repeatable reports whether an operand can be evaluated twice with the same result, or not at all, and nobody
// notices. It may panic: then it panics the first time.
func repeatable(info *types.Info, e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident, *ast.BasicLit:
		return true
	case *ast.ParenExpr:
		return repeatable(info, e.X)
	case *ast.SelectorExpr:
		return repeatable(info, e.X)
	case *ast.StarExpr:
		return repeatable(info, e.X)
	case *ast.IndexExpr:
		return repeatable(info, e.X) && repeatable(info, e.Index)
	case *ast.SliceExpr:
		bad := func(x ast.Expr) bool { return x != nil && !repeatable(info, x) }
		return !slices.ContainsFunc([]ast.Expr{e.X, e.Low, e.High, e.Max}, bad)
	case *ast.BinaryExpr:
		return repeatable(info, e.X) && repeatable(info, e.Y)
	case *ast.UnaryExpr:
		return e.Op != token.ARROW && e.Op != token.AND && repeatable(info, e.X)
	case *ast.CallExpr:
		return harmless(info, e) && !slices.ContainsFunc(e.Args, func(x ast.Expr) bool { return !repeatable(info, x) })
	}
	return false
}

// harmless reports whether a call is a conversion, or of a builtin function that only computes.
func harmless(info *types.Info, call *ast.CallExpr) bool {
	tv := info.Types[call.Fun]
	if tv.IsType() {
		return true
	}
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	return ok && tv.IsBuiltin() && slices.Contains([]string{"len", "cap", "min", "max", "real", "imag", "complex"}, id.Name)
}

// isExact reports whether values of a type that are equal are the same. A program can tell 0 and -0 apart, and an interface
// may have a float in it.
func isExact(t types.Type) bool {
	if _, param := types.Unalias(t).(*types.TypeParam); param {
		return false
	}
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Info()&(types.IsBoolean|types.IsInteger|types.IsString) != 0
	case *types.Pointer, *types.Chan:
		return true
	case *types.Array:
		return isExact(t.Elem())
	case *types.Struct:
		for i := range t.NumFields() {
			if !isExact(t.Field(i).Type()) {
				return false
			}
		}
		return true
	}
	return false
}

// mayAdd reports whether an assignment to an expression may add an element to a map.
func mayAdd(info *types.Info, x ast.Expr) bool {
	i, ok := ast.Unparen(x).(*ast.IndexExpr)
	if !ok {
		return false
	}
	switch info.TypeOf(i.X).Underlying().(type) {
	case *types.Slice, *types.Array, *types.Pointer:
		return false
	}
	return true
}

func hasNewline(s string) bool { return strings.ContainsAny(s, "\r\n") }
