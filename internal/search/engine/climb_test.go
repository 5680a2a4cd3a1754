//go:build go1.25

package engine

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/mutate"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// version is a hand-written parser of texts such as 1.20.3.0.0.0.0.1, which records its path: it accepts
// eight numbers without leading zeros.
func (t *tracer) version(s string) bool {
	for part := range uint32(8) {
		t.hit(10 * part)
		if part > 0 {
			if !strings.HasPrefix(s, ".") {
				t.hit(10*part + 1)
				return false
			}
			s = s[1:]
		}
		n := 0
		for n < len(s) && s[n] >= '0' && s[n] <= '9' {
			t.hit(10*part + 2)
			n++
		}
		if n == 0 || n > 1 && s[0] == '0' {
			t.hit(10*part + 3)
			return false
		}
		s = s[n:]
	}
	return s == ""
}

// firstVersion returns how many runs a search needs until a version passes, or most, and what it
// kept.
func firstVersion(t *testing.T, s Strategy, seed uint64, most int) (n int, e *Engine) {
	t.Helper()
	w, err := schema.Derive(reflect.TypeFor[string](), nil)
	if err != nil {
		t.Fatal(err)
	}
	e = New(Config{World: w, Seed: seed, Size: 10, Tests: most, Runs: most, Strategy: &s, Words: []string{".", "0", "9"}})
	var tr tracer
	for {
		x, ok := e.Next()
		if !ok {
			return most, e
		}
		tr.path = tr.path[:0]
		v := Discarded
		if tr.version(string(x.Bytes(0))) {
			v = Passed
		}
		e.Done(v, trace.Run{Symbols: tr.path, Hits: int64(len(tr.path))})
		if v == Passed {
			return e.Runs, e
		}
	}
}

// Discarded terms that came further lead to a term that passes. Without climbing, and without
// edits of texts, none is found.
func TestClimbsToATermThatPasses(t *testing.T) {
	const most, seeds = 20_000, 10
	before := Guided()
	one := *before.Search
	one.Climb, one.Mutants.Kinds = ClimbSettings{}, one.Mutants.Kinds&^mutate.Text
	before.Search = &one
	found := 0
	for seed := range uint64(seeds) {
		n, _ := firstVersion(t, Guided(), seed, most)
		t.Logf("seed %d: %d runs", seed, n)
		if n < most {
			found++
		}
		if n, _ := firstVersion(t, before, seed, most); n < most {
			t.Errorf("seed %d: found without climbing after %d runs", seed, n)
		}
	}
	if found < seeds {
		t.Errorf("found with %d of %d seeds", found, seeds)
	}
}

// The search does not climb if enough terms pass, and the terms are those of a search that cannot
// climb.
func TestClimbsOnlyIfHardlyAnyTermPasses(t *testing.T) {
	never := Guided()
	still := *never.Search
	still.Climb = ClimbSettings{}
	never.Search = &still
	_, one, e := runs(t, Guided(), 1, 5000)
	_, other, _ := runs(t, never, 1, 5000)
	if one != other {
		t.Error("the terms differ")
	}
	for _, k := range e.Report().Kinds {
		if k.Kind == hows[howClimb] {
			t.Errorf("climbed %d times", k.Tried)
		}
	}
}

// In a program of some size nearly every run shows a new combination of edges. Of such runs only
// a small share is kept.
func TestFewCombinationsAreKept(t *testing.T) {
	const most = 20_000
	kept := func(s Strategy, set bool) int {
		w, err := schema.Derive(reflect.TypeFor[[]uint16](), nil)
		if err != nil {
			t.Fatal(err)
		}
		e := New(Config{World: w, Seed: 1, Size: 40, Tests: most, Runs: most, Strategy: &s})
		for x, ok := e.Next(); ok; x, ok = e.Next() {
			h := term.Hash(x)
			path := []uint32{1 | hook.Coarse}
			for i := range uint32(24) { // a random set of 24 branches
				if h>>i&1 == 1 {
					path = append(path, 2+i|hook.Coarse)
				}
			}
			e.Done(Passed, trace.Run{Symbols: path, Hits: int64(len(path)), Set: set})
		}
		return e.Report().Kept
	}
	all := Guided()
	one := *all.Search
	one.Log.Combinations = 0
	all.Search = &one
	for _, set := range []bool{false, true} {
		few, many := kept(Guided(), set), kept(all, set)
		t.Logf("set %v: kept %d, without the limit %d of %d runs", set, few, many, most)
		if few > most/10 || many < most/4 {
			t.Errorf("set %v: kept %d, without the limit %d", set, few, many)
		}
	}
}

// textClimb returns a search over strings, and its way climb.
func textClimb(t *testing.T) (*search, *climber) {
	t.Helper()
	w, err := schema.Derive(reflect.TypeFor[string](), nil)
	if err != nil {
		t.Fatal(err)
	}
	s := Guided()
	g := New(Config{World: w, Seed: 1, Size: 10, Tests: 1, Runs: 1, Strategy: &s}).search
	g.start()
	return g, g.planner.made["climb"].(*climber)
}

func (c *climber) string(s string) term.Term {
	return term.AppendRaw(nil, c.with.config.World.Root.ID, s)
}

// What a discarded text was compared with is tried in place of the part that was compared. The
// comparisons at the end of the run come first, and no text is tried twice.
func TestAnswers(t *testing.T) {
	_, l := textClimb(t)
	l.answer(&climbing{term: l.string("a?b!"), compared: []operand.Compared{
		{A: 'a', B: 'z', Width: 1}, {A: '?', B: ':', Width: 1}, {A: '!', B: '}', Width: 1},
	}})
	if !l.with.changes.first(l.string("a:b!")) {
		t.Fatal("the text was run")
	}
	var got []string
	r := rng.New(1)
	for len(l.answers) > 0 {
		if x := l.answered(&r); x != nil {
			got = append(got, string(x.Bytes(0)))
		}
	}
	if len(got) == 0 || got[0] != "a?b}" || !slices.Contains(got, "z?b!") || slices.Contains(got, "a:b!") {
		t.Errorf("%q", got)
	}
}

// A short discarded text is held if its run took known branches that none took together.
func TestMixedBranchesAreHeld(t *testing.T) {
	g, l := textClimb(t)
	run := func(text string, path ...uint32) {
		for i := range path {
			path[i] |= hook.Coarse
		}
		g.now = outcome{term: l.string(text)}
		g.done(Discarded, trace.Run{Symbols: path, Hits: int64(len(path))})
	}
	for i := range climbFirst {
		run(strings.Repeat("x", i+1), 9)
	}
	run("[1", 1, 2, 3, 9)
	run("{1", 4, 2, 5, 9)
	run("{1", 4, 2, 6, 9)
	far := len(l.far)
	run("[:", 1, 2, 5, 9) // all these edges were taken
	run("[:", 1, 2, 5, 9)
	run(strings.Repeat("x", 100), 1, 2, 6, 9)
	if len(l.far) != far || len(l.mixed) != 1 || string(l.mixed[0].term.Bytes(0)) != "[:" {
		t.Errorf("%d and then %d came further, %d are mixed", far, len(l.far), len(l.mixed))
	}
}
