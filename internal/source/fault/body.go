//go:build go1.25

package fault

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/source/load"
)

// insertion is an Edit inside a function. If entry is true, it belongs before both bodies of
// the function that begins there.
type insertion struct {
	offset int
	text   string
	entry  bool
}

// unit is a function with two bodies. The function literals in it have two bodies as well,
// because a literal may be made while the gates are off and called while they are on.
type unit struct {
	r       *rewriter
	at      int // index of its file
	source  *load.File
	decl    *ast.FuncDecl // nil for a literal
	body    *ast.BlockStmt
	fn      int          // its number, or -1 if it has no gates
	gated   []insertion  // what makes the body with gates out of the source
	plain   []insertion  // guards, which the original body gets too
	lits    []literal    // in the order of the source
	callers map[int]bool // functions that call its direct copy
}

// literal is a function literal, or the function itself.
type literal struct {
	body  *ast.BlockStmt
	ends  bool // it has no results, so its body may end without a return
	gated bool // it contains gates
}

// litDepthMax is how deep literals are nested that have two bodies. Each level doubles the
// size of the copies.
const litDepthMax = 3

// function collects what is inserted into a function that is not in another one. The
// declaration d is nil for a literal.
func (r *rewriter) function(d *ast.FuncDecl, body *ast.BlockStmt, sig *types.Signature, name string, faults bool) *unit {
	u := &unit{r: r, at: r.index, source: r.file, decl: d, body: body, fn: r.funcs, callers: map[int]bool{}}
	if faults && declaresTypes(body) {
		// The two bodies would declare two different types of the same name.
		r.decline("function that declares a type")
		faults = false
	}
	if faults && r.reuses(d, body) {
		r.decline("function that declares a parameter or a result again")
		faults = false
	}
	before := len(r.places)
	if faults {
		w := &walker{rewriter: r, unit: u, fn: u.fn, name: name, sig: sig,
			skip: map[ast.Expr]uint8{}, compared: map[ast.Expr]*ast.BinaryExpr{}}
		w.function(body, sig)
	}
	guards{r, &u.plain, false}.all(body)
	if len(u.lits) > 0 && u.lits[0].gated && gated(r, d, body) {
		r.funcs++
	} else {
		u.lits, u.gated, u.fn = nil, nil, -1
		for i := range r.places[before:] {
			r.places[before+i].fn = -1
		}
	}
	r.units = append(r.units, u)
	return u
}

// gated reports whether a function gets its gates. Initialisers do if any function of the package may.
func gated(r *rewriter, d *ast.FuncDecl, body *ast.BlockStmt) bool {
	if r.opts.Gated == nil || d == nil || d.Name.Name == "init" || d.Name.Name == "_" {
		return true
	}
	line := func(at token.Pos) int { return r.fset.PositionFor(at, false).Line }
	return r.opts.Gated(r.file.Path, line(d.Pos()), line(body.End()))
}

// reuses reports whether a body, or the body of a literal in it, has a declaration x, err := f() where err is a
// parameter or a result. A copy of it inside of an if statement would declare another err.
func (r *rewriter) reuses(d *ast.FuncDecl, body *ast.BlockStmt) (found bool) {
	if !r.separate(d) && r.declaresAgain(body) {
		return true
	}
	ast.Inspect(body, func(n ast.Node) bool {
		if l, ok := n.(*ast.FuncLit); ok && r.declaresAgain(l.Body) {
			found = true
		}
		return !found
	})
	return found
}

func (r *rewriter) declaresAgain(body *ast.BlockStmt) bool {
	return slices.ContainsFunc(body.List, func(s ast.Stmt) bool {
		a, ok := s.(*ast.AssignStmt)
		return ok && a.Tok == token.DEFINE && slices.ContainsFunc(a.Lhs, func(x ast.Expr) bool {
			id, ok := x.(*ast.Ident)
			if !ok || id.Name == "_" || r.pkg.Info.Defs[id] != nil {
				return false
			}
			o := r.pkg.Info.Uses[id]
			return o != nil && o.Pos() < body.Lbrace
		})
	})
}

// write adds the edits of all functions.
func (r *rewriter) write() {
	for _, u := range r.units {
		if u.fn >= 0 {
			u.callDirect()
		}
	}
	for _, u := range r.units {
		r.index, r.file = u.at, u.source
		var edits []Edit
		if u.fn >= 0 && r.separate(u.decl) {
			edits = u.separated()
		} else {
			edits = u.insertions(span{r.offset(u.body.Lbrace), r.offset(u.body.Rbrace)}, false, 0)
		}
		r.result.Edits[u.at] = append(r.result.Edits[u.at], edits...)
	}
	for _, edits := range r.result.Edits {
		slices.SortStableFunc(edits, func(a, b Edit) int { return a.Offset - b.Offset })
	}
}

// span is a part of a file. Insertions at both ends belong to it.
type span struct{ from, to int }

func (s span) has(offset int) bool { return s.from <= offset && offset <= s.to }

func (u *unit) inside(l literal) span {
	return span{u.r.offset(l.body.Lbrace) + 1, u.r.offset(l.body.Rbrace)}
}

