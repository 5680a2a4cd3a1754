// Package calc makes formulas shorter without changing what they mean.
//
//	long := calc.Let{"x", calc.Var("y"), calc.Binary{calc.Mul, calc.Var("x"), calc.Num(1)}}
//	short := calc.Optimise(long)            // y
//	n, err := short.Eval(calc.Env{"y": 21}) // 21
//
// Meaning is what Eval gives, its error included: a formula that divides by
// zero must still do so when it is shorter. Two questions therefore stand
// before every rule: may the part that is dropped fail (total), and does a
// name that is moved still mean the same variable where it arrives (captures).
//
// It is an example of testing with allele: calc_test.go lists what an
// expression may be and says that optimising keeps the meaning. With `go test
// -tags planted` the second question is not asked.
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

// Env gives variables their values. As in a spreadsheet, a variable without a
// value is 0.
type Env map[Var]int

type (
	// Num is a constant.
	Num int
	// Var stands for the value of a variable.
	Var string
	// Neg is -X.
	Neg struct{ X Expr }
	// Binary is L Op R. Numbers wrap around.
	Binary struct {
		Op   Op
		L, R Expr
	}
	// Let is Body where Name stands for Value. Value is worked out first, and
	// only once; in Value itself Name has its old meaning.
	Let struct {
		Name        Var
		Value, Body Expr
	}
)

// Op is an operator with two sides.
type Op string

// The operators.
const (
	Add Op = "+"
	Sub Op = "-"
	Mul Op = "*"
	Div Op = "/"
)

// ErrDivide is what becomes of a division by zero.
var ErrDivide = errors.New("division by zero")

func (e Num) String() string    { return strconv.Itoa(int(e)) }
func (e Var) String() string    { return string(e) }
func (e Neg) String() string    { return fmt.Sprintf("-(%v)", e.X) }
func (e Binary) String() string { return fmt.Sprintf("(%v %s %v)", e.L, e.Op, e.R) }
func (e Let) String() string    { return fmt.Sprintf("(let %v = %v in %v)", e.Name, e.Value, e.Body) }

// Eval gives the constant.
func (e Num) Eval(Env) (int, error) { return int(e), nil }

// Eval looks the variable up.
func (e Var) Eval(env Env) (int, error) { return env[e], nil }

// Eval negates.
func (e Neg) Eval(env Env) (int, error) {
	x, err := e.X.Eval(env)
	return -x, err
}

// Eval works out both sides, the left one first.
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

// Eval binds the name for the body alone: the caller's Env stays as it is.
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

// Optimise gives an expression that means the same and is never larger. It
// folds constants, drops what cannot matter, and puts the values of simple
// lets where their names stand.
func Optimise(e Expr) Expr {
	switch e := e.(type) {
	case Neg:
		return negate(Optimise(e.X))
	case Binary:
		return combine(Binary{e.Op, Optimise(e.L), Optimise(e.R)})
	case Let:
		// The value moves before the body is optimised, so that a body is not
		// optimised twice at each let, which would double with every one inside.
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

// combine knows the laws of arithmetic that hold for numbers that wrap around.
// There is none for x / x: it is not 1 where x is 0.
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

// moves reports whether the value of a let may stand in place of its name. Only
// what is no larger than a name may, or the result could grow.
func moves(e Let) bool {
	switch value := e.Value.(type) {
	case Num:
		return true
	case Var:
		if planted { // the bug: an inner let may give the variable another meaning
			return true
		}
		return !captures(e.Body, e.Name, value)
	}
	return false
}

// parts are the expressions directly below e.
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

// total reports whether e has a value in every Env. Saying no is always safe.
func total(e Expr) bool {
	if b, ok := e.(Binary); ok && b.Op == Div {
		if n, ok := b.R.(Num); !ok || n == 0 {
			return false
		}
	}
	return !slices.ContainsFunc(parts(e), func(p Expr) bool { return !total(p) })
}

// uses reports whether e depends on the variable name around it.
func uses(e Expr, name Var) bool {
	switch e := e.(type) {
	case Var:
		return e == name
	case Let:
		return uses(e.Value, name) || e.Name != name && uses(e.Body, name)
	}
	return slices.ContainsFunc(parts(e), func(p Expr) bool { return uses(p, name) })
}

// captures reports whether a use of name in e stands inside a let of inner. In
// "let y = 1 in x" the x cannot become a y from outside.
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

// replace puts an expression wherever e depends on name.
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
		if e.Name != name { // else the body means the inner variable
			e.Body = replace(e.Body, name, by)
		}
		return e
	}
	return e
}
