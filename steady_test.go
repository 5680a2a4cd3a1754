//go:build go1.25

package allele

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

type (
	coin  interface{ worth() int }
	penny struct{}
	euro  struct{ N uint8 }
	token struct{ secret uint }
	order struct {
		Price float64
		N     int
		Kind  string
		Coin  coin
		Token *token
	}
)

func (penny) worth() int  { return 1 }
func (e euro) worth() int { return int(e.N) }

func newToken(n bool) *token {
	if n {
		return &token{1}
	}
	return nil
}

// A declared part that was the same in all inputs that passed is named, whatever declared it:
// the other parts varied, so the Check is not vacuous, but it has checked less than it seems.
func TestSteady(t *testing.T) {
	keep := func(same func(order) bool, opts ...Option) func(testing.TB) {
		return func(t testing.TB) {
			Check(t, func(t *T, in order) { t.Assume(same(in)) }, append(opts, Variants[coin](penny{}, euro{}))...)
		}
	}
	none := func(order) bool { return true }
	isPenny := func(o order) bool { return o.Coin == penny{} }
	cheap := func(o order) bool { return o.Price == 1 }
	few := func(o order) bool { return o.N == 3 }
	plain := func(o order) bool { return o.Kind == "a" }
	for _, c := range []struct {
		name, want string
		run        func(testing.TB)
	}{
		{"Range of floats", "in.Price (Range[float64]) was 1 in all ", keep(cheap, Range(1.0, math.Nextafter(1, 2)))},
		{"Range", "in.N (Range[int]) was 3 in all ", keep(few, Range(3, 4))},
		{"Values", "in.Kind (Values[string]) was \"a\" in all ", keep(plain, Values("a", "b"))},
		{"Match", "in.Kind (Match[string]) was \"a\" in all ", keep(plain, Match[string]("a|b"))},
		{"Likely", "in.N (Likely[int]) was 3 in all ", keep(few, Likely(3))},
		{"Builder", "in.Token (Builder(allele.newToken)) was newToken(true) in all ", keep(func(o order) bool { return o.Token != nil }, Builder(newToken))},
		{"Variants", "in.Coin (Variants[allele.coin]) was penny{} in all ", keep(isPenny)},
		{"Pattern", "in.Coin (Variants[allele.coin]) was penny{} in all ", keep(isPenny, Pattern[coin]("half", euro{N: 50}))},
		{"Weight", "in.Coin (Variants[allele.coin]) was penny{} in all ", keep(isPenny, Weight[coin]("penny", 5))},
		{"At", "in.N (Range[int]) was 3 in all ", keep(few, At("N", Range(3, 4)))},
		{"Field", "in.Kind (Values[string]) was \"a\" in all ", keep(plain, Field[order]("Kind", Values("a", "b")))},
		{"a part that never occurs", "in.Coin.(allele.euro).N (Range[uint8]) occurred in none of the ", keep(isPenny, Range[uint8](5, 9))},

		{"everything varies", "", keep(none, Range(0.0, math.Inf(1)), Range(0, 9), Values("a", "b"), Builder(newToken))},
		{"only one value is declared", "", keep(none, Range(3, 3), Range(1.0, 1.0), Values("a"))},
		{"too few runs passed", "", keep(few, Range(3, 4), Tests(50))},
		{"all inputs are tried", "", func(t testing.TB) {
			Check(t, func(t *T, in struct{ A, B bool }) { t.Assume(in.A) }, Values(true, false))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := record(t, "TestX", c.run)
			notes := strings.Count(r.text(), " inputs that passed")
			if r.failed || notes > 0 != (c.want != "") || !strings.Contains(r.text(), c.want) {
				t.Errorf("%d notes, want %q:\n%s", notes, c.want, r.text())
			}
		})
	}
}

// A range that once generated one value only: a property that fails for any positive price.
func TestWideRange(t *testing.T) {
	for _, hi := range []float64{1, 1e292, 1e300, math.MaxFloat64, math.Inf(1)} {
		for _, lo := range []float64{-hi, 0} {
			t.Run(fmt.Sprintf("%g to %g", lo, hi), func(t *testing.T) {
				r := record(t, "TestX", func(t testing.TB) {
					Check(t, func(t *T, in order) {
						if in.Price > 0 {
							t.Error("positive")
						}
					}, Range(lo, hi), Variants[coin](penny{}))
				})
				r.has(t, "positive")
			})
		}
	}
}
