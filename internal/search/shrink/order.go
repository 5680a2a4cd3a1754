//go:build go1.25

package shrink

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// weight is the size of a term. The order of terms compares weights first.
type weight struct {
	nodes  int
	others int // texts that are no constants of their types
	bytes  int
}

func weigh(w *schema.World, t term.Term) (sum weight) {
	for i := 0; i < len(t); i = after(t, i) {
		sum.nodes++
		if t[i].C != term.Raw {
			continue
		}
		sum.bytes += int(t[i].X)
		if isOtherText(w.Of(t[i]), t.Bytes(i)) {
			sum.others++
		}
	}
	return sum
}

// isOtherText reports whether a text of s is no constant of its type. The empty text is one: it is the zero value.
func isOtherText(s *schema.Schema, text []byte) bool {
	return s.Kind == schema.String && schema.HasConstants(s) && len(text) > 0 && !slices.Contains(s.Words, string(text))
}

func (w weight) compare(v weight) int {
	return cmp.Or(cmp.Compare(w.nodes, v.nodes), cmp.Compare(w.others, v.others), cmp.Compare(w.bytes, v.bytes))
}

// compare defines the order of terms of one schema: fewer nodes, then fewer texts that are no constants of their
// types, then fewer bytes, then the first place where they differ. The order is total, and there are finitely
// many terms below any term, so shrinking ends.
func compare(w *schema.World, a, b term.Term) int {
	return cmp.Or(weigh(w, a).compare(weigh(w, b)), compareNodes(w, a, b))
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
	class uint8  // of a float: finite, infinite, not a number; of an integer: 0 for a constant of its type, else 1
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
// simplest value: 0 < 1 < -1 < 2 < -2 ... If constants are declared for the type, they come first.
func rankOf(sc *schema.Schema, x uint64) (r rank) {
	simplest := sc.Simplest()
	switch {
	case x == simplest:
		return rank{}
	case sc.IsFloat():
		return floatRank(math.Float64frombits(x))
	case sc.Less(x, simplest):
		r = rank{size: simplest - x, neg: true}
	default:
		r = rank{size: x - simplest}
	}
	if schema.HasConstants(sc) && !slices.Contains(sc.Consts, x) {
		r.class = 1
	}
	return r
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
