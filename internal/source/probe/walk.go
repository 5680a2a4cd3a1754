//go:build go1.25

package probe

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/allele-go/allele/internal/site"
)

// walker instruments one function. The parameter clean of its methods is true if the
// position in the local variable is up to date before a statement. The result is true
// if the position is up to date after the statement.
type walker struct {
	*Prober
	plain bool // every probe is a call
	inner bool // the code is the body of a range over a function, which the compiler turns into another function
}

// function instruments the body of a function.
//
// A function without branches gets no probe at its beginning if it is short or calls
// nothing that may run a probe: the probes in its callees show more, and a probe would
// keep it from being inlined. There is one exception. If the function may call itself
// endlessly through other functions without branches, it gets a probe, because
// something must check the limit. In all these functions operands of && and || still
// get probes. A function that branches keeps the position in a local variable. If it
// contains a goto, its probes are calls instead, because we cannot determine where the
// variable is up to date.
func (p *Prober) function(body *ast.BlockStmt, name string, f *types.Func, typ types.Type) {
	outer, around := p.fn, p.level
	p.fn, p.level = name, p.look(body)
	p.level.early = returnsEarly(typ, body)
	defer func() { p.fn, p.level = outer, around }()
	branches, dirty := p.level.branches, len(p.level.dirty) > 0
	entry := place{kind: site.Func, at: body.Lbrace + 1, from: body.Lbrace, to: body.Rbrace + 1}
	w := &walker{Prober: p, plain: p.opts.Calls || p.opts.Steps || p.level.gotos || !branches}
	check := dirty && (f == nil || p.opts.Cyclic == nil || p.opts.Cyclic(f))
	round := f != nil && p.opts.Round != nil && p.opts.Round(f)
	switch {
	case p.level.silent():
		p.closures(body)
	case !branches && (len(body.List) < shortMax || !dirty) && !round:
		w.stmts(body.List, false, false)
	case w.plain:
		w.block(entry, body.List, false, check)
	default:
		p.insert(body.Lbrace+1, "alleleP_:=allelePos_;")
		w.block(entry, body.List, true, check)
	}
	if p.level.rounds {
		p.insert(body.Lbrace+1, "alleleN_:=allelePos_&0;") // 0 of the right type, whatever its name means here
	}
}

// shortMax is the number of statements from which a function without branches
// gets a probe.
const shortMax = 4

// closures instruments the function literals in a node, each as a function.
func (p *Prober) closures(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok {
			p.function(lit.Body, p.fn+".func", nil, p.info.TypeOf(lit))
			return false
		}
		return true
	})
}

// exprs visits expressions: their closures and their short-circuit operands.
func (w *walker) exprs(clean bool, nodes ...ast.Node) bool {
	for _, n := range nodes {
		w.closures(n)
		w.operands(n)
		if w.dirty(n) || w.probesOperands(n) {
			clean = false
		}
	}
	return clean
}

// block instruments a list of statements that a branch leads to. check requests a check
// of the limit. Usually the block's own probe has the check. If the block needs no
// probe, because it begins with a branch whose arms all have probes, each of these arms
// gets the check.
func (w *walker) block(pl place, list []ast.Stmt, clean, check bool) bool {
	if exhaustive(list, pl.kind.Coarse()) {
		return w.stmts(list, clean, check)
	}
	if w.plain {
		if check && w.opts.Steps && pl.kind == site.Loop && !w.inner && !w.opts.Calls {
			w.round(pl)
		} else {
			w.call(pl, check)
		}
		return w.stmts(list, false, false)
	}
	w.inline(pl, clean, check)
	return w.stmts(list, true, false)
}

// stmts instruments statements in order. It passes check to all statements up to the
// first one that branches.
func (w *walker) stmts(list []ast.Stmt, clean, check bool) bool {
	for _, s := range list {
		clean = w.stmt(s, clean, check)
		if branches(s) {
			check = false
		}
	}
	return clean
}

func branches(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.IfStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt:
		return true
	}
	return false
}

