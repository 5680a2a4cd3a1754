//go:build go1.25

package engine

import (
	"reflect"
	"testing"

	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/testkit/zoo"
	"github.com/allele-go/allele/internal/value/schema"
)

// The number of terms that wait grows with the number of runs. Without a bound, all that are kept wait.
func TestWaiting(t *testing.T) {
	w, err := schema.Derive(reflect.TypeFor[*zoo.Tree](), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ of, runs, want int }{{0, 1000, 300}, {20, 1000, waitingMin}, {20, 14_000, 280}, {20, 1_000_000, 300}} {
		s := Guided()
		one := *s.Search
		one.Batches.Waiting = c.of
		s.Search = &one
		g := New(Config{World: w, Seed: 1, Size: 10, Tests: 1, Runs: 1, Strategy: &s}).search
		g.start()
		g.with.progress.runs = c.runs
		b := g.planner.made["batches"].(*batches)
		for i := range 600 {
			tree := read(t, w, &zoo.Tree{K: i})
			k := &kept{passed: i%2 == 0, prio: i}
			k.batch = g.with.changes.batch(tree)
			b.keep(k, trace.Run{})
		}
		passed, discarded := b.queues[passedQueue].Len(), b.queues[discardedQueue].Len()
		if passed != min(300, c.want) || discarded != min(300, c.want) {
			t.Errorf("%+v: %d and %d wait", c, passed, discarded)
		}
		if want := 600 - passed - discarded; g.with.counts.overflown != want {
			t.Errorf("%+v: %d were dropped, want %d", c, g.with.counts.overflown, want)
		}
		if b.queues[passedQueue].Top().prio != 0 {
			t.Errorf("%+v: the most urgent term was dropped", c)
		}
	}
}
