//go:build go1.25

package engine

import (
	"reflect"
	"testing"

	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/testkit/zoo"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// searchTree runs a search over trees in which the first edge alone is new. after is called
// after each run.
func searchTree(t *testing.T, runs int, log func(Entry), after func(e *Engine, x term.Term, run trace.Run)) (made []uint64) {
	t.Helper()
	w, err := schema.Derive(reflect.TypeFor[*zoo.Tree](), nil)
	if err != nil {
		t.Fatal(err)
	}
	s := Guided()
	e := New(Config{World: w, Seed: 7, Size: 10, Tests: 1 << 20, Runs: runs, Strategy: &s, Log: log})
	for x, ok := e.Next(); ok; x, ok = e.Next() {
		made = append(made, term.Hash(x))
		run := trace.Run{Symbols: []uint32{1, uint32(2 + len(x)%3)}, Hits: 2}
		e.Done(Passed, run)
		after(e, x, run)
	}
	return made
}

// A term that kills a fault is kept even if its trace is not new, and about half of the
// mutants that follow are changes of favoured terms.
func TestFavour(t *testing.T) {
	const at = 1000
	var entries []Entry
	children, mutants, killer := 0, 0, 0
	searchTree(t, 3000, func(n Entry) {
		if n.Kills > 0 {
			killer = n.ID
		}
		n.Term = nil
		entries = append(entries, n)
	}, func(e *Engine, x term.Term, run trace.Run) {
		switch {
		case e.Runs == at:
			e.Favour(Kept{}, 2, run)
		case e.Runs > at && e.search.now.from.how == howHavoc:
			if mutants++; e.search.now.from.parent.id == killer {
				children++
			}
		}
	})
	last := entries[len(entries)-1]
	if killer == 0 || last.Why != "2 faults killed" || last.Run != at {
		t.Fatalf("the last term that was kept: %+v", last)
	}
	if children < mutants/3 || children == mutants {
		t.Errorf("%d of %d terms that havoc made are changes of the favoured term", children, mutants)
	}
}

// Asking for the kept term changes nothing, and without kills the search is the same.
func TestNothingFavoured(t *testing.T) {
	kept := 0
	a := searchTree(t, 2000, nil, func(e *Engine, x term.Term, run trace.Run) {
		if e.Kept().Any() {
			kept++
		}
	})
	b := searchTree(t, 2000, nil, func(*Engine, term.Term, trace.Run) {})
	if !reflect.DeepEqual(a, b) || kept == 0 {
		t.Errorf("the searches differ, or none of %d terms was kept", kept)
	}
}

// A search that starts over drops favoured terms too.
func TestStartAgainDropsFavoured(t *testing.T) {
	const favoured, again = 1000, 1500
	var killer *kept
	before, after := 0, 0
	searchTree(t, 3000, nil, func(e *Engine, x term.Term, run trace.Run) {
		g := e.search
		switch {
		case e.Runs == favoured:
			e.Favour(Kept{}, 2, run)
			killer = g.with.favoured.terms[0]
		case e.Runs == again:
			g.startAgain()
		case killer == nil || g.now.from.parent != killer:
		case e.Runs < again:
			before++
		default:
			after++
		}
	})
	if before == 0 || after > 0 {
		t.Errorf("%d changes of the favoured term, and %d after the search started over", before, after)
	}
}
