package stlc

// Fault is a fault of substitution.
type Fault int

// The faults.
const (
	Correct             Fault = iota
	ShiftVarNone              // shift leaves all variables unchanged
	ShiftVarAll               // shift also changes bound variables
	ShiftVarLeq               // shift leaves the first free variable unchanged
	ShiftAbsNoIncr            // shift ignores that a lambda binds a variable
	SubstVarAll               // every variable is replaced
	SubstVarNone              // no variable is replaced
	SubstAbsNoShift           // a term that is substituted under a lambda is not shifted
	SubstAbsNoIncr            // substitution ignores that a lambda binds a variable
	SubstTopNoShift           // a redex is contracted without any shift
	SubstTopNoShiftBack       // a redex is contracted without the last shift
)

func (f Fault) String() string {
	return [...]string{"correct", "shift_var_none", "shift_var_all", "shift_var_leq", "shift_abs_no_incr",
		"subst_var_all", "subst_var_none", "subst_abs_no_shift", "subst_abs_no_incr",
		"substTop_no_shift", "substTop_no_shift_back"}[f]
}

// shift adds the number by to every variable that is at least from.
func (r *reducer) shift(e Expr, by, from int) Expr {
	if !r.work() {
		return e
	}
	switch e := e.(type) {
	case Var:
		switch {
		case r.fault == ShiftVarNone:
			return e
		case e.I < from && r.fault != ShiftVarAll:
			return e
		case e.I == from && r.fault == ShiftVarLeq:
			return e
		}
		return Var{e.I + by}
	case Abs:
		if r.fault != ShiftAbsNoIncr {
			from++
		}
		return Abs{e.T, r.shift(e.E, by, from)}
	case App:
		return App{r.shift(e.F, by, from), r.shift(e.X, by, from)}
	}
	return e
}

// subst replaces variable n by s.
func (r *reducer) subst(e Expr, n int, s Expr) Expr {
	if !r.work() {
		return e
	}
	switch e := e.(type) {
	case Var:
		if (e.I == n || r.fault == SubstVarAll) && r.fault != SubstVarNone {
			return s
		}
	case Abs:
		if r.fault != SubstAbsNoIncr {
			n++
		}
		if r.fault != SubstAbsNoShift {
			s = r.shift(s, 1, 0)
		}
		return Abs{e.T, r.subst(e.E, n, s)}
	case App:
		return App{r.subst(e.F, n, s), r.subst(e.X, n, s)}
	}
	return e
}

// contract returns the result of applying a lambda with the given body to x.
func (r *reducer) contract(body, x Expr) Expr {
	switch r.fault {
	case SubstTopNoShift:
		return r.subst(body, 0, x)
	case SubstTopNoShiftBack:
		return r.subst(body, 0, r.shift(x, 1, 0))
	}
	return r.shift(r.subst(body, 0, r.shift(x, 1, 0)), -1, 0)
}

// step contracts every redex of e: every application of a lambda. It reports false if
// there is none.
func (r *reducer) step(e Expr) (Expr, bool) {
	if !r.work() {
		return e, false
	}
	switch e := e.(type) {
	case Abs:
		body, ok := r.step(e.E)
		return Abs{e.T, body}, ok
	case App:
		x, stepped := r.step(e.X)
		if f, ok := e.F.(Abs); ok {
			body, _ := r.step(f.E)
			return r.contract(body, x), true
		}
		f, ok := r.step(e.F)
		return App{f, x}, ok || stepped
	}
	return e, false
}

// reducer makes steps and bounds their cost.
type reducer struct {
	fault Fault
	left  int // nodes that may still be visited
}

// nodesMax is the number of nodes that a reduction may visit. The bound is needed because
// a fault can make a term ill-typed, and an ill-typed term can double in size with each
// of forty steps.
const nodesMax = 100_000

func (r *reducer) work() bool {
	r.left--
	return r.left >= 0
}

// Step contracts every redex of a term at once. It reports false if there is no redex, or
// if the reduction exceeds nodesMax.
func (f Fault) Step(e Expr) (Expr, bool) {
	r := &reducer{f, nodesMax}
	e, ok := r.step(e)
	return e, ok && r.left >= 0
}

// stepsMax bounds the steps of a reduction. A term that still has a redex after so many
// steps counts as a term without a normal form.
const stepsMax = 40

// Normal returns the normal form of a term. It reports false if the normal form is not
// reached within the bounds.
func (f Fault) Normal(e Expr) (Expr, bool) {
	r := &reducer{f, nodesMax}
	for range stepsMax {
		next, ok := r.step(e)
		if r.left < 0 {
			return nil, false
		}
		if !ok {
			return e, true
		}
		e = next
	}
	return nil, false
}
