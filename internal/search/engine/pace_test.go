//go:build go1.25

package engine

import (
	"reflect"
	"testing"

	"github.com/allele-go/allele/internal/hook"
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

func TestSlow(t *testing.T) {
	var p pace
	if p.slow(trace.Run{Hits: 1 << 40}) {
		t.Error("slow, but no fresh term was run")
	}
	for _, hits := range []int64{1000, 3000} {
		p.add(trace.Run{Hits: hits})
	}
	for hits, want := range map[int64]bool{1 << 14: false, 32_000: false, 32_001: true} {
		if p.slow(trace.Run{Hits: hits}) != want {
			t.Errorf("%d steps: slow is %v", hits, !want)
		}
	}
}
