//go:build go1.25

package strays

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// check is a call of Check in the source of a test.
type check struct {
	test        string // the top-level test
	name        string // of the property, "" if the source does not show it
	file        string
	first, last int      // lines of the call
	in          string   // type of the input, as in the source, "" if the source does not show it
	fields      []string // fields of an input whose type is an unnamed struct
}

// outline is what the source of a test shows about its Checks.
type outline struct {
	checks []check
	names  map[string]bool // names that the properties may have
	open   bool            // there may be other names: subtests whose names are not literals, functions that are not known
}

// Limits of an outline.
const (
	sourceMax = 4 << 20 // bytes of a file
	callsMax  = 8       // functions that call each other
)

// goFile is a parsed file.
type goFile struct {
	name    string
	test    bool
	ast     *ast.File
	imports map[string]string // paths by name
}

// pkgSource is the source of a package. Its files are parsed when they are needed.
type pkgSource struct {
	dir   string
	tests []string // names of test files
	texts map[string][]byte
	all   []*goFile // when all files are parsed
	fset  *token.FileSet
	some  map[string]*goFile
	trust func(test, path string) bool // a call of this package with a testing.T does not call Check
}

func newSource(dir string) *pkgSource {
	p := &pkgSource{dir: dir, texts: map[string][]byte{}, fset: token.NewFileSet(), some: map[string]*goFile{}}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		name := e.Name()
		if !strings.HasSuffix(name, ".go") || !e.Type().IsRegular() || name[0] == '_' || name[0] == '.' {
			continue // the go command ignores it too
		}
		if info, err := e.Info(); err != nil || info.Size() > sourceMax {
			continue
		}
		if strings.HasSuffix(name, "_test.go") {
			p.tests = append(p.tests, name)
		}
		p.texts[name] = nil
	}
	return p
}

func (p *pkgSource) text(name string) []byte {
	if p.texts[name] == nil {
		p.texts[name], _ = os.ReadFile(filepath.Join(p.dir, name))
	}
	return p.texts[name]
}

// file parses a file. It returns nil if that fails.
func (p *pkgSource) file(name string) *goFile {
	if f, ok := p.some[name]; ok {
		return f
	}
	p.some[name] = nil
	file, err := parser.ParseFile(p.fset, name, p.text(name), parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	f := &goFile{name: name, test: strings.HasSuffix(name, "_test.go"), ast: file, imports: map[string]string{}}
	for _, i := range file.Imports {
		at, _ := strconv.Unquote(i.Path.Value)
		as := path.Base(at)
		if i.Name != nil {
			as = i.Name.Name
		}
		f.imports[as] = at
	}
	p.some[name] = f
	return f
}

// files parses all files of the package.
func (p *pkgSource) files() []*goFile {
	if p.all == nil {
		p.all = []*goFile{}
		names := make([]string, 0, len(p.texts))
		for name := range p.texts {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			if f := p.file(name); f != nil {
				p.all = append(p.all, f)
			}
		}
	}
	return p.all
}

// exists reports whether a test is declared. Files for other systems or with build tags count
// too: their tests exist. So do tests in files that cannot be parsed.
func (p *pkgSource) exists(test string) bool {
	for _, name := range p.tests {
		if !bytes.Contains(p.text(name), []byte("func "+test+"(")) {
			continue
		}
		if f := p.file(name); f == nil || f.function(test) != nil {
			return true
		}
	}
	return false
}

// function returns the declaration of a function, or nil.
func (f *goFile) function(name string) *ast.FuncDecl {
	for _, d := range f.ast.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Body != nil && fn.Name.Name == name {
			return fn
		}
	}
	return nil
}

// outlineOf returns what the source shows about a test that exists.
func (p *pkgSource) outlineOf(test string) outline {
	o := outliner{pkgSource: p, test: test, outline: outline{names: map[string]bool{}}}
	for _, name := range p.tests {
		if !bytes.Contains(p.text(name), []byte("func "+test+"(")) {
			continue
		}
		f := p.file(name)
		if f == nil {
			o.open = true
			continue
		}
		if fn := f.function(test); fn != nil {
			o.function(fn, f, 0, scope{name: test})
		}
	}
	o.open = o.open || o.elsewhere && p.hasSuite() // which runs its methods by reflection
	return o.outline
}

