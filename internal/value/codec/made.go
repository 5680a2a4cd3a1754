//go:build go1.25

package codec

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// made resolves a call of a builder. The syntax tree of the call is compared with
// the builder's template, so layout and comments do not matter, and the name of the
// package may be omitted.
func (r *resolver) made(s *schema.Schema, e ast.Expr) {
	if s.Machine() != nil {
		readCalls(r, s, e)
		return
	}
	c, ok := r.builder(s, e)
	if !ok {
		why := fmt.Sprintf("%s does not call a builder of %v", describe(e), s.Type)
		r.because(NoBuilder, func() { r.unfit(s, e, "%s", cmp.Or(textRefusal(r, s.Type, e), why)) })
		return
	}
	at, lost := r.open(s, c.ctor, 0), len(r.losses)
	for i, arg := range c.args {
		f := s.Ctors[c.ctor].Fields[i]
		r.under(step{name: "#" + strconv.Itoa(i)}, func() {
			if arg == nil { // an omitted field of a start
				r.zero(f.S, nil)
				return
			}
			r.value(f.S, arg)
		})
	}
	r.spend(len(c.spelled))
	r.out = append(r.out, c.spelled...)
	r.seal(at)
	if r.err == nil && schema.Is[schema.Given](s.Ctors[c.ctor].Func) {
		r.out = append(r.out[:at], r.world.Recast(r.out[at:].Clone())...)
	}
	if f := s.Ctors[c.ctor]; len(r.losses) > lost && f.Func.IsReady() && len(f.Fields) == 1 && f.Fields[0].S.Kind == schema.String {
		r.out = r.out[:at] // without its text, nothing of the value is left
		r.zero(s, nil)
	}
}

// building is a call of a builder. The arguments are expressions or, if the builder
// is Spelled, terms that were parsed from a text.
type building struct {
	ctor    int
	args    []ast.Expr
	spelled term.Term
}

// builder returns the first builder of s whose call matches the expression.
func (r *resolver) builder(s *schema.Schema, e ast.Expr) (building, bool) {
	if c := listed(r.errors, s.Ctors, e); c >= 0 {
		return building{ctor: c}, true
	}
	e = unparen(e)
	for c := range s.InOrder() {
		if b, ok := r.call(s, c, e); ok {
			return b, true
		}
	}
	return building{}, false
}

func (r *resolver) call(s *schema.Schema, c int, e ast.Expr) (building, bool) {
	f := s.Ctors[c].Func
	if isNilLiteral(f) && r.isNil(s.Type, e) {
		return building{ctor: c}, true
	}
	switch form := f.Form.(type) {
	case schema.Reader:
		arg, ok := r.read(s.Ctors[c], form.Method, e)
		return building{ctor: c, args: []ast.Expr{arg}}, ok
	case schema.Literal:
		args, ok := literalArgs(form, e)
		for i := 0; ok && i < len(args); i++ { // other texts are read by the builder of all fields
			in := s.Ctors[c].Fields[i].S
			ok = !in.IsMatch() || r.fits(in, args[i])
		}
		return building{ctor: c, args: args}, ok
	case schema.Variable:
		return building{ctor: c}, isVariable(f, e, r.errors)
	case schema.Start:
		args, ok := startArgs(form.Fields, f.Via == schema.Deref, e)
		return building{ctor: c, args: args}, ok
	case schema.Mutator:
		args, ok := changedArgs(f, returned(f, e))
		return building{ctor: c, args: args}, ok
	case schema.Call, schema.Parser, schema.Spelled, schema.Given:
		return r.templated(s, c, returned(f, called(e)))
	case schema.Filter: // it makes no values
	case schema.Calls, schema.Operation: // see steps.go
	}
	return building{}, false
}

// returned returns the expression that the code of a builder is, in one whose value is taken from it.
func returned(f *schema.Func, e ast.Expr) ast.Expr {
	if star, ok := e.(*ast.StarExpr); f.Via == schema.Deref && ok {
		return unparen(star.X)
	}
	if f.Via == schema.Ref {
		return called(pointee(e).value)
	}
	return e
}

