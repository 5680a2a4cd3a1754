//go:build go1.25

package facts

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/source/load"
)

// A test file declares two kinds of types. A model test declares the operations that its
// inputs consist of: an interface, and its variants. Other types are test doubles, which
// implement an interface of the package in place of the real types; no input should
// contain them. So a type in a test file is a variant of an interface in two cases: a test
// file declares the interface, or no other type implements it. The same rule holds for
// constants.
//
// Such facts have the flag Test. Only the test binary of their package may use them.
//
// What code in test files looks for in values is a fact about types that test files
// declare. Other types are compared with the results that examples expect, which say
// nothing about good inputs.

// Sum is an interface with its variants: the types of values that it can contain.
type Sum struct {
	Pos  token.Position
	Test bool // test files declare the interface or its variants

	iface *types.TypeName
	types []types.Type
	has   map[string]bool // the variants, by variantName
}

// Interface returns the name of the interface as Go source.
func (s Sum) Interface(n *Names) string { return n.object(s.iface) }

// Len returns the number of variants.
func (s Sum) Len() int { return len(s.types) }

// Zeros returns an expression for the zero value of each variant as Go source, separated
// by commas. It does not use new, because a package may declare a function of that name.
func (s Sum) Zeros(n *Names) string {
	texts := make([]string, len(s.types))
	for i, t := range s.types {
		if _, ok := t.(*types.Pointer); ok {
			texts[i] = "(" + n.typ(t) + ")(" + n.Word("nil") + ")"
		} else {
			texts[i] = "func() (x " + n.typ(t) + ") { return }()"
		}
	}
	return strings.Join(texts, ", ")
}

// readSums finds the interfaces whose variants are known.
func (x *Index) readSums() {
	for _, pkg := range x.prog.Scope {
		x.addSums(pkg, "", x.sumsOutsideTests(pkg))
	}
	for _, external := range []bool{false, true} { // tests of the package itself come first
		for _, pkg := range x.prog.Scope {
			if pkg.External == external {
				x.addSums(pkg, pkg.Path, x.sumsInTests(pkg))
			}
		}
	}
}

// addSums records sums of a package. in is the path of the package whose tests know them,
// or empty if all packages do.
func (x *Index) addSums(pkg *load.Package, in string, sums []Sum) {
	for _, s := range sums {
		name := known(s.iface.Type())
		if x.sumsIn[in] == nil {
			x.sumsIn[in] = map[string]bool{}
		}
		x.sumsIn[in][name] = true
		if x.variant[name] == nil {
			x.variant[name] = map[string]bool{}
		}
		for v := range s.has {
			x.variant[name][v] = true
		}
	}
	x.sums[pkg] = append(x.sums[pkg], sums...)
}

// sumsOutsideTests finds the interfaces of a package whose variants are known to all
// packages. These are interfaces with an unexported method, which no other package can
// implement, and interfaces that no other package in scope implements.
func (x *Index) sumsOutsideTests(pkg *load.Package) (sums []Sum) {
	if pkg.OnlyTests() {
		return nil
	}
	all := declared(sources(pkg), pkg)
	for _, iface := range all {
		if u := sumType(iface); u != nil && (sealed(u) || !x.implementedElsewhere(pkg, iface)) {
			sums = x.appendSum(sums, iface, all, false)
		}
	}
	return sums
}

// sumsInTests finds the interfaces whose variants only the tests of a package know.
func (x *Index) sumsInTests(pkg *load.Package) (sums []Sum) {
	own := tests(pkg)
	if pkg.OnlyTests() {
		own = pkg.Files
	}
	here, seen := declared(own, pkg), declared(pkg.Files, pkg)
	if tested := x.tested(pkg); tested != nil {
		seen = append(seen, exported(declared(tested.Files, tested))...)
	}
	for _, iface := range here {
		if sumType(iface) != nil {
			sums = x.appendSum(sums, iface, seen, true)
		}
	}
	for _, iface := range x.withoutVariants(pkg) {
		whole := slices.DeleteFunc(slices.Clone(here), func(t *types.TypeName) bool { return borrows(t, iface) })
		sums = x.appendSum(sums, iface, whole, true)
	}
	return sums
}

// withoutVariants lists the interfaces without known variants that the tests of a package
// can name, without those that these test files declare: interfaces of the package itself,
// and of packages that it imports.
func (x *Index) withoutVariants(pkg *load.Package) (found []*types.TypeName) {
	imports := map[string]bool{}
	for _, p := range pkg.Types.Imports() {
		imports[p.Path()] = true
	}
	for _, from := range x.prog.Scope {
		var all []*types.TypeName
		switch {
		case from == pkg && !pkg.OnlyTests():
			all = declared(sources(pkg), pkg)
		case from == x.tested(pkg):
			all = exported(declared(from.Files, from))
		case from.Path != pkg.Path && imports[from.Types.Path()]:
			all = exported(declared(sources(from), from))
		}
		for _, iface := range all {
			name, u := known(iface.Type()), sumType(iface)
			if u != nil && !x.sumsIn[""][name] && !x.sumsIn[pkg.Path][name] && (sealed(u) || !x.implementedElsewhere(from, iface)) {
				found = append(found, iface)
			}
		}
	}
	return found
}

