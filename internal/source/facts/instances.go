package facts

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"github.com/allele-go/allele/internal/source/load"
)

// readInstances collects the instances of generic types that the program uses. It
// includes instances in tests, because tests use the values.
func (x *Index) readInstances() {
	seen := map[string]bool{}
	var add func(t types.Type)
	add = func(t types.Type) {
		switch t := types.Unalias(t).(type) {
		case *types.Pointer:
			add(t.Elem())
		case *types.Named:
			if t.TypeArgs().Len() > 0 && !seen[t.String()] && closed(t) {
				seen[t.String()] = true
				x.used = append(x.used, t)
			}
		case *types.Signature: // an instance of a generic function: its result types are used
			for r := range t.Results().Variables() {
				add(r.Type())
			}
		}
	}
	for _, pkg := range x.prog.Scope {
		ids := slices.Collect(maps.Keys(pkg.Info.Instances))
		slices.SortFunc(ids, func(a, b *ast.Ident) int { return int(a.Pos()) - int(b.Pos()) })
		for _, id := range slices.DeleteFunc(ids, x.isDeclarations) {
			add(pkg.Info.Instances[id].Type)
		}
	}
}

// closed reports whether a type contains no type parameter and no type of C, so that it
// is a complete type.
func closed(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return false
	case *types.Basic:
		return t.Kind() != types.Invalid
	case *types.Pointer:
		return closed(t.Elem())
	case *types.Slice:
		return closed(t.Elem())
	case *types.Array:
		return closed(t.Elem())
	case *types.Map:
		return closed(t.Key()) && closed(t.Elem())
	case *types.Named:
		for a := range t.TypeArgs().Types() {
			if !closed(a) {
				return false
			}
		}
	}
	return true
}

// instance is a function. If the function is generic, args are its type arguments, and
// sig is its signature after these have replaced the type parameters.
type instance struct {
	fun  *types.Func
	args []types.Type
	sig  *types.Signature
}

// instances returns the instances of a function that are worth calling: the function
// itself if it is not generic, and otherwise those for types that the program uses. The
// package by must be able to name their type arguments. If there are no instances, why
// is the reason.
func (x *Index) instances(f *types.Func, by *load.Package) (all []instance, why string) {
	sig := f.Signature()
	if sig.TypeParams().Len()+sig.RecvTypeParams().Len() == 0 {
		return []instance{{fun: f, sig: sig}}, ""
	}
	for _, t := range x.used {
		args := slices.Collect(t.(*types.Named).TypeArgs().Types())
		if !slices.ContainsFunc(args, func(a types.Type) bool { return !nameable(by, a) }) && len(all) < instancesMax {
			if i, ok := x.instantiate(f, t.(*types.Named), args); ok {
				all = append(all, i)
			}
		}
	}
	if len(all) == 0 {
		return nil, "no code in scope uses it with type arguments that its package can name"
	}
	return all, ""
}

// nameable reports whether a package can name a type without a new import. The type
// must be basic, declared in the package, or, for external tests, exported by the
// tested package; or it is a pointer or slice of such a type.
func nameable(by *load.Package, t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return t.Kind() != types.Invalid
	case *types.Pointer:
		return nameable(by, t.Elem())
	case *types.Slice:
		return nameable(by, t.Elem())
	case *types.Named:
		return t.TypeArgs().Len() == 0 && belongs(by, t.Obj())
	}
	return false
}

// belongs reports whether a type is declared in a package. For external tests, types
// that the tested package exports belong too.
func belongs(to *load.Package, t *types.TypeName) bool {
	switch {
	case t.Pkg() == nil:
		return false
	case t.Pkg().Path() == to.Types.Path():
		return true
	}
	return to.External && t.Exported() && t.Pkg().Path() == to.Path
}

// instantiate returns the instance of a generic function f for a used type. It reports
// false unless f is a method of this type or a function that returns this type.
func (x *Index) instantiate(f *types.Func, used *types.Named, args []types.Type) (instance, bool) {
	sig := f.Signature()
	if r := sig.Recv(); r != nil {
		t := r.Type()
		if p, ok := types.Unalias(t).(*types.Pointer); ok {
			t = p.Elem()
		}
		if known(t) != known(used) {
			return instance{}, false
		}
		inst, err := types.Instantiate(nil, t.(*types.Named).Origin(), args, true)
		if err != nil {
			return instance{}, false
		}
		m, _, _ := types.LookupFieldOrMethod(types.NewPointer(inst), true, f.Pkg(), f.Name())
		method, ok := m.(*types.Func)
		if !ok {
			return instance{}, false
		}
		return instance{f, args, method.Signature()}, true
	}
	// Type arguments of a function are taken from its result type, so the result type
	// must determine all of them.
	if sig.Results().Len() == 0 {
		return instance{}, false
	}
	t := types.Unalias(sig.Results().At(0).Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	if !ok || known(n) != known(used) || n.TypeArgs().Len() != len(args) {
		return instance{}, false
	}
	own := make([]types.Type, sig.TypeParams().Len())
	for i, a := range slices.Collect(n.TypeArgs().Types()) {
		if p, ok := a.(*types.TypeParam); ok && p.Index() < len(own) {
			own[p.Index()] = args[i]
		}
	}
	if slices.Contains(own, nil) {
		return instance{}, false
	}
	inst, err := types.Instantiate(nil, sig, own, true)
	if err != nil {
		return instance{}, false
	}
	return instance{f, own, inst.(*types.Signature)}, true
}
