//go:build go1.25

package schema

import (
	"bytes"
	"encoding/json"
	"reflect"

	"github.com/allele-go/allele/internal/value/attempt"
)

// Messages of gogo may write themselves as JSON, and refuse values of their fields: Kubernetes has a message
// whose bytes are JSON, and one with a number that says which of its other fields counts. Their tags do not say
// so. It is found out by writing messages with one field set.

// refusing returns the scope of a field with the values that the message can write, unless the user has declared something
// about the type of the field. A message in a pointer is not written as null: it would be read as a nil pointer.
func (sc *scope) refusing(t reflect.Type, f reflect.StructField, pointed bool) *scope {
	if _, ok := reflect.New(t).Interface().(json.Marshaler); !ok {
		return sc
	}
	accepts := func(v reflect.Value) bool { return writes(t, f, v) }
	switch {
	case f.Type == bytesType:
		if accepts(reflect.ValueOf([]byte("{}"))) && !accepts(reflect.ValueOf([]byte{0xff})) {
			return sc.narrow(builders(jsonBytes(pointed && writesNull(t)))...)
		}
	case f.Type.PkgPath() != "" && f.Type.Kind() >= reflect.Int && f.Type.Kind() <= reflect.Int64:
		if consts := accepted(f.Type, accepts); consts != nil {
			return sc.narrow(Decl{Type: f.Type, What: Likely{All: consts, Only: true}})
		}
	}
	return sc
}

// writesNull reports whether the zero value of a message is written as null.
func writesNull(t reflect.Type) bool {
	return attempt.Call(t, "MarshalJSON", func() bool {
		b, _ := json.Marshal(reflect.New(t).Interface())
		return string(b) == "null"
	})
}

// writes reports whether a message with one field set can be written.
func writes(t reflect.Type, f reflect.StructField, v reflect.Value) bool {
	return attempt.Call(t, "MarshalJSON", func() bool {
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

// jsonBytes returns the builders of bytes that are JSON, or nil unless filled is set.
func jsonBytes(filled bool) []*Func {
	none := *nilBytes
	none.hidden = filled
	return []*Func{given(bytesType), &none, plainJSON}
}

// jsonFilled is a JSON text other than null, which is read as no bytes.
type jsonFilled interface{ write(b []byte) []byte }

// plainJSON makes bytes that encoding/json writes as they are: without spaces, and with escapes for the letters
// that mean something in HTML.
var plainJSON = spelled("[]byte(_text)", spelling[jsonFilled, []byte]{
	write: func(x *jsonFilled) string {
		var b bytes.Buffer
		json.HTMLEscape(&b, (*x).write(nil))
		return b.String()
	},
	parse: func(text string) (jsonFilled, bool) {
		v, ok := jsonSpelling.parse(text)
		return v, ok && v != jsonNull{}
	},
	from: func(text string) ([]byte, bool) { return []byte(text), true },
	text: func(b *[]byte) (string, bool) { return string(*b), *b != nil },
	decls: append([]Decl{
		variantsOf[jsonFilled](jsonBool{}, jsonInt{}, jsonFloat{}, jsonPower{}, jsonText{}, jsonArray{}, jsonObject{}),
		{What: At{Owner: reflect.TypeFor[jsonArray](), Path: "Loose", Sub: []Decl{valuesOf(false)}}},
		{What: At{Owner: reflect.TypeFor[jsonObject](), Path: "Loose", Sub: []Decl{valuesOf(false)}}},
	}, jsonDecls...),
})
