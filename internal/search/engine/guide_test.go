//go:build go1.25

package engine

import (
	"math"
	"reflect"
	"testing"
	"unsafe"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/testkit/zoo"
	"github.com/allele-go/allele/internal/value/mutate"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// tracer runs a property of a tree and records its path as probes would: which branch
// was taken at each node.
type tracer struct{ path []uint32 }

func (t *tracer) hit(id uint32) { t.path = append(t.path, id|hook.Coarse) }

func (t *tracer) ordered(n *zoo.Tree, lo, hi int) bool {
	t.hit(1)
	if n == nil {
		return true
	}
	if n.K <= lo {
		t.hit(2)
		return false
	}
	if n.K >= hi {
		t.hit(3)
		return false
	}
	return t.ordered(n.L, lo, n.K) && t.ordered(n.R, n.K, hi)
}

func depth(n *zoo.Tree) int {
	if n == nil {
		return 0
	}
	return 1 + max(depth(n.L), depth(n.R))
}

// sparse fails for trees in order with a depth of five or more. That is one fresh tree
// in some tens of thousands.
func (t *tracer) sparse(n *zoo.Tree) (Verdict, trace.Run) {
	t.path = t.path[:0]
	v := Passed
	switch ok := t.ordered(n, math.MinInt, math.MaxInt); {
	case !ok:
		v = Discarded
	case depth(n) >= 5:
		v = Failed
	}
	return v, trace.Run{Symbols: t.path, Hits: int64(len(t.path))}
}

// runs returns how many runs a strategy needs until one fails, and a digest of the
// terms that were run.
func runs(t *testing.T, s Strategy, seed uint64, most int) (n int, digest uint64, e *Engine) {
	t.Helper()
	w, err := schema.Derive(reflect.TypeFor[*zoo.Tree](), nil)
	if err != nil {
		t.Fatal(err)
	}
	b := schema.NewBuilder(w)
	e = New(Config{World: w, Seed: seed, Size: 10, Tests: most, Runs: most, Strategy: &s})
	var tr tracer
	for {
		x, ok := e.Next()
		if !ok {
			return most, digest, e
		}
		if !term.Equal(x, e.Current.Lost()) {
			t.Fatal("Lost does not return the term of the current run")
		}
		digest = digest*31 + term.Hash(x)
		var tree *zoo.Tree
		b.Build(x, unsafe.Pointer(&tree))
		v, run := tr.sparse(tree)
		e.Done(v, run)
		if v == Failed {
			return e.Runs, digest, e
		}
	}
}

// Strategies of other tools, in short. Package papers of eval has them in full.
var (
	random  = Strategy{Name: "random", Opening: Schedule{only("plain")}}
	mutagen = Strategy{Name: "mutagen", Opening: Schedule{only("visit")}, Search: &Settings{
		Schedule: Schedule{{{Way: "batches", Sides: Rest}}, only("fresh")},
		Fresh:    FreshSettings{Size: 16, SizeMax: 16, Reach: []int{3}},
		Mutants:  mutate.Config{Kinds: mutate.Pure | mutate.Sampled, Samples: 1, Size: 3},
		Keep:     KeepSettings{Chain: 10},
		Renew:    RenewSettings{Reset: 1000, Doubling: true},
	}}
)

// A guided search keeps and changes terms with new paths, so it finds the failure sooner
// than a random search, even with only three probes.
func TestGuidedBeatsRandom(t *testing.T) {
	const most, seeds, wanted = 40_000, 100, 83
	found, spent := map[string]int{}, map[string]int{}
	for _, s := range []Strategy{random, Guided()} {
		total := 0
		for seed := range uint64(seeds) {
			n, _, _ := runs(t, s, seed, most)
			total += n
			spent[s.Name] += n
			if n < most {
				found[s.Name]++
			}
		}
		t.Logf("%-15s found %d of %d, %d runs on average", s.Name, found[s.Name], seeds, total/seeds)
	}
	if found["guided"] < wanted || spent["guided"] > spent["random"] { // eval peers measures by how much
		t.Errorf("found %v, in runs %v", found, spent)
	}
}

// The same seed gives the same search, run for run.
func TestSameSeedSameSearch(t *testing.T) {
	for _, s := range []Strategy{random, Guided(), mutagen} {
		n, digest, _ := runs(t, s, 7, 5000)
		for range 2 {
			if n2, digest2, _ := runs(t, s, 7, 5000); n2 != n || digest2 != digest {
				t.Errorf("%s: %d runs, then %d", s.Name, n, n2)
			}
		}
		if _, other, _ := runs(t, s, 8, 5000); other == digest {
			t.Errorf("%s: another seed gave the same search", s.Name)
		}
	}
}
