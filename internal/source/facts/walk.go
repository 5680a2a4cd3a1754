//go:build go1.25

package facts

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// block walks statements in order. It reports true if the end of the list is never
// reached, for example because of a return.
func (w *walker) block(list []ast.Stmt, st *state) (ended bool) {
	for _, s := range list {
		if w.steps++; w.steps > stepsMax {
			return true
		}
		if w.statement(s, st) {
			return true
		}
	}
	return false
}

// statement walks one statement. It reports true if the end of the statement is never
// reached.
func (w *walker) statement(s ast.Stmt, st *state) (ended bool) {
	switch s := s.(type) {
	case nil:
	case *ast.BlockStmt:
		return w.block(s.List, st)
	case *ast.LabeledStmt:
		return w.statement(s.Stmt, st)
	case *ast.AssignStmt:
		w.assign(st, s.Lhs, s.Rhs)
	case *ast.IncDecStmt:
		w.forget(st, s.X)
	case *ast.DeclStmt:
		if g, ok := s.Decl.(*ast.GenDecl); ok && g.Tok == token.VAR {
			for _, spec := range g.Specs {
				v := spec.(*ast.ValueSpec)
				w.assign(st, idents(v.Names), v.Values)
			}
		}
	case *ast.IfStmt:
		return w.branch(s, st)
	case *ast.SwitchStmt:
		w.cases(s, st)
	case *ast.TypeSwitchStmt:
		w.typeCases(s, st)
	case *ast.ForStmt:
		w.statement(s.Init, st)
		w.counts(st, s.Init)
		inner := []*state{st.clone()}
		if s.Cond != nil {
			inner = w.split(st, w.holds(st, s.Cond, true), s.Cond.Pos())
		}
		w.all(inner, s.Body.List)
		w.forgetIn(st, s)
	case *ast.RangeStmt:
		w.rangeOver(s, st)
	case *ast.ReturnStmt:
		if w.ends != nil {
			*w.ends = append(*w.ends, outcome{st, s.Results, slices.Clone(w.reading)})
			return true
		}
		for _, e := range s.Results {
			if isBool(w.pkg.Info.TypeOf(e)) {
				w.split(st, w.holds(st, e, true), e.Pos())
			}
		}
		return true
	case *ast.BranchStmt:
		return s.Tok != token.FALLTHROUGH
	case *ast.ExprStmt:
		return w.panics(s.X)
	}
	return false
}

func isBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

func idents(names []*ast.Ident) (all []ast.Expr) {
	for _, id := range names {
		all = append(all, id)
	}
	return all
}

func (w *walker) panics(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	id, ok := call.Fun.(*ast.Ident)
	return ok && id.Name == "panic" && w.pkg.Info.Types[call.Fun].IsBuiltin()
}

// split returns a state for each alternative that is possible, and records what becomes
// known in it as a pattern.
func (w *walker) split(st *state, alternatives [][]cond, pos token.Pos) (all []*state) {
	for _, conds := range alternatives {
		if next, ok := w.given(st, conds, pos); ok {
			all = append(all, next)
		}
	}
	return all
}

// given returns a state in which some more conditions hold, or false if they contradict
// what is known.
func (w *walker) given(st *state, conds []cond, pos token.Pos) (*state, bool) {
	next := st.clone()
	var grown []types.Object
	for _, c := range withGiven(conds) {
		next.path = append(next.path, c)
		s := next.shapes[c.at.root]
		if s == nil {
			continue
		}
		s = s.clone()
		ok, fresh := w.x.learn(s, c)
		if !ok {
			return nil, false
		}
		next.shapes[c.at.root] = s
		if fresh {
			grown = append(grown, c.at.root)
		}
	}
	for i, root := range grown {
		if i == 0 || root != grown[i-1] {
			w.emit(next, root, pos)
		}
	}
	return next, true
}

// withGiven inserts more conditions before each condition c: those under which the place
// that c is about exists.
func withGiven(conds []cond) (all []cond) {
	for _, c := range conds {
		all = append(append(all, c.at.given...), c)
	}
	return all
}

