//go:build go1.25

// Package calc simplifies formulas without changing their value.
//
//	long := calc.Let{"x", calc.Var("y"), calc.Binary{calc.Mul, calc.Var("x"), calc.Num(1)}}
//	short := calc.Optimise(long)            // y
//	n, err := short.Eval(calc.Env{"y": 21}) // 21
//
// The value includes the error: a formula that divides by zero must still
// divide by zero when it is simplified. So a rule may drop a part only if the
// part cannot fail (see total), and may move a variable only to a place where
// its name still means the same variable (see captures).
//
// The package is an example of testing with allele. calc_test.go declares which
// expressions exist, and checks that Optimise keeps their value. With `go test
// -tags planted` Optimise skips the check of captures.
package calc

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// Expr is a formula: a Num, Var, Neg, Binary or Let.
type Expr interface {
	Eval(Env) (int, error)
	String() string
}

// Env maps variables to values. As in a spreadsheet, a variable that is not in
// the map is 0.
type Env map[Var]int

type (
	// Num is a constant.
	Num int
	// Var is a variable.
	Var string
	// Neg is -X.
	Neg struct{ X Expr }
	// Binary is L Op R. Results wrap around on overflow.
	Binary struct {
		Op   Op
		L, R Expr
	}
	// Let is Body with Name bound to Value. Value is evaluated first, once, and
	// outside the binding: a use of Name in Value means an outer variable.
	Let struct {
		Name        Var
		Value, Body Expr
	}
)

// Op is a binary operator.
type Op string

// The operators.
const (
	Add Op = "+"
	Sub Op = "-"
	Mul Op = "*"
	Div Op = "/"
)

// ErrDivide is returned when a formula divides by zero.
var ErrDivide = errors.New("division by zero")

func (e Num) String() string    { return strconv.Itoa(int(e)) }
func (e Var) String() string    { return string(e) }
func (e Neg) String() string    { return fmt.Sprintf("-(%v)", e.X) }
func (e Binary) String() string { return fmt.Sprintf("(%v %s %v)", e.L, e.Op, e.R) }
func (e Let) String() string    { return fmt.Sprintf("(let %v = %v in %v)", e.Name, e.Value, e.Body) }

// Eval returns the constant.
func (e Num) Eval(Env) (int, error) { return int(e), nil }

// Eval returns the value of the variable in env.
func (e Var) Eval(env Env) (int, error) { return env[e], nil }

// Eval evaluates X and negates the result.
func (e Neg) Eval(env Env) (int, error) {
	x, err := e.X.Eval(env)
	return -x, err
}

// Eval evaluates the left operand, then the right one, and applies the operator.
func (e Binary) Eval(env Env) (int, error) {
	l, err := e.L.Eval(env)
	if err != nil {
		return 0, err
	}
	r, err := e.R.Eval(env)
	if err != nil {
		return 0, err
	}
	return apply(e.Op, l, r)
}

// Eval evaluates Body in a copy of env that binds Name to Value. It does not
// change env.
func (e Let) Eval(env Env) (int, error) {
	value, err := e.Value.Eval(env)
	if err != nil {
		return 0, err
	}
	inner := Env{}
	maps.Copy(inner, env)
	inner[e.Name] = value
	return e.Body.Eval(inner)
}

func apply(op Op, l, r int) (int, error) {
	switch op {
	case Add:
		return l + r, nil
	case Sub:
		return l - r, nil
	case Mul:
		return l * r, nil
	case Div:
		if r == 0 {
			return 0, ErrDivide
		}
		return l / r, nil
	}
	panic("calc: no such operator: " + string(op))
}

// Optimise returns an expression that has the same value as e and is never
// larger. It folds constants, drops parts that cannot affect the value, and
// replaces the names of simple lets by their values.
func Optimise(e Expr) Expr {
	switch e := e.(type) {
	case Neg:
		return negate(Optimise(e.X))
	case Binary:
		return combine(Binary{e.Op, Optimise(e.L), Optimise(e.R)})
	case Let:
		// Substitute before optimising the body. Otherwise each let would
		// optimise its body twice, and nested lets would take exponential time.
		e.Value = Optimise(e.Value)
		if moves(e) {
			return Optimise(replace(e.Body, e.Name, e.Value))
		}
		e.Body = Optimise(e.Body)
		if total(e.Value) && !uses(e.Body, e.Name) {
			return e.Body
		}
		return e
	}
	return e
}

