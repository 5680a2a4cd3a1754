package peers

import "github.com/allele-go/allele/eval/workload/task"

// Expr is a small language of numbers, truth values and names.
type Expr interface{ isExpr() }

// Name is a variable.
type Name uint8

// The forms of Expr.
type (
	Num  struct{ N int }
	Bool struct{ B bool }
	Add  struct{ L, R Expr }
	Mul  struct{ L, R Expr }
	If   struct{ C, T, E Expr }
	Let  struct {
		X    Name
		E, B Expr
	}
	Var struct{ X Name }
)

func (Num) isExpr()  {}
func (Bool) isExpr() {}
func (Add) isExpr()  {}
func (Mul) isExpr()  {}
func (If) isExpr()   {}
func (Let) isExpr()  {}
func (Var) isExpr()  {}

// ExprEasy holds if the optimiser keeps the value of a closed, well-typed expression.
// This optimiser folds products, with a bug.
func ExprEasy(e Expr) task.Verdict { return optimiseKeepsValue(e, optimiser{fold: true}) }

// ExprHard is the same property for an optimiser that inlines variables, with a bug.
func ExprHard(e Expr) task.Verdict { return optimiseKeepsValue(e, optimiser{inline: true}) }

func optimiseKeepsValue(e Expr, o optimiser) task.Verdict {
	if typeOf(e, nil) == wrong {
		return task.Discarded
	}
	better := o.optimise(e)
	if typeOf(better, nil) == wrong {
		return task.Failed
	}
	return task.Holds(eval(better, nil) == eval(e, nil))
}

// scope binds names to types or to values, innermost first.
type scope[B any] struct {
	name  Name
	bound B
	outer *scope[B]
}

func (s *scope[B]) find(x Name) *scope[B] {
	for ; s != nil; s = s.outer {
		if s.name == x {
			return s
		}
	}
	return nil
}

type kind int

const (
	wrong kind = iota
	number
	truth
)

func typeOf(e Expr, s *scope[kind]) kind {
	switch e := e.(type) {
	case Num:
		return number
	case Bool:
		return truth
	case Add:
		if typeOf(e.L, s) == number && typeOf(e.R, s) == number {
			return number
		}
	case Mul:
		if typeOf(e.L, s) == number && typeOf(e.R, s) == number {
			return number
		}
	case If:
		if typeOf(e.C, s) != truth {
			return wrong
		}
		if t := typeOf(e.T, s); t != wrong && t == typeOf(e.E, s) {
			return t
		}
	case Let:
		t := typeOf(e.E, s)
		if t == wrong {
			return wrong
		}
		return typeOf(e.B, &scope[kind]{e.X, t, s})
	case Var:
		if b := s.find(e.X); b != nil {
			return b.bound
		}
	}
	return wrong
}

// eval returns the value of a well-typed expression. True is 1.
func eval(e Expr, s *scope[int]) int {
	switch e := e.(type) {
	case Num:
		return e.N
	case Bool:
		if e.B {
			return 1
		}
		return 0
	case Add:
		return eval(e.L, s) + eval(e.R, s)
	case Mul:
		return eval(e.L, s) * eval(e.R, s)
	case If:
		if eval(e.C, s) != 0 {
			return eval(e.T, s)
		}
		return eval(e.E, s)
	case Let:
		return eval(e.B, &scope[int]{e.X, eval(e.E, s), s})
	case Var:
		return s.find(e.X).bound
	}
	panic("peers: eval of an ill-typed expression")
}
