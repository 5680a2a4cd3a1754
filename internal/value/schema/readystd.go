//go:build go1.25

package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/big"
	"net/url"
	"reflect"
	"strings"
	"time"
	"unsafe"
)

// floatExpMax bounds the exponents of large and small floats, so that their texts are short.
const floatExpMax = 1000

// floatFuncs make numbers with the precision of a float64, also with exponents that a float64
// does not have, and integers with many digits. There are no infinities: subtracting
// one from another panics.
var floatFuncs = func() []*Func {
	const scaled, whole = "new(big.Float).SetMantExp(big.NewFloat(_0), _1)", "new(big.Float).SetInt(_0)"
	scale := func(x float64, exp int) *big.Float { return new(big.Float).SetMantExp(big.NewFloat(x), exp) }
	round := func(x *big.Int) *big.Float { return new(big.Float).SetInt(x) }
	fs := []*Func{
		hiddenZero[*big.Float]("(*big.Float)(nil)"),
		func1("big.NewFloat(_0)", big.NewFloat),
		func2(scaled, scale),
		func1(whole, round),
		zeroStruct[big.Float]("big.Float{}"),
		func1("*big.NewFloat(_0)", func(x float64) big.Float { return *big.NewFloat(x) }),
		func2("*"+scaled, func(x float64, exp int) big.Float { return *scale(x, exp) }),
		func1("*"+whole, func(x *big.Int) big.Float { return *round(x) }),
	}
	finite := rangeOf(-math.MaxFloat64, math.MaxFloat64)
	for i, f := range fs {
		switch i % 4 {
		case 1:
			f.Args[0].Decls = []Decl{finite}
			f.invert = func(v reflect.Value) ([]reflect.Value, bool) { return floatSmall(addressed[big.Float](v)) }
		case 2:
			f.Args[0].Decls, f.Args[1].Decls = []Decl{finite}, []Decl{rangeOf(-floatExpMax, floatExpMax)}
			f.invert = func(v reflect.Value) ([]reflect.Value, bool) { return floatScaled(addressed[big.Float](v)) }
		case 3:
			f.Args[0].Decls = []Decl{makes(bigSmall), makes(bigShifted), makes(bigBytes)}
			f.invert = func(v reflect.Value) ([]reflect.Value, bool) { return floatWhole(addressed[big.Float](v)) }
		}
	}
	return fs
}()

// addressed returns a pointer to v or, if v is a *T, v itself.
func addressed[T any](v reflect.Value) *T {
	if v.Kind() == reflect.Pointer {
		return v.Interface().(*T)
	}
	return v.Addr().Interface().(*T)
}

// sameFloat reports whether two floats are equal in value, sign, precision and rounding mode.
func sameFloat(x, y *big.Float) bool {
	return x.Cmp(y) == 0 && x.Signbit() == y.Signbit() && x.Prec() == y.Prec() && x.Mode() == y.Mode()
}

func floatSmall(x *big.Float) ([]reflect.Value, bool) {
	if x == nil || x.IsInf() {
		return nil, false
	}
	f, _ := x.Float64()
	return values(f), !math.IsInf(f, 0) && sameFloat(x, big.NewFloat(f))
}

func floatScaled(x *big.Float) ([]reflect.Value, bool) {
	if x == nil || x.IsInf() {
		return nil, false
	}
	mant := new(big.Float)
	exp := x.MantExp(mant)
	f, _ := mant.Float64()
	return values(f, exp), sameFloat(x, new(big.Float).SetMantExp(big.NewFloat(f), exp))
}

func floatWhole(x *big.Float) ([]reflect.Value, bool) {
	if x == nil || !x.IsInt() {
		return nil, false
	}
	n, _ := x.Int(nil)
	return values(n), sameFloat(x, new(big.Float).SetInt(n))
}

// jsonNumber is the text of a JSON number.
type jsonNumber interface {
	jsonValue
	number()
}

func (jsonInt) number()   {}
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
	f.Pkg, f.refuses = "encoding/json", false // because Number may be an alias of a type in another package
	return []*Func{asGiven(f.Result), f}
}()

var userFuncs = func() []*Func {
	fs := []*Func{
		hiddenZero[*url.Userinfo]("(*url.Userinfo)(nil)"), newZero[url.Userinfo](),
		func1("url.User(_0)", url.User),
		func2("url.UserPassword(_0, _1)", url.UserPassword),
		zeroStruct[url.Userinfo]("url.Userinfo{}"),
		func1("*url.User(_0)", func(name string) url.Userinfo { return *url.User(name) }),
		func2("*url.UserPassword(_0, _1)", func(name, password string) url.Userinfo { return *url.UserPassword(name, password) }),
	}
	for _, i := range []int{2, 5} {
		fs[i].invert = func(v reflect.Value) ([]reflect.Value, bool) {
			u := addressed[url.Userinfo](v)
			_, set := u.Password()
			return values(u.Username()), u != nil && !set
		}
		fs[i+1].invert = func(v reflect.Value) ([]reflect.Value, bool) {
			u := addressed[url.Userinfo](v)
			password, set := u.Password()
			return values(u.Username(), password), set
		}
	}
	return fs
}()