// all walks a list of statements once for each state. It reports true if the end of the
// list is never reached from any state.
func (w *walker) all(states []*state, list []ast.Stmt) (ended bool) {
	ended = true
	for _, st := range states {
		ended = w.block(list, st) && ended
	}
	return ended
}

// branch walks both sides of an if. If the end of one side is never reached, the code
// after the if is reached only through the other side, so the condition of that side
// holds there.
func (w *walker) branch(s *ast.IfStmt, st *state) (ended bool) {
	w.statement(s.Init, st)
	yes, no := w.holds(st, s.Cond, true), w.holds(st, s.Cond, false)
	bodyEnds := w.all(w.split(st, yes, s.Cond.Pos()), s.Body.List)
	elseEnds := false
	if s.Else != nil {
		elseEnds = w.all(w.split(st, no, s.Else.Pos()), []ast.Stmt{s.Else})
	}
	if !bodyEnds {
		w.forgetIn(st, s.Body)
	}
	if s.Else != nil && !elseEnds {
		w.forgetIn(st, s.Else)
	}
	switch {
	case bodyEnds && elseEnds:
		return true
	case bodyEnds:
		w.assume(st, no, s.End())
	case elseEnds:
		w.assume(st, yes, s.End())
	}
	return false
}

// assume adds conditions to the state from here on, if there is just one alternative.
func (w *walker) assume(st *state, alternatives [][]cond, pos token.Pos) {
	if len(alternatives) == 1 {
		if next, ok := w.given(st, alternatives[0], pos); ok {
			*st = *next
		}
	}
}

// cases walks the clauses of a switch. A switch without a tag is treated as a
// chain of ifs.
func (w *walker) cases(s *ast.SwitchStmt, st *state) {
	w.statement(s.Init, st)
	rest := st.clone()
	for _, c := range s.Body.List {
		clause := c.(*ast.CaseClause)
		var alternatives [][]cond
		for _, e := range clause.List {
			alternatives = either(alternatives, w.matches(rest, s.Tag, e))
		}
		if clause.List == nil {
			alternatives = anything
		}
		w.all(w.split(rest, alternatives, clause.Pos()), clause.Body)
		if s.Tag == nil && len(clause.List) == 1 {
			w.assume(rest, w.holds(rest, clause.List[0], false), clause.End())
		}
	}
	w.forgetIn(st, s.Body)
}

// matches returns what is known in a clause of a switch, case e, if tag is the tag of
// the switch.
func (w *walker) matches(st *state, tag, e ast.Expr) [][]cond {
	if tag == nil {
		return w.holds(st, e, true)
	}
	if p, ok := w.place(st, tag); ok && w.constant(e) {
		if c, ok := w.compare(p, token.EQL, e); ok {
			return [][]cond{{c}}
		}
	}
	if isTrue(w.pkg.Info.Types[tag].Value) {
		return w.holds(st, e, true)
	}
	return anything
}

// typeCases walks the clauses of a type switch.
func (w *walker) typeCases(s *ast.TypeSwitchStmt, st *state) {
	w.statement(s.Init, st)
	var x ast.Expr
	switch a := s.Assign.(type) {
	case *ast.AssignStmt:
		x = a.Rhs[0]
	case *ast.ExprStmt:
		x = a.X
	}
	p, ok := w.place(st, x)
	for _, c := range s.Body.List {
		clause := c.(*ast.CaseClause)
		v := w.pkg.Info.Implicits[clause]
		if !ok || clause.List == nil {
			inner := st.clone()
			if ok && v != nil {
				inner.vars[v] = p
			}
			w.block(clause.Body, inner)
			continue
		}
		for _, e := range clause.List {
			w.typeCase(st, p, e, clause, v)
		}
	}
	w.forgetIn(st, s.Body)
}

// typeCase walks a clause of a type switch for one of its types.
func (w *walker) typeCase(st *state, p place, e ast.Expr, clause *ast.CaseClause, v types.Object) {
	t := w.pkg.Info.TypeOf(e)
	conds, view := []cond{{at: p, kind: isType, typ: t}}, p.as(t)
	switch {
	case w.pkg.Info.Types[e].IsNil():
		conds, view = []cond{{at: p, kind: isNil}}, p
	case !w.x.isVariant(p.typ, t):
		w.block(clause.Body, st.clone())
		return
	case len(clause.List) > 1:
		view = p // the variable has the type of the interface
	}
	for _, inner := range w.split(st, [][]cond{conds}, e.Pos()) {
		if v != nil {
			inner.vars[v] = view
		}
		w.block(clause.Body, inner)
	}
}

