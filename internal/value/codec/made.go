package codec

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"

	"github.com/allele-go/allele/internal/value/schema"
)

// made finds the builder whose call the expression is. The call is matched as
// a tree against the builder's template, so any layout and any comments will
// do, and the name of the package may be left out.
func (r *resolver) made(s *schema.Schema, e ast.Expr) {
	c, args, ok := r.builder(s, e)
	if !ok {
		r.unfit(s, e, "%s is no call of a builder of %v", describe(e), s.Type)
		return
	}
	at := r.open(s, c, 0)
	for i, f := range s.Ctors[c].Fields {
		r.under(step{name: "#" + strconv.Itoa(i)}, func() { r.value(f.S, args[i]) })
	}
	r.seal(at)
}

// builder matches the expression against every builder of s.
func (r *resolver) builder(s *schema.Schema, e ast.Expr) (ctor int, args []ast.Expr, ok bool) {
	e = called(unparen(e))
	for c := range s.Ctors {
		f := s.Ctors[c].Func
		m := matcher{args: make([]ast.Expr, len(f.Args)), ready: isReady(f)}
		if t := r.template(f); t != nil && m.match(t, e) && m.full() {
			return c, m.args, true
		}
	}
	return 0, nil, false
}

func (r *resolver) template(f *schema.Func) ast.Expr {
	t, ok := r.templates[f]
	if !ok {
		src := f.Template
		if !isReady(f) {
			src = funcName(f) + strings.TrimPrefix(src, f.Name)
		}
		t, _ = parser.ParseExprFrom(token.NewFileSet(), "", src, parser.SkipObjectResolution)
		r.templates[f] = t
	}
	return t
}

// called is the call inside a function literal that drops its second result:
//
//	func() T { v, _ := f(x); return v }()
func called(e ast.Expr) ast.Expr {
	c, ok := e.(*ast.CallExpr)
	if !ok || len(c.Args) != 0 {
		return e
	}
	f, ok := unparen(c.Fun).(*ast.FuncLit)
	if !ok || len(f.Body.List) != 2 {
		return e
	}
	assign, ok := f.Body.List[0].(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 2 || len(assign.Rhs) != 1 {
		return e
	}
	return unparen(assign.Rhs[0])
}

// matcher fits an expression into a template and collects what is in the
// holes _0, _1, ...
type matcher struct {
	args  []ast.Expr
	ready bool // the template is one of ours and names its packages
}

func (m *matcher) full() bool {
	for _, a := range m.args {
		if a == nil {
			return false
		}
	}
	return true
}

// match is one switch over the forms that templates have, kept whole.
func (m *matcher) match(t, e ast.Expr) bool {
	t, e = unparen(t), unparen(e)
	switch t := t.(type) {
	case *ast.Ident:
		if i, ok := hole(t.Name); ok && i < len(m.args) {
			m.args[i] = e
			return true
		}
		return m.name(t.Name, e)
	case *ast.SelectorExpr:
		return m.selector(t, e)
	case *ast.StarExpr:
		x, ok := e.(*ast.StarExpr)
		return ok && m.match(t.X, x.X)
	case *ast.CallExpr:
		x, ok := e.(*ast.CallExpr)
		return ok && m.match(t.Fun, x.Fun) && m.arguments(t, x)
	case *ast.CompositeLit:
		x, ok := e.(*ast.CompositeLit)
		return ok && x.Type != nil && len(x.Elts) == 0 && m.match(t.Type, x.Type)
	case *ast.BasicLit:
		x, ok := e.(*ast.BasicLit)
		return ok && x.Value == t.Value
	}
	return false
}

// name matches a name. That of a user's function or type may have the name of
// its package in front, whatever that is where the case was written.
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

// hole is the number of a hole.
func hole(name string) (int, bool) {
	digits, ok := strings.CutPrefix(name, "_")
	i, err := strconv.Atoi(digits)
	return i, ok && err == nil && i >= 0
}

// selector matches x.Sel. The package in front of one of our own templates may
// be left out.
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

// arguments matches the arguments of a call. A variadic builder takes a slice
// and three dots, or the elements.
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
