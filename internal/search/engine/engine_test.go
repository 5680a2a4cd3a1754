//go:build go1.25

package engine

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"testing"
	"unsafe"

	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/testkit/zoo"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

func searchOf[T any](t *testing.T, c Config, verdict func(i int, x term.Term) Verdict) *Engine {
	t.Helper()
	w, err := schema.Derive(reflect.TypeFor[T](), nil)
	if err != nil {
		t.Fatal(err)
	}
	c.World = w
	e := New(c)
	for i := 0; ; i++ {
		x, ok := e.Next()
		if !ok {
			return e
		}
		e.Done(verdict(i, x), trace.Run{})
	}
}

func TestEnds(t *testing.T) {
	pass := func(int, term.Term) Verdict { return Passed }
	tenth := func(i int, _ term.Term) Verdict {
		if i%10 == 0 {
			return Passed
		}
		return Discarded
	}
	for _, c := range []struct {
		when string
		e    *Engine
		want string
	}{
		{"enough passed", searchOf[int](t, Config{Tests: 100, Runs: 1000, Size: 20}, pass), "100 runs, 100 passed, 0 discarded"},
		{"too many discarded", searchOf[int](t, Config{Tests: 100, Runs: 500, Size: 20}, tenth), "500 runs, 50 passed, 450 discarded"},
		{"every term of a small domain was tried", searchOf[bool](t, Config{Tests: 100, Runs: 1000}, pass), "2 runs, 2 passed, 0 discarded"},
		{"no tests wanted", searchOf[int](t, Config{Tests: 0, Runs: 10}, pass), "0 runs, 0 passed, 0 discarded"},
	} {
		if got := fmt.Sprintf("%d runs, %d passed, %d discarded", c.e.Runs, c.e.Passed, c.e.Discarded); got != c.want {
			t.Errorf("%s: %s, want %s", c.when, got, c.want)
		}
	}
}

// Lost returns the term of the current run at any time. Another search generates it again, if
// it is fresh.
func TestLost(t *testing.T) {
	w, err := schema.Derive(reflect.TypeFor[*zoo.Tree](), nil)
	if err != nil {
		t.Fatal(err)
	}
	c := Config{World: w, Tests: 300, Runs: 3000, Size: 20, Seed: 5}
	e := New(c)
	for {
		x, ok := e.Next()
		if !ok {
			break
		}
		if !term.Equal(x, e.Current.Lost()) {
			t.Fatalf("run %d: Lost returned a different term", e.Runs)
		}
		if e.Current.Fresh() && !term.Equal(x, New(c).Current.Again(e.Started())) {
			t.Fatalf("run %d: Again returned a different term", e.Runs)
		}
		v := Discarded
		if e.Runs%5 == 0 {
			v = Passed
		}
		e.Done(v, trace.Run{})
	}
}

func TestRich(t *testing.T) {
	e := searchOf[*zoo.Tree](t, Config{Tests: 1000, Size: 20}, func(int, term.Term) Verdict { return Passed })
	if e.Rich < 700 || e.Rich == 1000 {
		t.Errorf("%d of 1000 trees have three nodes or more", e.Rich)
	}
	if e := searchOf[int](t, Config{Tests: 10}, func(int, term.Term) Verdict { return Passed }); e.Inputs.CanBeRich() {
		t.Error("an int was reported as rich")
	}
}

// Knowing which assumption discarded a run is enough to satisfy one assumption after
// the other. Here only one fresh term in some twenty thousand passes.
func TestAssumptionsOneByOne(t *testing.T) {
	type three struct{ A, B, C uint8 }
	w, err := schema.Derive(reflect.TypeFor[three](), nil)
	if err != nil {
		t.Fatal(err)
	}
	b := schema.NewBuilder(w)
	verdict := func(x term.Term) (Verdict, uint32) {
		var in three
		b.Build(x, unsafe.Pointer(&in))
		for i, ok := range []bool{in.A == 11, in.B == 12, in.C == 13} {
			if !ok {
				return Discarded, uint32(i)
			}
		}
		return Passed, 3
	}
	const runs, seeds = 3_000, 10
	passed := map[bool]int{}
	for _, withSymbol := range []bool{false, true} {
		for seed := range uint64(seeds) {
			e := New(Config{World: w, Tests: 1, Runs: runs, Size: 20, Seed: seed})
			for x, ok := e.Next(); ok; x, ok = e.Next() {
				v, symbol := verdict(x)
				var run trace.Run
				if withSymbol {
					run.Symbols = []uint32{symbol}
				}
				e.Done(v, run)
			}
			passed[withSymbol] += e.Passed
		}
	}
	t.Logf("passed in %d of %d searches, without the symbol in %d", passed[true], seeds, passed[false])
	if passed[true] < seeds || passed[false] > seeds/2 {
		t.Errorf("passed in %d of %d searches, without the symbol in %d", passed[true], seeds, passed[false])
	}
}

// If few terms pass, the search grows those that do, so that they do not stay trivial.
func TestGrowsWhatPasses(t *testing.T) {
	w, err := schema.Derive(reflect.TypeFor[*zoo.Tree](), nil)
	if err != nil {
		t.Fatal(err)
	}
	b := schema.NewBuilder(w)
	e := searchOf[*zoo.Tree](t, Config{Tests: 1000, Runs: 10_000, Size: 20, Seed: 1}, func(_ int, x term.Term) Verdict {
		var tree *zoo.Tree
		b.Build(x, unsafe.Pointer(&tree))
		if ordered(tree, math.MinInt, math.MaxInt) {
			return Passed
		}
		return Discarded
	})
	if share := e.Rich * 100 / e.Passed; share < 45 { // 6 % if all terms are fresh
		t.Errorf("%d %% of %d passed trees have three nodes or more", share, e.Passed)
	}
}

// A text that passed is edited, so an example of the user leads to many others.
func TestGrowsTexts(t *testing.T) {
	w, err := schema.Derive(reflect.TypeFor[string](), nil)
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`^\d+\.\d+\.\d+(-[a-z0-9.]+)?$`)
	e := New(Config{World: w, Tests: 1000, Runs: 10_000, Size: 20, Seed: 1})
	e.Seed(term.AppendRaw(nil, w.Root.ID, "1.2.3-rc.1"), Passed, trace.Run{})
	passed := map[string]bool{}
	for x, ok := e.Next(); ok; x, ok = e.Next() {
		v := Discarded
		if version.Match(x.Bytes(0)) {
			v = Passed
			passed[string(x.Bytes(0))] = true
		}
		e.Done(v, trace.Run{})
	}
	if len(passed) < 300 { // 1 if the text is replaced as a whole
		t.Errorf("%d different versions", len(passed))
	}
}

func ordered(t *zoo.Tree, lo, hi int) bool {
	return t == nil || lo < t.K && t.K < hi && ordered(t.L, lo, t.K) && ordered(t.R, t.K, hi)
}
