package peers

// optimiser rewrites expressions. Each field that is set enables a rewriting rule with a
// bug.
type optimiser struct {
	fold   bool // replaces x*e by e
	inline bool // in "let x = y in e", replaces x by y, even where e binds y again
}

func (o optimiser) optimise(e Expr) Expr {
	switch e := e.(type) {
	case Add:
		return Add{o.optimise(e.L), o.optimise(e.R)}
	case Mul:
		l, r := o.optimise(e.L), o.optimise(e.R)
		if _, ok := l.(Var); ok && o.fold {
			return r
		}
		return Mul{l, r}
	case If:
		return If{o.optimise(e.C), o.optimise(e.T), o.optimise(e.E)}
	case Let:
		body := o.optimise(e.B)
		if y, ok := e.E.(Var); ok && o.inline {
			return replace(body, e.X, y.X)
		}
		return Let{e.X, o.optimise(e.E), body}
	}
	return e
}

// replace replaces every free x by y.
func replace(e Expr, x, y Name) Expr {
	switch e := e.(type) {
	case Add:
		return Add{replace(e.L, x, y), replace(e.R, x, y)}
	case Mul:
		return Mul{replace(e.L, x, y), replace(e.R, x, y)}
	case If:
		return If{replace(e.C, x, y), replace(e.T, x, y), replace(e.E, x, y)}
	case Let:
		if e.X == x {
			return Let{e.X, replace(e.E, x, y), e.B}
		}
		return Let{e.X, replace(e.E, x, y), replace(e.B, x, y)}
	case Var:
		if e.X == x {
			return Var{y}
		}
	}
	return e
}
