package engine

import (
	"maps"
	"reflect"
	"testing"

	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/testkit/zoo"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// changes runs a search that begins with one term and keeps nothing else, and gives
// the changes of it that were run, and all that was: a change may come up as a fresh
// term before.
func changes(t *testing.T, workers, worker int) (ran, any map[uint64]bool) {
	t.Helper()
	w, err := schema.Derive(reflect.TypeFor[*zoo.Tree](), nil)
	if err != nil {
		t.Fatal(err)
	}
	s := Guided()
	s.Line.Mutants.Samples = 0 // chance is each worker's own
	e := New(Config{World: w, Seed: 7, Size: 10, Tests: 1 << 20, Runs: 20_000, Strategy: &s, Workers: workers, Worker: worker})
	x, err := w.Read(reflect.ValueOf(&zoo.Tree{L: &zoo.Tree{K: 1}, R: &zoo.Tree{L: &zoo.Tree{K: 2}, K: 3}, K: 2}))
	if err != nil {
		t.Fatal(err)
	}
	e.Seed(x, Passed, trace.Run{Symbols: []uint32{1}})
	ran, any = map[uint64]bool{}, map[uint64]bool{}
	for {
		x, ok := e.Next()
		if !ok {
			return ran, any
		}
		any[term.Hash(x)] = true
		if e.guide.own && e.guide.line.from.how == mutant {
			ran[term.Hash(x)] = true
		}
		e.Done(Discarded, trace.Run{Symbols: []uint32{1}}) // nothing new
	}
}

// Workers that know the same term run each change of it once among them.
func TestWorkersShare(t *testing.T) {
	all, _ := changes(t, 1, 0)
	both, seen := map[uint64]bool{}, map[uint64]bool{}
	for worker := range 2 {
		mine, any := changes(t, 2, worker)
		if 3*len(mine) < len(all) || 3*len(mine) > 2*len(all) {
			t.Errorf("worker %d ran %d of %d", worker, len(mine), len(all))
		}
		for h := range mine {
			if both[h] {
				t.Error("a change was run by both")
			}
			both[h] = true
		}
		maps.Copy(seen, any)
	}
	for h := range all {
		if !seen[h] {
			t.Error("a change was run by none")
		}
	}
}
