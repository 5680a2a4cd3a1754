//go:build go1.25

package engine

import (
	"reflect"
	"slices"
	"testing"
	"unsafe"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/search/novelty"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/testkit/zoo"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// A caller may say itself what is new: here, a path that is longer than all before it.
func TestNovelty(t *testing.T) {
	w, err := schema.Derive(reflect.TypeFor[*zoo.Tree](), nil)
	if err != nil {
		t.Fatal(err)
	}
	s, kept, longest := Guided(), 0, 0
	s.Plain.Burst = 0
	e := New(Config{World: w, Seed: 1, Size: 10, Tests: 1000, Runs: 1000, Strategy: &s,
		Experiment: Experiment{Novelty: &Novelty{Why: "a long path", New: func() Look {
			most := 0
			return func(path []uint32, _ *novelty.Features) (bool, int, novelty.News) {
				news := len(path) > most
				most = max(most, len(path))
				return news, len(path), novelty.News{}
			}
		}}},
		Log: func(e Entry) {
			if kept++; e.Verdict != Failed && e.Why != "a long path" {
				t.Errorf("kept for %s", e.Why)
			}
		},
	})
	sparsely(w, e, func(run trace.Run) { longest = max(longest, len(run.Symbols)) })
	if kept < 2 || kept > 2*longest {
		t.Errorf("%d terms were kept; the longest path has %d symbols", kept, longest)
	}
}

// sparsely runs the terms of a search.
func sparsely(w *schema.World, e *Engine, each func(trace.Run)) {
	var tr tracer
	b := schema.NewBuilder(w)
	for x, ok := e.Next(); ok; x, ok = e.Next() {
		var tree *zoo.Tree
		b.Build(x, unsafe.Pointer(&tree))
		v, run := tr.sparse(tree)
		each(run)
		e.Done(v, run)
	}
}

// again is a way that runs each kept term once more, and then all that passed in turn.
type again struct {
	corpus  Corpus
	waiting []Kept
	terms   int
}

func (a *again) Keep(k Kept, run trace.Run) bool {
	if len(run.Symbols) == 0 || k.Given() {
		panic("the trace of a kept term is missing")
	}
	a.waiting = append(a.waiting, k)
	return false
}

func (a *again) Change(*rng.Rand) (term.Term, Kept) {
	if len(a.waiting) == 0 {
		a.waiting = a.corpus()
	}
	if len(a.waiting) == 0 {
		return nil, Kept{}
	}
	k := a.waiting[0]
	a.waiting = a.waiting[1:]
	a.terms++
	return k.Term(), k
}

// A caller may add a way.
func TestAddedWay(t *testing.T) {
	w, err := schema.Derive(reflect.TypeFor[*zoo.Tree](), nil)
	if err != nil {
		t.Fatal(err)
	}
	var way again
	s := mutagen
	settings := *s.Search
	settings.Schedule = Schedule{{{Way: "again", Sides: 32}}, only("fresh")}
	s.Search = &settings
	e := New(Config{World: w, Seed: 1, Size: 10, Tests: 1000, Runs: 1000, Strategy: &s,
		Experiment: Experiment{Ways: map[string]func(Corpus) Way{"again": func(c Corpus) Way { way.corpus = c; return &way }}}})
	sparsely(w, e, func(trace.Run) {})
	r := e.Report()
	if way.terms < 300 || r.Share != -1 || !slices.ContainsFunc(r.Kinds, func(k KindCount) bool { return k.Kind == hows[howHavoc] && k.Tried == way.terms }) {
		t.Errorf("%d terms; %+v", way.terms, r)
	}
}