// counts records the variable of a for loop if the variable starts at zero.
func (w *walker) counts(st *state, init ast.Stmt) {
	a, ok := init.(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return
	}
	id, ok := a.Lhs[0].(*ast.Ident)
	if v := w.pkg.Info.Types[a.Rhs[0]].Value; ok && v != nil && v.Kind() == constant.Int && constant.Sign(v) == 0 {
		st.first[w.pkg.Info.ObjectOf(id)] = true
	}
}

// rangeOver walks the body of a loop for the first element only. If the loop looks for
// an element with some property, the first element may have it.
func (w *walker) rangeOver(s *ast.RangeStmt, st *state) {
	inner := st.clone()
	if id, ok := s.Key.(*ast.Ident); ok {
		inner.first[w.pkg.Info.ObjectOf(id)] = true
	}
	if id, ok := s.Value.(*ast.Ident); ok {
		o := w.pkg.Info.ObjectOf(id)
		delete(inner.vars, o)
		if p, ok := w.place(st, s.X); ok && o != nil {
			if p, ok = w.item(p, 0); ok {
				inner.vars[o] = p
			}
		}
	}
	w.block(s.Body.List, inner)
	w.forgetIn(st, s.Body)
}

// assign records what variables refer to after an assignment.
func (w *walker) assign(st *state, lhs, rhs []ast.Expr) {
	info := w.pkg.Info
	if len(lhs) == 2 && len(rhs) == 1 {
		if call, ok := ast.Unparen(rhs[0]).(*ast.CallExpr); ok {
			w.assignCall(st, lhs, call)
			return
		}
		w.assignOK(st, lhs, rhs[0])
		return
	}
	type bound struct {
		p     place
		ok    bool
		conds [2][][]cond
	}
	values := make([]bound, len(lhs)) // all values are read before one is assigned, for a, b = b, a
	for i := range lhs {
		if len(lhs) != len(rhs) {
			break
		}
		values[i].p, values[i].ok = w.place(st, rhs[i])
		if t := info.TypeOf(rhs[i]); t != nil && isBool(t) {
			values[i].conds = [2][][]cond{w.holds(st, rhs[i], false), w.holds(st, rhs[i], true)}
		}
	}
	for i, e := range lhs {
		w.forget(st, e)
		id, ok := e.(*ast.Ident)
		if !ok || id.Name == "_" {
			continue
		}
		if o := info.ObjectOf(id); values[i].ok {
			st.vars[o] = values[i].p.in(o)
		} else if values[i].conds[0] != nil {
			st.conds[o] = values[i].conds
		}
	}
}

// assignOK handles an assignment such as x, ok := e.(T).
func (w *walker) assignOK(st *state, lhs []ast.Expr, rhs ast.Expr) {
	a, isAssertion := ast.Unparen(rhs).(*ast.TypeAssertExpr)
	var from, to place
	var known bool
	if isAssertion {
		if from, known = w.place(st, a.X); known {
			to, known = w.place(st, a)
		}
	}
	for i, e := range lhs {
		w.forget(st, e)
		id, ok := e.(*ast.Ident)
		if !ok || !known || id.Name == "_" {
			continue
		}
		if o := w.pkg.Info.ObjectOf(id); i == 0 {
			st.vars[o] = to
		} else {
			st.conds[o] = [2][][]cond{anything, {{{at: from, kind: isType, typ: to.typ}}}}
		}
	}
}

// forget drops what is known about an expression, because it is assigned to.
func (w *walker) forget(st *state, e ast.Expr) {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		o := w.pkg.Info.ObjectOf(id)
		delete(st.vars, o)
		delete(st.conds, o)
		delete(st.first, o)
		return
	}
	if p, ok := w.find(st, e); ok && !st.assigned(p) {
		st.dirty = append(st.dirty, p.key())
	}
}
