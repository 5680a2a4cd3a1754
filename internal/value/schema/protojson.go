//go:build go1.25

package schema

import (
	"encoding/json"
	"reflect"
	"slices"
)

// Messages of gogo may write themselves as JSON, and refuse values of their fields: Kubernetes has a message
// whose bytes are JSON, and one with a number that says which of its other fields counts. Their tags do not say
// so. It is found out by writing messages with one field set.

// refusing returns the scope of a field with the values that the message can write, unless the user has declared something
// about the type of the field.
func (sc *scope) refusing(t reflect.Type, f reflect.StructField) *scope {
	if _, ok := reflect.New(t).Interface().(json.Marshaler); !ok {
		return sc
	}
	accepts := func(v reflect.Value) bool { return writes(t, f, v) }
	switch {
	case f.Type == bytesType:
		if accepts(reflect.ValueOf([]byte("{}"))) && !accepts(reflect.ValueOf([]byte{0xff})) {
			return sc.narrow(builders(jsonBytes)...)
		}
	case f.Type.PkgPath() != "" && f.Type.Kind() >= reflect.Int && f.Type.Kind() <= reflect.Int64:
		if consts := accepted(f.Type, accepts); consts != nil {
			return sc.narrow(Decl{Type: f.Type, Consts: consts, Only: true})
		}
	}
	return sc
}

// writes reports whether a message with one field set can be written.
func writes(t reflect.Type, f reflect.StructField, v reflect.Value) bool {
	return attempted(t, "MarshalJSON", func() bool {
		m := reflect.New(t)
		m.Elem().FieldByIndex(f.Index).Set(v)
		_, err := json.Marshal(m.Interface())
		return err == nil
	})
}

// accepted returns the small numbers that are accepted, if other numbers are not.
func accepted(t reflect.Type, accepts func(reflect.Value) bool) (consts []reflect.Value) {
	const tried, other = 32, 1 << 20
	number := func(x int64) reflect.Value {
		v := reflect.New(t).Elem()
		v.SetInt(x)
		return v
	}
	if t.Bits() < 32 || accepts(number(-1)) || accepts(number(other)) {
		return nil
	}
	for x := range int64(tried) {
		if v := number(x); accepts(v) {
			consts = append(consts, v)
		}
	}
	return consts
}

// jsonBytes makes bytes that are JSON, or nil.
var jsonBytes = []*Func{given(bytesType), nilBytes, spelled("[]byte(_text)", spelling[jsonValue, []byte]{
	write: jsonSpelling.write,
	parse: jsonSpelling.parse,
	from:  func(text string) ([]byte, bool) { return []byte(text), true },
	text:  func(b *[]byte) (string, bool) { return string(*b), *b != nil },
	decls: slices.Clone(jsonDecls),
})}
