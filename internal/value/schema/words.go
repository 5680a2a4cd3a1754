//go:build go1.25

package schema

import (
	"reflect"
	"unsafe"
)

// words is the layout of an interface value in memory. TestInterfaceLayout fails on
// a Go version with another layout.
type words struct{ tab, data unsafe.Pointer }

// sliceWords is the layout of a slice.
type sliceWords struct {
	data     unsafe.Pointer
	len, cap int
}

// typeWord returns the first word of an interface value that contains a value of
// type v. It reads the word from a value that reflect makes. If v is too large for that,
// the input is refused, and the word is not used.
func typeWord(iface, v reflect.Type) unsafe.Pointer {
	if v.Size() > valueBytes {
		return nil
	}
	x := reflect.New(iface)
	x.Elem().Set(reflect.Zero(v))
	return (*words)(x.UnsafePointer()).tab
}

// pointerShaped reports whether an interface stores a value of type v directly in
// its data word. To find out, it stores a zero v: if that is stored directly, the
// word is nil.
func pointerShaped(v reflect.Type) bool {
	if v.Size() != unsafe.Sizeof(uintptr(0)) {
		return false
	}
	x := reflect.Zero(v).Interface()
	return (*words)(unsafe.Pointer(&x)).data == nil
}

// ScalarBits returns the X of a scalar value: signed numbers extended to 64 bits,
// floats widened, and one bit pattern for every NaN.
func ScalarBits(v reflect.Value) uint64 {
	switch {
	case v.Kind() == reflect.Bool:
		if v.Bool() {
			return 1
		}
		return 0
	case v.CanInt():
		return uint64(v.Int())
	case v.CanFloat():
		return FloatBits(v.Float())
	}
	return v.Uint()
}
