// Package stlc is the simply typed lambda calculus, with ten faults in substitution, and
// the properties that they break.
//
//	typ, ok := stlc.TypeOf(e)             // of a closed term
//	next, ok := stlc.Correct.Step(e)      // all redexes at once
//	for _, task := range stlc.Tasks()     // a fault and a property that it breaks
//
// A step keeps the type of a term, unless substitution confuses variables. Variables are
// de Bruijn indices: the number of lambdas between a variable and the lambda that binds
// it. Few random terms are closed and well-typed, and most of these have no redex
// (nothing to reduce).
package stlc

// Type is the type of a term.
type Type interface{ isType() }

// The forms of a type.
type (
	TBool struct{}
	TFun  struct{ From, To Type }
)

func (TBool) isType() {}
func (TFun) isType()  {}

// Expr is a term of the calculus.
type Expr interface{ isExpr() }

// The forms of a term.
type (
	Var  struct{ I int }
	Bool struct{ B bool }
	Abs  struct {
		T Type
		E Expr
	}
	App struct{ F, X Expr }
)

func (Var) isExpr()  {}
func (Bool) isExpr() {}
func (Abs) isExpr()  {}
func (App) isExpr()  {}

// scope lists the types of the variables, innermost first.
type scope struct {
	t     Type
	outer *scope
}

func (s *scope) at(i int) (Type, bool) {
	for ; s != nil; s = s.outer {
		if i == 0 {
			return s.t, true
		}
		i--
	}
	return nil, false
}

// TypeOf returns the type of a closed term. It reports false if the term is not closed
// or not well-typed.
func TypeOf(e Expr) (Type, bool) { return typeIn(e, nil) }

func typeIn(e Expr, s *scope) (Type, bool) {
	switch e := e.(type) {
	case Var:
		return s.at(e.I)
	case Bool:
		return TBool{}, true
	case Abs:
		to, ok := typeIn(e.E, &scope{e.T, s})
		if !ok {
			return nil, false
		}
		return TFun{e.T, to}, true
	case App:
		f, ok := typeIn(e.F, s)
		if !ok {
			return nil, false
		}
		x, ok := typeIn(e.X, s)
		if !ok {
			return nil, false
		}
		if f, ok := f.(TFun); ok && f.From == x {
			return f.To, true
		}
	}
	return nil, false
}
