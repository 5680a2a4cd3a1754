//go:build go1.25

package schema

import (
	"math/big"
	"net/netip"
	"reflect"
	"slices"
	"time"
	"unsafe"
)

// ready returns the builders that every property has by default. They are for types
// of the standard library that occur in many structs, and whose unexported fields
// cannot be set or must fit together. A user's own builder for a type replaces them.
//
// To add builders for a type, write a list of Funcs in a new file. The package of
// the type is linked into every test binary, so it must be a package that the
// library links anyway.
func ready() []Decl {
	var ds []Decl
	for _, f := range slices.Concat(readyFuncs, ratFuncs, netFuncs, urlFuncs, jsonFuncs, regexpFuncs,
		floatFuncs, numberFuncs, userFuncs, readerFuncs, locationFuncs, ifaceFuncs) {
		ds = append(ds, Decl{Type: f.Result, Make: f})
	}
	return ds
}

// ReadyTypes returns the names of the types that have such builders, for example "time.Time",
// "*regexp.Regexp" and "math/big.Int". Package source/facts needs them: a function with an
// argument of such a type may be a builder.
func ReadyTypes() (names []string) {
	for _, d := range ready() {
		if d.Type.Kind() == reflect.Interface {
			continue // an argument of such a type is often more than data
		}
		name := d.Type.PkgPath() + "." + d.Type.Name()
		if d.Type.Kind() == reflect.Pointer {
			name = "*" + d.Type.Elem().PkgPath() + "." + d.Type.Elem().Name()
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

var readyFuncs = []*Func{
	timeSeconds, timeDate, timeUnix, timeZoned, timeZero,
	bigSmall, bigShifted, bigBytes, bigValue,
	addr4, addr16, addrZero,
}

// date has the arguments of time.Date.
type date struct {
	Year              int
	Month             time.Month
	Day, Hour, Minute int
	Second, Nano      int
}

// timeDate makes the times that are most common in code: times of the present
// decades, in UTC.
var timeDate = func() *Func {
	f := typed("time.Date(_0, _1, _2, _3, _4, _5, _6, time.UTC)", func(dst *time.Time, d *date) {
		*dst = time.Date(d.Year, d.Month, d.Day, d.Hour, d.Minute, d.Second, d.Nano, time.UTC)
	})
	limits := []Decl{
		rangeOf(1970, 2069), rangeOf[time.Month](1, 12), rangeOf(1, 31),
		rangeOf(0, 23), rangeOf(0, 59), rangeOf(0, 59), rangeOf(0, 999_999_999),
	}
	for i, limit := range limits {
		f.Args[i].Decls = []Decl{limit}
	}
	f.invert = func(v reflect.Value) ([]reflect.Value, bool) {
		t := v.Interface().(time.Time)
		args := values(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond())
		return args, t.Location() == time.UTC && t.Year() >= 1970 && t.Year() < 2070
	}
	return f
}()

// timeZoned makes times in other zones than UTC. Two such times can be Equal without
// being ==. Offsets are whole minutes, as in all zones of today: RFC 3339 has no seconds in
// an offset, so a time with such an offset changes when it is written and read.
var timeZoned = func() *Func {
	f := func2("time.Unix(_0, 0).In(time.FixedZone(\"\", 60*_1))", func(sec int64, minutes int) time.Time {
		return time.Unix(sec, 0).In(time.FixedZone("", 60*minutes))
	})
	f.Args[0].Decls = []Decl{rangeOf[int64](0, 4102444800)}
	f.Args[1].Decls = []Decl{rangeOf(-12*60, 14*60)}
	f.invert = func(v reflect.Value) ([]reflect.Value, bool) {
		t := v.Interface().(time.Time)
		name, offset := t.Zone()
		args := values(t.Unix(), offset/60)
		return args, name == "" && t.Location().String() == "" && offset%60 == 0 && t.Nanosecond() == 0
	}
	return f
}()

// timeSeconds is the hidden builder of times whose offset is in seconds. Cases may
// contain such times.
var timeSeconds = func() *Func {
	f := func2("time.Unix(_0, 0).In(time.FixedZone(\"\", _1))", func(sec int64, offset int) time.Time {
		return time.Unix(sec, 0).In(time.FixedZone("", offset))
	})
	f.Args[0].Decls = []Decl{rangeOf[int64](0, 4102444800)}
	f.Args[1].Decls = []Decl{rangeOf(-12*3600, 14*3600)}
	f.hidden = true
	return f
}()

// timeUnix makes all other times that RFC 3339, and so JSON, can represent.
var timeUnix = func() *Func {
	f := func2("time.Unix(_0, _1).UTC()", func(sec, nsec int64) time.Time { return time.Unix(sec, nsec).UTC() })
	f.Args[0].Decls = []Decl{rangeOf[int64](-62135596800, 253402300799)}
	f.Args[1].Decls = []Decl{rangeOf[int64](0, 999_999_999)}
	f.invert = func(v reflect.Value) ([]reflect.Value, bool) {
		t := v.Interface().(time.Time)
		return values(t.Unix(), int64(t.Nanosecond())), t.Location() == time.UTC && !t.IsZero()
	}
	return f
}()

var timeZero = func() *Func {
	f := func0("time.Time{}", func() time.Time { return time.Time{} })
	f.invert = func(v reflect.Value) ([]reflect.Value, bool) { return nil, v.Interface() == any(time.Time{}) }
	return f
}()

var bigSmall = func() *Func {
	f := func1("big.NewInt(_0)", big.NewInt)
	f.invert = func(v reflect.Value) ([]reflect.Value, bool) {
		x := v.Interface().(*big.Int)
		if x == nil || !x.IsInt64() {
			return nil, false
		}
		return values(x.Int64()), true
	}
	return f
}()

var bigShifted = func() *Func {
	f := func2("new(big.Int).Lsh(big.NewInt(_0), _1)", func(x int64, n uint) *big.Int { return new(big.Int).Lsh(big.NewInt(x), n) })
	f.Args[1].Decls = []Decl{rangeOf[uint](0, 256)}
	return f
}()

var bigBytes = func() *Func {
	f := func1("new(big.Int).SetBytes(_0)", func(b []byte) *big.Int { return new(big.Int).SetBytes(b) })
	f.invert = func(v reflect.Value) ([]reflect.Value, bool) {
		x := v.Interface().(*big.Int)
		if x == nil || x.Sign() < 0 {
			return nil, false
		}
		return values(x.Bytes()), true
	}
	return f
}()

var bigValue = func() *Func {
	f := func1("*big.NewInt(_0)", func(x int64) big.Int { return *big.NewInt(x) })
	f.invert = func(v reflect.Value) ([]reflect.Value, bool) {
		x := v.Addr().Interface().(*big.Int)
		return values(x.Int64()), x.IsInt64()
	}
	return f
}()

var addr4 = func() *Func {
	f := func1("netip.AddrFrom4(_0)", netip.AddrFrom4)
	f.invert = func(v reflect.Value) ([]reflect.Value, bool) {
		a := v.Interface().(netip.Addr)
		if !a.Is4() {
			return nil, false
		}
		return values(a.As4()), true
	}
	return f
}()

var addr16 = func() *Func {
	f := func1("netip.AddrFrom16(_0)", netip.AddrFrom16)
	f.invert = func(v reflect.Value) ([]reflect.Value, bool) {
		a := v.Interface().(netip.Addr)
		if !a.Is6() || a.Zone() != "" {
			return nil, false
		}
		return values(a.As16()), true
	}
	return f
}()

var addrZero = func() *Func {
	f := func0("netip.Addr{}", func() netip.Addr { return netip.Addr{} })
	f.invert = func(v reflect.Value) ([]reflect.Value, bool) { return nil, !v.Interface().(netip.Addr).IsValid() }
	return f
}()

func values(vs ...any) []reflect.Value {
	out := make([]reflect.Value, len(vs))
	for i, v := range vs {
		out[i] = reflect.ValueOf(v)
	}
	return out
}

func rangeOf[V any](lo, hi V) Decl {
	return Decl{Type: reflect.TypeFor[V](), Lo: reflect.ValueOf(lo), Hi: reflect.ValueOf(hi)}
}

type args1[A any] struct{ A0 A }

type args2[A, B any] struct {
	A0 A
	A1 B
}

// func0, func1 and func2 wrap functions with 0, 1 and 2 arguments whose types are
// known here. Calls are five times cheaper than through reflect.
func func0[R any](template string, f func() R) *Func {
	return typed[struct{}, R](template, func(dst *R, _ *struct{}) { *dst = f() })
}

func func1[A, R any](template string, f func(A) R) *Func {
	return typed[args1[A], R](template, func(dst *R, a *args1[A]) { *dst = f(a.A0) })
}

func func2[A, B, R any](template string, f func(A, B) R) *Func {
	return typed[args2[A, B], R](template, func(dst *R, a *args2[A, B]) { *dst = f(a.A0, a.A1) })
}

func typed[Args, R any](template string, f func(*R, *Args)) *Func {
	return trying(template, func(dst *R, args *Args) bool {
		f(dst, args)
		return true
	})
}

// trying wraps a function that may reject its arguments.
func trying[Args, R any](template string, f func(*R, *Args) bool) *Func {
	m := &Func{Name: template, Template: template, Named: true, Result: reflect.TypeFor[R](), args: reflect.TypeFor[Args]()}
	m.Pkg = reflect.TypeFor[R]().PkgPath()
	if m.Result.Kind() == reflect.Pointer {
		m.Pkg = m.Result.Elem().PkgPath()
	}
	for i := range m.args.NumField() {
		m.Args = append(m.Args, Arg{Type: m.args.Field(i).Type})
	}
	m.call = func(dst, args unsafe.Pointer) bool { return f((*R)(dst), (*Args)(args)) }
	return m
}