// readerFuncs make buffers and readers with a content that is not read yet.
var readerFuncs = func() []*Func {
	fs := []*Func{
		func1("bytes.NewBuffer(_0)", bytes.NewBuffer),
		func1("bytes.NewReader(_0)", bytes.NewReader),
		func1("strings.NewReader(_0)", strings.NewReader),
		func1("*bytes.NewBuffer(_0)", func(b []byte) bytes.Buffer { return *bytes.NewBuffer(b) }),
		func1("*bytes.NewReader(_0)", func(b []byte) bytes.Reader { return *bytes.NewReader(b) }),
		func1("*strings.NewReader(_0)", func(s string) strings.Reader { return *strings.NewReader(s) }),
	}
	for _, f := range fs {
		f.invert = func(v reflect.Value) ([]reflect.Value, bool) {
			if v.Kind() != reflect.Pointer {
				v = v.Addr()
			}
			return unread(v.Interface())
		}
	}
	return append([]*Func{
		hiddenZero[*bytes.Buffer]("(*bytes.Buffer)(nil)"), newZero[bytes.Buffer](), zeroStruct[bytes.Buffer]("bytes.Buffer{}"),
		hiddenZero[*bytes.Reader]("(*bytes.Reader)(nil)"), newZero[bytes.Reader](), zeroStruct[bytes.Reader]("bytes.Reader{}"),
		hiddenZero[*strings.Reader]("(*strings.Reader)(nil)"), newZero[strings.Reader](), zeroStruct[strings.Reader]("strings.Reader{}"),
	}, fs...)
}()

// unread returns the bytes or the string that a buffer or reader has, if nothing of it was read.
func unread(x any) ([]reflect.Value, bool) {
	switch x := x.(type) {
	case *bytes.Buffer:
		if x != nil {
			return values(x.Bytes()), true
		}
	case *bytes.Reader:
		if x != nil && int64(x.Len()) == x.Size() {
			c := *x // reading must not change the example
			b, err := io.ReadAll(&c)
			return values(b), err == nil
		}
	case *strings.Reader:
		if x != nil && int64(x.Len()) == x.Size() {
			c := *x
			b, err := io.ReadAll(&c)
			return values(string(b)), err == nil
		}
	}
	return nil, false
}

// locationFuncs make UTC and zones with a fixed offset, in whole minutes as in timeZoned. The
// zone of the machine is never generated, because inputs would not be the same elsewhere.
var locationFuncs = func() []*Func {
	fs := []*Func{
		hiddenZero[*time.Location]("(*time.Location)(nil)"), newZero[time.Location](),
		func0("time.Local", func() *time.Location { return time.Local }),
		func2("time.FixedZone(_0, _1)", time.FixedZone),
		func0("time.UTC", func() *time.Location { return time.UTC }),
		func2("time.FixedZone(_0, 60*_1)", func(name string, minutes int) *time.Location { return time.FixedZone(name, 60*minutes) }),
	}
	fs[2].hidden, fs[3].hidden = true, true
	is := func(l *time.Location) func(v reflect.Value) ([]reflect.Value, bool) {
		return func(v reflect.Value) ([]reflect.Value, bool) { return nil, v.Interface() == any(l) }
	}
	fs[2].invert, fs[4].invert = is(time.Local), is(time.UTC)
	fs[3].invert = func(v reflect.Value) ([]reflect.Value, bool) { return fixedZone(v.Interface().(*time.Location), 1) }
	fs[5].invert = func(v reflect.Value) ([]reflect.Value, bool) { return fixedZone(v.Interface().(*time.Location), 60) }
	fs[5].Args[0].Decls = []Decl{valuesOf("", "CET", "EST", "X")}
	fs[5].Args[1].Decls = []Decl{rangeOf(-12*60, 14*60)}
	return fs
}()

// fixedZone returns the name of a zone that always has the same offset, and the offset in units
// of so many seconds.
func fixedZone(l *time.Location, unit int) ([]reflect.Value, bool) {
	if l == nil || l == time.UTC || l == time.Local {
		return nil, false
	}
	name, offset := time.Unix(0, 0).In(l).Zone()
	return values(name, offset/unit), offset%unit == 0 && reflect.DeepEqual(l, time.FixedZone(name, offset))
}

// zeroStruct returns the hidden builder T{}.
func zeroStruct[T any](template string) *Func {
	f := func0(template, func() (zero T) { return zero })
	f.hidden = true
	f.invert = func(v reflect.Value) ([]reflect.Value, bool) { return nil, v.IsZero() }
	return f
}

// newZero returns the hidden builder &T{}.
func newZero[T any]() *Func {
	f := zeroPointer(reflect.TypeFor[*T]())
	f.Name = "new(" + reflect.TypeFor[T]().String() + ")"
	f.Template, f.hidden = f.Name, true // equal names mark a builder that comes with allele
	f.invert = func(v reflect.Value) ([]reflect.Value, bool) { return nil, !v.IsNil() && v.Elem().IsZero() }
	return f
}

// zeroPointer returns the builder &T{} of t = *T. Its arguments set the given fields.
func zeroPointer(t reflect.Type, fields ...string) *Func {
	zero := &Func{
		Name:   "&" + t.Elem().String() + "{}",
		Pkg:    t.Elem().PkgPath(),
		Result: t,
		Named:  true,
		Zero:   true,
		Fields: fields,
	}
	zero.Template = zero.Name + "()" // must differ from Name, but is never printed
	var args []reflect.StructField
	for i, name := range fields {
		f, _ := t.Elem().FieldByName(name)
		zero.Args = append(zero.Args, Arg{Type: f.Type})
		args = append(args, reflect.StructField{Name: fmt.Sprintf("A%d", i), Type: f.Type})
	}
	zero.args = reflect.StructOf(args)
	zero.call = func(dst, from unsafe.Pointer) bool {
		v := reflect.New(t.Elem())
		for i, a := range zero.arguments(from) {
			v.Elem().FieldByName(fields[i]).Set(a)
		}
		reflect.NewAt(t, dst).Elem().Set(v)
		return true
	}
	return zero
}
