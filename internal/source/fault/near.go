//go:build go1.25

package fault

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// This file makes the faults of the paper "Turning programs against each other" (MutaGen): small
// arithmetic changes of whole numbers. They change what a program writes, and hardly ever what it
// does. The paper changes the statements of an intermediate language; here they are the
// expressions of Go that correspond to them:
//
//	1-4    add 1, subtract 1, multiply by 2, divide by 2: destination, which is an operator of
//	       numbers, an argument, an assigned value or an element of a literal; results have the
//	       faults of return statements
//	5-6    add or subtract 4: addresses; an index and the bounds of a slice, by one element
//	7-10   as 1-4: the first operand of an operator
//	11-14  as 1-4: the second operand of an operator, also if it is a constant
//	15-16  and for or, add for subtract, and the reverse: among the faults of operators
//	17     signed for unsigned: not made. In Go both operands have the same type, and a
//	       comparison or a shift of the other kind differs for negative numbers only, which
//	       encoders hardly ever have
//
// As in the paper, an operand that is itself an operator has no faults of its own: they would be
// those of its destination.

// Names of these operators.
const (
	opDestination = "destination"
	opAddress     = "address"
	opFirst       = "first operand"
	opSecond      = "second operand"
)

// paperNumber returns the paper's number of a fault: of variant v at a node. It is 0 for faults that
// the paper does not have.
func (w *walker) paperNumber(n ast.Node, operator string, v int) int {
	switch operator {
	case opDestination:
		return 1 + v
	case opAddress:
		return 5 + v
	case opFirst:
		return 7 + v
	case opSecond:
		return 11 + v
	case opMath:
		return w.mathNumber(n)
	}
	return 0
}

func (w *walker) mathNumber(n ast.Node) int {
	var op token.Token
	var x ast.Expr
	switch n := n.(type) {
	case *ast.BinaryExpr:
		op, x = n.Op, n
	case *ast.AssignStmt:
		op, x = n.Tok, n.Lhs[0]
	}
	if b, ok := basicOf(w.info().TypeOf(x)); !ok || b.Info()&types.IsInteger == 0 {
		return 0
	}
	switch op {
	case token.AND, token.OR, token.AND_ASSIGN, token.OR_ASSIGN:
		return 15
	case token.ADD, token.SUB, token.ADD_ASSIGN, token.SUB_ASSIGN:
		return 16
	}
	return 0
}

// value walks through an expression that is only read. With Options.Near it makes a gate of a
// whole number.
func (w *walker) value(x ast.Expr, operator string) {
	b, back, ok := w.number(x)
	if !ok {
		w.node(x)
		return
	}
	before, ok := w.nearGate(x, operator, b)
	if !ok {
		w.node(x)
		return
	}
	conv := ""
	if back != "" {
		conv = w.gates.alias(b.Kind()) + "("
	}
	w.put(x.Pos(), back+before+conv)
	w.node(x)
	w.put(x.End(), closing(conv)+")"+closing(back))
}

// number reports whether an expression is a whole number that gets a gate of its own, and how to
// convert the result of the gate.
func (w *walker) number(x ast.Expr) (b *types.Basic, back string, ok bool) {
	tv := w.info().Types[x]
	if !w.opts.Near || !tv.IsValue() || tv.Value != nil || isMath(x) {
		return nil, "", false
	}
	b, ok = basicOf(tv.Type)
	if !ok || b.Info()&types.IsInteger == 0 || b.Info()&types.IsUntyped != 0 {
		return nil, "", false
	}
	if b, ok = w.basic(tv.Type); !ok {
		return nil, "", false
	}
	back, ok = w.back(tv.Type, x.Pos())
	return b, back, ok
}

// nearGate returns the beginning of the gate of a number of a basic type.
func (w *walker) nearGate(x ast.Expr, operator string, b *types.Basic) (before string, ok bool) {
	src := w.src(x)
	if _, binary := x.(*ast.BinaryExpr); binary {
		src = "(" + src + ")"
	}
	texts := []string{"(" + src + " + 1)", "(" + src + " - 1)", "(" + src + " * 2)", "(" + src + " / 2)"}
	name := w.gates.near
	if operator == opAddress {
		texts, name = texts[:2], func(b *types.Basic) string { return w.gates.constant("Const", b) }
	}
	var changes []change
	for _, text := range texts {
		changes = append(changes, change{operator, w.src(x), text})
	}
	s, ok := w.place(x, changes...)
	if !ok {
		return "", false
	}
	return gate(name(b), s), true
}

// isMath reports whether an expression is an operator of numbers, which has a gate already.
func isMath(x ast.Expr) bool {
	b, ok := ast.Unparen(x).(*ast.BinaryExpr)
	if !ok {
		return false
	}
	_, ok = arithmetics[b.Op]
	return ok
}

// nearOperand returns the text before and after an operand of an operator of numbers. The operand has
// been converted to the basic type.
func (w *walker) nearOperand(x ast.Expr, operator string, b *types.Basic) (before, after string) {
	if !w.opts.Near || b.Info()&types.IsInteger == 0 || isMath(x) {
		return "", ""
	}
	w.skip[ast.Unparen(x)], w.skip[x] = skipAll, skipAll
	before, ok := w.nearGate(x, operator, b)
	if !ok {
		return "", ""
	}
	return before, ")"
}

// nearResult returns the text before and after an operator of numbers.
func (w *walker) nearResult(e *ast.BinaryExpr, b *types.Basic) (before, after string) {
	if !w.opts.Near || b.Info()&types.IsInteger == 0 {
		return "", ""
	}
	before, ok := w.nearGate(e, opDestination, b)
	if !ok {
		return "", ""
	}
	return before, ")"
}

// indexed walks through an index or a slice expression, whose base stays as it is.
func (w *walker) indexed(e ast.Expr) {
	switch e := e.(type) {
	case *ast.IndexExpr:
		w.node(e.X)
		if _, isMap := w.info().TypeOf(e.X).Underlying().(*types.Map); isMap || w.info().Types[e.Index].IsType() {
			w.node(e.Index)
			return
		}
		w.value(e.Index, opAddress)
	case *ast.SliceExpr:
		w.node(e.X)
		for _, x := range []ast.Expr{e.Low, e.High, e.Max} {
			if x != nil {
				w.value(x, opAddress)
			}
		}
	}
}

// near declares the gate of a number that becomes one larger or smaller, twice or half as large.
func (g *gates) near(b *types.Basic) string {
	name := "alleleNear" + title(b)
	return g.declare(name+"_", fmt.Sprintf(`func %[1]s_(s int, a %[2]s) %[2]s {
	if alleleSite_[s] != 0 {
		return %[1]sSlow_(s, a)
	}
	return a
}

//go:noinline
func %[1]sSlow_(s int, a %[2]s) %[2]s {
	switch alleleMode_(s) {
	case 1:
		d := uint8(3)
		if a != 0 {
			d = 15
		}
		alleleNote_(s, d)
	case 2:
		return a + 1
	case 3:
		return a - 1
	case 4:
		return a * 2
	case 5:
		return a / 2
	}
	return a
}`, name, b.Name()))
}
