//go:build go1.25

package engine_test

import (
	"reflect"
	"testing"

	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/schema"
)

// A search of a type with finitely many values ends when nothing is left to try. A
// search of a type with infinitely many values is never exhausted.
func TestExhausted(t *testing.T) {
	type three struct{ A, B, C uint8 } // sixteen million: too many to run each
	if runs, over := exhaust[three](t, 1<<23); !over || runs < 1<<22 {
		t.Errorf("three bytes: over %v after %d runs, want it to be over after at least %d", over, runs, 1<<22)
	}
	if runs, over := exhaust[[]uint8](t, 1<<19); over {
		t.Errorf("a list: over after %d runs", runs)
	}
}

// exhaust runs a search until it is over or most runs were made. The path of a run is
// the range of each byte.
func exhaust[T any](t *testing.T, most int) (runs int, over bool) {
	w, err := schema.Derive(reflect.TypeFor[T](), nil)
	if err != nil {
		t.Fatal(err)
	}
	s := engine.Guided()
	e := engine.New(engine.Config{World: w, Seed: 1, Size: 20, Tests: 1 << 40, Strategy: &s})
	for runs = range most {
		x, ok := e.Next()
		if !ok {
			if !e.Exhausted() {
				t.Error("the search is over but not exhausted")
			}
			return runs, true
		}
		var path []uint32
		for i := 1; i < len(x); i++ {
			path = append(path, uint32(min(x[i].X/64, 3)))
		}
		e.Done(engine.Passed, trace.Run{Symbols: path})
	}
	return most, false
}
