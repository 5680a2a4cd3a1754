//go:build go1.25

package facts

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/allele-go/allele/internal/source/load"
)

// Names writes the names of types, functions and constants as the code of one file
// must: names of its own package without a qualifier, and other names with the name of
// an import.
//
//	n := facts.Inside(pkg)
//	text, ok := n.Try(func() string { return pattern.Value(n) })
//	n.Imports() // what the file must import for the names written so far
type Names struct {
	home    string                      // path of the file's package
	shadows func(name string) bool      // reports whether the package redeclares a predeclared name
	find    func(*types.Package) Import // returns the import for a package; zero if the file cannot import it
	lacks   func(types.Object) bool     // reports whether an object is missing in some builds of the file; may be nil
	used    map[string]Import
	bad     bool // a name was needed that cannot be used in the file
	never   bool // no file can use what was written: it has a type of C, or makes a value that is too large
}

// Import is one line of an import declaration.
type Import struct{ Name, Path string }

// Inside returns Names for a file that is added to a package. The file imports only
// packages that the package imports already, so no import cycle can arise.
func Inside(pkg *load.Package) *Names {
	n := inside(pkg, sources(pkg))
	// When another package imports pkg, what the test files of pkg declare is missing.
	n.lacks = func(o types.Object) bool { return o.Pkg().Path() == n.home && !within(sources(pkg), o) }
	return n
}

// InsideTests returns Names for a test file that is added to a package. The file
// imports only what the package's tests import.
func InsideTests(pkg *load.Package) *Names { return inside(pkg, pkg.Files) }

func inside(pkg *load.Package, files []*load.File) *Names {
	direct := map[string]Import{}
	for _, f := range files {
		for _, spec := range f.AST.Imports {
			var obj types.Object = pkg.Info.Implicits[spec]
			if spec.Name != nil {
				obj = pkg.Info.Defs[spec.Name]
			}
			p, ok := obj.(*types.PkgName)
			path, err := strconv.Unquote(spec.Path.Value)
			if !ok || err != nil || path == "C" || path == "unsafe" || direct[p.Imported().Path()].Path != "" {
				continue
			}
			direct[p.Imported().Path()] = Import{fmt.Sprintf("alleleImport%d_", len(direct)), path}
		}
	}
	return &Names{
		home:    pkg.Types.Path(),
		shadows: func(name string) bool { return pkg.Types.Scope().Lookup(name) != nil },
		find:    func(p *types.Package) Import { return direct[p.Path()] },
		used:    map[string]Import{},
	}
}

// within reports whether an object is declared in one of the files.
func within(files []*load.File, o types.Object) bool {
	return slices.ContainsFunc(files, func(f *load.File) bool { return f.AST.FileStart <= o.Pos() && o.Pos() <= f.AST.FileEnd })
}

// Outside returns Names for code that imports each package under a name that find
// chooses. home is the path of the package whose names need no qualifier, or empty.
func Outside(home string, shadows func(string) bool, find func(*types.Package) Import) *Names {
	return &Names{home: home, shadows: shadows, find: find, used: map[string]Import{}}
}

// plainly returns Names for messages: every name is qualified with the name of its
// package.
func plainly() *Names {
	return Outside("", func(string) bool { return false }, func(p *types.Package) Import { return Import{p.Name(), p.Path()} })
}

// readable is like plainly, but names of the package home have no qualifier.
func readable(home string) *Names {
	n := plainly()
	n.home = home
	return n
}

// Imports lists the imports that written names need, in the order of their paths.
func (n *Names) Imports() []Import {
	all := slices.Collect(maps.Values(n.used))
	slices.SortFunc(all, func(a, b Import) int { return strings.Compare(a.Path, b.Path) })
	return all
}

// Try calls write and returns its result. ok is false if write needed a name that
// cannot be used in the file. Then the imports that write added are dropped.
func (n *Names) Try(write func() string) (text string, ok bool) {
	before := maps.Clone(n.used)
	n.bad = false
	text = write()
	if n.bad {
		n.used = before
	}
	return text, !n.bad
}

