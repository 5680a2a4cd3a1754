//go:build go1.25

package shrink_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/search/shrink"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/term"
)

// Failures that random search finds shrink to the smallest form, from every seed here and
// within few runs. These are some of the public challenges; the experiment "shrink" in eval
// measures all of them.
func TestFoundFailures(t *testing.T) {
	type removal struct {
		List []int8
		X    int8
	}
	type two struct{ X, Y uint16 }
	found(t, "two equal elements", 20, func(r removal) bool {
		i := slices.Index(r.List, r.X)
		return i >= 0 && slices.Contains(r.List[i+1:], r.X)
	}, "{[0 0] 0}")
	found(t, "numbers whose difference matters", 200, func(p two) bool { return p.X >= 10 && p.X-p.Y == 1 }, "{10 9}")
	found(t, "elements that are indices of each other", 100, func(l []uint16) bool {
		if slices.ContainsFunc(l, func(x uint16) bool { return int(x) >= len(l) }) {
			return false
		}
		for i, x := range l {
			if int(x) != i && int(l[x]) == i {
				return true
			}
		}
		return false
	}, "[1 0]")
	found(t, "many elements in several lists", 150, func(ls [][]int) bool { return len(slices.Concat(ls...)) > 10 }, "[[0 0 0 0 0 0 0 0 0 0 0]]")
	found(t, "a list that is not a palindrome", 100, func(l []int) bool {
		r := slices.Clone(l)
		slices.Reverse(r)
		return !slices.Equal(l, r)
	}, "[0 1]")
}

// found finds failures at random and shrinks them.
func found[In any](t *testing.T, name string, runsMax int, fails func(In) bool, want string) {
	t.Helper()
	const seeds, testsMax = 10, 200_000
	w := derive(t, reflect.TypeFor[In](), nil)
	g := gen.New(w)
	isFailure := func(c term.Term) bool { return fails(build(w, c).Interface().(In)) }
	for seed := range uint64(seeds) {
		start := term.Term(nil)
		for run := uint64(0); start == nil && run < testsMax; run++ {
			if c := g.Term(rng.At(seed, run), 1+int(run)%20); isFailure(c) {
				start = c.Clone()
			}
		}
		if start == nil {
			t.Errorf("%s, seed %d: nothing found", name, seed)
			continue
		}
		least, runs := shrink.Minimise(shrink.Config{World: w, Fails: isFailure}, start)
		if got := fmt.Sprint(build(w, least).Interface()); got != want || runs > runsMax {
			t.Errorf("%s, seed %d: %s after %d runs, want %s", name, seed, got, runs, want)
		}
	}
}