// templated resolves an expression that matches the template of a builder.
func (r *resolver) templated(s *schema.Schema, c int, e ast.Expr) (building, bool) {
	f := s.Ctors[c].Func
	m := matcher{args: make([]ast.Expr, len(f.Args)), ready: f.IsReady()}
	if t := r.template(f); t == nil || !m.match(t, e) || !m.full() {
		return building{}, false
	}
	if schema.Is[schema.Parser](f) && !r.fits(s.Ctors[c].Fields[0].S, m.args[0]) {
		return building{}, false
	}
	if !schema.Is[schema.Spelled](f) {
		return building{ctor: c, args: m.args}, true
	}
	text, err := r.stringOf(unparen(m.args[0]))
	if err != nil {
		return building{}, false
	}
	args, ok := r.world.Unspell(s, c, text)
	return building{ctor: c, spelled: args}, ok
}

// read returns the text in a function literal that sets a value from it, if it is a text that the
// builder may have.
func (r *resolver) read(c schema.Ctor, reads string, e ast.Expr) (ast.Expr, bool) {
	method, arg := textRead(r, e)
	if method == "" || method != reads {
		return nil, false
	}
	return arg, !c.Fields[0].S.IsMatch() || r.fits(c.Fields[0].S, arg)
}

// textRead returns the method and the text of a function literal that sets a value from a text:
//
//	func() T { var v T; v.UnmarshalText([]byte("1.5")); return v }()
func textRead(r *resolver, e ast.Expr) (method string, arg ast.Expr) {
	_, ss := literalBody(e)
	if len(ss) != 3 {
		return "", nil
	}
	stmt, _ := ss[1].(*ast.ExprStmt)
	if stmt == nil {
		return "", nil
	}
	call, _ := stmt.X.(*ast.CallExpr)
	if call == nil || len(call.Args) != 1 {
		return "", nil
	}
	sel, _ := call.Fun.(*ast.SelectorExpr)
	if sel == nil {
		return "", nil
	}
	arg = unparen(call.Args[0])
	if conv, ok := arg.(*ast.CallExpr); ok && len(conv.Args) == 1 {
		arg = unparen(conv.Args[0])
	}
	if _, err := r.stringOf(arg); err != nil {
		return "", nil
	}
	return sel.Sel.Name, arg
}

// textRefusal returns the message for a function literal that sets a value of t from a text, if the values of t are no longer made from
// this text. It returns "" for any other expression.
func textRefusal(r *resolver, t reflect.Type, e ast.Expr) string {
	method, arg := textRead(r, unparen(e))
	if method == "" {
		return ""
	}
	text, _ := r.stringOf(arg)
	known, err := schema.ReadText(t, method, text)
	switch {
	case !known:
		return fmt.Sprintf("%v has no method %s that reads a text", t, method)
	case err != nil:
		return fmt.Sprintf("%s of %v refuses the text %.40q now: %v", method, t, text, err)
	}
	return fmt.Sprintf("values of %v are no longer made by %s", t, method)
}

// fits reports whether an expression is a text that matches s.
func (r *resolver) fits(s *schema.Schema, e ast.Expr) bool {
	text, err := r.stringOf(unparen(e))
	if err == nil {
		_, err = s.Parse(text)
	}
	return err == nil
}

// literalArgs returns the arguments of a Literal, if a composite literal sets the same fields.
func literalArgs(l schema.Literal, e ast.Expr) (args []ast.Expr, ok bool) {
	lit, ok := e.(*ast.CompositeLit)
	if !ok {
		return nil, false
	}
	byName := map[string]ast.Expr{}
	for _, elt := range lit.Elts {
		kv, ok := elt.(*ast.KeyValueExpr)
		if !ok {
			return nil, false
		}
		byName[typeKey(kv.Key)] = kv.Value
	}
	for _, name := range l.Fields {
		args = append(args, byName[name])
		delete(byName, name)
		ok = ok && args[len(args)-1] != nil
	}
	if l.Fixed != "" {
		fixed, _ := byName[l.Fixed].(*ast.Ident)
		ok = ok && fixed != nil && fixed.Name == "true"
		delete(byName, l.Fixed)
	}
	return args, ok && len(byName) == 0
}

// startArgs returns the fields of a value that functions change later: of T{...} if value is true,
// otherwise of &T{...}. Fields that are omitted are nil.
func startArgs(fields []string, value bool, e ast.Expr) (args []ast.Expr, ok bool) {
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND && !value {
		e, value = unparen(u.X), true
	}
	lit, ok := e.(*ast.CompositeLit)
	if !ok || !value {
		return nil, false
	}
	args = make([]ast.Expr, len(fields))
	for _, elt := range lit.Elts {
		kv, ok := elt.(*ast.KeyValueExpr)
		if !ok {
			return nil, false
		}
		i := slices.Index(fields, typeKey(kv.Key))
		if i < 0 {
			return nil, false
		}
		args[i] = kv.Value
	}
	return args, true
}

