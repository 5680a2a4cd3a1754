//go:build go1.25

package fault

import (
	"go/ast"
	"go/token"
	"go/types"
)

// comparison tells what faults make of a comparison.
type comparison struct{ name, boundary, negate string }

var comparisons = map[token.Token]comparison{
	token.LSS: {"Lss", "<=", ">="},
	token.LEQ: {"Leq", "<", ">"},
	token.GTR: {"Gtr", ">=", "<="},
	token.GEQ: {"Geq", ">", "<"},
}

// arithmetic tells what faults make of an operator of numbers.
type arithmetic struct{ name, to string }

var arithmetics = map[token.Token]arithmetic{
	token.ADD:     {"Add", "-"},
	token.SUB:     {"Sub", "+"},
	token.MUL:     {"Mul", "/"},
	token.QUO:     {"Quo", "*"},
	token.REM:     {"Rem", "*"},
	token.AND:     {"And", "|"},
	token.OR:      {"Or", "&"},
	token.XOR:     {"Xor", "&"},
	token.AND_NOT: {"AndNot", "&"},
	token.SHL:     {"Shl", ">>"},
	token.SHR:     {"Shr", "<<"},
}

func (w *walker) binary(e *ast.BinaryExpr) {
	switch e.Op {
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		w.compare(e)
	case token.EQL, token.NEQ:
		w.equal(e)
	case token.LAND, token.LOR:
		w.logic(e)
	default:
		w.math(e)
	}
}

func (w *walker) both(e *ast.BinaryExpr) { w.node(e.X); w.node(e.Y) }

// stronger has the new operators that bind more strongly than the ones that they replace.
var stronger = map[string]token.Token{"&&": token.LAND, "&": token.AND}

// weaker has the new operators that bind less strongly than the ones that they replace.
var weaker = map[string]token.Token{"||": token.LOR, "|": token.OR}

// replaced returns the source of an expression with another operator. The operands stay the
// same, so an operand that the new operator would take apart is put in parentheses. So is the whole
// expression if the operator around it would take it apart: a && b && c becomes (a || b) && c.
func (w *walker) replaced(e *ast.BinaryExpr, op string) string {
	power := max(e.Op.Precedence(), stronger[op].Precedence())
	operand := func(x ast.Expr, weak int) string {
		if b, ok := x.(*ast.BinaryExpr); ok && b.Op.Precedence() <= weak {
			return "(" + w.src(x) + ")"
		}
		return w.src(x)
	}
	whole := operand(e.X, power-1) + w.text(e.X.End(), e.OpPos) + op +
		w.text(e.OpPos+token.Pos(len(e.Op.String())), e.Y.Pos()) + operand(e.Y, power)
	if w.opts.None {
		return whole
	}
	outer, inside := w.worth.Parent(e).(*ast.BinaryExpr)
	if to, weaker := weaker[op]; weaker && inside {
		if p := to.Precedence() - outer.Op.Precedence(); p < 0 || p == 0 && e == outer.Y {
			return "(" + whole + ")"
		}
	}
	return whole
}

// compare makes the gate of a comparison of numbers or strings.
func (w *walker) compare(e *ast.BinaryExpr) {
	t := w.info().TypeOf(e.X)
	if w.info().Types[e.X].Value != nil || isUntyped(t) {
		t = w.info().TypeOf(e.Y)
	}
	b, ok := w.basic(t)
	back, named := w.boolBack(e)
	if !ok || !named {
		w.both(e)
		return
	}
	c := comparisons[e.Op]
	s, ok := w.place(e,
		change{opBoundary, w.src(e), w.replaced(e, c.boundary)},
		change{opNegate, w.src(e), w.replaced(e, c.negate)})
	if !ok {
		w.both(e)
		return
	}
	w.sameAsBoundary(e, b)
	w.operands(e)
	w.call2(e, back+gate(w.gates.compare(e.Op, b), s), b, back)
}

// call2 makes a binary expression a call of a gate with two operands of a basic type.
func (w *walker) call2(e *ast.BinaryExpr, before string, b *types.Basic, back string) {
	w.put(e.Pos(), before)
	w.operand(e.X, opFirst, b)
	w.comment(e.OpPos, len(e.Op.String()), ",")
	w.operand(e.Y, opSecond, b)
	w.put(e.End(), ")"+closing(back))
}