// hasSuite reports whether the package has a type with test methods that call Check.
func (p *pkgSource) hasSuite() bool {
	for _, f := range p.files() {
		for _, d := range f.ast.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if ok && fn.Recv != nil && fn.Body != nil && IsTest(fn.Name.Name) && len(p.ofMethod(f, fn, "").checks) > 0 {
				return true
			}
		}
	}
	return false
}

// ofMethod returns what the source shows about a method that a suite runs as a subtest.
func (p *pkgSource) ofMethod(f *goFile, method *ast.FuncDecl, test string) outline {
	o := outliner{pkgSource: p, test: test, outline: outline{names: map[string]bool{}}}
	o.function(method, f, 0, scope{name: test + "/" + method.Name.Name, suite: true})
	return o.outline
}

// outliner makes an outline.
type outliner struct {
	*pkgSource
	outline
	test      string
	elsewhere bool // a function of another package gets the testing.T
}

// scope is the place of a statement.
type scope struct {
	file  *goFile
	t     string // the variable that has the testing.T
	name  string // of the test that it belongs to, "" if not known
	suite bool   // it is a method of a suite, whose method T returns the testing.T
	loop  bool   // the statement may run several times
	depth int    // of calls
	taken *int   // number of Checks of this testing.T
}

// function looks at a function that gets a testing.T as one of its arguments.
func (o *outliner) function(fn *ast.FuncDecl, f *goFile, arg int, s scope) {
	s.file, s.t = f, param(fn.Type, arg)
	if s.taken == nil {
		s.taken = new(int)
	}
	o.walk(fn.Body, s)
}

// param returns the name of a parameter.
func param(t *ast.FuncType, i int) string {
	for _, p := range t.Params.List {
		for _, name := range p.Names {
			if i == 0 {
				return name.Name
			}
			i--
		}
	}
	return ""
}

// walk looks for calls of Check and for everything that may lead to one.
func (o *outliner) walk(n ast.Node, s scope) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			if !s.loop {
				s := s
				s.loop = true
				o.walk(n, s)
				return false
			}
		case *ast.RangeStmt:
			if !s.loop {
				s := s
				s.loop = true
				o.walk(n, s)
				return false
			}
		case *ast.FuncLit:
			s := s
			s.loop = true
			o.walk(n.Body, s)
			return false
		case *ast.CallExpr:
			return o.call(n, s)
		case *ast.SelectorExpr:
			if isName(n.X, s.t) {
				o.open = o.open || n.Sel.Name == "Run"
				return false
			}
		case *ast.Ident:
			if n.Name == s.t && s.t != "" {
				o.open = true // it is stored in a variable
			}
		}
		return true
	})
}

func isName(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && name != "" && id.Name == name
}

// call looks at a call. It reports whether the parts of the call are to be looked at.
func (o *outliner) call(c *ast.CallExpr, s scope) bool {
	fun := c.Fun
	if ix, ok := fun.(*ast.IndexExpr); ok {
		fun = ix.X
	}
	name, qualifier := calleeOf(fun)
	switch at := slices.IndexFunc(c.Args, func(e ast.Expr) bool { return isName(e, s.t) }); {
	case name == "Check" && len(c.Args) > 1:
		o.check(c, s, at == 0 || s.suite && callsT(c.Args[0]))
	case isName(qualifier, s.t) && name == "Run":
		o.subtest(c, s)
	case isName(qualifier, s.t):
		o.args(c, s)
	case at >= 0:
		o.passed(c, name, qualifier, at, s)
		o.args(c, s)
	default:
		return true
	}
	return false
}

// callsT reports whether an expression is a call such as s.T().
func callsT(e ast.Expr) bool {
	c, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	name, _ := calleeOf(c.Fun)
	return name == "T"
}

// calleeOf returns the name of a function, and what stands before the dot.
func calleeOf(fun ast.Expr) (name string, qualifier ast.Expr) {
	switch f := fun.(type) {
	case *ast.Ident:
		return f.Name, nil
	case *ast.SelectorExpr:
		return f.Sel.Name, f.X
	}
	return "", nil
}

// args looks at the arguments of a call, apart from the testing.T.
func (o *outliner) args(c *ast.CallExpr, s scope) {
	for _, a := range c.Args {
		if !isName(a, s.t) {
			o.walk(a, s)
		}
	}
}

