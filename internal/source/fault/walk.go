//go:build go1.25

package fault

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/site"
)

// walker walks through a function in the order of the source, chooses its faults and makes
// the insertions for its body with gates. Everything is done by insertion: an operator
// that is not needed becomes a comment.
type walker struct {
	*rewriter
	*unit
	fn   int                // number of the function, or -1 in the initialiser of a variable
	name string             // of the function, for people
	sig  *types.Signature   // of the innermost function
	skip map[ast.Expr]uint8 // constants: which changes are made by a fault at another place
	// The comparison that a constant is an operand of.
	compared map[ast.Expr]*ast.BinaryExpr
}

func (w *walker) info() *types.Info { return w.pkg.Info }

func (w *walker) put(pos token.Pos, text string) {
	w.unit.gated = append(w.unit.gated, insertion{w.offset(pos), text, false})
}

// comment turns source into a comment. The source contains no comment itself.
func (w *walker) comment(pos token.Pos, length int, after string) {
	w.put(pos, "/*")
	w.put(pos+token.Pos(length), "*/"+after)
}

// function walks through a function or a function literal.
func (w *walker) function(body *ast.BlockStmt, sig *types.Signature) {
	outer, before, at := w.sig, len(w.places), len(w.lits)
	w.sig = sig
	w.lits = append(w.lits, literal{body: body, ends: sig.Results().Len() == 0})
	w.put(body.Lbrace+1, w.tick())
	w.list(body.List)
	w.lits[at].gated = len(w.places) > before
	w.sig = outer
}

func (w *walker) tick() string { w.gates.tick = true; return "alleleTick_();" }

// place makes a gate with faults for a node, whose source they change, and returns its number. It
// returns false if no fault was asked for there.
func (w *walker) place(n ast.Node, changes ...change) (int, bool) {
	return placeOf(w, n, n, changes...)
}

// placeOf is place for a node of which one part is changed.
func placeOf(w *walker, n, part ast.Node, changes ...change) (int, bool) {
	at, end := w.fset.PositionFor(n.Pos(), false), w.fset.PositionFor(n.End(), false)
	if w.opts.None || len(changes) == 0 {
		return 0, false
	}
	s, before := len(w.places), len(w.found)
	source := wording{w.opts, w.worth, w.info(), w.text}
	for v, c := range changes {
		node, to := source.of(part, c)
		if why := source.declined(node, c.operator, to); why != "" {
			w.decline(why)
			continue
		}
		edit := shortest(w.offset(node.Pos()), w.src(node), to)
		edit.Unlikely = source.unlikely(node, c.operator, to)
		w.found = append(w.found, found{w.index, site.Fault{
			Package: w.pkg.Path, Site: s, Variant: v,
			File: w.file.Path, Line: at.Line, Col: at.Column, EndLine: end.Line, EndCol: end.Column,
			Func: w.name, Operator: c.operator, Number: w.paperNumber(n, c.operator, v), From: c.from, To: c.to,
			Edit: edit,
		}})
	}
	if len(w.found) == before {
		return 0, false
	}
	w.places = append(w.places, place{w.fn, 1<<len(changes) - 1})
	return s, true
}

func (w *walker) src(n ast.Node) string { return w.text(n.Pos(), n.End()) }

// children calls visit for the nodes directly below a node.
func children(n ast.Node, visit func(ast.Node)) {
	ast.Inspect(n, func(c ast.Node) bool {
		if c == n {
			return true
		}
		if c != nil {
			visit(c)
		}
		return false
	})
}

// node walks through an expression, or through a statement that is not in a list.
func (w *walker) node(n ast.Node) {
	switch n := n.(type) {
	case nil:
	case *ast.FuncLit:
		w.literal(n)
	case ast.Expr:
		w.expr(n)
	case ast.Stmt:
		w.stmt(n, false)
	case *ast.GenDecl:
		if n.Tok == token.VAR {
			children(n, w.node)
		}
	case *ast.ValueSpec:
		for _, v := range n.Values {
			w.node(v)
		}
	}
}

func (w *walker) literal(n *ast.FuncLit) {
	sig, ok := w.info().TypeOf(n).(*types.Signature)
	if !ok {
		return
	}
	if w.fn < 0 {
		w.rewriter.function(nil, n.Body, sig, w.name+".func", true)
		return
	}
	name := w.name
	w.name += ".func"
	w.function(n.Body, sig)
	w.name = name
}

func (w *walker) expr(e ast.Expr) {
	tv := w.info().Types[e]
	switch {
	case tv.IsType():
		return
	case tv.Value != nil:
		w.constant(e)
		return
	}
	switch e := e.(type) {
	case *ast.BinaryExpr:
		w.binary(e)
	case *ast.UnaryExpr:
		w.unary(e)
	case *ast.CallExpr:
		w.call(e)
	case *ast.CompositeLit:
		w.composite(e)
	case *ast.SelectorExpr:
		w.node(e.X)
	case *ast.IndexExpr, *ast.SliceExpr:
		w.indexed(e)
	default:
		children(e, w.node)
	}
}