// object returns the name of an object at the top level of a package.
func (n *Names) object(o types.Object) string {
	if o.Pkg() == nil {
		return n.Word(o.Name())
	}
	n.bad = n.bad || !atTop(o) || n.lacks != nil && n.lacks(o)
	if o.Pkg().Path() == n.home {
		return o.Name()
	}
	i := n.find(o.Pkg())
	if i.Path == "" || !o.Exported() {
		n.bad = true
		return o.Name()
	}
	n.used[i.Path] = i
	return i.Name + "." + o.Name()
}

// Word returns a predeclared name. Try fails if the package has redeclared it.
func (n *Names) Word(name string) string {
	n.bad = n.bad || n.shadows(name)
	return name
}

// field returns the name of a field. Try fails if the file cannot use it.
func (n *Names) field(f *types.Var) string {
	if !f.Exported() && (f.Pkg() == nil || f.Pkg().Path() != n.home) {
		n.bad = true
	}
	return f.Name()
}

// typ returns a type as Go source.
func (n *Names) typ(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		n.bad = n.bad || t.Kind() == types.UnsafePointer
		n.reject(t.Kind() == types.Invalid)
		return n.Word(types.Typ[t.Kind()].Name()) // types.Typ has uint8 for byte
	case *types.Named:
		return n.object(t.Obj()) + n.arguments(slices.Collect(t.TypeArgs().Types()))
	case *types.Pointer:
		return "*" + n.typ(t.Elem())
	case *types.Slice:
		return "[]" + n.typ(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), n.typ(t.Elem()))
	case *types.Map:
		return "map[" + n.typ(t.Key()) + "]" + n.typ(t.Elem())
	}
	n.bad = true
	return "?"
}

// value returns a type as Go source, for code that makes a value of the type. Try fails
// if the value is too large for that.
func (n *Names) value(t types.Type) string {
	n.reject(sizeOf(t) > patternBytes)
	return n.typ(t)
}

// reject makes Try fail, in every file, if why is true.
func (n *Names) reject(why bool) { n.bad, n.never = n.bad || why, n.never || why }

// arguments returns type arguments in brackets, or "" if there are none.
func (n *Names) arguments(args []types.Type) string {
	if len(args) == 0 {
		return ""
	}
	texts := make([]string, len(args))
	for i, t := range args {
		texts[i] = n.typ(t)
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// zero returns a short expression for the zero value of a type, as in Point{}. For a
// pointer type it is a pointer to a zero value, &Point{}. The type must not be an
// interface.
func (n *Names) zero(t types.Type) string {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		return "&" + n.zero(p.Elem())
	}
	switch u := t.Underlying().(type) {
	case *types.Struct, *types.Array, *types.Slice, *types.Map:
		return n.value(t) + "{}"
	case *types.Basic:
		return n.typ(t) + "(" + n.zeroOf(u) + ")"
	}
	n.bad = true
	return "?"
}

func (n *Names) zeroOf(t *types.Basic) string {
	switch {
	case t.Kind() == types.Invalid:
		n.reject(true) // a type of C may be a struct
	case t.Info()&types.IsString != 0:
		return `""`
	case t.Info()&types.IsBoolean != 0:
		return n.Word("false")
	}
	return "0"
}

// constant returns the name of a constant, if it has one that the file can use.
// Otherwise it returns a literal, which takes its type from the context.
func (n *Names) constant(v constant.Value, named *types.Const) string {
	if named != nil {
		if text, ok := n.sub(func() string { return n.object(named) }); ok {
			return text
		}
	}
	if v.Kind() == constant.Bool {
		return n.Word(v.String())
	}
	text, ok := literal(v)
	n.bad = n.bad || !ok
	return text
}

// sub is like Try, for use within another Try: if it fails, the outer Try does not
// fail.
func (n *Names) sub(write func() string) (string, bool) {
	bad := n.bad
	text, ok := n.Try(write)
	n.bad = bad
	return text, ok
}

func itoa(n int) string { return strconv.Itoa(n) }

// namedConst returns the constant that an expression names, or nil.
func namedConst(info *types.Info, e ast.Expr) *types.Const {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		c, _ := info.Uses[e].(*types.Const)
		return c
	case *ast.SelectorExpr:
		c, _ := info.Uses[e.Sel].(*types.Const)
		return c
	}
	return nil
}
