//go:build go1.25

package schema

import (
	"errors"
	"reflect"
	"sync"
	"unsafe"
)

// foundErrors has the errors that variables of the program contain, if the allele command has found
// them.
var foundErrors sync.Map // from error to foundError

type foundError struct{ name, pkg string }

// NameError records that a variable contains an error. name is the variable as code outside its
// package writes it.
func NameError(err error, name, pkg string) {
	if reflect.TypeOf(err).Comparable() {
		foundErrors.Store(err, foundError{name, pkg})
	}
}

// sentinels returns builders of an interface that return the given values themselves.
func sentinels(iface reflect.Type, values []Listed) (ms []*Func) {
	for i, listed := range values {
		v := listed.value
		if v.IsNil() {
			continue
		}
		f := variable(listed, i)
		f.Template = f.Name + "()" // must differ from Name, but is never printed
		f.Result, f.args = iface, reflect.TypeFor[struct{}]()
		f.call = func(dst, _ unsafe.Pointer) bool {
			reflect.NewAt(iface, dst).Elem().Set(v)
			return true
		}
		f.invert = func(x reflect.Value) ([]reflect.Value, bool) { return nil, same(v, x) }
		ms = append(ms, f)
	}
	return ms
}

var plainError = reflect.TypeOf(errors.New(""))

// errorText returns the text of an error that errors.New has made. It calls no code of the user.
func errorText(v any) string {
	if reflect.TypeOf(v) != plainError {
		return ""
	}
	return v.(error).Error()
}
