//go:build go1.25

package facts

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/allele-go/allele/internal/source/load"
)

// check is the function that tests with properties call.
const check = "github.com/allele-go/allele.Check"

// Calls finds the tests of a program that call Check. To find the properties of a package,
// only these tests need to run.
//
// It follows two kinds of references. The source shows the first kind: functions, package
// variables, and methods of interfaces, where a call may reach any method of that name. Only
// a run shows the second kind: a test that mentions a type may call its exported methods by
// reflection, as suites do; a test that mentions a package variable may call a function that
// another function has put there; and a function of a module that is not in scope, but uses the
// library, may call Check.
type Calls struct {
	prog  *load.Program
	shown map[string][]string   // what each function or variable refers to, by full name
	loose map[string][]string   // the second kind
	own   map[string][]caller   // key of a package -> its functions and variables that refer to Check
	tests map[string][]testFunc // by import path
	names map[string]bool       // full names of all tests
}

// caller is a function or a variable that refers to Check.
type caller struct {
	name string
	test bool // it is in a test file
}

// testFunc is a test.
type testFunc struct {
	full, name string
	pkg        *load.Package
}

// Names of nodes that are not functions. A name follows them, except after beyond.
const (
	anyMethod = "method " // all methods of that name, whatever their type
	aType     = "type "
	setBy     = "set by " // the function and those that call it: what they refer to may be in a variable
	beyond    = "beyond"  // a function outside the scope that may call Check
)

// NewCalls reads the references of a program.
func NewCalls(prog *load.Program) *Calls {
	c := &Calls{prog: prog, shown: map[string][]string{}, loose: map[string][]string{}, own: map[string][]caller{},
		tests: map[string][]testFunc{}, names: map[string]bool{}}
	for f := range prog.Funcs() {
		name := f.Obj.FullName()
		c.add(f.Pkg, f.File, name, f.Decl.Body)
		if f.Decl.Recv != nil {
			c.shown[anyMethod+f.Decl.Name.Name] = append(c.shown[anyMethod+f.Decl.Name.Name], name)
			if of := aType + receiver(f.Obj); token.IsExported(f.Decl.Name.Name) {
				c.loose[of] = append(c.loose[of], name)
			}
		} else if f.File.Test && isTest(f.Decl.Name.Name) {
			c.tests[f.Pkg.Path] = append(c.tests[f.Pkg.Path], testFunc{name, f.Decl.Name.Name, f.Pkg})
			c.names[name] = true
		}
	}
	for _, pkg := range prog.Scope {
		c.declarations(pkg)
	}
	c.reverse()
	return c
}

// Tests returns the tests of a package that call Check, including its external tests: names
// as far as the source shows, and maybe those of which only a run can tell. It looks for the
// second kind only if a function that calls Check is not called by tests of the first kind.
func (c *Calls) Tests(path string) (names, maybe []string) {
	for _, test := range c.find(path) {
		if test.maybe {
			maybe = append(maybe, test.name)
		} else {
			names = append(names, test.name)
		}
	}
	return names, maybe
}

// Checks reports whether the tests of a package may call Check.
func (x *Index) Checks(path string) bool { return len(x.checkCalls().find(path)) > 0 }

func (x *Index) checkCalls() *Calls {
	if x.checks == nil {
		x.checks = NewCalls(x.prog)
	}
	return x.checks
}

// within reports whether a package has a test that may call Check. The external tests are a
// package of their own.
func (c *Calls) within(pkg *load.Package) bool {
	return slices.ContainsFunc(c.find(pkg.Path), func(f found) bool { return f.pkg == pkg })
}

// found is a test that calls Check, or may call it.
type found struct {
	testFunc
	maybe bool
}

// find returns the tests of a package that call Check, and those that may call it.
func (c *Calls) find(path string) (all []found) {
	reached, called := map[string]bool{}, map[string]bool{}
	for _, test := range c.tests[path] {
		seen := map[string]bool{}
		if c.follow(test.full, seen, c.shown); seen[check] {
			all, called[test.full] = append(all, found{test, false}), true
			maps.Copy(reached, seen)
		}
	}
	uncalled := map[string]bool{beyond: true}
	for _, key := range c.prog.Built[path] {
		for _, f := range c.own[key] {
			if !f.test || strings.TrimSuffix(key, "!external") == path { // the tests of other packages are not in the binary
				uncalled[f.name] = !reached[f.name]
			}
		}
	}
	for _, test := range c.tests[path] {
		seen := map[string]bool{}
		if called[test.full] {
			continue
		}
		c.follow(test.full, seen, c.shown, c.loose)
		for name := range seen {
			if uncalled[name] {
				all = append(all, found{test, true})
				break
			}
		}
	}
	slices.SortFunc(all, func(a, b found) int { return strings.Compare(a.name, b.name) })
	return all
}