// insertions returns the edits for a part of the function, with gates or without. For each
// literal in that part, the edits contain the other body.
func (u *unit) insertions(part span, gated bool, depth int) []Edit {
	from := u.plain
	if gated {
		from = u.gated
	}
	var first, bodies, rest []Edit
	for _, i := range from {
		switch {
		case !part.has(i.offset) || gated && !i.entry && u.original(i.offset) != nil:
		case !i.entry:
			rest = append(rest, Edit{i.offset, i.text})
		case i.offset != part.from:
			first = append(first, Edit{i.offset, i.text})
		}
	}
	for _, l := range u.lits {
		if at := u.inside(l); at.from > part.from && at.from <= part.to && l.gated && depth < litDepthMax {
			bodies = append(bodies, Edit{at.from, u.other(l, !gated, depth+1)})
		}
	}
	all := slices.Concat(first, bodies, rest)
	if gated && u.r.opts.Probes != nil {
		for _, i := range u.plain {
			if part.has(i.offset) && !i.entry && u.original(i.offset) != nil {
				all = append(all, Edit{i.offset, i.text})
			}
		}
		all = append(all, u.probes(part, func(offset int) bool { return u.original(offset) != nil })...)
	}
	slices.SortStableFunc(all, func(a, b Edit) int { return a.Offset - b.Offset })
	return all
}

// original returns the literal without gates that contains an offset, or nil. In a body with
// gates such a literal stays as it is, with its probes: it may be called when all gates are off.
func (u *unit) original(offset int) *literal {
	if u.r.opts.Probes == nil {
		return nil // its loops need the ticks
	}
	for i := range u.lits {
		if l := &u.lits[i]; !l.gated && u.inside(*l).has(offset) {
			return l
		}
	}
	return nil
}

// probes returns the insertions of probes in a part of the file.
func (u *unit) probes(part span, want func(offset int) bool) (some []Edit) {
	for _, e := range u.r.opts.Probes[u.r.index] {
		if part.has(e.Offset) && want(e.Offset) {
			some = append(some, e)
		}
	}
	return some
}

// other returns the text that runs the other body of a function: the one with gates, which
// is inserted before the original, or the original, which is inserted before the one with gates.
func (u *unit) other(l literal, gated bool, depth int) string {
	part := u.inside(l)
	edits := u.insertions(part, gated, depth)
	if !gated && u.r.opts.Probes != nil {
		edits = append(edits, u.probes(part, func(int) bool { return true })...)
		slices.SortStableFunc(edits, func(a, b Edit) int { return a.Offset - b.Offset })
	}
	line := u.line(l.body.Lbrace + 1)
	end := ""
	if l.ends {
		end = ";return"
	}
	runs := "if alleleFunc_[%[1]d]==0||!alleleOn_(%[1]d)"
	if gated {
		runs = "if alleleFunc_[%[1]d]!=0&&alleleOn_(%[1]d)"
	}
	return fmt.Sprintf(runs+"{%[2]s%[3]s%[4]s};%[2]s", u.fn, line, apply(u.r.file.Src, part, edits), end)
}

// apply returns a part of a source with insertions, which are sorted.
func apply(src []byte, part span, edits []Edit) string {
	var b strings.Builder
	at := part.from
	for _, e := range edits {
		b.Write(src[at:e.Offset])
		b.WriteString(e.Text)
		at = e.Offset
	}
	b.Write(src[at:part.to])
	return b.String()
}

// variables rewrites the initialisers of package variables. Code outside of function literals
// exists once, with gates: it runs once.
func (r *rewriter) variables(d *ast.GenDecl, faults bool) {
	u := &unit{r: r, fn: -1}
	w := &walker{rewriter: r, unit: u, fn: -1, name: "init", skip: map[ast.Expr]uint8{}, compared: map[ast.Expr]*ast.BinaryExpr{}}
	for _, s := range d.Specs {
		for _, v := range s.(*ast.ValueSpec).Values {
			if faults {
				w.node(v)
				continue
			}
			guards{r, &u.gated, false}.all(v)
		}
	}
	for _, i := range u.gated {
		r.edits = append(r.edits, Edit{i.offset, i.text})
	}
}

func declaresTypes(body *ast.BlockStmt) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		if d, ok := n.(*ast.GenDecl); ok && d.Tok == token.TYPE {
			found = true
		}
		return !found
	})
	return found
}

func hasLineDirective(f *ast.File) bool {
	for _, g := range f.Comments {
		for _, c := range g.List {
			if strings.HasPrefix(c.Text, "//line ") || strings.HasPrefix(c.Text, "/*line ") {
				return true
			}
		}
	}
	return false
}

// untouchable returns why a function has no faults: directives promise the compiler or the
// linker something about its body or its symbol.
func untouchable(info *types.Info, d *ast.FuncDecl) string {
	if d.Doc == nil {
		return ""
	}
	for _, c := range d.Doc.List {
		name, _, _ := strings.Cut(c.Text, " ")
		if strings.HasPrefix(name, "//go:") && !slices.Contains([]string{"//go:noinline", "//go:generate", "//go:fix"}, name) {
			return "function with the directive " + strings.TrimPrefix(name, "//")
		}
	}
	return ""
}

// funcName returns the name of a function as messages show it, such as (*Parser).next.
func funcName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	t, form := d.Recv.List[0].Type, "%s.%s"
	if s, ok := ast.Unparen(t).(*ast.StarExpr); ok {
		t, form = s.X, "(*%s).%s"
	}
	switch x := ast.Unparen(t).(type) {
	case *ast.IndexExpr:
		t = x.X
	case *ast.IndexListExpr:
		t = x.X
	}
	return fmt.Sprintf(form, types.ExprString(t), d.Name.Name)
}
