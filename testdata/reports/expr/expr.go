package expr

type Expr interface{ isExpr() }

type (
	Num struct{ N int }
	Add struct{ L, R Expr }
	Mul struct{ L, R Expr }
	Neg struct{ E Expr }
)

func (Num) isExpr()  {}
func (Add) isExpr()  {}
func (Mul) isExpr()  {}
func (*Neg) isExpr() {}

func Eval(e Expr) int {
	switch e := e.(type) {
	case Num:
		return e.N
	case Add:
		return Eval(e.L) + Eval(e.R)
	case Mul:
		return Eval(e.L) * Eval(e.R)
	case *Neg:
		return -Eval(e.E)
	}
	panic("unknown expression")
}

// Simplify takes x * 1 for 1.
func Simplify(e Expr) Expr {
	switch e := e.(type) {
	case Add:
		return Add{Simplify(e.L), Simplify(e.R)}
	case Mul:
		if e.R == (Num{1}) {
			return Num{1}
		}
		return Mul{Simplify(e.L), Simplify(e.R)}
	case *Neg:
		return &Neg{Simplify(e.E)}
	}
	return e
}
