//go:build go1.25

package same

import (
	"reflect"
	"unsafe"
)

// Copy returns a deep copy of a value, for equality functions of users: they compare values
// that the program may have changed since. Functions and channels are shared with the
// original, and so is what lies beyond nodesMax and depthMax.
func Copy(v any) (copied any) {
	defer func() {
		if recover() != nil {
			copied = v
		}
	}()
	if v == nil {
		return nil
	}
	c := copier{left: nodesMax, done: map[ref]reflect.Value{}}
	to := reflect.New(reflect.TypeOf(v)).Elem()
	to.Set(reflect.ValueOf(v))
	c.deepen(to, 0)
	return to.Interface()
}

type copier struct {
	left int
	done map[ref]reflect.Value // copies of what references refer to
}

// deepen replaces all references in v, which is addressable, by references to copies.
func (c *copier) deepen(v reflect.Value, depth int) {
	if c.left--; c.left < 0 || depth > depthMax || plain(v.Type()) {
		return
	}
	switch v = open(v); v.Kind() {
	case reflect.Array:
		for i := range v.Len() {
			c.deepen(v.Index(i), depth)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			c.deepen(v.Field(i), depth)
		}
	case reflect.Pointer, reflect.Slice, reflect.Map:
		c.replace(v, depth+1)
	case reflect.Interface:
		if !v.IsNil() {
			to := reflect.New(v.Elem().Type()).Elem()
			to.Set(v.Elem())
			c.deepen(to, depth+1)
			v.Set(to)
		}
	}
}

// open returns v without the protection of unexported fields.
func open(v reflect.Value) reflect.Value {
	return reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
}

// plain reports whether values of a type need not be deepened.
func plain(t reflect.Type) bool {
	return t.Kind() <= reflect.Complex128 || t.Kind() == reflect.String || t == timeType || t == typeOfType || t.PkgPath() == "sync"
}

// replace replaces a pointer, slice or map by a copy.
func (c *copier) replace(v reflect.Value, depth int) {
	if v.IsNil() {
		return
	}
	r := ref{at: v.UnsafePointer(), typ: v.Type()}
	if v.Kind() == reflect.Slice {
		r.len = v.Len()
	}
	if done, ok := c.done[r]; ok {
		v.Set(done)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		to := reflect.New(v.Type().Elem())
		to.Elem().Set(v.Elem())
		c.done[r] = to.Convert(v.Type())
		c.deepen(to.Elem(), depth)
	case reflect.Slice:
		to := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(to, v)
		c.done[r] = to
		if !plain(v.Type().Elem()) {
			for i := range to.Len() {
				c.deepen(to.Index(i), depth)
			}
		}
	case reflect.Map:
		to := reflect.MakeMapWithSize(v.Type(), v.Len())
		c.done[r] = to
		for i := v.MapRange(); i.Next(); {
			key, elem := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			key.Set(i.Key())
			elem.Set(i.Value())
			c.deepen(key, depth)
			c.deepen(elem, depth)
			to.SetMapIndex(key, elem)
		}
	}
	v.Set(c.done[r])
}
