package facts

import (
	"go/types"
)

// ready are types without fields to set for which there are builders at run time. Package
// value/schema has the builders (ready.go), and more of them than are named here.
var ready = map[string]bool{"time.Time": true, "math/big.Int": true, "net/netip.Addr": true}

// madeUp says why values of a type cannot be made up, for parameters; it is empty if
// they can be. What is inside of structs is not looked at: at run time they are
// derived, or made by builders of their own.
func (x *Index) madeUp(t types.Type) string {
	switch u := types.Unalias(t).(type) {
	case *types.Pointer:
		return x.madeUp(u.Elem())
	case *types.Slice:
		return x.madeUp(u.Elem())
	case *types.Array:
		return x.madeUp(u.Elem())
	case *types.Map:
		if why := x.madeUp(u.Key()); why != "" {
			return why
		}
		return x.madeUp(u.Elem())
	case *types.Named:
		return x.namedMadeUp(u)
	case *types.TypeParam:
		return "a type parameter"
	}
	return kindMadeUp(t)
}

func (x *Index) namedMadeUp(t *types.Named) string {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		if !x.isSum(t) {
			return "an interface without known variants"
		}
	case *types.Struct:
		if !x.scope[t.Obj().Pkg().Path()] && !ready[known(t)] && hides(u) {
			return "a type with hidden fields of a package that is not in scope"
		}
	case *types.Basic, *types.Signature, *types.Chan:
		return kindMadeUp(u)
	default:
		return x.madeUp(u)
	}
	return ""
}

func kindMadeUp(t types.Type) string {
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

// hides reports whether no field of a struct can be set from outside.
func hides(s *types.Struct) bool {
	for f := range s.Fields() {
		if f.Exported() {
			return false
		}
	}
	return s.NumFields() > 0
}