// composite walks through the elements of a literal. Keys that are constant or names of
// fields stay as they are.
func (w *walker) composite(e *ast.CompositeLit) {
	for _, elt := range e.Elts {
		kv, ok := elt.(*ast.KeyValueExpr)
		if !ok {
			w.value(elt, opDestination)
			continue
		}
		if id, field := kv.Key.(*ast.Ident); !field || w.info().Uses[id] != nil && !isField(w.info().Uses[id]) {
			if w.info().Types[kv.Key].Value == nil {
				w.node(kv.Key)
			}
		}
		w.value(kv.Value, opDestination)
	}
}

func isField(o types.Object) bool { v, ok := o.(*types.Var); return ok && v.IsField() }

// call walks through a call. Arguments of functions of package unsafe stay as they are.
func (w *walker) call(e *ast.CallExpr) {
	if s, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok {
		if id, ok := s.X.(*ast.Ident); ok {
			if p, ok := w.info().Uses[id].(*types.PkgName); ok && p.Imported() == types.Unsafe {
				return
			}
		}
	}
	w.node(e.Fun)
	sizes, _ := w.sizes(e)
	for i, a := range e.Args {
		if i == 2 && len(sizes) > 0 || i == 2 && isMake(e) {
			w.skip[a] = skipAll // a capacity changes nothing but speed
		}
		if len(sizes) > 0 && sizes[0] == a {
			sizes = sizes[1:]
			before := w.sizeBefore(a)
			w.put(a.Pos(), before)
			w.node(a)
			w.put(a.End(), sizeAfter(before))
			continue
		}
		w.value(a, opDestination)
	}
}

func isMake(e *ast.CallExpr) bool {
	id, ok := ast.Unparen(e.Fun).(*ast.Ident)
	return ok && id.Name == "make"
}

// list walks through statements.
func (w *walker) list(list []ast.Stmt) {
	for _, s := range list {
		w.stmt(s, true)
	}
}

// stmt walks through a statement. If listed is true, other statements can be put before it
// or around it.
func (w *walker) stmt(s ast.Stmt, listed bool) {
	switch s := s.(type) {
	case *ast.BlockStmt:
		w.list(s.List)
	case *ast.LabeledStmt:
		w.put(s.Pos(), labelPrefix)
		w.stmt(s.Stmt, listed)
	case *ast.BranchStmt:
		if s.Tok == token.GOTO {
			w.put(s.Pos(), w.tick())
		}
		if s.Label != nil {
			w.put(s.Label.Pos(), labelPrefix)
		}
	case *ast.ForStmt:
		w.each(s.Init, s.Cond, s.Post)
		w.loop(s.Body)
	case *ast.RangeStmt:
		w.each(s.Key, s.Value, s.X)
		w.loop(s.Body)
	case *ast.CaseClause:
		for _, e := range s.List {
			if w.info().Types[e].Value != nil {
				w.decline("constant of a case")
				continue
			}
			w.node(e)
		}
		w.list(s.Body)
	case *ast.CommClause:
		if a, ok := s.Comm.(*ast.AssignStmt); ok { // the language wants a receive operation here
			for _, x := range slices.Concat(a.Lhs, a.Rhs) {
				w.node(x)
			}
		} else {
			w.each(s.Comm)
		}
		w.list(s.Body)
	case *ast.GoStmt:
		w.goStmt(s)
	case *ast.ReturnStmt:
		w.returns(s, listed)
	case *ast.IncDecStmt:
		w.increment(s)
	case *ast.AssignStmt:
		w.assign(s, listed)
	case *ast.ExprStmt:
		w.statement(s, listed)
	default:
		children(s, w.node)
	}
}

// each walks through the parts of a statement. Interfaces that hold nil are left out.
func (w *walker) each(parts ...ast.Node) {
	for _, p := range parts {
		if p != nil {
			w.node(p)
		}
	}
}

func (w *walker) loop(body *ast.BlockStmt) {
	w.put(body.Lbrace+1, w.tick())
	w.list(body.List)
}

// labelPrefix makes the labels of the body with gates differ from those of the original.
const labelPrefix = "alleleL_"

func (w *walker) goStmt(s *ast.GoStmt) {
	if lit, ok := ast.Unparen(s.Call.Fun).(*ast.FuncLit); ok {
		guards{w.rewriter, &w.unit.gated, true}.goStmt(s)
		w.literal(lit)
		for _, a := range s.Call.Args {
			w.node(a)
		}
		return
	}
	before := guards{w.rewriter, &w.unit.gated, true}.goBefore(s.Call)
	if before == "" {
		children(s, w.node)
		return
	}
	w.put(s.Call.Fun.Pos(), before)
	w.node(s.Call.Fun)
	w.comment(s.Call.Lparen, 1, strings.TrimPrefix(goBetween(s.Call), "*/"))
	for _, a := range s.Call.Args {
		w.node(a)
	}
}

// gate returns the beginning of a call of a gate.
func gate(name string, number int) string { return fmt.Sprintf("%s(%d,", name, number) }
