//go:build go1.25

package gen_test

import (
	"math"
	"reflect"
	"testing"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
)

type price float32

// Every range of floats generates its ends, its middle, all its magnitudes, and nothing else.
func TestFloatRanges(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name   string
		lo, hi float64
	}{
		{"all finite numbers", -math.MaxFloat64, math.MaxFloat64},
		{"everything", -inf, inf},
		{"at least zero", 0, inf},
		{"at most one", -inf, 1},
		{"wider than the largest number", -1e308, 1e308},
		{"subnormal numbers", math.SmallestNonzeroFloat64, 0x1p-1022},
		{"subnormal numbers of both signs", -0x1p-1050, 0x1p-1030},
		{"an infinity and its neighbour", math.MaxFloat64, inf},
		{"one ulp", 1, math.Nextafter(1, 2)},
		{"a few ulps around zero", -3 * math.SmallestNonzeroFloat64, 2 * math.SmallestNonzeroFloat64},
		{"one value", 0.1, 0.1},
		{"an infinity", inf, inf},
		{"percents", 0, 100},
		{"unit", 0, 1},
		{"far from zero", 1e15, 1e15 + 1},
		{"negative", -0.75, -0.25},
		{"narrow", 0.1, 0.1000001},
	} {
		checkFloats(t, c.name, reflect.TypeFor[float64](), c.lo, c.hi)
		checkFloats(t, c.name, reflect.TypeFor[price](), float64(float32(c.lo)), float64(float32(c.hi)))
	}
}

// The same holds for ranges between two random numbers: of any size, subnormal or infinite.
func TestRandomFloatRanges(t *testing.T) {
	const pairs = 500
	for _, typ := range []reflect.Type{reflect.TypeFor[float64](), reflect.TypeFor[float32](), reflect.TypeFor[price]()} {
		r := rng.New(uint64(typ.Size()))
		for range pairs {
			lo, hi := anyFloat(&r, typ), anyFloat(&r, typ)
			checkFloats(t, "random", typ, min(lo, hi), max(lo, hi))
		}
	}
}

// anyFloat draws a number of any magnitude.
func anyFloat(r *rng.Rand, t reflect.Type) float64 {
	f := math.Float64frombits(r.Uint64())
	if t.Kind() == reflect.Float32 {
		f = float64(math.Float32frombits(uint32(r.Uint64())))
	}
	switch least := math.SmallestNonzeroFloat64; r.Below(8) {
	case 0:
		return math.Inf(int(r.Uint64()&2) - 1)
	case 1:
		if t.Kind() == reflect.Float32 {
			least = math.SmallestNonzeroFloat32
		}
		return least * float64(r.Below(1<<20)-1<<19)
	case 2:
		return float64(r.Below(2001) - 1000)
	}
	if f != f {
		return 0
	}
	return f
}

func checkFloats(t *testing.T, name string, typ reflect.Type, lo, hi float64) {
	t.Helper()
	as := func(f float64) reflect.Value { return reflect.ValueOf(f).Convert(typ) }
	w, err := schema.Derive(typ, []schema.Decl{{Type: typ, What: schema.Range{Lo: as(lo), Hi: as(hi)}}})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	const runs, wanted = 1000, 100
	g, seen := gen.New(w), map[float64]bool{}
	outside, low, high, middle, halfway := 0, 0, 0, 0, 0
	most := map[reflect.Kind]float64{reflect.Float32: math.MaxFloat32, reflect.Float64: math.MaxFloat64}[typ.Kind()]
	a, b := min(max(lo, -most), most), min(max(hi, -most), most)
	first, last := ordered(typ, lo), ordered(typ, hi)
	for run := range uint64(runs) {
		x := g.Term(rng.At(1, run), int(run%20))[0].X
		f := math.Float64frombits(x)
		switch at := ordered(typ, f); {
		case !(lo <= f && f <= hi) || !w.Root.In(x):
			outside++
		case f == lo:
			low++
		case f == hi:
			high++
		case first/4*3+last/4 <= at && at <= first/4+last/4*3:
			middle++ // in the middle half of all numbers of the range
		}
		if a/4*3+b/4 <= f && f <= a/4+b/4*3 {
			halfway++ // in the middle half of the way from lo to hi
		}
		seen[f] = true
	}
	has := min(uint64(last-first), runs*runs) + 1 // values of the range, -0 aside
	if outside > 0 || len(seen) < int(min(has, wanted)) || low < 10 || high < 10 && lo < hi || min(middle, halfway) < 20 && has > 20 {
		t.Errorf("%s: %v from %v to %v, %d values: %d distinct, %d at the low end, %d at the high end, %d in the middle, %d halfway, %d outside",
			name, typ, lo, hi, has, len(seen), low, high, middle, halfway, outside)
	}
}

// ordered numbers the values of a float type in their order.
func ordered(t reflect.Type, f float64) int64 {
	x := int64(math.Float64bits(math.Abs(f)))
	if t.Kind() == reflect.Float32 {
		x = int64(math.Float32bits(float32(math.Abs(f))))
	}
	if f < 0 {
		return -x
	}
	return x
}
