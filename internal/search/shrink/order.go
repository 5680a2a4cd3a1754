//go:build go1.25

package shrink

import (
	"cmp"
	"math"
	"math/bits"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// weight is the size of a term. The order of terms compares weights first.
type weight struct{ nodes, bytes int }

func weigh(t term.Term) (w weight) {
	for i := 0; i < len(t); i = after(t, i) {
		w.nodes++
		if t[i].C == term.Raw {
			w.bytes += int(t[i].X)
		}
	}
	return w
}

func (w weight) compare(v weight) int {
	return cmp.Or(cmp.Compare(w.nodes, v.nodes), cmp.Compare(w.bytes, v.bytes))
}

// compare defines the order of terms of one schema: fewer nodes, then fewer bytes,
// then the first place where they differ. The order is total, and there are finitely
// many terms below any term, so shrinking ends.
func compare(w *schema.World, a, b term.Term) int {
	return cmp.Or(weigh(a).compare(weigh(b)), compareNodes(w, a, b))
}

// compareNodes compares the first nodes in preorder that differ. Up to there the two
// terms have the same constructors, so their positions and schemas agree. The lengths
// N may differ before that point. They are ignored, because they only show that
// something inside differs, not what.
func compareNodes(w *schema.World, a, b term.Term) int {
	for i := 0; i < len(a); i = after(a, i) {
		x, y := &a[i], &b[i]
		switch {
		case x.C != y.C:
			return cmp.Compare(x.C, y.C)
		case x.C == term.Raw:
			compare := compareTexts
			if w.Of(*x).Kind == schema.Block {
				compare = compareBlocks
			}
			if c := compare(w.Of(*x), a.Bytes(i), b.Bytes(i)); c != 0 {
				return c
			}
		case x.X != y.X:
			sc := w.Of(*x)
			if sc.Kind != schema.Scalar {
				return cmp.Compare(x.X, y.X)
			}
			return rankOf(sc, x.X).compare(rankOf(sc, y.X))
		}
	}
	return 0
}

// rank is how simple a scalar is; smaller is simpler. The simplest value of a
// schema has the zero rank.
type rank struct {
	class uint8  // of a float: finite, infinite, not a number
	fine  int    // of a float: binary digits after the point
	size  uint64 // distance from the simplest value
	neg   bool   // below the simplest value
}

func (r rank) compare(q rank) int {
	c := cmp.Or(cmp.Compare(r.class, q.class), cmp.Compare(r.fine, q.fine), cmp.Compare(r.size, q.size))
	if c != 0 || r.neg == q.neg {
		return c
	}
	if q.neg {
		return -1
	}
	return 1
}

// rankOf returns the rank of a scalar. Integers are ordered by their distance from the
// simplest value: 0 < 1 < -1 < 2 < -2 ...
func rankOf(sc *schema.Schema, x uint64) rank {
	simplest := sc.Simplest()
	switch {
	case x == simplest:
		return rank{}
	case sc.IsFloat():
		return floatRank(math.Float64frombits(x))
	case sc.Less(x, simplest):
		return rank{size: simplest - x, neg: true}
	}
	return rank{size: x - simplest}
}

// floatRank ranks integers before halves, halves before quarters and so on. Among floats
// with equally many binary digits after the point, those nearer to zero come first.
func floatRank(f float64) rank {
	switch {
	case math.IsNaN(f):
		return rank{class: 3}
	case math.IsInf(f, 0):
		return rank{class: 2, neg: f < 0}
	}
	abs := math.Abs(f)
	return rank{class: 1, fine: digits(abs), size: math.Float64bits(abs), neg: math.Signbit(f)}
}

// digits returns the number of binary digits of f after the point.
func digits(f float64) int {
	if f == math.Trunc(f) {
		return 0
	}
	frac, exp := math.Frexp(f) // f = frac * 2^exp, and frac has 53 binary digits after its point
	trailing := bits.TrailingZeros64(uint64(frac * (1 << 53)))
	return 53 - trailing - exp
}

// compareBlocks orders arrays by the first element that differs.
func compareBlocks(sc *schema.Schema, a, b []byte) int {
	for i := 0; i < sc.Len; i++ {
		if x, y := sc.Item(a, i), sc.Item(b, i); x != y {
			return rankOf(sc.Elem, x).compare(rankOf(sc.Elem, y))
		}
	}
	return 0
}

// after returns the position of the node that follows pos in preorder.
func after(t term.Term, pos int) int {
	if t[pos].C == term.Raw {
		return pos + int(t[pos].N)
	}
	return pos + 1
}