func (w *walker) stmt(s ast.Stmt, clean, check bool) bool {
	switch s := s.(type) {
	case nil:
		return clean
	case *ast.BlockStmt:
		return w.stmts(s.List, clean, check)
	case *ast.LabeledStmt:
		return w.stmt(s.Stmt, clean, check)
	case *ast.IfStmt:
		return w.ifStmt(s, clean, check)
	case *ast.ForStmt:
		return w.forStmt(s, clean)
	case *ast.RangeStmt:
		return w.rangeStmt(s, clean)
	case *ast.SwitchStmt:
		clean = w.optional(s.Init, clean)
		if s.Tag != nil {
			clean = w.exprs(clean, s.Tag)
		}
		return w.clauses(s.Body, clean, check)
	case *ast.TypeSwitchStmt:
		clean = w.optional(s.Init, clean)
		clean = w.exprs(clean, s.Assign)
		return w.clauses(s.Body, clean, check)
	case *ast.SelectStmt:
		w.selectStmt(s)
		return false
	case *ast.GoStmt:
		w.insert(s.Pos(), nameGo+"();")
	case *ast.ExprStmt, *ast.AssignStmt, *ast.DeclStmt, *ast.ReturnStmt:
		if Starts(w.info, s) {
			w.insert(s.Pos(), nameGo+"();")
		}
	case *ast.BranchStmt:
		if s.Tok == token.GOTO {
			// A loop that is made by a goto needs a check, and it always passes this
			// place.
			w.call(place{kind: site.Goto, at: s.Pos(), from: s.Pos(), to: s.End()}, true)
			return false
		}
	}
	return w.exprs(clean, s)
}

// optional instruments the init or post statement of another statement. s may be nil.
func (w *walker) optional(s ast.Stmt, clean bool) bool {
	if s == nil {
		return clean
	}
	return w.exprs(clean, s)
}

func (w *walker) ifStmt(s *ast.IfStmt, clean, check bool) bool {
	clean = w.optional(s.Init, clean)
	into, otherwise := w.condition(s.Cond, clean)
	pl := place{kind: site.Then, at: s.Body.Lbrace + 1, from: s.Body.Lbrace, to: s.Body.Rbrace + 1, early: w.level.early[s]}
	then := w.block(pl, s.Body.List, into, check)
	switch e := s.Else.(type) {
	case *ast.BlockStmt:
		pl := place{kind: site.Else, at: e.Lbrace + 1, from: e.Lbrace, to: e.Rbrace + 1}
		otherwise = w.block(pl, e.List, otherwise, check)
	case *ast.IfStmt:
		otherwise = w.ifStmt(e, otherwise, check)
	}
	if leaves(s.Body.List) {
		return otherwise
	}
	return then && otherwise
}

// forStmt instruments a for loop. The body is also reached from its own end. So at its
// beginning the position is up to date only if nothing in the loop may run other
// probes.
func (w *walker) forStmt(s *ast.ForStmt, clean bool) bool {
	clean = w.optional(s.Init, clean)
	inside := clean && !w.dirty(s.Body) && !w.probesOperands(s.Body)
	inside = w.optional(s.Post, inside)
	after := inside
	if s.Cond != nil {
		inside, after = w.condition(s.Cond, inside)
	}
	pl := place{kind: site.Loop, at: s.Body.Lbrace + 1, from: s.Body.Lbrace, to: s.Body.Rbrace + 1}
	w.block(pl, s.Body.List, inside, !w.counts(s))
	return after
}

func (w *walker) rangeStmt(s *ast.RangeStmt, clean bool) bool {
	clean = w.exprs(clean, s.X)
	pl := place{kind: site.Loop, at: s.Body.Lbrace + 1, from: s.Body.Lbrace, to: s.Body.Rbrace + 1}
	switch w.rangesOver(s.X) {
	case overFunc:
		// The compiler turns the body into a function of its own, which would have to
		// capture the local variable. So the probes in the body are calls.
		inner := &walker{w.Prober, true, true}
		inner.block(pl, s.Body.List, false, true)
		return false
	case overChan:
		w.block(pl, s.Body.List, false, true)
		return false
	}
	inside := clean && !w.dirty(s.Body) && !w.probesOperands(s.Body)
	w.block(pl, s.Body.List, inside, !w.ends(s.X))
	return inside
}

