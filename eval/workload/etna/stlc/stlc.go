// Package stlc is the simply typed lambda calculus, with ten faults in how it
// substitutes, and the properties that show them.
//
//	typ, ok := stlc.TypeOf(e)             // of a closed term
//	next, ok := stlc.Correct.Step(e)      // all redexes at once
//	for _, task := range stlc.Tasks()     // a fault and a property that shows it
//
// A step keeps the type of a term, unless a variable went astray on the way.
// Variables are numbers: how many lambdas out the one that binds them is. A
// random term is seldom closed and well typed, and most that are do not step.
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

// scope is the types of the variables, innermost first.
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

// TypeOf is the type of a closed term, if it has one.
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
