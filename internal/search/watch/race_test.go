//go:build go1.25 && race

package watch

import (
	"sync"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/hook"
)

// Goroutines of one run spend its budget together. The race detector must report none of
// the accesses to the watcher: it would blame the program under test. If code outside the
// scope has started the goroutines, hook.Spawned is 0.
func TestRaceOverdue(t *testing.T) {
	for _, noticed := range []bool{false, true} {
		w := New(10)
		w.Limit(Limit{Steps: 100, GoOn: func(string) bool { return true }, Time: time.Hour})
		w.Begin(nil)
		if noticed {
			hook.Go()
		}
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for range lateMax {
					hook.Hit(1)
				}
			})
		}
		wg.Wait()
		if w.End(true); w.Longs() != 1 {
			t.Errorf("goroutines noticed: %v: %d long runs, want 1", noticed, w.Longs())
		}
	}
}

// The samples of two goroutines may be compared at the same time.
func TestRaceCommon(t *testing.T) {
	w := New(10)
	w.budget.common = []string{"a", "b", "c"}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { w.budget.keep([]string{"x", "c", "b"}) })
	}
	wg.Wait()
	if len(w.budget.common) != 2 || w.budget.common[0] != "b" || w.budget.common[1] != "c" {
		t.Errorf("functions in every sample: %q, want b and c", w.budget.common)
	}
}
