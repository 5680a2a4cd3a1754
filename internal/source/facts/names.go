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
// does: those of its own package bare, those of others behind the name of an import.
//
//	n := facts.Inside(pkg)
//	text, ok := n.Try(func() string { return pattern.Value(n) })
//	n.Imports() // what the file must import by now
type Names struct {
	home    string                      // path of the package
	shadows func(name string) bool      // the package has a name that is one of the language too
	find    func(*types.Package) Import // what to import for a package; zero if it cannot be
	lacks   func(types.Object) bool     // the file is built where something of its package is not; nil if never
	used    map[string]Import
	bad     bool
}

// Import is one line of an import declaration.
type Import struct{ Name, Path string }

// Inside is for a file that is added to a package, which imports nothing that the
// package does not: no edge is added, so no cycle can arise.
func Inside(pkg *load.Package) *Names {
	n := inside(pkg, sources(pkg))
	n.lacks = func(o types.Object) bool { return !within(sources(pkg), o) } // others import it without its tests
	return n
}

// InsideTests is for a test file that is added to a package, which imports what its
// tests do.
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

// within reports whether something is declared in one of some files.
func within(files []*load.File, o types.Object) bool {
	return slices.ContainsFunc(files, func(f *load.File) bool { return f.AST.FileStart <= o.Pos() && o.Pos() <= f.AST.FileEnd })
}

// Outside is for code that imports each package under a name that find chooses. Its
// home, if it has one, is the path of a package whose names it writes bare.
func Outside(home string, shadows func(string) bool, find func(*types.Package) Import) *Names {
	return &Names{home: home, shadows: shadows, find: find, used: map[string]Import{}}
}

// plainly writes packages by their own names, for people to read.
func plainly() *Names {
	return Outside("", func(string) bool { return false }, func(p *types.Package) Import { return Import{p.Name(), p.Path()} })
}

// readable does so too, but for the names of one package.
func readable(home string) *Names {
	n := plainly()
	n.home = home
	return n
}

// Imports lists what was used, in the order of the paths.
func (n *Names) Imports() []Import {
	all := slices.Collect(maps.Values(n.used))
	slices.SortFunc(all, func(a, b Import) int { return strings.Compare(a.Path, b.Path) })
	return all
}

// Try writes something, and reports false if it takes a name that cannot be written
// there. What it would have imported is then forgotten.
func (n *Names) Try(write func() string) (text string, ok bool) {
	before := maps.Clone(n.used)
	n.bad = false
	text = write()
	if n.bad {
		n.used = before
	}
	return text, !n.bad
}

// object is the name of something at the top of a package.
func (n *Names) object(o types.Object) string {
	if o.Pkg() == nil {
		return n.Word(o.Name())
	}
	n.bad = n.bad || !atTop(o)
	if o.Pkg().Path() == n.home {
		n.bad = n.bad || n.lacks != nil && n.lacks(o)
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

// Word is a name of the language, which the package may have given another meaning.
func (n *Names) Word(name string) string {
	n.bad = n.bad || n.shadows(name)
	return name
}

// field checks that a field can be named.
func (n *Names) field(f *types.Var) string {
	if !f.Exported() && (f.Pkg() == nil || f.Pkg().Path() != n.home) {
		n.bad = true
	}
	return f.Name()
}

// typ writes a type.
func (n *Names) typ(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		if t.Kind() == types.UnsafePointer || t.Kind() == types.Invalid {
			n.bad = true
		}
		return n.Word(types.Typ[t.Kind()].Name()) // byte is uint8
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

// arguments writes type arguments, in brackets if there are any.
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

// zero is a value of a type that is not an interface, as short as can be.
func (n *Names) zero(t types.Type) string {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		return "&" + n.zero(p.Elem())
	}
	switch u := t.Underlying().(type) {
	case *types.Struct, *types.Array, *types.Slice, *types.Map:
		return n.typ(t) + "{}"
	case *types.Basic:
		return n.typ(t) + "(" + n.zeroOf(u) + ")"
	}
	n.bad = true
	return "?"
}

func (n *Names) zeroOf(t *types.Basic) string {
	switch {
	case t.Info()&types.IsString != 0:
		return `""`
	case t.Info()&types.IsBoolean != 0:
		return n.Word("false")
	}
	return "0"
}

// constant writes a constant: by its name if it has one here, else as a literal that
// takes the type of where it stands.
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

// sub is Try inside of one.
func (n *Names) sub(write func() string) (string, bool) {
	bad := n.bad
	text, ok := n.Try(write)
	n.bad = bad
	return text, ok
}

func itoa(n int) string { return strconv.Itoa(n) }

// namedConst is the constant that an expression names, if it does nothing else.
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
