//go:build go1.25

package cover

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/search/trace"
)

// parse reads cases such as "abc abd:1 b/2": letters for what a case shows, then its
// rank after a colon or its size after a slash.
func parse(text string) (cases []Case) {
	for word := range strings.FieldsSeq(text) {
		var c Case
		for i, r := range word {
			if r == ':' || r == '/' {
				fmt.Sscanf(word[i:], ":%d", &c.Rank)
				fmt.Sscanf(word[i:], "/%d", &c.Size)
				break
			}
			c.Shows = append(c.Shows, uint64(r))
		}
		cases = append(cases, c)
	}
	return cases
}

func TestPick(t *testing.T) {
	for _, c := range []struct {
		name, cases string
		most        int
		want        string
	}{
		{"none", "", 0, "[]"},
		{"the case that shows the most comes first", "a abc ab", 0, "[1]"},
		{"each adds something", "ab bc cd de", 0, "[0 2 3]"},
		{"the smaller of equals", "ab/7 ab/3 ab/5", 0, "[1]"},
		{"the first of equals", "ab/3 ab/3", 0, "[0]"},
		{"a lower rank goes first, even if a higher rank shows more", "abcdef:1 ab ac", 0, "[1 2 0]"},
		{"a higher rank adds only what is missing", "ab:1 cd:1 abc", 0, "[2 1]"},
		{"a single case", "a", 0, "[0]"},
		{"with a limit, the best ones", "ab cdef ghi", 2, "[1 2]"},
	} {
		if got := fmt.Sprint(Pick(parse(c.cases), c.most)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	if got := Pick([]Case{{}, {}}, 0); len(got) != 0 {
		t.Errorf("cases that show nothing: %v", got)
	}
}

func TestShows(t *testing.T) {
	const edge = 1 << 32
	for _, c := range []struct {
		name string
		run  trace.Run
		want []uint64
	}{
		{"nothing", trace.Run{}, nil},
		{"sites and pairs", trace.Run{Symbols: []uint32{7, 9, 7, 9}}, []uint64{7, 9, 8*edge | 9, 10*edge | 7}},
		{"the kind of a site is not part of it", trace.Run{Symbols: []uint32{7 | hook.Loop}}, []uint64{7}},
		{"a set has no order", trace.Run{Symbols: []uint32{7, 9}, Set: true}, []uint64{7, 9}},
		{"a folded stretch shows nothing", trace.Run{Symbols: []uint32{7, hook.Fold | 3, 9}}, []uint64{7, 9}},
		{"site 0 has successors too", trace.Run{Symbols: []uint32{0, 1}}, []uint64{0, 1, 1*edge | 1}},
	} {
		if got := Shows(c.run); !slices.Equal(got, append(c.want, ran)) {
			t.Errorf("%s: %x, want %x", c.name, got, c.want)
		}
	}
}

// instance makes a few random cases, small enough for the slow reference versions.
func instance(r *rng.Rand, ranks int) []Case {
	cases := make([]Case, 1+r.Below(9))
	things := 1 + r.Below(12)
	for i := range cases {
		for x := range things {
			if r.OneIn(2 + r.Below(3)) {
				cases[i].Shows = append(cases[i].Shows, uint64(x))
			}
		}
		cases[i].Rank, cases[i].Size = r.Below(ranks), r.Below(3)
	}
	return cases
}

// shown returns everything that some cases show.
func shown(cases []Case, of []int) map[uint64]bool {
	all := map[uint64]bool{}
	for _, i := range of {
		for _, x := range cases[i].Shows {
			all[x] = true
		}
	}
	return all
}

func every(cases []Case) (all []int) {
	for i := range cases {
		all = append(all, i)
	}
	return all
}

func (c Case) adds(to map[uint64]bool) (n int) {
	for _, x := range c.Shows {
		if !to[x] {
			n++
		}
	}
	return n
}

// slowPick is the obvious version of the greedy algorithm.
func slowPick(cases []Case) (picked []int) {
	for rank := range 3 {
		for {
			covered := shown(cases, picked)
			best := -1
			for i, c := range cases {
				if c.Rank != rank || c.adds(covered) == 0 {
					continue
				}
				if best < 0 || cmp.Or(cases[best].adds(covered)-c.adds(covered), c.Size-cases[best].Size) < 0 {
					best = i
				}
			}
			if best < 0 {
				break
			}
			picked = append(picked, best)
		}
	}
	return picked
}

// minimum returns the size of a minimal cover, by trying all subsets.
func minimum(cases []Case) int {
	best, want := len(cases), len(shown(cases, every(cases)))
	for bits := range 1 << len(cases) {
		var some []int
		for i := range cases {
			if bits>>i&1 == 1 {
				some = append(some, i)
			}
		}
		if len(some) < best && len(shown(cases, some)) == want {
			best = len(some)
		}
	}
	return best
}

// Pick uses a heap and counts lazily, so it must agree with slowPick. The bound on the
// result of the greedy algorithm is checked against the true minimum.
func TestPickAgainstSlowTwins(t *testing.T) {
	const seed, trials = 1, 3000
	worst := 1.0
	for n := range uint64(trials) {
		r := rng.At(seed, n)
		cases := instance(&r, 3)
		got := Pick(cases, 0)
		if want := slowPick(cases); !slices.Equal(got, want) {
			t.Fatalf("seed %d, trial %d: %v, want %v of %v", seed, n, got, want, cases)
		}
		if len(shown(cases, got)) != len(shown(cases, every(cases))) {
			t.Fatalf("seed %d, trial %d: %v does not cover %v", seed, n, got, cases)
		}
		for i := range cases {
			cases[i].Rank = 0
		}
		got = Pick(cases, 0)
		largest := 1
		for _, c := range cases {
			largest = max(largest, len(c.Shows))
		}
		least := minimum(cases)
		if bound := float64(least) * (1 + math.Log(float64(largest))); len(got) > len(cases) || float64(len(got)) > bound {
			t.Fatalf("seed %d, trial %d: %d cases, %d are enough and %.1f the bound, of %v", seed, n, len(got), least, bound, cases)
		}
		if least > 0 {
			worst = max(worst, float64(len(got))/float64(least))
		}
		if m := 1 + r.Below(4); len(Pick(cases, m)) > m {
			t.Fatalf("more than %d", m)
		}
	}
	t.Logf("at worst %.2f times as many as needed", worst)
}

// Ten thousand cases are as many as a corpus holds.
func BenchmarkPick(b *testing.B) {
	r := rng.At(1, 1)
	cases := make([]Case, 10_000)
	for i := range cases {
		for range 300 {
			cases[i].Shows = append(cases[i].Shows, uint64(r.Below(2000)*r.Below(50)))
		}
		slices.Sort(cases[i].Shows)
		cases[i].Shows = slices.Compact(cases[i].Shows)
	}
	for b.Loop() {
		Pick(cases, 0)
	}
}

// A case that kills nothing shows that it ran, so that one case stays if none kills a fault.
func TestKills(t *testing.T) {
	if got, want := fmt.Sprint(Kills([]int{3, 1, 3})), "[1 3 18446744073709551615]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	few := Pick([]Case{{Shows: Kills(nil)}, {Shows: Kills(nil), Size: -1}}, 0)
	if len(few) != 1 || few[0] != 1 {
		t.Errorf("got %v", few)
	}
}
