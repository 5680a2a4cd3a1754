//go:build go1.25

package engine

import (
	"reflect"
	"testing"

	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/testkit/zoo"
	"github.com/allele-go/allele/internal/value/schema"
)

// A term of another search counts as known and is used to make other terms, but its
// systematic changes are left to the search that found it.
func TestShare(t *testing.T) {
	w, err := schema.Derive(reflect.TypeFor[*zoo.Tree](), nil)
	if err != nil {
		t.Fatal(err)
	}
	x, err := w.Read(reflect.ValueOf(&zoo.Tree{L: &zoo.Tree{K: 1}, R: &zoo.Tree{L: &zoo.Tree{K: 2}, K: 3}, K: 2}))
	if err != nil {
		t.Fatal(err)
	}
	s := Guided()
	e := New(Config{World: w, Seed: 7, Size: 10, Tests: 1 << 20, Runs: 5000, Strategy: &s})
	run := trace.Run{Symbols: []uint32{1, 2}}
	e.Share(x, Passed, run)
	e.Share(x, Passed, run) // shows nothing new
	if l := e.search.with; len(l.corpus.terms) != 1 || l.counts.kept != 0 || l.log.look(x, Passed, run).is {
		t.Errorf("%d in the corpus, %d kept", len(l.corpus.terms), l.counts.kept)
	}
	e.Share(x, Discarded, run) // so that runs below show nothing new
	how := map[how]int{}
	for {
		if _, ok := e.Next(); !ok {
			break
		}
		if e.search.by == nil {
			how[e.search.now.from.how]++
		}
		e.Done(Discarded, run) // nothing new
	}
	if how[howMutant] > 0 || how[howHavoc] == 0 {
		t.Errorf("terms by origin: %v", how)
	}
}

// Terms of other searches that show nothing but a combination count like those of this search:
// many workers do not fill the corpus with them.
func TestFewSharedCombinations(t *testing.T) {
	const runs = 2000
	w, err := schema.Derive(reflect.TypeFor[int](), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range []bool{false, true} {
		s := Guided()
		e := New(Config{World: w, Seed: 7, Size: 10, Tests: 1 << 20, Runs: runs, Strategy: &s})
		e.Share(w.Root.Least, Passed, trace.Run{Symbols: []uint32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, Set: true})
		for x, ok := e.Next(); ok; x, ok = e.Next() {
			var some []uint32
			for i := range uint32(12) {
				if e.Runs>>i&1 == 1 {
					some = append(some, i+1)
				}
			}
			e.Share(x, Passed, trace.Run{Symbols: some, Set: true}) // a new combination for each run
			e.Done(Passed, trace.Run{Symbols: []uint32{1}, Set: set})
		}
		if l := e.search.with.corpus; l.others < 10 || l.others > runs*Guided().Search.Log.Combinations/1000+2 {
			t.Errorf("set %v: %d of %d shared terms are used", set, l.others, runs)
		}
	}
}

// A term of another host is run next. Its run is known from then on, and its systematic changes
// are left to the other host.
func TestVisit(t *testing.T) {
	w, err := schema.Derive(reflect.TypeFor[*zoo.Tree](), nil)
	if err != nil {
		t.Fatal(err)
	}
	s := Guided()
	e := New(Config{World: w, Seed: 7, Size: 10, Tests: 1 << 20, Runs: 5000, Strategy: &s})
	run := trace.Run{Symbols: []uint32{1, 2}}
	for k := range 3 {
		x, err := w.Read(reflect.ValueOf(&zoo.Tree{L: &zoo.Tree{K: k}, R: &zoo.Tree{L: &zoo.Tree{K: 2}, K: 3}, K: 2}))
		if err != nil {
			t.Fatal(err)
		}
		e.Visit(x)
		defer func() {
			if e.search.with.log.look(x, Passed, run).is {
				t.Errorf("the run of term %d is not known", k)
			}
		}()
		got, ok := e.Next()
		if !ok || !reflect.DeepEqual(got, x) || e.Origin() != "a case from another host" {
			t.Errorf("term %d is not run: %v", k, e.Origin())
		}
		e.Done(Passed, run)
	}
	if l := e.search.with; len(l.corpus.terms) != 1 || l.counts.kept != 0 || e.Runs != 3 || e.Passed != 3 {
		t.Errorf("%d in the corpus, %d kept, %d runs, %d passed", len(l.corpus.terms), l.counts.kept, e.Runs, e.Passed)
	}
	if _, ok := e.Next(); !ok || e.Origin() == "a case from another host" {
		t.Errorf("the search does not go on: %v", e.Origin())
	}
}
