//go:build go1.25

package facts

import (
	"go/types"
	"slices"

	"github.com/allele-go/allele/internal/value/schema"
)

// ready lists the types of the standard library that every property can make, by the names
// that variantName returns.
var ready = schema.ReadyTypes()

// cannotMake returns the reason why values of a parameter's type cannot be made, or ""
// if they can be made. It does not look at the fields of structs: at run time, values
// of fields are derived from their types or made by other builders. For tests, see isSum.
func (x *Index) cannotMake(t types.Type, tests string) string {
	if large(t) {
		return "too large to generate"
	}
	switch u := types.Unalias(t).(type) {
	case *types.Pointer:
		if slices.Contains(ready, variantName(u)) {
			return ""
		}
		return x.cannotMake(u.Elem(), tests)
	case *types.Slice:
		return x.cannotMake(u.Elem(), tests)
	case *types.Array:
		return x.cannotMake(u.Elem(), tests)
	case *types.Map:
		if why := x.cannotMake(u.Key(), tests); why != "" {
			return why
		}
		return x.cannotMake(u.Elem(), tests)
	case *types.Named:
		return x.cannotMakeNamed(u, tests)
	case *types.TypeParam:
		return "a type parameter"
	}
	return cannotMakeKind(t)
}

func (x *Index) cannotMakeNamed(t *types.Named, tests string) string {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		if !x.isSum(t, tests) && !(sealed(u) && x.option(t)) {
			return "an interface without known variants"
		}
	case *types.Struct:
		if !x.scope[t.Obj().Pkg().Path()] && !slices.Contains(ready, known(t)) && hides(u) {
			return "a type with hidden fields of a package that is not in scope"
		}
	case *types.Signature:
		if !x.option(t) {
			return cannotMakeKind(u)
		}
	case *types.Basic, *types.Chan:
		return cannotMakeKind(u)
	default:
		return x.cannotMake(u, tests)
	}
	return ""
}

func cannotMakeKind(t types.Type) string {
	switch u := t.Underlying().(type) {
	case *types.Signature:
		return "a function"
	case *types.Chan:
		return "a channel"
	case *types.Interface:
		return "an interface without known variants"
	case *types.Basic:
		if u.Kind() == types.UnsafePointer {
			return "an unsafe pointer"
		}
		if u.Kind() == types.Invalid {
			return "a type of C"
		}
	}
	return ""
}

// hides reports whether a struct has fields but none that is exported.
func hides(s *types.Struct) bool {
	for f := range s.Fields() {
		if f.Exported() {
			return false
		}
	}
	return s.NumFields() > 0
}