// follow adds what a function refers to, directly or indirectly.
func (c *Calls) follow(from string, seen map[string]bool, kinds ...map[string][]string) {
	for todo := []string{from}; len(todo) > 0; {
		name := todo[len(todo)-1]
		if todo = todo[:len(todo)-1]; seen[name] {
			continue
		}
		seen[name] = true
		for _, uses := range kinds {
			todo = append(todo, uses[name]...)
		}
	}
}

// add records what a part of the source refers to. A function that is only passed as an
// argument counts too, because the callee may call it.
func (c *Calls) add(pkg *load.Package, file *load.File, name string, part ast.Node) {
	calls := false
	ast.Inspect(part, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		o := pkg.Info.Uses[id]
		if o == nil || o.Pkg() == nil {
			return true
		}
		switch o := o.(type) {
		case *types.Func:
			to := o.Origin().FullName()
			c.shown[name] = append(c.shown[name], to)
			calls = calls || to == check
			if r := o.Signature().Recv(); r != nil && types.IsInterface(r.Type()) {
				c.shown[name] = append(c.shown[name], anyMethod+o.Name())
			}
		case *types.Var:
			if o.Parent() == o.Pkg().Scope() {
				c.shown[name] = append(c.shown[name], variable(o))
			}
		case *types.TypeName:
			c.loose[name] = append(c.loose[name], typeName(o))
		}
		if c.prog.Beyond[o.Pkg().Path()] {
			c.loose[name] = append(c.loose[name], beyond)
		}
		return true
	})
	if calls {
		c.own[pkg.Key()] = append(c.own[pkg.Key()], caller{name, file.Test})
	}
}

// declarations records what the initial values of package variables, and declared types, refer to.
func (c *Calls) declarations(pkg *load.Package) {
	for _, f := range pkg.Files {
		for _, d := range f.AST.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range g.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					if o, ok := pkg.Info.Defs[s.Name].(*types.TypeName); ok {
						c.add(pkg, f, typeName(o), s.Type)
					}
				case *ast.ValueSpec:
					c.variables(pkg, f, s)
				}
			}
		}
	}
}

func (c *Calls) variables(pkg *load.Package, f *load.File, spec *ast.ValueSpec) {
	for _, id := range spec.Names {
		v, ok := pkg.Info.Defs[id].(*types.Var)
		if !ok {
			continue
		}
		for _, e := range spec.Values {
			c.add(pkg, f, variable(v), e)
		}
	}
}

// reverse records, for each variable that may hold a function, which functions may have put it there.
func (c *Calls) reverse() {
	holds := map[string]bool{}
	for _, pkg := range c.prog.Scope {
		for _, name := range pkg.Types.Scope().Names() {
			if v, ok := pkg.Types.Scope().Lookup(name).(*types.Var); ok {
				holds[variable(v)] = mayHold(v.Type(), map[types.Type]bool{})
			}
		}
	}
	for f := range c.prog.Funcs() {
		name := f.Obj.FullName()
		if c.names[name] {
			continue
		}
		c.loose[setBy+name] = append(c.loose[setBy+name], name)
		for _, to := range c.shown[name] {
			if holds[to] {
				c.loose[to] = append(c.loose[to], setBy+name)
			} else {
				c.loose[setBy+to] = append(c.loose[setBy+to], setBy+name)
			}
		}
	}
}

// mayHold reports whether a variable of this type may hold a function, or a value with methods.
func mayHold(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t := t.(type) {
	case *types.Named:
		if t.Obj().Pkg() == nil { // error
			return false
		}
		if path := t.Obj().Pkg().Path() + "." + t.Obj().Name(); path == "sync.Map" || path == "sync/atomic.Value" {
			return true
		}
		for arg := range t.TypeArgs().Types() {
			if mayHold(arg, seen) {
				return true
			}
		}
		return mayHold(t.Underlying(), seen)
	case *types.Alias:
		return mayHold(types.Unalias(t), seen)
	case *types.Signature, *types.Interface:
		return true
	case *types.Pointer:
		return mayHold(t.Elem(), seen)
	case *types.Slice:
		return mayHold(t.Elem(), seen)
	case *types.Array:
		return mayHold(t.Elem(), seen)
	case *types.Chan:
		return mayHold(t.Elem(), seen)
	case *types.Map:
		return mayHold(t.Key(), seen) || mayHold(t.Elem(), seen)
	case *types.Struct:
		for f := range t.Fields() {
			if mayHold(f.Type(), seen) {
				return true
			}
		}
	}
	return false
}

func variable(v *types.Var) string { return "var " + v.Pkg().Path() + "." + v.Name() }

func typeName(o *types.TypeName) string { return aType + o.Pkg().Path() + "." + o.Name() }

// isTest reports whether go test runs a function of this name: a test, or a fuzz target with
// its seeds.
func isTest(name string) bool {
	for _, prefix := range []string{"Test", "Fuzz"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok && name != "TestMain" {
			first, _ := utf8.DecodeRuneInString(rest)
			return rest == "" || !unicode.IsLower(first)
		}
	}
	return false
}
