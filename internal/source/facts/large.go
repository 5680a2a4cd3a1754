package facts

import "go/types"

// A type may be larger than memory: a program that maps files has fields such as
// *[1 << 47]byte. Then even the zero value ends the process, before the first test. So
// there are limits for what a support file makes, and for what is generated.
const (
	// patternBytes is the maximal size of a value in a pattern. There are hundreds of
	// patterns, and all are made when the program starts.
	patternBytes = 8 << 10
	// valueBytes is the maximal size of a variant, and of an argument or result of a
	// builder. The term of such a value has 16 times this size.
	valueBytes = 1 << 20
)

// large reports whether values of a type, or what its pointers point to, are too large to
// be generated.
func large(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	return sizeOf(t) > valueBytes
}

// sizeOf returns about how many bytes a value has, and valueBytes+1 for all larger
// values. It differs from types.Sizes in two ways: it cannot overflow, and it accepts
// types that contain type parameters or types of C, which count as 0.
func sizeOf(t types.Type) int64 {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return 0
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		elem := sizeOf(u.Elem())
		if elem > 0 && u.Len() > valueBytes/elem {
			return valueBytes + 1
		}
		return u.Len() * elem
	case *types.Struct:
		n := int64(0)
		for f := range u.Fields() {
			n = min(n+sizeOf(f.Type()), valueBytes+1)
		}
		return n
	case *types.Basic:
		if u.Kind() == types.Invalid {
			return 0
		}
		return wordSizes.Sizeof(u)
	}
	return sliceBytes
}

// sliceBytes is the size of a slice, the largest type that is not a struct or array.
const sliceBytes = 24

var wordSizes = types.StdSizes{WordSize: 8, MaxAlign: 8}