func negate(x Expr) Expr {
	switch x := x.(type) {
	case Num:
		return -x
	case Neg:
		return x.X
	}
	return Neg{x}
}

// combine applies the laws of arithmetic that hold for numbers that wrap
// around. It has no rule for x / x, which is not 1 if x is 0.
func combine(e Binary) Expr {
	l, lok := e.L.(Num)
	r, rok := e.R.(Num)
	if lok && rok {
		if n, err := apply(e.Op, int(l), int(r)); err == nil {
			return Num(n)
		}
		return e
	}
	switch {
	case rok && (e.Op == Add || e.Op == Sub) && r == 0, rok && (e.Op == Mul || e.Op == Div) && r == 1:
		return e.L
	case lok && e.Op == Add && l == 0, lok && e.Op == Mul && l == 1:
		return e.R
	case e.Op == Mul && (rok && r == 0 && total(e.L) || lok && l == 0 && total(e.R)):
		return Num(0)
	case e.Op == Sub && e.L == e.R && total(e.L):
		return Num(0)
	}
	return e
}

// moves reports whether the value of a let may replace its name in the body.
// The value must not be larger than a name, because the name may occur several
// times and the result could grow.
func moves(e Let) bool {
	switch value := e.Value.(type) {
	case Num:
		return true
	case Var:
		if planted { // the planted bug: an inner let may bind the variable to another value
			return true
		}
		return !captures(e.Body, e.Name, value)
	}
	return false
}

// parts returns the direct subexpressions of e.
func parts(e Expr) []Expr {
	switch e := e.(type) {
	case Neg:
		return []Expr{e.X}
	case Binary:
		return []Expr{e.L, e.R}
	case Let:
		return []Expr{e.Value, e.Body}
	}
	return nil
}

// total reports whether Eval of e returns no error in any Env. It may return false for an
// expression that never fails. Then Optimise simplifies less, but is still correct.
func total(e Expr) bool {
	if b, ok := e.(Binary); ok && b.Op == Div {
		if n, ok := b.R.(Num); !ok || n == 0 {
			return false
		}
	}
	return !slices.ContainsFunc(parts(e), func(p Expr) bool { return !total(p) })
}

// uses reports whether name occurs free in e, that is, outside a let that
// binds it.
func uses(e Expr, name Var) bool {
	switch e := e.(type) {
	case Var:
		return e == name
	case Let:
		return uses(e.Value, name) || e.Name != name && uses(e.Body, name)
	}
	return slices.ContainsFunc(parts(e), func(p Expr) bool { return uses(p, name) })
}

// captures reports whether e uses name inside a let that binds inner. If so,
// name cannot be replaced by inner: in "let y = 1 in x", replacing x by an outer
// y would yield the inner y.
func captures(e Expr, name, inner Var) bool {
	if let, ok := e.(Let); ok {
		if let.Name == name {
			return captures(let.Value, name, inner)
		}
		if let.Name == inner && uses(let.Body, name) {
			return true
		}
	}
	return slices.ContainsFunc(parts(e), func(p Expr) bool { return captures(p, name, inner) })
}

// replace returns e with every free use of name replaced by an expression.
func replace(e Expr, name Var, by Expr) Expr {
	switch e := e.(type) {
	case Var:
		if e == name {
			return by
		}
	case Neg:
		return Neg{replace(e.X, name, by)}
	case Binary:
		return Binary{e.Op, replace(e.L, name, by), replace(e.R, name, by)}
	case Let:
		e.Value = replace(e.Value, name, by)
		if e.Name != name { // otherwise the body refers to the inner variable
			e.Body = replace(e.Body, name, by)
		}
		return e
	}
	return e
}
