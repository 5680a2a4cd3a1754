// Package btrees has properties of github.com/google/btree.
package btrees

import (
	"slices"
	"testing"

	"github.com/google/btree"

	"github.com/allele-go/allele"
)

// Degree is the width of nodes. With a small degree, a few keys make a tree of
// several levels.
type Degree int

// Key has few values, so that the same key often occurs several times.
type Key int

func init() {
	allele.Declare(
		allele.Range(Degree(2), Degree(4)),
		allele.Range(Key(-40), Key(40)),
		allele.Variants[Op](Insert{}, Delete{}, Get{}, Min{}, Max{}, DeleteMin{}, DeleteMax{}, Ascend{}),
	)
}

func tree(d Degree, keys []Key) *btree.BTreeG[Key] {
	t := btree.NewG(int(d), func(a, b Key) bool { return a < b })
	for _, k := range keys {
		t.ReplaceOrInsert(k)
	}
	return t
}

// model is a sorted list of distinct keys.
type model []Key

func modelOf(keys []Key) model { return slices.Compact(slices.Sorted(slices.Values(keys))) }

// between returns the keys from lo up to but not including hi.
func (m model) between(lo, hi Key) (keys []Key) {
	for _, k := range m {
		if lo <= k && k < hi {
			keys = append(keys, k)
		}
	}
	return keys
}

// answer is the result of an operation.
type answer struct {
	key Key
	ok  bool
	all []Key
}

func (a answer) equal(b answer) bool {
	return a.ok == b.ok && a.key == b.key && slices.Equal(a.all, b.all)
}

// Op is an operation that is performed on a tree and on the model.
type Op interface {
	do(t *btree.BTreeG[Key], m *model) (got, want answer)
}

type (
	Insert    struct{ Key Key }
	Delete    struct{ Key Key }
	Get       struct{ Key Key }
	Min       struct{}
	Max       struct{}
	DeleteMin struct{}
	DeleteMax struct{}
	Ascend    struct{ Lo, Hi Key }
)

func (op Insert) do(t *btree.BTreeG[Key], m *model) (got, want answer) {
	got.key, got.ok = t.ReplaceOrInsert(op.Key)
	i, there := slices.BinarySearch(*m, op.Key)
	if there {
		return got, answer{key: op.Key, ok: true}
	}
	*m = slices.Insert(*m, i, op.Key)
	return got, answer{}
}

func (op Delete) do(t *btree.BTreeG[Key], m *model) (got, want answer) {
	got.key, got.ok = t.Delete(op.Key)
	i, there := slices.BinarySearch(*m, op.Key)
	if !there {
		return got, answer{}
	}
	*m = slices.Delete(*m, i, i+1)
	return got, answer{key: op.Key, ok: true}
}

func (op Get) do(t *btree.BTreeG[Key], m *model) (got, want answer) {
	got.key, got.ok = t.Get(op.Key)
	if slices.Contains(*m, op.Key) {
		want = answer{key: op.Key, ok: true}
	}
	return got, want
}

func (m model) at(i int) answer {
	if len(m) == 0 {
		return answer{}
	}
	return answer{key: m[i], ok: true}
}

func (Min) do(t *btree.BTreeG[Key], m *model) (got, want answer) {
	got.key, got.ok = t.Min()
	return got, m.at(0)
}

func (Max) do(t *btree.BTreeG[Key], m *model) (got, want answer) {
	got.key, got.ok = t.Max()
	return got, m.at(len(*m) - 1)
}

func (DeleteMin) do(t *btree.BTreeG[Key], m *model) (got, want answer) {
	got.key, got.ok = t.DeleteMin()
	want = m.at(0)
	*m = (*m)[min(1, len(*m)):]
	return got, want
}

func (DeleteMax) do(t *btree.BTreeG[Key], m *model) (got, want answer) {
	got.key, got.ok = t.DeleteMax()
	want = m.at(len(*m) - 1)
	*m = (*m)[:max(0, len(*m)-1)]
	return got, want
}

