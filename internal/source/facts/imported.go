//go:build go1.25

package facts

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math/bits"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/source/load"
)

// importedMax is the largest number of constants of an imported type that are facts. A type
// with more, such as the numbers of system calls, is a table and not an enumeration.
const importedMax = 256

// importedEnums finds the types of imported packages outside of the program that values of a
// package's types contain, such as a time.Month in a field, with the exported constants of
// their package. The position is where the package uses the type.
func (x *Index) importedEnums(pkg *load.Package) []Enum {
	w := importWalker{x: x, pkg: pkg, imports: map[string]*types.Package{}, seen: map[types.Type]bool{}}
	for _, p := range pkg.Types.Imports() {
		if p.Complete() && !x.scope[p.Path()] && visible(p.Path(), pkg.Path) && !strings.HasPrefix(p.Path(), "vendor/") {
			w.imports[p.Path()] = p
		}
	}
	for _, t := range declared(pkg.Files, pkg) {
		if !generic(t) {
			w.from, w.test = t.Pos(), x.inTest(t)
			w.walk(t.Type())
		}
	}
	var used []*ast.Ident // type arguments in tests: the inputs of properties, mostly
	for id := range pkg.Info.Instances {
		if strings.HasSuffix(x.at(id.Pos()).Filename, "_test.go") && !x.isDeclarations(id) {
			used = append(used, id)
		}
	}
	slices.SortFunc(used, func(a, b *ast.Ident) int { return cmp.Compare(a.Pos(), b.Pos()) })
	for _, id := range used {
		for t := range pkg.Info.Instances[id].TypeArgs.Types() {
			w.from, w.test = id.Pos(), true
			w.walk(t)
		}
	}
	return w.found
}

// importWalker finds types of imported packages inside other types.
type importWalker struct {
	x       *Index
	pkg     *load.Package
	imports map[string]*types.Package
	seen    map[types.Type]bool
	from    token.Pos // where the package uses the current type
	test    bool
	found   []Enum
}

func (w *importWalker) walk(t types.Type) {
	t = types.Unalias(t)
	if w.seen[t] {
		return
	}
	w.seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if n, ok := t.(*types.Named); ok {
			w.add(n.Obj())
		}
	case *types.Struct:
		for f := range u.Fields() {
			if f.Exported() || f.Pkg() != nil && w.x.scope[f.Pkg().Path()] { // others stay zero
				w.walk(f.Type())
			}
		}
	case *types.Map:
		w.walk(u.Key())
		w.walk(u.Elem())
	case interface{ Elem() types.Type }: // pointers, slices, arrays
		w.walk(u.Elem())
	}
}

// add adds a type if it is an enumeration of an imported package.
func (w *importWalker) add(t *types.TypeName) {
	if t.Pkg() == nil || w.imports[t.Pkg().Path()] == nil || !t.Exported() || t.Pkg().Path() == "time" && t.Name() == "Duration" {
		return
	}
	scope := w.imports[t.Pkg().Path()].Scope()
	var all []*types.Const
	for _, name := range scope.Names() {
		c, ok := scope.Lookup(name).(*types.Const)
		same := func(other *types.Const) bool { return constant.Compare(c.Val(), token.EQL, other.Val()) }
		if ok && c.Exported() && types.Identical(c.Type(), t.Type()) && !slices.ContainsFunc(all, same) {
			all = append(all, c)
		}
	}
	if len(all) < 2 || len(all) > importedMax || flags(all) {
		return
	}
	slices.SortStableFunc(all, func(a, b *types.Const) int {
		if a.Val().Kind() == constant.Int && constant.Compare(a.Val(), token.LSS, b.Val()) {
			return -1
		}
		if a.Val().Kind() == constant.Int {
			return 1
		}
		return strings.Compare(a.Name(), b.Name())
	})
	w.found = append(w.found, Enum{Pos: w.x.at(w.from), Test: w.test, typ: t, consts: all, imported: true})
}

// flags reports whether constants are the members of sets, which values combine: four single
// bits or more, and fewer other numbers than bits.
func flags(all []*types.Const) bool {
	single, others := 0, 0
	for _, c := range all {
		if c.Val().Kind() != constant.Int {
			return false
		}
		switch v, _ := constant.Uint64Val(c.Val()); bits.OnesCount64(v) {
		case 0:
		case 1:
			single++
		default:
			others++
		}
	}
	return single >= 4 && others < single
}
