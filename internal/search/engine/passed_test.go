//go:build go1.25

package engine

import (
	"testing"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/term"
)

// A class with few terms gets about as many changes as a class with nearly all terms,
// but no term gets more than pooledMax.
func TestPassedPoolIsFair(t *testing.T) {
	var g passedPool
	r := rng.New(1)
	picked := map[uint64]int{}
	for run := range 20_000 {
		shape := uint64(1)
		if run%50 == 0 {
			shape = 2
		}
		g.add(shape, term.Term{{X: shape}})
		if x := g.pick(&r); x != nil {
			picked[x[0].X]++
		}
	}
	rare, most := picked[2], picked[1]
	if rare < most/2 || rare > 20_000/50*pooledMax {
		t.Errorf("the rare class had %d changes, the other %d", rare, most)
	}
	var few passedPool
	few.add(1, term.Term{{}})
	n := 0
	for few.pick(&r) != nil {
		n++
	}
	if n != pooledMax {
		t.Errorf("one term had %d changes", n)
	}
}

// The number of classes is bounded, and the oldest are dropped.
func TestPassedPoolIsBounded(t *testing.T) {
	var g passedPool
	for shape := range uint64(5 * classesMax) {
		for range 2 * classMax {
			g.add(shape, term.Term{{X: shape}})
		}
	}
	if len(g.classes) != classesMax || len(g.by) != classesMax {
		t.Errorf("%d classes, %d by shape", len(g.classes), len(g.by))
	}
	for _, c := range g.classes {
		if len(c.terms) > classMax || c.shape < 4*classesMax || g.by[c.shape] != c {
			t.Fatalf("class %d has %d terms", c.shape, len(c.terms))
		}
	}
}
