//go:build go1.25

package schema

import (
	"reflect"
	"unsafe"
)

// mapOf builds a map. Go code cannot fill a map whose type is not known when it is
// compiled. So a few common map types have their own code, and all others use
// reflect.
func (b *Builder) mapOf(c *cursor, s *Schema, n int, q unsafe.Pointer) {
	t := s.Type
	if !s.Key.IsScalar() || !s.Elem.IsScalar() { // keys or values are made by functions, for example
		t = nil
	}
	switch t {
	case typeStringString:
		m := make(map[string]string, n)
		for range n {
			k := b.nextString(c)
			m[k] = b.nextString(c)
		}
		*(*map[string]string)(q) = m
	case typeStringInt:
		m := make(map[string]int, n)
		for range n {
			k := b.nextString(c)
			m[k] = int(c.nextScalar())
		}
		*(*map[string]int)(q) = m
	case typeIntInt:
		m := make(map[int]int, n)
		for range n {
			k := int(c.nextScalar())
			m[k] = int(c.nextScalar())
		}
		*(*map[int]int)(q) = m
	default:
		b.reflectMap(c, s, n, q)
	}
}

var (
	typeStringString = reflect.TypeFor[map[string]string]()
	typeStringInt    = reflect.TypeFor[map[string]int]()
	typeIntInt       = reflect.TypeFor[map[int]int]()
)

func (b *Builder) nextString(c *cursor) string {
	n := &c.t[c.at]
	c.at++
	return b.string(c, n)
}

func (c *cursor) nextScalar() uint64 {
	c.at++
	return c.t[c.at-1].X
}

func (b *Builder) reflectMap(c *cursor, s *Schema, n int, q unsafe.Pointer) {
	m := reflect.MakeMapWithSize(s.Type, n)
	k, v := reflect.New(s.Key.Type).Elem(), reflect.New(s.Elem.Type).Elem()
	for range n {
		k.SetZero()
		v.SetZero()
		b.exec(c, s.Key.ops, k.Addr().UnsafePointer())
		b.exec(c, s.Elem.ops, v.Addr().UnsafePointer())
		m.SetMapIndex(k, v)
	}
	reflect.NewAt(s.Type, q).Elem().Set(m)
}
