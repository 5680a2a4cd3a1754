package formats

import (
	"bytes"
	"encoding/asn1"
	"encoding/gob"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math"
	"math/big"
	"strings"

	"gopkg.in/yaml.v3"
)

// Value is a value of JSON or YAML: one of Null, Bool, Int, Float, String, Array and Object.
type Value interface{ plain() any }

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

// Data is a document of JSON or YAML.
type Data struct {
	Value  Value
	Indent bool
}

// JSON encodes a value.
func JSON(v Data) ([]byte, error) {
	if v.Indent {
		return json.MarshalIndent(plain(v.Value), "", "  ")
	}
	return json.Marshal(plain(v.Value))
}

// YAML encodes a value.
func YAML(v Data) ([]byte, error) {
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

// Settings is an INI file.
type Settings []Section

// Section is a section of an INI file.
type Section struct {
	Name string
	Keys []Key
}

// Key is a key with its value, or a comment.
type Key struct {
	Name, Value string
	Comment     bool
}

// INI encodes settings.
func INI(v Settings) ([]byte, error) {
	var b bytes.Buffer
	line := strings.NewReplacer("\n", " ", "\r", " ")
	for _, s := range v {
		fmt.Fprintf(&b, "[%s]\n", identifier(s.Name, "section"))
		for _, k := range s.Keys {
			if k.Comment {
				b.WriteString("; " + line.Replace(k.Value) + "\n")
				continue
			}
			fmt.Fprintf(&b, "%s = %s\n", identifier(k.Name, "key"), line.Replace(k.Value))
		}
	}
	return b.Bytes(), nil
}

// Record is a value for gob.
type Record struct {
	Name   string
	Count  int
	Ratio  float64
	Data   []byte
	Flags  []bool
	Parts  []Record
	Lookup map[string]int16
}

// Gob encodes records.
func Gob(v []Record) ([]byte, error) {
	var b bytes.Buffer
	e := gob.NewEncoder(&b)
	for _, r := range v {
		if err := e.Encode(r); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

// Item is an element of ASN.1: one of Number, Octets, UTF8, Object identifier OID, Bits and Sequence.
type Item interface{ der() ([]byte, error) }

type (
	// Number is a whole number of any size.
	Number []byte
	// Octets is bytes.
	Octets []byte
	// UTF8 is a text.
	UTF8 string
	// OID is an object identifier.
	OID []uint16
	// Bits is bits.
	Bits struct {
		Bytes []byte
		Spare uint8
	}
	// Sequence is a list of items.
	Sequence struct {
		Items []Item
		Set   bool
		Tag   uint8 // of an item of a class of its own; 0 means none
	}
)

func (v Number) der() ([]byte, error) { return asn1.Marshal(new(big.Int).SetBytes(v)) }
func (v Octets) der() ([]byte, error) { return asn1.Marshal([]byte(v)) }

func (v UTF8) der() ([]byte, error) {
	return asn1.MarshalWithParams(strings.ToValidUTF8(string(v), "?"), "utf8")
}

func (v OID) der() ([]byte, error) {
	id := asn1.ObjectIdentifier{1, 2}
	for _, n := range v {
		id = append(id, int(n))
	}
	return asn1.Marshal(id)
}

func (v Bits) der() ([]byte, error) {
	return asn1.Marshal(asn1.BitString{Bytes: v.Bytes, BitLength: max(0, 8*len(v.Bytes)-int(v.Spare%8))})
}

func (v Sequence) der() ([]byte, error) {
	var body []byte
	for _, x := range v.Items {
		if x == nil {
			continue
		}
		b, err := x.der()
		if err != nil {
			return nil, err
		}
		body = append(body, b...)
	}
	raw := asn1.RawValue{Tag: asn1.TagSequence, IsCompound: true, Bytes: body}
	if v.Set {
		raw.Tag = asn1.TagSet
	}
	if v.Tag > 0 {
		raw.Class, raw.Tag = asn1.ClassContextSpecific, int(v.Tag%31)
	}
	return asn1.Marshal(raw)
}

// DER encodes items.
func DER(v Sequence) ([]byte, error) { return v.der() }

// Block is a PEM block.
type Block struct {
	Type    string
	Headers []Attr
	Body    Sequence
}

// PEM encodes blocks.
func PEM(v []Block) ([]byte, error) {
	var b bytes.Buffer
	for _, x := range v {
		body, err := x.Body.der()
		if err != nil {
			return nil, err
		}
		headers := map[string]string{}
		for _, h := range x.Headers {
			headers[identifier(h.Name.Local, "Key")] = strings.ReplaceAll(h.Value, "\n", " ")
		}
		kind := strings.ToUpper(identifier(x.Type, "CERTIFICATE"))
		if err := pem.Encode(&b, &pem.Block{Type: kind, Headers: headers, Bytes: body}); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}
