package engine_test

import (
	"reflect"
	"testing"

	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/schema"
)

// A search of a type with finitely many values ends when nothing is left to try, and
// one of a type without an end never does.
func TestExhausted(t *testing.T) {
	type three struct{ A, B, C uint8 } // sixteen million: too many to run each
	if runs, over := exhaust[three](t, 1<<23); !over || runs < 1<<22 {
		t.Errorf("three bytes: over %v after %d runs, want the end, after as many runs without news as a search must make", over, runs)
	}
	if runs, over := exhaust[[]uint8](t, 1<<19); over {
		t.Errorf("a list: over after %d runs", runs)
	}
}

// exhaust searches until it is over or most runs were made. A run tells how the
// bytes compare.
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
				t.Error("over, and not exhausted")
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
