//go:build go1.25

package probe

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/allele-go/allele/internal/site"
)

// The operators && and || contain hidden branches. They get probes inside the
// expression:
//
//	a && b   becomes   a && (b || !hit(7))   hit if a is true and b is false
//	a || b   becomes   a || (b && hit(7))    hit if a is false and b is true
//
// The branch on the whole expression records the value of the whole. This value and these
// probes determine which operands were evaluated, and their values. A probe in front of
// b would show as much, but it would be hit whenever b is evaluated. Scanners and
// parsers spend their time in chains of comparisons that all fail. There, a probe in
// front would be hit every time, and this probe is never hit.
//
// The rewriting adds an operand of type bool. So the expression must have the type
// bool, and it must not be constant.

// operands adds the probes for all && and || in an expression or statement. If right
// operands are nested, the outer one begins before the inner one and ends after it. So
// the text in front of an operand is inserted before its children are visited, and the
// text behind it afterwards.
func (p *Prober) operands(n ast.Node) {
	var behind []func()
	ast.Inspect(n, func(n ast.Node) bool {
		if n == nil {
			behind[len(behind)-1]()
			behind = behind[:len(behind)-1]
			return false
		}
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		behind = append(behind, p.rightOperand(n))
		return true
	})
}

// rightOperand inserts the text in front of the right operand of n, and returns a
// function that inserts the text behind it. It does nothing if n is not a && or || that
// gets a probe.
func (p *Prober) rightOperand(n ast.Node) (closes func()) {
	b, ok := n.(*ast.BinaryExpr)
	if !ok || !p.hasProbe(b) {
		return func() {}
	}
	p.insert(b.Y.Pos(), "(")
	text := "||!%s(%d))"
	if b.Op == token.LOR {
		text = "&&%s(%d))"
	}
	id := p.number(place{kind: site.Operand, at: b.Y.Pos(), from: b.Y.Pos(), to: b.Y.End()})
	return func() { p.insert(b.Y.End(), text, nameOperand, id) }
}

// hasProbe reports whether an expression is a && or || that gets a probe.
func (p *Prober) hasProbe(n *ast.BinaryExpr) bool {
	if n.Op != token.LAND && n.Op != token.LOR || p.opts.Steps {
		return false
	}
	if _, one := p.member(n); one {
		return false
	}
	for _, e := range []ast.Expr{n, n.X, n.Y} {
		tv, ok := p.info.Types[e]
		if !ok || tv.Value != nil {
			return false
		}
		b, ok := types.Unalias(tv.Type).(*types.Basic)
		if !ok || b.Kind() != types.Bool && b.Kind() != types.UntypedBool {
			return false
		}
	}
	return true
}

// member reports whether a condition only tests if one value is among some constants or
// between two constants, as in c == ' ' || c == '\t' and '0' <= c && c <= '9'. Such a
// condition counts as a single test, like the clause case ' ', '\t', and its operands
// get no probes. Scanners are full of such conditions, in small functions that would
// not be inlined if they had probes. x is the text of the tested expression.
func (p *Prober) member(e ast.Expr) (x string, ok bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			return p.member(e.X)
		}
	case *ast.BinaryExpr:
		switch e.Op {
		case token.LAND, token.LOR:
			m, done := p.members[e]
			if !done {
				m = p.bothTest(e)
				p.members[e] = m
			}
			return m.x, m.ok
		case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
			if p.constant(e.X) {
				return p.tested(e.Y)
			}
			if p.constant(e.Y) {
				return p.tested(e.X)
			}
		}
	}
	return "", false
}

// member is a result of the method member.
type member struct {
	x  string
	ok bool
}

// bothTest is the method member for a && or ||. Its results are kept, because it is
// called for each operator of a chain, and each one contains all operators before it.
func (p *Prober) bothTest(e *ast.BinaryExpr) (m member) {
	p.visits++
	if m.x, m.ok = p.member(e.X); !m.ok {
		return member{}
	}
	y, ok := p.member(e.Y)
	return member{m.x, ok && m.x == y}
}

func (p *Prober) constant(e ast.Expr) bool { return p.info.Types[e].Value != nil }

// tested returns the text of an expression, and whether it has the same value if
// it is evaluated twice. An expression with && or || inside does not count: its text
// would be made again for each operator around it.
func (p *Prober) tested(e ast.Expr) (text string, ok bool) {
	ok = true
	ast.Inspect(e, func(n ast.Node) bool {
		p.visits++
		switch n := n.(type) {
		case *ast.CallExpr:
			ok = ok && (p.info.Types[n.Fun].IsBuiltin() || p.info.Types[n.Fun].IsType())
		case *ast.FuncLit:
			ok = false
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		case *ast.BinaryExpr:
			ok = ok && n.Op != token.LAND && n.Op != token.LOR
		}
		return ok
	})
	if !ok {
		return "", false
	}
	return types.ExprString(e), true
}

// condition instruments the condition of a branch. clean and the results report whether
// the position in the local variable is up to date: before the condition, after it if
// it is true, and after it if it is false. The results may differ: a && b hits no probe
// if it is true, and a || b hits none if it is false.
func (w *walker) condition(e ast.Expr, clean bool) (ifTrue, ifFalse bool) {
	w.closures(e)
	w.operands(e)
	clean = clean && !w.dirty(e)
	ifTrue, ifFalse = w.untouched(e)
	return clean && ifTrue, clean && ifFalse
}

// untouched reports whether the probes in an expression's operands are never hit if the
// expression is true (ifTrue), and if it is false (ifFalse).
func (p *Prober) untouched(e ast.Expr) (ifTrue, ifFalse bool) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return p.untouched(e.X)
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			ifFalse, ifTrue = p.untouched(e.X)
			return ifTrue, ifFalse
		}
	case *ast.BinaryExpr:
		if p.hasProbe(e) {
			xTrue, xFalse := p.untouched(e.X)
			yTrue, yFalse := p.untouched(e.Y)
			if e.Op == token.LAND {
				return xTrue && yTrue, false
			}
			return false, xFalse && yFalse
		}
	}
	quiet := !p.probesOperands(e)
	return quiet, quiet
}
