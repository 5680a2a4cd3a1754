//go:build go1.25

package schema

import (
	"math"
	"math/big"
	"reflect"
)

var bigFuncs = []*Func{bigSmall, bigShifted, bigBytes, bigValue}

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

// dyadic is a fraction with a long numerator or denominator. The denominator is Den
// shifted to the left.
type dyadic struct {
	Num   *big.Int
	Den   int64
	Shift uint
}

const ratShiftMax = 256

func (x *dyadic) set(r *big.Rat) *big.Rat {
	return r.SetFrac(x.Num, new(big.Int).Lsh(big.NewInt(x.Den), x.Shift))
}

// ratFuncs make fractions of two small numbers and fractions of long numbers, for
// *big.Rat and for big.Rat.
var ratFuncs = func() []*Func {
	const long = "new(big.Rat).SetFrac(_0, new(big.Int).Lsh(big.NewInt(_1), _2))"
	fs := []*Func{
		hiddenZero[*big.Rat]("(*big.Rat)(nil)"),
		func2("big.NewRat(_0, _1)", big.NewRat),
		setting(long, func(dst **big.Rat, x *dyadic) { *dst = x.set(new(big.Rat)) }),
		func2("*big.NewRat(_0, _1)", func(a, b int64) big.Rat { return *big.NewRat(a, b) }),
		setting("*"+long, func(dst *big.Rat, x *dyadic) { x.set(dst) }),
	}
	for _, f := range fs[1:] {
		f.Args[1].Decls = []Decl{rangeOf[int64](1, math.MaxInt64)}
	}
	for _, f := range []*Func{fs[2], fs[4]} {
		f.Args[0].Decls = []Decl{makes(bigSmall), makes(bigShifted), makes(bigBytes)}
		f.Args[2].Decls = []Decl{rangeOf[uint](0, ratShiftMax)}
	}
	fs[1].invert = func(v reflect.Value) ([]reflect.Value, bool) { return ratSmall(v.Interface().(*big.Rat)) }
	fs[2].invert = func(v reflect.Value) ([]reflect.Value, bool) { return ratLong(v.Interface().(*big.Rat)) }
	fs[3].invert = func(v reflect.Value) ([]reflect.Value, bool) { return ratSmall(v.Addr().Interface().(*big.Rat)) }
	fs[4].invert = func(v reflect.Value) ([]reflect.Value, bool) { return ratLong(v.Addr().Interface().(*big.Rat)) }
	return fs
}()

func ratSmall(r *big.Rat) ([]reflect.Value, bool) {
	if r == nil || !r.Num().IsInt64() || !r.Denom().IsInt64() {
		return nil, false
	}
	return values(r.Num().Int64(), r.Denom().Int64()), true
}

func ratLong(r *big.Rat) ([]reflect.Value, bool) {
	if r == nil {
		return nil, false
	}
	shift := min(r.Denom().TrailingZeroBits(), ratShiftMax)
	den := new(big.Int).Rsh(r.Denom(), shift)
	return values(new(big.Int).Set(r.Num()), den.Int64(), shift), den.IsInt64()
}

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
		hiddenZero[big.Float]("big.Float{}"),
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
