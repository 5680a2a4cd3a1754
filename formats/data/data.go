// Package data has the formats of structured data: JSON and YAML here, and INI, Go's gob, and ASN.1 with PEM
// in files of their own.
//
// A value of JSON or YAML is a tree. The encoders of the standard library and of gopkg.in/yaml.v3 write
// it, so the text is valid.
//
// A test without the command declares what the interfaces can be:
//
//	allele.Check(t, func(t *allele.T, file []byte) { ... }, allele.Through(data.JSON), data.Values)
//	allele.Check(t, func(t *allele.T, file []byte) { ... }, allele.Through(data.DER), data.Elements)
package data

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"

	"github.com/allele-go/allele"
	"gopkg.in/yaml.v3"
)

// Value is a value of JSON or YAML: one of Null, Bool, Int, Float, String, Array and Object.
type Value interface{ plain() any }

// Values declares what a Value can be.
var Values = allele.Variants[Value](Null{}, Bool(false), Int(0), Float(0), String(""), Array{}, Object{})

type (
	// Null is the value without a value.
	Null struct{}
	// Bool is true or false.
	Bool bool
	// Int is a whole number.
	Int int64
	// Float is a number.
	Float float64
	// String is a text.
	String string
	// Array is a list of values.
	Array []Value
	// Object is values with names.
	Object []Member
)

// Member is a member of an object.
type Member struct {
	Name  string
	Value Value
}

func (Null) plain() any   { return nil }
func (v Bool) plain() any { return bool(v) }
func (v Int) plain() any  { return int64(v) }

func (v Float) plain() any {
	if f := float64(v); !math.IsNaN(f) && !math.IsInf(f, 0) {
		return f
	}
	return 0.5
}

func (v String) plain() any { return string(v) }

func (v Array) plain() any {
	all := make([]any, len(v))
	for i, x := range v {
		all[i] = plain(x)
	}
	return all
}

func (v Object) plain() any {
	all := map[string]any{}
	for _, m := range v {
		all[m.Name] = plain(m.Value)
	}
	return all
}

func plain(v Value) any {
	if v == nil {
		return nil
	}
	return v.plain()
}

// Document is a document of JSON or YAML.
type Document struct {
	Value  Value
	Indent bool
}

// JSON encodes a value.
func JSON(v Document) ([]byte, error) {
	if v.Indent {
		return json.MarshalIndent(plain(v.Value), "", "  ")
	}
	return json.Marshal(plain(v.Value))
}

// YAML encodes a value.
func YAML(v Document) ([]byte, error) {
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	if v.Indent {
		e.SetIndent(8)
	}
	if err := e.Encode(onOneLine(plain(v.Value))); err != nil {
		return nil, err
	}
	err := e.Close()
	return b.Bytes(), err
}

// onOneLine returns a value without line breaks in its texts: not every reader reads those as they are written.
func onOneLine(v any) any {
	switch v := v.(type) {
	case string:
		return strings.NewReplacer("\n", " ", "\r", " ", "\u0085", " ", "\u2028", " ", "\u2029", " ").Replace(v)
	case []any:
		for i, x := range v {
			v[i] = onOneLine(x)
		}
	case map[string]any:
		all := map[string]any{}
		for k, x := range v {
			all[onOneLine(k).(string)] = onOneLine(x)
		}
		return all
	}
	return v
}
