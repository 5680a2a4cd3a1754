package programs

import (
	"fmt"
	"math/rand/v2"
	"reflect"
)

// megadeth generates values as the derivation of the QuickFuzz paper does. A constructor is chosen evenly. One with k
// recursive arguments passes to each the size divided by k, and at size 0 only constructors without recursive
// arguments are left. Lists, numbers and texts are those of QuickCheck: at most as long, or as large, as the size.
type megadeth struct {
	r        *rand.Rand
	variants map[reflect.Type][]reflect.Type // of each interface
}

// value makes a value of a type.
func (m *megadeth) value(t reflect.Type, n int) reflect.Value {
	v := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.Interface:
		v.Set(m.value(m.choose(t, n), n))
	case reflect.Struct:
		k := 0
		for i := range t.NumField() {
			if m.recursive(t.Field(i).Type, map[reflect.Type]bool{}) {
				k++
			}
		}
		for i := range t.NumField() {
			size := n
			if m.recursive(t.Field(i).Type, map[reflect.Type]bool{}) {
				size = n / max(2, k) // a lone recursive argument would never get smaller in a list
			}
			v.Field(i).Set(m.value(t.Field(i).Type, size))
		}
	case reflect.Slice:
		for range m.r.IntN(n + 1) {
			v.Set(reflect.Append(v, m.value(t.Elem(), m.inList(t, n))))
		}
	case reflect.Array:
		for i := range v.Len() {
			v.Index(i).Set(m.value(t.Elem(), n))
		}
	case reflect.String:
		b := make([]byte, m.r.IntN(n+1))
		for i := range b {
			b[i] = byte(' ' + m.r.IntN(95))
		}
		v.SetString(string(b))
	case reflect.Bool:
		v.SetBool(m.r.IntN(2) == 0)
	case reflect.Float32, reflect.Float64:
		v.SetFloat((2*m.r.Float64() - 1) * float64(n))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(m.r.IntN(2*n+1) - n))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(m.r.IntN(n + 1)))
	default:
		panic(fmt.Sprintf("no way to make a %v", t))
	}
	return v
}

// inList returns the size of the elements of a list: that of the list, unless the list is a constructor itself.
func (m *megadeth) inList(t reflect.Type, n int) int {
	if t.Name() != "" && m.recursive(t, map[reflect.Type]bool{}) {
		return n / 2
	}
	return n
}

// choose chooses a constructor of an interface.
func (m *megadeth) choose(t reflect.Type, n int) reflect.Type {
	all := m.variants[t]
	if len(all) == 0 {
		panic(fmt.Sprintf("no variants of %v", t))
	}
	if n > 0 {
		return all[m.r.IntN(len(all))]
	}
	var ends []reflect.Type
	for _, v := range all {
		if !m.recursive(v, map[reflect.Type]bool{}) {
			ends = append(ends, v)
		}
	}
	return ends[m.r.IntN(len(ends))]
}

// recursive reports whether a type contains an interface with variants.
func (m *megadeth) recursive(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Slice, reflect.Array:
		return m.recursive(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if m.recursive(t.Field(i).Type, seen) {
				return true
			}
		}
	}
	return false
}
