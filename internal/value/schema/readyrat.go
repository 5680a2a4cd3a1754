//go:build go1.25

package schema

import (
	"math"
	"math/big"
	"reflect"
)

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
		typed(long, func(dst **big.Rat, x *dyadic) { *dst = x.set(new(big.Rat)) }),
		func2("*big.NewRat(_0, _1)", func(a, b int64) big.Rat { return *big.NewRat(a, b) }),
		typed("*"+long, func(dst *big.Rat, x *dyadic) { x.set(dst) }),
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

func makes(f *Func) Decl { return Decl{Type: f.Result, Make: f} }