// changedArgs matches a function literal that changes a value, if its last call is a
// call of f:
//
//	func() T { v := x; v.Set(1); return v }()
//
// The arguments are those of the last call. The first one is the receiver: x, or the
// function literal without the last call if there are several calls.
func changedArgs(f *schema.Func, e ast.Expr) (args []ast.Expr, ok bool) {
	lit, ss := literalBody(e)
	if len(ss) < 3 {
		return nil, false
	}
	first, isAssign := ss[0].(*ast.AssignStmt)
	stmt, isCall := ss[len(ss)-2].(*ast.ExprStmt)
	if !isAssign || !isCall || len(first.Lhs) != 1 || len(first.Rhs) != 1 {
		return nil, false
	}
	last, isCall := stmt.X.(*ast.CallExpr)
	if !isCall {
		return nil, false
	}
	sel, isMethod := last.Fun.(*ast.SelectorExpr)
	if !isMethod || sel.Sel.Name != methodName(f) {
		return nil, false
	}
	receiver := first.Rhs[0]
	if len(ss) > 3 {
		body := *lit.Body
		body.List = append(slices.Clone(ss[:len(ss)-2]), ss[len(ss)-1])
		receiver = &ast.CallExpr{Fun: &ast.FuncLit{Type: lit.Type, Body: &body}, Lparen: e.Pos(), Rparen: e.End() - 1}
	}
	m := matcher{args: make([]ast.Expr, len(f.Args))}
	m.args[0] = receiver
	want := &ast.CallExpr{}
	for i := 1; i < len(f.Args); i++ {
		want.Args = append(want.Args, &ast.Ident{Name: "_" + strconv.Itoa(i)})
	}
	if isVariadic(f) {
		want.Ellipsis = 1
	}
	return m.args, m.arguments(want, last) && m.full()
}

// literalBody returns a function literal that is called immediately, and its
// statements.
func literalBody(e ast.Expr) (*ast.FuncLit, []ast.Stmt) {
	c, ok := e.(*ast.CallExpr)
	if !ok || len(c.Args) != 0 {
		return nil, nil
	}
	f, ok := unparen(c.Fun).(*ast.FuncLit)
	if !ok {
		return nil, nil
	}
	return f, f.Body.List
}

func (r *resolver) template(f *schema.Func) ast.Expr {
	t, ok := r.templates[f]
	if !ok {
		src := holes(f)
		if !f.IsReady() {
			src = funcName(f) + strings.TrimPrefix(src, f.Name)
		}
		t, _ = parser.ParseExprFrom(token.NewFileSet(), "", src, parser.SkipObjectResolution)
		r.templates[f] = t
	}
	return t
}