// operand walks through an operand, which is converted to a basic type if it has another type.
func (w *walker) operand(x ast.Expr, operator string, b *types.Basic) {
	before, after := w.nearOperand(x, operator, b)
	tv := w.info().Types[x]
	if !(tv.Value != nil && isUntyped(tv.Type) || types.Identical(tv.Type, b)) {
		before, after = before+w.gates.alias(b.Kind())+"(", ")"+after
	}
	if before != "" {
		w.put(x.Pos(), before)
	}
	w.node(x)
	if before != "" {
		w.put(x.End(), after)
	}
}

func closing(back string) string {
	if back == "" {
		return ""
	}
	return ")"
}

// basic returns the basic type of operands that gates exist for, or counts why there is none.
func (w *walker) basic(t types.Type) (*types.Basic, bool) {
	b, ok := basicOf(t)
	switch {
	case !ok:
		w.decline("operand that is a type parameter or of no basic type")
	case b.Info()&types.IsUntyped != 0:
		w.decline("operand without a type")
	case b.Info()&types.IsComplex != 0:
		w.decline("complex operand")
	case b.Kind() == types.UnsafePointer:
		w.decline("operand that is an unsafe.Pointer")
	case w.pkg.Types.Scope().Lookup(types.Typ[b.Kind()].Name()) != nil:
		w.decline("predeclared type that the package has redeclared")
	default:
		return types.Typ[b.Kind()], true
	}
	return nil, false
}

// back returns the beginning of a conversion from a basic type to a type. It is empty if
// none is needed, and false is returned if the type has no name there.
func (w *walker) back(t types.Type, at token.Pos) (string, bool) {
	if _, ok := types.Unalias(t).(*types.Basic); ok {
		return "", true
	}
	name := w.typeName(t, at)
	if name == "" {
		w.decline("type without a name at that place")
		return "", false
	}
	return name + "(", true
}

func (w *walker) boolBack(e ast.Expr) (string, bool) {
	t := w.info().TypeOf(e)
	if b, ok := basicOf(t); !ok || b.Info()&types.IsBoolean == 0 {
		w.decline("operand that is a type parameter or of no basic type")
		return "", false
	}
	return w.back(t, e.Pos())
}

// equal makes the gate of == or !=.
func (w *walker) equal(e *ast.BinaryExpr) {
	to := "!="
	if e.Op == token.NEQ {
		to = "=="
	}
	w.operands(e)
	w.not(e, change{opNegate, w.src(e), w.replaced(e, to)})
}

// not makes a gate that negates a boolean expression.
func (w *walker) not(e ast.Expr, c change) {
	back, ok := w.boolBack(e)
	if !ok {
		children(e, w.node)
		return
	}
	s, ok := w.place(e, c)
	if !ok {
		children(e, w.node)
		return
	}
	conv := ""
	if back != "" {
		conv = w.gates.alias(types.Bool) + "("
	}
	w.put(e.Pos(), back+gate(w.gates.not(), s)+conv)
	children(e, w.node)
	w.put(e.End(), closing(conv)+")"+closing(back))
}

// logic makes the gates of && or ||. The operands stay lazy: with the fault, each part is
// negated, and by the law of De Morgan !(!a && !b) is a || b.
//
// The gate of the left operand records. If the right operand has no effects and cannot
// panic, its value shows whether the fault makes a difference: it does if the operands
// differ. Otherwise that is known for certain only after a run with the fault: see gates.logic.
func (w *walker) logic(e *ast.BinaryExpr) {
	back, ok := w.boolBack(e)
	if !ok {
		w.both(e)
		return
	}
	to := "||"
	if e.Op == token.LOR {
		to = "&&"
	}
	s, ok := w.place(e, change{opLogic, w.src(e), w.replaced(e, to)})
	if !ok {
		w.both(e)
		return
	}
	g := w.gates
	conv := ""
	if back != "" {
		conv = g.alias(types.Bool) + "("
	}
	right, first, second := "", "Left", "Flip"
	switch {
	case w.pure(e.Y) && !hasNewline(w.src(e.Y)):
		right = "," + conv + w.src(e.Y) + closing(conv)
	case e.Op == token.LAND:
		first, second = "Lazy", "AndRight"
	default:
		first, second = "Lazy", "OrRight"
	}
	if right == "" {
		w.places[s].all |= sure
	}
	w.put(e.Pos(), back+gate(g.logic("Flip"), s)+gate(g.logic(first), s)+conv)
	w.node(e.X)
	w.put(e.X.End(), closing(conv)+right+")")
	w.put(e.Y.Pos(), gate(g.logic(second), s)+conv)
	w.node(e.Y)
	w.put(e.End(), closing(conv)+"))"+closing(back))
}

