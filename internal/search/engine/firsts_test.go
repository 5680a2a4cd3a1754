//go:build go1.25

package engine

import (
	"reflect"
	"slices"
	"testing"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/testkit/zoo"
	"github.com/allele-go/allele/internal/value/mutate"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// firstsOf returns a search over trees that gives terms some first changes when two are kept, and the way firsts.
func firstsOf(t *testing.T, changes int) (*search, *firsts) {
	t.Helper()
	w, err := schema.Derive(reflect.TypeFor[*zoo.Tree](), nil)
	if err != nil {
		t.Fatal(err)
	}
	s := Guided()
	one := *s.Search
	one.Firsts = FirstSettings{Changes: changes, Kept: 2}
	s.Search = &one
	g := New(Config{World: w, Seed: 1, Size: 10, Tests: 1, Runs: 1, Strategy: &s}).search
	g.start()
	return g, g.planner.made["firsts"].(*firsts)
}

// keepTree keeps a tree whose run has taken a new edge.
func keepTree(t *testing.T, g *search, tree *zoo.Tree, change func(*kept)) *kept {
	t.Helper()
	u, err := g.with.config.World.Read(reflect.ValueOf(tree))
	if err != nil {
		t.Fatal(err)
	}
	k := &kept{passed: true, edges: true, chain: 1}
	if change != nil {
		change(k)
	}
	g.with.log.peak.rose = true
	return g.keep(u, k, trace.Run{})
}

// The nests of the latest term come first, each once, then as many changes as the settings say. Then it is the turn of
// the term before it.
func TestFirstChanges(t *testing.T) {
	const changes = 10
	g, f := firstsOf(t, changes)
	none := keepTree(t, g, &zoo.Tree{K: 9}, nil)
	if f.ready() {
		t.Error("a search that has kept one term gives it first changes")
	}
	old := keepTree(t, g, &zoo.Tree{K: 1}, nil)
	young := keepTree(t, g, &zoo.Tree{K: 2, L: &zoo.Tree{K: 1}}, nil)
	var order []*kept
	var kinds []string
	seen := map[uint64]bool{}
	now := &turn{dice: rng.New(1)}
	for f.ready() {
		u, from := f.propose(now)
		if u == nil {
			t.Fatal("the way is ready and proposes nothing")
		}
		if from.kind == mutate.Nested {
			if seen[term.Hash(u)] {
				t.Error("a nest is made twice")
			}
			seen[term.Hash(u)] = true
			kinds = append(kinds, "nest")
		} else {
			kinds = append(kinds, "change")
		}
		order = append(order, from.parent)
	}
	if slices.Contains(order, none) {
		t.Error("the first kept term got changes")
	}
	if n := slices.Index(order, old); n < 0 || slices.Contains(order[n:], young) {
		t.Errorf("the latest term is not first: %d terms, the older from %d", len(order), n)
	}
	// (2 (1 · ·) ·) has four nests: two of the root, two of the leaf. (1 · ·) has two.
	want := slices.Concat(slices.Repeat([]string{"nest"}, 4), slices.Repeat([]string{"change"}, changes),
		slices.Repeat([]string{"nest"}, 2), slices.Repeat([]string{"change"}, changes))
	if !slices.Equal(kinds, want) {
		t.Errorf("got  %v\nwant %v", kinds, want)
	}
}

// Only terms that passed and took an edge that the search has never known get first changes, and not more than youngMax
// terms wait. A search that starts over drops them.
func TestFirstChangesOf(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*kept)
		waits  bool
	}{
		{"a term with a new edge", nil, true},
		{"without a new edge", func(k *kept) { k.edges = false }, false},
		{"discarded", func(k *kept) { k.passed = false }, false},
		{"given by the user", func(k *kept) { k.given = true }, false},
	} {
		g, f := firstsOf(t, 1)
		keepTree(t, g, nil, nil)
		if keepTree(t, g, &zoo.Tree{K: 1}, c.change); f.ready() != c.waits {
			t.Errorf("%s: waits: %v, want %v", c.name, f.ready(), c.waits)
		}
	}
	g, f := firstsOf(t, 1)
	for i := range 100 {
		keepTree(t, g, &zoo.Tree{K: i}, nil)
	}
	if len(f.young) != youngMax {
		t.Errorf("%d terms wait, at most %d", len(f.young), youngMax)
	}
	g.with.log.peak.rose = false
	u := f.young[0].of.term()
	g.startAgain()
	if f.ready() {
		t.Error("terms wait after the search has started over")
	}
	g.with.log.peak.rose = false
	for range 3 {
		g.keep(u, &kept{passed: true, edges: true, chain: 1}, trace.Run{})
	}
	if f.ready() {
		t.Error("an edge that was known before the log was emptied counts as new")
	}
}

// A term with a run four times as long as changes may take gets a quarter of the changes, and is not nested in itself
// first.
func TestFirstChangesOfDearTerms(t *testing.T) {
	const changes = 40
	g, f := firstsOf(t, changes)
	g.with.log.pace.add(trace.Run{Hits: 10})
	keepTree(t, g, nil, nil)
	keepTree(t, g, &zoo.Tree{L: &zoo.Tree{K: 1}, K: 2}, func(k *kept) { k.steps = 4 * dearMin })
	made, now := 0, &turn{dice: rng.New(1)}
	for ; f.ready(); made++ {
		if _, from := f.propose(now); made == 0 && from.kind == mutate.Nested {
			t.Error("the first change of a dear term is a nest")
		}
	}
	if made != changes/4 {
		t.Errorf("%d changes, want %d", made, changes/4)
	}
}