// called finds the call f(x) in a function literal that drops the second result of
// f. It returns any other expression unchanged:
//
//	func() T { v, _ := f(x); return v }()    // f(x)
//	func() T { v, _ := f(x); return *v }()   // *f(x)
func called(e ast.Expr) ast.Expr {
	_, ss := literalBody(e)
	if len(ss) != 2 {
		return e
	}
	assign, ok := ss[0].(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 2 || len(assign.Rhs) != 1 {
		return e
	}
	call := unparen(assign.Rhs[0])
	if ret, ok := ss[1].(*ast.ReturnStmt); ok && len(ret.Results) == 1 {
		if star, ok := ret.Results[0].(*ast.StarExpr); ok {
			return &ast.StarExpr{Star: star.Star, X: call}
		}
	}
	return call
}

// matcher compares an expression with a template, and collects in args the
// expressions at the holes _0, _1, ...
type matcher struct {
	args  []ast.Expr
	ready bool // the template comes with allele, and its names are qualified with packages
}

func (m *matcher) full() bool {
	for _, a := range m.args {
		if a == nil {
			return false
		}
	}
	return true
}

// match reports whether e matches t. It is one switch over the forms that templates
// have, kept whole.
func (m *matcher) match(t, e ast.Expr) bool {
	t, e = unparen(t), unparen(e)
	switch t := t.(type) {
	case *ast.Ident:
		if i, ok := holeNumber(t.Name); ok && i < len(m.args) {
			m.args[i] = e
			return true
		}
		return m.name(t.Name, e)
	case *ast.SelectorExpr:
		return m.selector(t, e)
	case *ast.StarExpr:
		x, ok := e.(*ast.StarExpr)
		return ok && m.match(t.X, x.X)
	case *ast.BinaryExpr:
		x, ok := e.(*ast.BinaryExpr)
		return ok && x.Op == t.Op && m.match(t.X, x.X) && m.match(t.Y, x.Y)
	case *ast.CallExpr:
		x, ok := e.(*ast.CallExpr)
		return ok && m.match(t.Fun, x.Fun) && m.arguments(t, x)
	case *ast.ArrayType: // of a conversion
		x, ok := e.(*ast.ArrayType)
		return ok && typeKey(t) == typeKey(x)
	case *ast.CompositeLit:
		x, ok := e.(*ast.CompositeLit)
		return ok && x.Type != nil && len(x.Elts) == 0 && m.match(t.Type, x.Type)
	case *ast.IndexExpr: // type arguments
		x, ok := e.(*ast.IndexExpr)
		return ok && m.match(t.X, x.X) && typeKey(t.Index) == typeKey(x.Index)
	case *ast.IndexListExpr:
		x, ok := e.(*ast.IndexListExpr)
		same := func(a, b ast.Expr) bool { return typeKey(a) == typeKey(b) }
		return ok && m.match(t.X, x.X) && slices.EqualFunc(t.Indices, x.Indices, same)
	case *ast.BasicLit:
		x, ok := e.(*ast.BasicLit)
		return ok && x.Value == t.Value
	case *ast.FuncLit:
		x, ok := e.(*ast.FuncLit)
		return ok && slices.EqualFunc(t.Body.List, x.Body.List, m.statement)
	}
	return false
}

// statement reports whether a statement of a function literal matches that of a template.
func (m *matcher) statement(t, e ast.Stmt) bool {
	switch t := t.(type) {
	case *ast.AssignStmt:
		x, ok := e.(*ast.AssignStmt)
		return ok && x.Tok == t.Tok && slices.EqualFunc(t.Lhs, x.Lhs, m.match) && slices.EqualFunc(t.Rhs, x.Rhs, m.match)
	case *ast.ExprStmt:
		x, ok := e.(*ast.ExprStmt)
		return ok && m.match(t.X, x.X)
	case *ast.ReturnStmt:
		x, ok := e.(*ast.ReturnStmt)
		return ok && slices.EqualFunc(t.Results, x.Results, m.match)
	}
	return false
}

// name reports whether e is the given name. A user's function or type may be
// qualified by any package name, because files may import its package under
// different names.
func (m *matcher) name(name string, e ast.Expr) bool {
	switch x := e.(type) {
	case *ast.Ident:
		return x.Name == name
	case *ast.SelectorExpr:
		_, isPkg := x.X.(*ast.Ident)
		return !m.ready && isPkg && x.Sel.Name == name
	}
	return false
}

// holeNumber returns the number of a hole: 1 for _1. ok is false if the name is not that
// of a hole.
func holeNumber(name string) (int, bool) {
	digits, ok := strings.CutPrefix(name, "_")
	i, err := strconv.Atoi(digits)
	return i, ok && err == nil && i >= 0
}

// selector reports whether e matches a template of the form x.Sel. In e, the package
// may be omitted if the template comes with allele.
func (m *matcher) selector(t *ast.SelectorExpr, e ast.Expr) bool {
	switch x := e.(type) {
	case *ast.Ident:
		_, isPkg := t.X.(*ast.Ident)
		return m.ready && isPkg && x.Name == t.Sel.Name
	case *ast.SelectorExpr:
		return x.Sel.Name == t.Sel.Name && m.match(t.X, x.X)
	}
	return false
}

// arguments reports whether the arguments of two calls match. In e, the variadic
// argument may be a slice with three dots or a list of elements.
func (m *matcher) arguments(t, e *ast.CallExpr) bool {
	want, got := t.Args, e.Args
	if t.Ellipsis.IsValid() && !e.Ellipsis.IsValid() {
		last := len(want) - 1
		if len(got) < last {
			return false
		}
		rest := ast.Expr(&ast.Ident{NamePos: e.Rparen, Name: "nil"})
		if len(got) > last {
			rest = &ast.CompositeLit{Lbrace: got[last].Pos(), Elts: got[last:], Rbrace: e.Rparen}
		}
		got = append(got[:last:last], rest)
	} else if e.Ellipsis.IsValid() != t.Ellipsis.IsValid() {
		return false
	}
	if len(want) != len(got) {
		return false
	}
	for i := range want {
		if !m.match(want[i], got[i]) {
			return false
		}
	}
	return true
}
