//go:build go1.25

package schema

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// jsonValue is a JSON text: 1, 1.0 and 1e0 are three different jsonValues.
type jsonValue interface{ write(b []byte) []byte }

type (
	jsonNull  struct{}
	jsonBool  struct{ B bool }
	jsonInt   struct{ N int64 }
	jsonFloat struct{ F float64 }
	jsonPower struct { // N * 10^E, which may overflow a float64
		N int64
		E int16
	}
	jsonText  struct{ S string }
	jsonArray struct {
		Loose bool // there are spaces inside the brackets and after commas
		Items *jsonItem
	}
	jsonObject struct {
		Loose   bool
		Members *jsonMember
	}
	jsonItem struct {
		V    jsonValue
		Next *jsonItem
	}
	jsonMember struct {
		K    string
		V    jsonValue
		Next *jsonMember
	}
)

// jsonFloatMax bounds jsonFloat, so that its text is short.
const jsonFloatMax = 1e6

var jsonDecls = []Decl{
	variantsOf[jsonValue](jsonNull{}, jsonBool{}, jsonInt{}, jsonFloat{}, jsonPower{}, jsonText{}, jsonArray{}, jsonObject{}),
	rangeOf[float64](-jsonFloatMax, jsonFloatMax),
	rangeOf[int16](-400, 400),
}

func (jsonNull) write(b []byte) []byte    { return append(b, "null"...) }
func (x jsonBool) write(b []byte) []byte  { return strconv.AppendBool(b, x.B) }
func (x jsonInt) write(b []byte) []byte   { return strconv.AppendInt(b, x.N, 10) }
func (x jsonText) write(b []byte) []byte  { return appendJSONText(b, x.S) }
func (x jsonPower) write(b []byte) []byte { return fmt.Appendf(b, "%de%d", x.N, x.E) }

func (x jsonFloat) write(b []byte) []byte {
	at := len(b)
	b = strconv.AppendFloat(b, x.F, 'f', -1, 64)
	if !strings.Contains(string(b[at:]), ".") {
		b = append(b, ".0"...)
	}
	return b
}

func (x jsonArray) write(b []byte) []byte {
	b = jsonOpen(b, '[', x.Loose)
	for i := x.Items; i != nil; i = i.Next {
		b = i.V.write(b)
		b = jsonNext(b, i.Next == nil, x.Loose)
	}
	return append(b, ']')
}

func (x jsonObject) write(b []byte) []byte {
	b = jsonOpen(b, '{', x.Loose)
	for m := x.Members; m != nil; m = m.Next {
		b = append(appendJSONText(b, m.K), ':')
		if x.Loose {
			b = append(b, ' ')
		}
		b = m.V.write(b)
		b = jsonNext(b, m.Next == nil, x.Loose)
	}
	return append(b, '}')
}

func jsonOpen(b []byte, bracket byte, loose bool) []byte {
	b = append(b, bracket)
	if loose {
		b = append(b, ' ')
	}
	return b
}

func jsonNext(b []byte, last, loose bool) []byte {
	if !last {
		b = append(b, ',')
	}
	if loose {
		b = append(b, ' ')
	}
	return b
}

// strayByte is added to bytes that are not valid UTF-8, which turns each into half
// of a surrogate pair, as Python does. JSON allows that, and decoders often fail on
// it. So different Go strings have different texts.
const strayByte = 0xdc00

func appendJSONText(b []byte, s string) []byte {
	b = append(b, '"')
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			b = fmt.Appendf(b, `\u%04x`, strayByte+int(s[i]))
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, `\n`...)
		case r < ' ' || r == 0x7f:
			b = fmt.Appendf(b, `\u%04x`, r)
		default:
			b = append(b, s[i:i+n]...)
		}
		i += n
	}
	return append(b, '"')
}

var jsonSpelling = spelling[jsonValue, json.RawMessage]{
	write: func(x *jsonValue) string { return string((*x).write(nil)) },
	parse: func(text string) (jsonValue, bool) {
		if !json.Valid([]byte(text)) {
			return nil, false
		}
		p := jsonParser{rest: text}
		v := p.value(0)
		return v, !p.failed && p.rest == ""
	},
	from:  func(text string) (json.RawMessage, bool) { return json.RawMessage(text), json.Valid([]byte(text)) },
	text:  func(m *json.RawMessage) (string, bool) { return string(*m), *m != nil },
	decls: jsonDecls,
}

var jsonFuncs = func() []*Func {
	fs := []*Func{
		func0("json.RawMessage(nil)", func() json.RawMessage { return nil }),
		verbatim("json.RawMessage(_text)", jsonSpelling),
		spelled("json.RawMessage(_text)", jsonSpelling),
	}
	fs[0].hidden = true
	fs[0].invert = func(v reflect.Value) ([]reflect.Value, bool) { return nil, v.IsNil() }
	for _, f := range fs {
		f.Pkg = "encoding/json" // because RawMessage may be an alias of a type in another package
	}
	return fs
}()

// jsonNumber is the text of a JSON number.
type jsonNumber interface {
	jsonValue
	number()
}

func (jsonInt) number() {}

func (jsonFloat) number() {}

func (jsonPower) number() {}

var numberSpelling = spelling[jsonNumber, json.Number]{
	write: func(x *jsonNumber) string { return string((*x).write(nil)) },
	parse: func(text string) (jsonNumber, bool) {
		v, ok := jsonSpelling.parse(text)
		n, isNumber := v.(jsonNumber)
		return n, ok && isNumber
	},
	from:  func(text string) (json.Number, bool) { return json.Number(text), true },
	text:  func(n *json.Number) (string, bool) { return string(*n), true },
	decls: append([]Decl{variantsOf[jsonNumber](jsonInt{}, jsonFloat{}, jsonPower{})}, jsonDecls[1:]...),
}

// numberFuncs make the texts of valid JSON numbers. The hidden builder is for examples and
// stored cases with other texts.
var numberFuncs = func() []*Func {
	f := spelled("json.Number(_text)", numberSpelling)
	f.Pkg, f.rejects = "encoding/json", neverRejects // because Number may be an alias of a type in another package
	return []*Func{asGiven(f.Result), f}
}()
