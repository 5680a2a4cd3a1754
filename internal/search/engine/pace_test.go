//go:build go1.25

package engine

import (
	"math"
	"reflect"
	"testing"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// A program that takes twice as many steps for each further element, and takes an edge once more,
// does not lead the search to ever slower inputs.
func TestSlowInputsAreNotKept(t *testing.T) {
	w, err := schema.Derive(reflect.TypeFor[[]bool](), nil)
	if err != nil {
		t.Fatal(err)
	}
	slowest := func(s Strategy) (kept int64) {
		const most = 10_000
		steps := func(x term.Term) int64 { return 100 << min(30, x[0].X) }
		e := New(Config{World: w, Seed: 1, Size: 10, Tests: most, Runs: most, Strategy: &s,
			Log: func(e Entry) { kept = max(kept, steps(e.Term)) }})
		for x, ok := e.Next(); ok; x, ok = e.Next() {
			path := make([]uint32, 1+x[0].X)
			for i := range path {
				path[i] = 1 | hook.Coarse
			}
			e.Done(Passed, trace.Run{Symbols: path, Hits: steps(x)})
		}
		return kept
	}
	s := Guided()
	one := *s.Search
	one.Log.Combinations = 0 // no limits at all
	s.Search = &one
	few, many := slowest(Guided()), slowest(s)
	t.Logf("the slowest kept input takes %d steps, without the limit %d", few, many)
	if few > 1<<20 || many < 16*few {
		t.Errorf("the slowest kept input takes %d steps, without the limit %d", few, many)
	}
}

// The median decides what is slow: a few very long runs of fresh terms change nothing.
func TestSlow(t *testing.T) {
	var p pace
	if p.slow(trace.Run{Hits: 1 << 40}) {
		t.Error("slow, but no fresh term was run")
	}
	for range 60 {
		p.add(trace.Run{Hits: 1900})
	}
	for range 40 {
		p.add(trace.Run{Hits: 1 << 30})
	}
	for hits, want := range map[int64]bool{1 << 14: false, 30_400: false, 32_768: true, 1 << 30: true} {
		if p.slow(trace.Run{Hits: hits}) != want {
			t.Errorf("%d steps: slow is %v, median %d", hits, !want, p.median())
		}
	}
	var small pace
	small.add(trace.Run{Hits: 3})
	for hits, want := range map[int64]bool{1 << 14: false, 1<<14 + 1: true} {
		if small.slow(trace.Run{Hits: hits}) != want {
			t.Errorf("%d steps: slow is %v, median %d", hits, !want, small.median())
		}
	}
}

// Numbers of steps with the same index are near each other, and indices rise with them.
func TestPaceOf(t *testing.T) {
	for n := int64(0); n < 1<<20; n += 1 + n/64 {
		i := paceOf(n)
		if most := mostOf(i); n > most || most > n+n/4 || i > 0 && mostOf(i-1) >= n || i >= len(pace{}.about) {
			t.Fatalf("%d steps: index %d, up to %d", n, i, most)
		}
	}
	if i := paceOf(math.MaxInt64); i >= len(pace{}.about) || mostOf(i) != math.MaxInt64 {
		t.Errorf("index %d, up to %d", i, mostOf(i))
	}
}

// A term that takes n times as long as changes may take is changed n times less often.
func TestDear(t *testing.T) {
	var p pace
	if p.dear(1<<40) != 1 {
		t.Error("dear, but no fresh term was run")
	}
	p.add(trace.Run{Hits: 1023})
	r := rng.New(1)
	for steps, want := range map[int64]int{0: 1000, 1 << 12: 1000, 1 << 13: 1000, 1 << 14: 500, 1 << 15: 250, math.MaxInt64: 0} {
		n := 0
		for range 1000 {
			if !p.refuses(steps, &r) {
				n++
			}
		}
		if n < want-50 || n > want+50 {
			t.Errorf("%d steps: changed in %d of 1000 turns, want %d", steps, n, want)
		}
	}
}
