//go:build go1.25

package engine

import (
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/testkit/zoo"
	"github.com/allele-go/allele/internal/value/mutate"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// searchTrees runs a guided search on ordered trees that finds no failure. It returns
// the engine and the hashes of all terms that were run.
func searchTrees(t *testing.T, c Config, runs int) (e *Engine, ran map[uint64]bool) {
	t.Helper()
	w, err := schema.Derive(reflect.TypeFor[*zoo.Tree](), nil)
	if err != nil {
		t.Fatal(err)
	}
	s := Guided()
	one := *s.Search
	one.Renew.Restart = 0 // the corpus has all kept terms
	s.Search = &one
	c.World, c.Size, c.Tests, c.Runs, c.Strategy = w, 10, runs, runs, &s
	b := schema.NewBuilder(w)
	e, ran = New(c), map[uint64]bool{}
	var tr tracer
	for x, ok := e.Next(); ok; x, ok = e.Next() {
		ran[term.Hash(x)] = true
		var tree *zoo.Tree
		b.Build(x, unsafe.Pointer(&tree))
		v, run := tr.sparse(tree)
		if v == Failed {
			v = Passed
		}
		e.Done(v, run)
	}
	return e, ran
}

// If the report counts a kept term as whole, every one-step change of that term was run.
func TestCertificate(t *testing.T) {
	e, ran := searchTrees(t, Config{Seed: 3}, 20_000)
	r := e.Report()
	if r.Whole < 20 || r.Whole+r.Bounded+r.Dropped > r.Kept || r.Share < 0 || r.Share > 1 {
		t.Fatalf("%+v", r)
	}
	with := e.search.with
	pure := with.settings.Mutants
	pure.Kinds &= mutate.Pure | mutate.Lists // the other kinds are random, or depend on the terms kept at the time
	m := mutate.New(e.config.World, pure)
	terms, changes := 0, 0
	for _, k := range with.corpus.terms {
		if !k.counted || k.batch.TooLarge+k.batch.WaysCut > 0 {
			continue
		}
		terms++
		b := m.Batch(k.batch.Parent(), 1)
		for u, ok := m.Next(&b); ok; u, ok = m.Next(&b) {
			changes++
			if !ran[term.Hash(u.Term)] {
				t.Fatalf("a change of case %d was not run, but the report counts the case as whole", k.id)
			}
		}
	}
	if terms != r.Whole || changes < 100 {
		t.Errorf("checked %d changes of %d terms; the report has %d terms", changes, terms, r.Whole)
	}
	tried := 0
	for _, k := range r.Kinds {
		tried += k.Tried
	}
	if tried != e.Runs-e.search.opener.made["plain"].(*plain).burstEnd {
		t.Errorf("kinds tried %d terms, the schedule made %d", tried, e.Runs-e.search.opener.made["plain"].(*plain).burstEnd)
	}
}

// The log has an entry for every kept term, in order, with the ID of its parent.
func TestLog(t *testing.T) {
	var log []Entry
	e, _ := searchTrees(t, Config{Seed: 4, Log: func(e Entry) { log = append(log, e) }}, 3000)
	if len(log) != e.Report().Kept || len(log) < 10 {
		t.Fatalf("%d lines about %d kept terms", len(log), e.Report().Kept)
	}
	for i, l := range log {
		switch {
		case l.ID != i+1 || l.Parent >= l.ID || l.Run > e.Runs || l.Why == "" || len(l.Term) == 0:
			t.Errorf("line %d: %+v", i, l)
		case l.How == "mutant" && (l.Parent == 0 || l.Kind == ""):
			t.Errorf("line %d: a mutant without a parent or kind: %+v", i, l)
		case l.How == "fresh" && l.Parent != 0:
			t.Errorf("line %d: a fresh term has a parent: %+v", i, l)
		}
	}
	if !strings.Contains(log[0].Why, "new edges") {
		t.Errorf("the first was kept for %q", log[0].Why)
	}
}

// The last line of the log is the term that failed, and its ancestors lead back to a
// fresh term.
func TestLogOfFailure(t *testing.T) {
	most := 0
	for seed := range uint64(4) {
		most = max(most, failed(t, seed))
	}
	if most < 1 {
		t.Error("no failing term has an ancestor")
	}
}

// failed runs a guided search until a tree fails, and returns how many ancestors the failing tree has.
func failed(t *testing.T, seed uint64) (steps int) {
	t.Helper()
	var log []Entry
	w, err := schema.Derive(reflect.TypeFor[*zoo.Tree](), nil)
	if err != nil {
		t.Fatal(err)
	}
	s := Guided()
	e := New(Config{World: w, Seed: seed, Size: 10, Tests: 100_000, Strategy: &s, Log: func(e Entry) { log = append(log, e) }})
	b, v, run := schema.NewBuilder(w), Passed, trace.Run{}
	var tr tracer
	for x, ok := e.Next(); ok && v != Failed; {
		var tree *zoo.Tree
		b.Build(x, unsafe.Pointer(&tree))
		v, run = tr.sparse(tree)
		if e.Done(v, run); v != Failed {
			x, ok = e.Next()
		}
	}
	last := log[len(log)-1]
	if last.Verdict != Failed || last.ID != 0 || last.Run != e.Runs || len(last.Term) == 0 {
		t.Fatalf("the last line of %d runs: %+v", e.Runs, last)
	}
	for ; last.Parent != 0; steps++ {
		last = log[last.Parent-1]
	}
	if last.How != "fresh" {
		t.Errorf("seed %d: %d steps back to %+v", seed, steps, last)
	}
	return steps
}

// A term that the user gave is kept and changed, even if it shows nothing new.
func TestSeed(t *testing.T) {
	w, err := schema.Derive(reflect.TypeFor[[]uint8](), nil)
	if err != nil {
		t.Fatal(err)
	}
	s := Guided()
	e := New(Config{World: w, Seed: 1, Size: 10, Tests: 3000, Runs: 3000, Strategy: &s})
	given := term.AppendRaw(nil, w.Root.ID, "a text that nobody would guess")
	if w.Root.Kind != schema.Bytes {
		t.Fatalf("%v is %v", w.Root.Type, w.Root.Kind)
	}
	e.Seed(given, Passed, trace.Run{Symbols: []uint32{1}})
	near := 0
	for x, ok := e.Next(); ok; x, ok = e.Next() {
		if strings.Contains(string(x.Bytes(0)), "nobody") {
			near++
		}
		e.Done(Passed, trace.Run{Symbols: []uint32{1}})
	}
	if near == 0 {
		t.Error("no run was a change of the seed")
	}
}

// If a part of a kept term is compared with a value, that value is tried in its place.
func TestCompared(t *testing.T) {
	type in struct{ A, B uint64 }
	w, err := schema.Derive(reflect.TypeFor[in](), nil)
	if err != nil {
		t.Fatal(err)
	}
	b := schema.NewBuilder(w)
	get := func(x term.Term) (v in) {
		b.Build(x, unsafe.Pointer(&v))
		return v
	}
	secret := func(a uint64) uint64 { return a*0x9e3779b97f4a7c15 + 12345 }
	asked := 0
	compare := func(x term.Term) []operand.Compared {
		asked++
		v := get(x)
		return []operand.Compared{{A: v.B, B: secret(v.A), Width: 8}}
	}
	for _, with := range []bool{true, false} {
		s := Guided()
		c := Config{World: w, Seed: 1, Size: 10, Tests: 2000, Runs: 2000, Strategy: &s}
		if with {
			c.Compare = compare
		}
		e, met := New(c), 0
		for x, ok := e.Next(); ok; x, ok = e.Next() {
			run := trace.Run{Symbols: []uint32{1}}
			if v := get(x); v.B == secret(v.A) {
				met++
				run.Symbols = []uint32{2}
			}
			e.Done(Passed, run)
		}
		if (met > 0) != with {
			t.Errorf("with operands %v: the secret was found %d times", with, met)
		}
	}
	if asked == 0 || asked > askFirst+2000/askEvery {
		t.Errorf("Compare was called %d times", asked)
	}
}

// A search that starts over begins with the terms of the user. It does not start over
// if fresh terms never pass, because terms that passed would not be found again.
func TestSeedOutlivesRestart(t *testing.T) {
	w, err := schema.Derive(reflect.TypeFor[string](), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, freshPass := range []bool{false, true} {
		s := Guided()
		s.Search.Renew.Restart = 500
		e := New(Config{World: w, Seed: 1, Size: 10, Tests: 6000, Runs: 6000, Strategy: &s})
		e.Seed(term.AppendRaw(nil, w.Root.ID, "a text that nobody would guess"), Passed, trace.Run{Symbols: []uint32{1}})
		last := 0
		for x, ok := e.Next(); ok; x, ok = e.Next() {
			near := strings.Contains(string(x.Bytes(0)), "nobody")
			v, run := Discarded, trace.Run{Symbols: []uint32{3}}
			switch {
			case near:
				last = e.Runs
				v, run.Symbols = Passed, []uint32{1, uint32(len(x.Bytes(0)))}
			case freshPass:
				v = Passed
			}
			e.Done(v, run)
		}
		if last < 5000 {
			t.Errorf("fresh terms pass %v: the last change of the seed was run %d of %d", freshPass, last, e.Runs)
		}
	}
}

// Two parts of the same type are a pair, unless they are scalars.
func TestHalf(t *testing.T) {
	type point struct{ X, Y int }
	type tree struct{ L, R *tree }
	for typ, want := range map[reflect.Type]bool{
		reflect.TypeFor[[2]point]():                true,
		reflect.TypeFor[struct{ A, B point }]():    true,
		reflect.TypeFor[struct{ A, B []int }]():    true,
		reflect.TypeFor[struct{ A, B *tree }]():    true,
		reflect.TypeFor[struct{ A, B int }]():      false,
		reflect.TypeFor[[2]string]():               false,
		reflect.TypeFor[[3]point]():                false,
		reflect.TypeFor[struct{ A, B, C point }](): false,
	} {
		w, err := schema.Derive(typ, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := half(w.Root) != nil; got != want {
			t.Errorf("%v is a pair: %v", typ, got)
		}
	}
}