func (op Ascend) do(t *btree.BTreeG[Key], m *model) (got, want answer) {
	t.AscendRange(op.Lo, op.Hi, func(k Key) bool {
		got.all = append(got.all, k)
		return true
	})
	return got, answer{all: m.between(op.Lo, op.Hi)}
}

// A tree returns the same results as a sorted list under every sequence of
// operations.
func TestLikeModel(t *testing.T) {
	allele.Check(t, func(t *allele.T, in struct {
		Degree Degree
		Ops    []Op
	}) {
		tr, m := tree(in.Degree, nil), model{}
		for i, op := range in.Ops {
			if got, want := op.do(tr, &m); !got.equal(want) {
				t.Fatalf("operation %d: got %v, want %v", i, got, want)
			}
			if tr.Len() != len(m) {
				t.Fatalf("operation %d: Len is %d, want %d", i, tr.Len(), len(m))
			}
		}
	}, allele.Size(60))
}

// Iterating forwards and backwards yields all keys.
func TestBothWays(t *testing.T) {
	allele.Check(t, func(t *allele.T, in struct {
		Degree Degree
		Keys   []Key
	}) {
		tr := tree(in.Degree, in.Keys)
		var up, down []Key
		tr.Ascend(func(k Key) bool { up = append(up, k); return true })
		tr.Descend(func(k Key) bool { down = append(down, k); return true })
		slices.Reverse(down)
		if want := modelOf(in.Keys); !slices.Equal(up, want) || !slices.Equal(down, want) {
			t.Errorf("up %v, down reversed %v, want %v", up, down, want)
		}
	})
}

// Iterating over a range yields the keys in the range, and stops when the callback
// returns false.
func TestRanges(t *testing.T) {
	allele.Check(t, func(t *allele.T, in struct {
		Degree Degree
		Keys   []Key
		Lo, Hi Key
		Most   uint8
	}) {
		tr := tree(in.Degree, in.Keys)
		var got []Key
		tr.AscendRange(in.Lo, in.Hi, func(k Key) bool {
			if len(got) == int(in.Most) {
				return false
			}
			got = append(got, k)
			return true
		})
		want := modelOf(in.Keys).between(in.Lo, in.Hi)
		if want = want[:min(len(want), int(in.Most))]; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

// Changes of a clone do not affect the tree, nor the other way round.
func TestCloneApart(t *testing.T) {
	allele.Check(t, func(t *allele.T, in struct {
		Degree        Degree
		Keys          []Key
		Clone, Others []Op
	}) {
		a, m := tree(in.Degree, in.Keys), modelOf(in.Keys)
		b, n := a.Clone(), slices.Clone(m)
		for _, op := range in.Clone {
			op.do(b, &n)
		}
		for _, op := range in.Others {
			op.do(a, &m)
		}
		if got, want := (Ascend{-100, 100}).do(a, &m); !got.equal(want) {
			t.Errorf("the tree has %v, want %v", got.all, want.all)
		}
		if got, want := (Ascend{-100, 100}).do(b, &n); !got.equal(want) {
			t.Errorf("the clone has %v, want %v", got.all, want.all)
		}
	}, allele.Size(60))
}

// Deleting keys from both ends empties the tree in order.
func TestDrains(t *testing.T) {
	allele.Check(t, func(t *allele.T, in struct {
		Degree Degree
		Keys   []Key
		Low    []bool
	}) {
		tr, m := tree(in.Degree, in.Keys), modelOf(in.Keys)
		for i := 0; len(m) > 0; i++ {
			var op Op = DeleteMax{}
			if i < len(in.Low) && in.Low[i] {
				op = DeleteMin{}
			}
			if got, want := op.do(tr, &m); !got.equal(want) {
				t.Fatalf("%T: got %v, want %v", op, got, want)
			}
		}
		if tr.Len() != 0 {
			t.Errorf("%d keys are left", tr.Len())
		}
	})
}
