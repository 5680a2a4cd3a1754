//go:build go1.25

package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Select returns the listing without the packages in whose tests no property can have a
// name that match accepts. selected reports the same of one test. Both look at the syntax
// only, before anything is type-checked: where that does not decide, a test is selected.
func (l *Listing) Select(match func(property string) bool) (few *Listing, selected func(pkg, test string) bool) {
	out := map[string]map[string]bool{}
	var chosen []string
	for _, path := range l.tests() {
		tests, whole := l.testNames(path)
		out[path] = map[string]bool{}
		some := !whole
		for _, t := range tests {
			can := !t.alone || match(t.name)
			out[path][t.name] = !can && whole
			some = some || can
		}
		if some {
			chosen = append(chosen, path)
		}
	}
	return l.only(chosen), func(pkg, test string) bool { return !out[pkg][test] }
}

// only returns the listing of the packages that these tests are built from.
func (l *Listing) only(tests []string) *Listing {
	needed := map[string]bool{}
	for _, path := range tests {
		needed[path], needed[path+".test"] = true, true
	}
	for _, p := range slices.Backward(l.all) {
		for _, dep := range p.Imports {
			needed[dep] = needed[dep] || needed[p.ImportPath]
		}
	}
	few := &Listing{config: l.config, began: l.began, broken: l.broken}
	few.all = slices.DeleteFunc(slices.Clone(l.all), func(p *listed) bool { return !needed[p.ImportPath] })
	few.chosen = pick(few.all, l.config)
	return few
}

// testName is a test function.
type testName struct {
	name  string
	alone bool // its only property, if any, has its name
}

// testNames returns the tests of a package. whole is false if a file cannot be read.
func (l *Listing) testNames(path string) (tests []testName, whole bool) {
	whole = true
	for _, p := range l.all {
		if p.path() != path || p.ForTest != path {
			continue
		}
		for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
			if !strings.HasSuffix(name, "_test.go") {
				continue
			}
			if !filepath.IsAbs(name) {
				name = filepath.Join(p.Dir, name)
			}
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				return nil, false
			}
			for _, d := range f.Decls {
				if fd, ok := d.(*ast.FuncDecl); ok && fd.Recv == nil && fd.Body != nil &&
					(strings.HasPrefix(fd.Name.Name, "Test") || strings.HasPrefix(fd.Name.Name, "Fuzz")) {
					tests = append(tests, testName{fd.Name.Name, alone(fd, importName(f))})
				}
			}
		}
	}
	return tests, whole
}

// alone reports whether a test has at most one property, with the name of the test. A
// subtest, the option Name and a second Check add to the name. So it returns false if one
// of these is possible, also if the test passes its testing.T to another function. library
// is the name by which the file imports the library.
func alone(test *ast.FuncDecl, library string) bool {
	params := test.Type.Params.List
	if len(params) != 1 || len(params[0].Names) != 1 {
		return len(params) == 1 // the test has no name for its testing.T
	}
	s := &uses{t: params[0].Names[0].Name, library: library, known: map[*ast.Ident]bool{}}
	ast.Inspect(test.Body, s.visit)
	return !s.unclear && s.checks <= 1
}

// uses follows the uses of a testing.T in the body of a test.
type uses struct {
	t, library string
	known      map[*ast.Ident]bool // uses that add no property, or one that is counted
	checks     int
	unclear    bool // there may be properties that are not counted, or that have other names
}

func (s *uses) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncLit:
		if !declares(n, s.t) { // most have another t: that of a property
			s.repeated(n.Body)
		}
		return false
	case *ast.ForStmt:
		s.repeated(n.Body)
		return false
	case *ast.RangeStmt:
		s.repeated(n.Body)
		return false
	case *ast.CallExpr:
		s.call(n)
	case *ast.SelectorExpr:
		if id, ok := n.X.(*ast.Ident); ok && id.Name == s.t {
			s.known[id] = true // a method of T: the name Run is checked below
		}
	case *ast.Ident:
		s.unclear = s.unclear || n.Name == "Run" || n.Name == "Name" || n.Name == s.t && !s.known[n]
	}
	return true
}

// repeated follows a part of the body that may run more than once.
func (s *uses) repeated(body ast.Node) {
	part := &uses{t: s.t, library: s.library, known: s.known}
	ast.Inspect(body, part.visit)
	s.checks += 2 * part.checks
	s.unclear = s.unclear || part.unclear
}

// call counts a call of allele.Check. Its options must be written in the call, because
// one of them may be a Name.
func (s *uses) call(n *ast.CallExpr) {
	if !s.ofLibrary(n.Fun, "Check") || len(n.Args) == 0 {
		return
	}
	if id, ok := n.Args[0].(*ast.Ident); ok && id.Name == s.t {
		s.known[id] = true
		s.checks++
	}
	for _, option := range n.Args[min(2, len(n.Args)):] {
		_, literal := option.(*ast.CompositeLit)
		call, ok := option.(*ast.CallExpr)
		s.unclear = s.unclear || !literal && !(ok && s.ofLibrary(call.Fun, ""))
	}
}

// ofLibrary reports whether an expression is a function of the library, with this name
// unless it is empty.
func (s *uses) ofLibrary(fun ast.Expr, name string) bool {
	switch f := fun.(type) {
	case *ast.IndexExpr:
		return s.ofLibrary(f.X, name)
	case *ast.IndexListExpr:
		return s.ofLibrary(f.X, name)
	case *ast.SelectorExpr:
		id, ok := f.X.(*ast.Ident)
		return ok && id.Name == s.library && (name == "" || f.Sel.Name == name)
	}
	return false
}

// declares reports whether a function has a parameter with this name.
func declares(f *ast.FuncLit, name string) bool {
	return slices.ContainsFunc(f.Type.Params.List, func(p *ast.Field) bool {
		return slices.ContainsFunc(p.Names, func(id *ast.Ident) bool { return id.Name == name })
	})
}

// importName returns the name by which a file imports the library, and "" if it does not.
func importName(f *ast.File) string {
	for _, i := range f.Imports {
		if path, err := strconv.Unquote(i.Path.Value); err != nil || path != Library {
			continue
		}
		if i.Name != nil {
			return i.Name.Name
		}
		return "allele"
	}
	return ""
}
