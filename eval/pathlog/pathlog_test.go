package pathlog

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

func path(s string) []uint32 {
	var p []uint32
	for _, c := range s {
		p = append(p, uint32(c))
	}
	return p
}

// Each row adds a path to those of earlier rows. It has the number of new nodes and
// the depth at which the path branches off the known ones.
func TestAdd(t *testing.T) {
	var l Log
	for _, c := range []struct {
		path         string
		added, depth int
	}{
		{"abc", 4, 0},
		{"abc", 0, 3},
		{"abd", 2, 2}, // d and the end of the path
		{"ab", 1, 2},  // a prefix of a known path
		{"abcd", 2, 3},
		{"", 1, 0},
		{"xyz", 4, 0},
		{"xy", 1, 2},
		{"xyq", 2, 2},
	} {
		if added, depth := l.Add(path(c.path)); added != c.added || depth != c.depth {
			t.Errorf("%q: %d new at depth %d, want %d at %d", c.path, added, depth, c.added, c.depth)
		}
	}
	if l.Len() != 8 {
		t.Errorf("%d paths", l.Len())
	}
}

// naive is the obvious tree: a map in every node.
type naive struct {
	kids map[uint32]*naive
	end  bool
}

func (n *naive) add(p []uint32) (added, depth int) {
	depth = -1
	for i, s := range p {
		k := n.kids[s]
		if k == nil {
			if n.kids == nil {
				n.kids = map[uint32]*naive{}
			}
			k = &naive{}
			n.kids[s] = k
			added++
			if depth < 0 {
				depth = i
			}
		}
		n = k
	}
	if depth < 0 {
		depth = len(p)
	}
	if !n.end {
		n.end = true
		added++
	}
	return added, depth
}

// mutate makes the path of a run that branched off somewhere.
func mutate(r *rand.Rand, p []uint32, symbols int) []uint32 {
	q := append([]uint32{}, p...)
	switch at := r.IntN(len(q) + 1); r.IntN(4) {
	case 0:
		return q[:at]
	case 1:
		for range r.IntN(20) {
			q = append(q, uint32(r.IntN(symbols)))
		}
	default:
		if at < len(q) {
			q[at] = uint32(r.IntN(symbols))
		}
	}
	return q
}

func TestAgreesWithNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var l Log
	var slow naive
	paths := [][]uint32{{1, 2, 3}}
	for i := range 30_000 {
		p := mutate(r, paths[r.IntN(len(paths))], 2+i%300)
		added, depth := l.Add(p)
		if a, d := slow.add(p); a != added || added > 0 && d != depth {
			t.Fatalf("path %d %v: %d at %d, naively %d at %d", i, p, added, depth, a, d)
		}
		if added > 0 && len(p) < 200 && len(paths) < 5000 {
			paths = append(paths, p)
		}
	}
	t.Logf("%d different paths, %d bytes", l.Len(), l.Bytes())
}

// The paths span several pages of the tree, and end or branch near the end of a page.
func TestLongPathsAgreeWithNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	var l Log
	var slow naive
	p := make([]uint32, 3*pageSize)
	for i := range p {
		p[i] = r.Uint32()
	}
	for i := range 60 {
		at := pageSize*(i%3+1) - i%5
		q := slices.Clone(p[:at+r.IntN(len(p)-at+1)])
		if at < len(q) && i%2 == 0 {
			q[at] = uint32(i)
		}
		added, depth := l.Add(q)
		if a, d := slow.add(q); a != added || added > 0 && d != depth {
			t.Fatalf("path %d of %d: %d at %d, naively %d at %d", i, len(q), added, depth, a, d)
		}
	}
}

// A log never uses more memory than its limit, and reports what it uses.
func TestBytesMax(t *testing.T) {
	const (
		mega = 1 << 20
		slop = mega / 8 // allocated sizes are rounded up, and the test has variables too
	)
	for _, c := range []struct {
		newIn, bytesMax int
		bites           bool
	}{{2, mega / 2, true}, {20, 8 * mega, false}} {
		l := &Log{BytesMax: c.bytesMax}
		r := rand.New(rand.NewPCG(7, 8))
		p := make([]uint32, 40)
		before, most := alive(), 0
		for i := range 120_000 {
			if i%c.newIn == 0 { // the path differs from the previous one in one place
				p[r.IntN(len(p))] = r.Uint32N(1000)
			}
			l.Add(p)
			most = max(most, l.Bytes())
		}
		heap := alive() - before
		runtime.KeepAlive(l)
		if (l.Resets() > 0) != c.bites || most > c.bytesMax || heap > l.Bytes()+slop {
			t.Errorf("limit %d: %d resets, at most %d bytes; at the end %d and %d of heap", c.bytesMax, l.Resets(), most, l.Bytes(), heap)
		}
	}
}

func alive() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

func BenchmarkAdd(b *testing.B) {
	for _, n := range []int{100, 1000, 10_000, 100_000} {
		p := make([]uint32, n)
		for i := range p {
			p[i] = uint32(i*7) % 1000
		}
		b.Run(fmt.Sprintf("known/%d", n), func(b *testing.B) {
			var l Log
			l.Add(p)
			for b.Loop() {
				l.Add(p)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/block")
		})
		b.Run(fmt.Sprintf("new/%d", n), func(b *testing.B) {
			l := Log{BytesMax: 1 << 28}
			i := uint32(0)
			for b.Loop() {
				i++
				p[n/2] = i
				l.Add(p)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/block")
		})
	}
}