// passed looks at a call that gets the testing.T.
func (o *outliner) passed(c *ast.CallExpr, name string, qualifier ast.Expr, at int, s scope) {
	if id, ok := qualifier.(*ast.Ident); ok && s.file.imports[id.Name] != "" {
		o.elsewhere, o.open = true, o.open || !o.trusted(s.file.imports[id.Name])
		return
	}
	if s.depth++; qualifier != nil || s.depth > callsMax || c.Ellipsis.IsValid() {
		o.open = true
		return
	}
	found := false // also several times, in files for different systems
	for _, f := range o.files() {
		if fn := f.function(name); fn != nil {
			found = true
			o.function(fn, f, at, s)
		}
	}
	o.open = o.open || !found
}

// trusted reports whether the functions of a package do not call Check.
func (o *outliner) trusted(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".") || path == "github.com/stretchr/testify/assert" || path == "github.com/stretchr/testify/require" ||
		o.trust != nil && o.trust(o.test, path)
}

// subtest looks at a call of t.Run.
func (o *outliner) subtest(c *ast.CallExpr, s scope) {
	sub := scope{file: s.file, depth: s.depth, taken: new(int)}
	if lit, ok := c.Args[0].(*ast.BasicLit); ok && s.name != "" && !s.loop {
		odd := func(r rune) bool { return !unicode.IsPrint(r) }
		if text, err := strconv.Unquote(lit.Value); err == nil && text != "" && !strings.ContainsFunc(text, odd) {
			sub.name = s.name + "/" + strings.Map(underscore, text)
		}
	}
	if o.open = o.open || sub.name == "" || o.names[sub.name+"/"]; sub.name != "" {
		o.names[sub.name+"/"] = true // another subtest of this name gets a number
	}
	if len(c.Args) != 2 {
		return
	}
	switch f := c.Args[1].(type) {
	case *ast.FuncLit:
		sub.t = param(f.Type, 0)
		o.walk(f.Body, sub)
	case *ast.Ident:
		o.passed(c, f.Name, nil, 0, sub)
	default:
		o.open = true
	}
}

func underscore(r rune) rune {
	if unicode.IsSpace(r) {
		return '_'
	}
	return r
}

// check looks at a call of Check.
func (o *outliner) check(c *ast.CallExpr, s scope, mine bool) {
	x := check{test: o.test, file: s.file.name, first: o.fset.Position(c.Pos()).Line, last: o.fset.Position(c.End()).Line}
	if f, ok := c.Args[1].(*ast.FuncLit); ok && len(f.Type.Params.List) == 2 {
		x.input(o.fset, f.Type.Params.List[1].Type)
	}
	label, ok := checkName(c)
	if !ok || !mine || s.loop || s.name == "" {
		o.open = true
	} else {
		*s.taken++
		switch {
		case label != "":
			x.name = s.name + "#" + label
		case *s.taken == 1:
			x.name = s.name
		default:
			x.name = s.name + "#" + strconv.Itoa(*s.taken)
			for n := 2; n < *s.taken; n++ {
				o.names[s.name+"#"+strconv.Itoa(n)] = true // a Check before it may be in a branch
			}
			o.names[s.name] = true
		}
		o.names[x.name] = true
	}
	o.checks = append(o.checks, x)
}

// checkName returns the Name among the options of a Check. ok is false if the source does not
// show it.
func checkName(c *ast.CallExpr) (name string, ok bool) {
	for _, a := range c.Args[2:] {
		call, isCall := a.(*ast.CallExpr)
		if !isCall {
			return "", false
		}
		fun := call.Fun
		if ix, isIndex := fun.(*ast.IndexExpr); isIndex {
			fun = ix.X
		}
		option, qualifier := calleeOf(fun)
		if qualifier == nil {
			return "", false
		}
		if option != "Name" || len(call.Args) != 1 {
			continue
		}
		lit, isLit := call.Args[0].(*ast.BasicLit)
		if !isLit {
			return "", false
		}
		name, _ = strconv.Unquote(lit.Value)
	}
	return name, !c.Ellipsis.IsValid()
}

// input records the type of an input.
func (x *check) input(fset *token.FileSet, t ast.Expr) {
	x.in = strings.TrimPrefix(text(fset, t), "*")
	if s, ok := t.(*ast.StructType); ok {
		for _, f := range s.Fields.List {
			for _, name := range f.Names {
				x.fields = append(x.fields, name.Name)
			}
		}
	}
}

func text(fset *token.FileSet, n ast.Node) string {
	var b strings.Builder
	if err := format.Node(&b, fset, n); err != nil {
		return ""
	}
	return b.String()
}
