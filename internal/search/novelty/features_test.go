//go:build go1.25

package novelty

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/outside"
)

// Each row adds a path to those of earlier rows. A set is new with every new feature,
// and also when known features occur in one run for the first time.
func TestFeatures(t *testing.T) {
	var f Features
	for _, c := range []struct {
		path string
		want News
	}{
		{"ab", News{2, 2, true}}, // begin-a, a-b
		{"ab", News{0, 0, false}},
		{"ba", News{2, 2, true}},                        // begin-b, b-a
		{"abab", News{0, 1, true}},                      // a-b a second time
		{"aba", News{0, 0, true}},                       // known features in a new combination
		{"a", News{0, 0, true}},                         // a subset is a new combination too
		{strings.Repeat("ab", 3), News{0, 2, true}},     // a-b three times, b-a twice
		{strings.Repeat("ab", 5), News{0, 2, true}},     // a-b five times, b-a four
		{strings.Repeat("ab", 6), News{0, 0, false}},    // the same buckets
		{strings.Repeat("ab", 100), News{0, 2, true}},   // the bucket 32-127
		{strings.Repeat("ab", 1000), News{0, 2, true}},  // the last bucket
		{strings.Repeat("ab", 9999), News{0, 0, false}}, // still the last bucket
		{"aab", News{1, 1, true}},                       // a-a
		{"abba", News{1, 1, true}},                      // b-b
		{"aabba", News{0, 0, true}},                     // both
	} {
		if got := f.Add(path(c.path)); got != c.want {
			t.Errorf("%.12q: %v, want %v", c.path, got, c.want)
		}
	}
	if f.Len() != 15 || f.Sets() != 12 {
		t.Errorf("%d features, %d sets", f.Len(), f.Sets())
	}
	for _, want := range []News{{2, 2, true}, {}} {
		if got := f.AddSet(path("ab")); got != want {
			t.Errorf("a set: %v, want %v", got, want)
		}
	}
}

func TestBucket(t *testing.T) {
	var firsts []uint32
	for n := uint32(1); n < 1000; n++ {
		if bucket(n) == len(firsts) {
			firsts = append(firsts, n)
		} else if bucket(n) != len(firsts)-1 {
			t.Fatalf("%d is in %d", n, bucket(n))
		}
	}
	if want := []uint32{1, 2, 3, 4, 8, 16, 32, 128}; !slices.Equal(firsts, want) {
		t.Errorf("buckets begin at %d, want %d", firsts, want)
	}
}

// naiveFeatures is the obvious version of Features: it keeps everything in maps.
type naiveFeatures struct{ edges, features, sets map[string]bool }

func (f *naiveFeatures) add(p []uint32, ordered bool) (news News) {
	times, last := map[string]uint32{}, "begin"
	for _, id := range p {
		symbol := fmt.Sprint(id)
		if !ordered {
			last = "alone"
		}
		times[last+"-"+symbol]++
		last = symbol
	}
	var all []string
	for edge, n := range times {
		feature := fmt.Sprint(edge, " in ", bucket(n))
		all = append(all, feature)
		news.Edges += fresh(f.edges, edge)
		news.Features += fresh(f.features, feature)
	}
	slices.Sort(all)
	news.Set = fresh(f.sets, strings.Join(all, ", ")) > 0
	return news
}

func fresh(known map[string]bool, x string) int {
	if known[x] {
		return 0
	}
	known[x] = true
	return 1
}

func TestFeaturesAgreeWithNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var f Features
	slow := naiveFeatures{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	paths := [][]uint32{{0, 1, 2, 1 << 31}}
	for i := range 10_000 {
		p := mutate(r, paths[r.IntN(len(paths))], 2+i%50)
		add := f.Add
		if i%4 == 3 {
			add = f.AddSet
		}
		got, want := add(p), slow.add(p, i%4 != 3)
		if got != want {
			t.Fatalf("path %d %v: %v, naively %v", i, p, got, want)
		}
		if got.Set && len(p) < 100 && len(paths) < 2000 {
			paths = append(paths, p)
		}
	}
	if f.Len() != len(slow.features) || f.Sets() != len(slow.sets) {
		t.Errorf("%d features and %d sets, naively %d and %d", f.Len(), f.Sets(), len(slow.features), len(slow.sets))
	}
	t.Logf("%d features, %d sets, %d bytes", f.Len(), f.Sets(), f.Bytes())
}

// Adding a path allocates nothing once the tables have grown.
func TestNoAllocation(t *testing.T) {
	var f Features
	p := slices.Repeat(path("abcabd"), 100)
	for name, add := range map[string]func(){
		"known path": func() { f.Add(p); f.AddSet(p[:3]) },
		"path with known features": func() {
			f.paths = set{slots: f.paths.slots[:slotsMin]}
			clear(f.paths.slots)
			f.Add(p)
		},
	} {
		f.Add(p)
		f.AddSet(p[:3])
		if n := testing.AllocsPerRun(20, add); n > 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// Places of another program are features with the bucket of their hit counts: a new bucket is a new feature, and not a new
// edge.
func TestAddOutside(t *testing.T) {
	var f Features
	place := func(n, bucket uint32) uint32 { return outside.First + n | bucket<<outside.Shift }
	for _, c := range []struct {
		places []uint32
		want   News
	}{
		{[]uint32{place(1, 0), place(9, 2)}, News{Edges: 2, Features: 2, Set: true}},
		{[]uint32{place(1, 0), place(9, 2)}, News{}},
		{[]uint32{place(1, 1), place(9, 2)}, News{Features: 1, Set: true}},
		{[]uint32{place(1, 0)}, News{Set: true}},
		{[]uint32{place(1, 7), place(2, 0)}, News{Edges: 1, Features: 2, Set: true}},
	} {
		if got := f.AddOutside(c.places); got != c.want {
			t.Errorf("%v: %+v, want %+v", c.places, got, c.want)
		}
	}
	if n := f.AddSet([]uint32{outside.First + 1}); n.Edges != 1 {
		t.Errorf("a site of this program with the same number: %+v", n)
	}
	for n := range uint32(300) {
		if b := bucket(n + 1); n+1 < least[b] || b < 7 && n+1 >= least[b+1] {
			t.Errorf("bucket %d of %d does not begin with %d", b, n+1, least[b])
		}
	}
}