// math makes the gate of an operator of numbers or strings.
func (w *walker) math(e *ast.BinaryExpr) {
	t := w.info().TypeOf(e)
	b, ok := w.basic(t)
	if !ok {
		w.both(e)
		return
	}
	back, ok := w.back(t, e.Pos())
	if !ok || (e.Op == token.SHL || e.Op == token.SHR) && !w.shiftable(e.Y) {
		w.both(e)
		return
	}
	changes, name := w.mathChanges(e, b)
	s, ok := w.place(e, changes...)
	if !ok {
		w.both(e)
		return
	}
	switch {
	case e.Op == token.SHL || e.Op == token.SHR:
		w.shift(e, s, b, back)
		return
	case e.Op == token.ADD || e.Op == token.SUB:
		w.skip[ast.Unparen(e.X)] = skipAll
		w.skip[ast.Unparen(e.Y)] = skipAll
		w.skip[e.X], w.skip[e.Y] = skipAll, skipAll
	}
	near, after := w.nearResult(e, b)
	w.call2(e, back+near+gate(name(), s), b, back)
	if after != "" {
		w.put(e.End(), after)
	}
}

// mathChanges returns the changes of an operator, and what declares its gate. Of two strings one is left, unless the
// other one has effects: it would be evaluated nevertheless.
func (w *walker) mathChanges(e *ast.BinaryExpr, b *types.Basic) (changes []change, gate func() string) {
	if b.Info()&types.IsString == 0 {
		return []change{{opMath, w.src(e), w.replaced(e, arithmetics[e.Op].to)}}, func() string { return w.gates.math(e.Op, b) }
	}
	if repeatable(w.info(), e.Y) {
		changes = append(changes, change{opMath, w.src(e), w.src(e.X)})
	}
	gate = w.gates.joins(len(changes) > 0)
	if repeatable(w.info(), e.X) {
		changes = append(changes, change{opMath, w.src(e), w.src(e.Y)})
	}
	return changes, gate
}

func (w *walker) shiftable(count ast.Expr) bool {
	b, ok := basicOf(w.info().TypeOf(count))
	if !ok || b.Info()&(types.IsInteger|types.IsUntyped) == 0 {
		w.decline("operand that is a type parameter or of no basic type")
		return false
	}
	return true
}

// shift makes the gate of a shift. There is one gate for signed counts, which panics for
// negative ones, and one for others.
func (w *walker) shift(e *ast.BinaryExpr, s int, b *types.Basic, back string) {
	w.skip[e.X], w.skip[e.Y] = skipAll, skipAll
	count := types.Typ[types.Uint64]
	if c, _ := basicOf(w.info().TypeOf(e.Y)); w.info().Types[e.Y].Value == nil && c.Info()&types.IsUnsigned == 0 {
		count = types.Typ[types.Int64]
	}
	w.put(e.Pos(), back+gate(w.gates.shift(e.Op, b, count), s))
	w.operand(e.X, opFirst, b)
	w.comment(e.OpPos, 2, ",")
	w.operand(e.Y, opSecond, count)
	w.put(e.End(), ")"+closing(back))
}

// unary makes the gate of a minus sign or of a negation.
func (w *walker) unary(e *ast.UnaryExpr) {
	switch e.Op {
	case token.NOT:
		if isComparison(e.X) {
			w.node(e.X) // the same as a fault of the comparison
			return
		}
		w.not(e, change{opInvert, w.src(e), w.src(e.X)})
	case token.SUB:
		t := w.info().TypeOf(e)
		if b, ok := w.basic(t); ok {
			if back, ok := w.back(t, e.Pos()); ok {
				if s, ok := w.place(e, change{opInvert, w.src(e), w.src(e.X)}); ok {
					w.put(e.Pos(), back+gate(w.gates.negative(b), s))
					w.comment(e.OpPos, 1, "")
					w.operand(e.X, opFirst, b)
					w.put(e.End(), ")"+closing(back))
					return
				}
			}
		}
		w.node(e.X)
	default:
		w.node(e.X)
	}
}