func exported(all []*types.TypeName) []*types.TypeName {
	return slices.DeleteFunc(all, func(t *types.TypeName) bool { return !t.Exported() })
}

// strange reports whether the test files of a package do not declare a type. If the package
// has no other files, there are no strange types.
func (x *Index) strange(pkg *load.Package, t *types.TypeName) bool {
	return !pkg.OnlyTests() && !x.inTest(t)
}

// sumType returns the interface that a type is, or nil if it cannot have variants.
func sumType(t *types.TypeName) *types.Interface {
	u, ok := t.Type().Underlying().(*types.Interface)
	if !ok || !u.IsMethodSet() || u.NumMethods() == 0 || generic(t) || usesC(u) {
		return nil
	}
	return u
}

// appendSum appends an interface with those of the types that implement it, if there are any.
func (x *Index) appendSum(sums []Sum, iface *types.TypeName, all []*types.TypeName, test bool) []Sum {
	s := Sum{Pos: x.at(iface.Pos()), Test: test, iface: iface, has: map[string]bool{}}
	for _, t := range all {
		if t == iface || types.IsInterface(t.Type()) || generic(t) || !hasValues(t) {
			continue
		}
		switch pointer := types.NewPointer(t.Type()); {
		case implements(t.Type(), iface):
			s.add(t.Type())
		case implements(pointer, iface):
			s.add(pointer)
		}
	}
	if s.types == nil {
		return sums
	}
	return append(sums, s)
}

func (s *Sum) add(t types.Type) {
	s.types = append(s.types, t)
	s.has[variantName(t)] = true
}

// implements reports whether a type implements an interface. A package and its variant for
// tests are type-checked separately, so that their types are not identical. So it also
// compares methods by their names and by the text of their types.
func implements(t types.Type, iface *types.TypeName) bool {
	u := iface.Type().Underlying().(*types.Interface)
	return types.Implements(t, u) || hasMethods(types.NewMethodSet(t), u)
}

// borrows reports whether a type has a method of an interface only because it embeds an
// interface, as test doubles do that implement a few methods of many. The method panics if
// the embedded interface is nil.
func borrows(t, iface *types.TypeName) bool {
	set := types.NewMethodSet(types.NewPointer(t.Type()))
	for m := range iface.Type().Underlying().(*types.Interface).Methods() {
		if found := set.Lookup(m.Pkg(), m.Name()); found != nil && types.IsInterface(found.Obj().(*types.Func).Signature().Recv().Type()) {
			return true
		}
	}
	return false
}

// sealed reports whether only this package can implement the interface.
func sealed(u *types.Interface) bool {
	for m := range u.Methods() {
		if !m.Exported() {
			return true
		}
	}
	return false
}

// implementedElsewhere reports whether a type of another package in scope implements an
// interface. Types in test files do not count: no other package can use them.
func (x *Index) implementedElsewhere(home *load.Package, iface *types.TypeName) bool {
	name := known(iface.Type())
	found, done := x.foreigns[name]
	if !done {
		found = x.implementedOutside(home, iface.Type().Underlying().(*types.Interface))
		x.foreigns[name] = found
	}
	return found
}

func (x *Index) implementedOutside(home *load.Package, u *types.Interface) bool {
	for _, pkg := range x.prog.Scope {
		if pkg.Path == home.Path || pkg.OnlyTests() {
			continue
		}
		for _, t := range declared(sources(pkg), pkg) {
			if types.IsInterface(t.Type()) || generic(t) {
				continue
			}
			if hasMethods(types.NewMethodSet(types.NewPointer(t.Type())), u) {
				return true
			}
		}
	}
	return false
}

func hasMethods(set *types.MethodSet, u *types.Interface) bool {
	for want := range u.Methods() {
		found := false
		for i := range set.Len() {
			m := set.At(i).Obj()
			found = found || m.Name() == want.Name() && signature(m) == signature(want) &&
				(m.Exported() || m.Pkg().Path() == want.Pkg().Path())
		}
		if !found {
			return false
		}
	}
	return true
}

// signature returns the types of a method's parameters and results as text, without
// names.
func signature(m types.Object) string {
	s := m.Type().(*types.Signature)
	var b strings.Builder
	for _, tuple := range []*types.Tuple{s.Params(), s.Results()} {
		b.WriteString("(")
		for v := range tuple.Variables() {
			b.WriteString(types.TypeString(v.Type(), nil) + ",")
		}
		b.WriteString(")")
	}
	if s.Variadic() {
		b.WriteString("...")
	}
	return b.String()
}
