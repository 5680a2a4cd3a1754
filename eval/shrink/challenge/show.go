package challenge

import (
	"fmt"
	"reflect"
	"strings"
)

// show formats a value in a short form and follows pointers.
func show(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return "nil"
		}
		return show(v.Elem())
	case reflect.Slice:
		return "[" + strings.Join(parts(v.Len(), v.Index), " ") + "]"
	case reflect.Struct:
		return v.Type().Name() + "{" + strings.Join(parts(v.NumField(), v.Field), " ") + "}"
	}
	return fmt.Sprint(v)
}

func parts(n int, at func(int) reflect.Value) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = show(at(i))
	}
	return out
}
