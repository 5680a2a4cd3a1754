//go:build go1.25

package fault

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// Bits of walker.skip: changes of a constant that are not made.
const (
	skipUp   = 1 // one more
	skipDown = 2 // one less
	skipAll  = skipUp | skipDown
)

// sameAsBoundary leaves out the change of a constant that is the same program as the
// fault of a comparison: x < 6 and x <= 5.
func (w *walker) sameAsBoundary(e *ast.BinaryExpr, b *types.Basic) {
	if b.Info()&types.IsInteger == 0 {
		return
	}
	up := e.Op == token.LSS || e.Op == token.GEQ
	right, left := uint8(skipDown), uint8(skipUp)
	if up {
		right, left = left, right
	}
	w.skip[e.Y] |= right
	w.skip[e.X] |= left
}

// constant makes the gate of a literal. Other constant expressions stay as they are.
func (w *walker) constant(e ast.Expr) {
	x := ast.Unparen(e)
	if u, ok := x.(*ast.UnaryExpr); ok {
		x = ast.Unparen(u.X)
	}
	if _, ok := x.(*ast.BasicLit); !ok {
		return
	}
	if w.fn < 0 {
		w.decline("constant in the initialiser of a package variable")
		return
	}
	tv := w.info().Types[e]
	t := tv.Type
	if isUntyped(t) && tv.Value.Kind() == constant.String { // append(b, "x"...)
		t = types.Typ[types.String]
	}
	if w.skip[e] == skipAll {
		return
	}
	b, ok := w.basic(t)
	if !ok {
		return
	}
	changes, kinds := w.constantChanges(e, tv.Value, b)
	if len(changes) == 0 {
		return
	}
	back, ok := w.back(t, e.Pos())
	if !ok {
		return
	}
	s, ok := w.place(e, changes...)
	if !ok {
		return
	}
	if differ, ok := w.differ(e, changes, b); ok {
		w.put(e.Pos(), back+gate(w.gates.compared(kinds, b), s))
		w.put(e.End(), ","+differ+")"+closing(back))
		return
	}
	w.put(e.Pos(), back+gate(w.gates.constant(kinds, b), s))
	w.put(e.End(), ")"+closing(back))
}

// operands remembers the comparison of which a constant is an operand, if the other operand can
// be evaluated once more when the constant is. The left operand has been evaluated by then.
func (w *walker) operands(e *ast.BinaryExpr) {
	if hasNewline(w.src(e)) {
		return
	}
	if w.pure(e.X) || repeatable(w.info(), e.X) {
		w.compared[e.Y] = e
	}
	if w.pure(e.Y) {
		w.compared[e.X] = e
	}
}

// differ returns source that says, for each change of a constant, whether the comparison that it
// is an operand of has another result with it: x > 101 differs from x > 100 only if x is 101. A
// constant that is no such operand changes the program wherever it is evaluated.
func (w *walker) differ(e ast.Expr, changes []change, b *types.Basic) (string, bool) {
	c := w.compared[e]
	if c == nil {
		return "", false
	}
	with := func(to string) string {
		x, y := w.src(c.X), w.src(c.Y)
		if c.X == e {
			x = to
		} else {
			y = to
		}
		return "(" + x + " " + c.Op.String() + " " + y + ")"
	}
	texts := []string{"0 != 0", "0 != 0"} // false may be redeclared
	for i, change := range changes {
		if !fits(change.to, b) {
			return "", false
		}
		texts[i] = with("("+change.to+")") + "!=" + with(w.src(e))
	}
	return strings.Join(texts, ","), true
}

// fits reports whether a constant, as source, is a value of a basic type. The size of int is
// that of the smallest platform.
func fits(text string, b *types.Basic) bool {
	bits := map[types.BasicKind]int64{types.Int8: 8, types.Uint8: 8, types.Int16: 16, types.Uint16: 16,
		types.Int64: 64, types.Uint64: 64}[b.Kind()]
	if b.Info()&types.IsInteger == 0 {
		return true
	}
	tv, err := types.Eval(token.NewFileSet(), nil, token.NoPos, text)
	if err != nil || tv.Value == nil {
		return false
	}
	v, unsigned := constant.ToInt(tv.Value), b.Info()&types.IsUnsigned != 0
	if v.Kind() != constant.Int {
		return false
	}
	if bits = cmp.Or(bits, 32); !unsigned {
		bits--
	}
	most := constant.Shift(constant.MakeInt64(1), token.SHL, uint(bits))
	least := constant.UnaryOp(token.SUB, most, 0)
	if unsigned {
		least = constant.MakeInt64(0)
	}
	return constant.Compare(v, token.GEQ, least) && constant.Compare(v, token.LSS, most)
}

// constantChanges returns the changes of a constant, and the kind of gate that makes them.
func (w *walker) constantChanges(e ast.Expr, v constant.Value, b *types.Basic) (changes []change, kind string) {
	skip := w.skip[e]
	if b.Info()&types.IsString != 0 {
		if constant.StringVal(v) == "" {
			return nil, ""
		}
		return []change{{opConstant, w.src(e), `""`}}, "Empty"
	}
	if b.Info()&types.IsNumeric == 0 {
		return nil, ""
	}
	one := constant.MakeInt64(1)
	up := change{opConstant, w.src(e), w.constantText(e, constant.BinaryOp(v, token.ADD, one), b)}
	down := change{opConstant, w.src(e), w.constantText(e, constant.BinaryOp(v, token.SUB, one), b)}
	switch skip {
	case 0:
		return []change{up, down}, "Const"
	case skipUp:
		return []change{down}, "Down"
	case skipDown:
		return []change{up}, "Up"
	}
	return nil, ""
}

// constantText returns a changed constant as people read it. A constant outside of its type
// wraps around.
func (w *walker) constantText(e ast.Expr, v constant.Value, b *types.Basic) string {
	lit, isLit := ast.Unparen(e).(*ast.BasicLit)
	if n, ok := constant.Int64Val(constant.ToInt(v)); ok && isLit && lit.Kind == token.CHAR && n >= 0 {
		return fmt.Sprintf("%q", rune(n))
	}
	if !representable(v, b) {
		return w.src(e) + map[bool]string{true: " - 1", false: " + 1"}[constant.Sign(v) < 0]
	}
	if v.Kind() == constant.Float { // String would round it
		f, _ := constant.Float64Val(v)
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return v.String()
}

func representable(v constant.Value, b *types.Basic) bool {
	return b.Info()&types.IsUnsigned == 0 || constant.Sign(v) >= 0
}