const (
	overData = iota
	overChan
	overFunc
)

func (p *Prober) rangesOver(x ast.Expr) int {
	t := p.info.TypeOf(x)
	if t == nil {
		return overFunc
	}
	if param, ok := types.Unalias(t).(*types.TypeParam); ok {
		t = coreType(param)
	}
	switch u := t.Underlying().(type) {
	case *types.Signature:
		return overFunc
	case *types.Chan:
		return overChan
	case *types.Interface:
		return overFunc // a type parameter with several underlying types: assume the worst
	case *types.Basic:
		if u.Kind() == types.Invalid {
			return overFunc // a type of C, or a type that depends on one
		}
	}
	return overData
}

// coreType returns the only underlying type of a type parameter, or the
// parameter's interface if there are several.
func coreType(p *types.TypeParam) types.Type {
	iface := p.Underlying().(*types.Interface)
	if iface.NumEmbeddeds() == 1 {
		if u, ok := iface.EmbeddedType(0).(*types.Union); ok && u.Len() == 1 {
			return u.Term(0).Type().Underlying()
		}
	}
	return iface
}

func (w *walker) clauses(body *ast.BlockStmt, clean, check bool) bool {
	for _, c := range body.List {
		for _, e := range c.(*ast.CaseClause).List {
			clean = w.exprs(clean, e)
		}
	}
	after := clean
	into := clean // up to date at the beginning of a clause; false if the previous clause falls through with a stale position
	for _, c := range body.List {
		cc := c.(*ast.CaseClause)
		pl := place{kind: site.Clause, at: cc.Colon + 1, from: cc.Case, to: cc.End()}
		end := w.block(pl, cc.Body, into, check)
		into = clean && (!fallsThrough(cc.Body) || end)
		if !leaves(cc.Body) {
			after = after && end
		}
	}
	return after
}

func fallsThrough(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	b, ok := list[len(list)-1].(*ast.BranchStmt)
	return ok && b.Tok == token.FALLTHROUGH
}

func (w *walker) selectStmt(s *ast.SelectStmt) {
	for _, c := range s.Body.List {
		cc := c.(*ast.CommClause)
		if cc.Comm != nil {
			w.exprs(false, cc.Comm)
		}
		w.block(place{kind: site.Clause, at: cc.Colon + 1, from: cc.Case, to: cc.End()}, cc.Body, false, false)
	}
}

// leaves reports whether a list ends with a return. Then no statement after it needs to
// know whether the position is up to date.
func leaves(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	_, ok := list[len(list)-1].(*ast.ReturnStmt)
	return ok
}

// exhaustive reports whether a list begins with a branch that leads to a probe on every
// path; simple statements may come before the branch. Then the list needs no probe of
// its own. But an if does not count if coarse is true: the sites in its arms are not
// coarse (see site.Kind), and a reader of coarse sites alone would see none.
func exhaustive(list []ast.Stmt, coarse bool) bool {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.AssignStmt, *ast.DeclStmt, *ast.IncDecStmt, *ast.ExprStmt, *ast.SendStmt:
			continue
		case *ast.IfStmt:
			return !coarse && hasElse(s)
		case *ast.SwitchStmt:
			return hasDefault(s.Body)
		case *ast.TypeSwitchStmt:
			return hasDefault(s.Body)
		default:
			return false
		}
	}
	return false
}

func hasElse(s *ast.IfStmt) bool {
	switch e := s.Else.(type) {
	case *ast.BlockStmt:
		return true
	case *ast.IfStmt:
		return hasElse(e)
	}
	return false
}

func hasDefault(b *ast.BlockStmt) bool {
	for _, c := range b.List {
		if c.(*ast.CaseClause).List == nil {
			return true
		}
	}
	return false
}
