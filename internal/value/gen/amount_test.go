//go:build go1.25

package gen_test

import (
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
)

// Most durations are round amounts, in every unit; some are values that people
// forget.
func TestDurations(t *testing.T) {
	w, err := schema.Derive(reflect.TypeFor[time.Duration](), nil)
	if err != nil {
		t.Fatal(err)
	}
	const runs = 10_000
	seen := map[string]int{}
	g := gen.New(w)
	for run := range uint64(runs) {
		d := time.Duration(g.Term(rng.At(1, run), int(run%20))[0].X)
		for name, is := range map[string]bool{
			"zero": d == 0, "negative": d < 0, "least": d == math.MinInt64, "most": d == math.MaxInt64,
			"hours": d != 0 && d%time.Hour == 0, "minutes": d%time.Minute == 0 && d%time.Hour != 0,
			"seconds": d%time.Second == 0 && d%time.Minute != 0, "ms": d%time.Millisecond == 0 && d%time.Second != 0,
			"us": d%time.Microsecond == 0 && d%time.Millisecond != 0, "ns": d.Abs() < time.Microsecond && d != 0,
			"one ns less": d > 0 && (d+1)%time.Second == 0, "round": d.Abs() < 1100*time.Hour && (d%time.Microsecond == 0 || d.Abs() < 1100),
		} {
			if is {
				seen[name]++
			}
		}
	}
	t.Log(seen)
	for name, least := range map[string]int{"zero": 200, "negative": 500, "least": 10, "most": 10, "hours": 500, "minutes": 500,
		"seconds": 500, "ms": 500, "us": 500, "ns": 500, "one ns less": 20, "round": 8000} {
		if seen[name] < least {
			t.Errorf("%s: %d of %d, want at least %d", name, seen[name], runs, least)
		}
	}
}

// Durations stay in a declared range, and most of them are round amounts.
func TestDurationsInRange(t *testing.T) {
	for _, c := range []struct {
		lo, hi time.Duration
		round  int // per 1000
	}{
		{0, time.Hour, 600},
		{time.Second, time.Second + 5, 0},
		{-2 * time.Minute, -time.Minute, 50},
	} {
		w, err := schema.Derive(reflect.TypeFor[time.Duration](), []schema.Decl{{Type: reflect.TypeFor[time.Duration](), What: schema.Range{Lo: reflect.ValueOf(c.lo), Hi: reflect.ValueOf(c.hi)}}})
		if err != nil {
			t.Fatal(err)
		}
		g, round := gen.New(w), 0
		for run := range uint64(1000) {
			d := time.Duration(g.Term(rng.At(1, run), 10)[0].X)
			if d < c.lo || d > c.hi {
				t.Fatalf("%v is not between %v and %v", d, c.lo, c.hi)
			}
			if d%time.Microsecond == 0 || d.Abs() < time.Microsecond {
				round++
			}
		}
		if round < c.round {
			t.Errorf("%v to %v: %d of 1000 are round", c.lo, c.hi, round)
		}
	}
}
