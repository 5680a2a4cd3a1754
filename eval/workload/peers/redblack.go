package peers

import "github.com/allele-go/allele/eval/workload/task"

// RB is a red-black tree.
type RB struct {
	Red  bool
	L, R *RB
	K    int
}

// RBKey is a tree and a key to insert.
type RBKey struct {
	Tree *RB
	Key  int
}

// missing says when balance omits the case of a red left child that has a red right
// child.
type missing int

const (
	nothing missing = iota
	always
	fromBelow // only if the violation was not caused by the new node itself
)

// RBEasy holds if inserting into a valid red-black tree yields a valid tree.
func RBEasy(in RBKey) task.Verdict { return insertKeepsColors(in, always) }

// RBHard is the same property for a bug that occurs less often.
func RBHard(in RBKey) task.Verdict { return insertKeepsColors(in, fromBelow) }

func insertKeepsColors(in RBKey, bug missing) task.Verdict {
	if !in.Tree.valid() {
		return task.Discarded
	}
	t := *in.Tree.insert(in.Key, bug)
	t.Red = false
	return task.Holds(t.valid())
}

func (t *RB) red() bool { return t != nil && t.Red }

// valid reports whether t is a search tree with a black root, no red child of a red
// node, and the same number of black nodes on every path to a leaf.
func (t *RB) valid() bool {
	if t.red() || !t.ordered(nil, nil) {
		return false
	}
	_, ok := t.blacks()
	return ok
}

func (t *RB) ordered(lo, hi *int) bool {
	if t == nil {
		return true
	}
	if lo != nil && t.K <= *lo {
		return false
	}
	if hi != nil && t.K >= *hi {
		return false
	}
	return t.L.ordered(lo, &t.K) && t.R.ordered(&t.K, hi)
}

// blacks returns the number of black nodes on every path to a leaf. It reports false if
// the paths differ, or if a red node has a red child.
func (t *RB) blacks() (n int, ok bool) {
	if t == nil {
		return 0, true
	}
	if t.Red && (t.L.red() || t.R.red()) {
		return 0, false
	}
	left, ok := t.L.blacks()
	if !ok {
		return 0, false
	}
	right, ok := t.R.blacks()
	if !ok || left != right {
		return 0, false
	}
	if t.Red {
		return left, true
	}
	return left + 1, true
}

func (t *RB) insert(key int, bug missing) *RB {
	if t == nil {
		return &RB{Red: true, K: key}
	}
	n := *t
	switch {
	case key < t.K:
		n.L = t.L.insert(key, bug)
	case key > t.K:
		n.R = t.R.insert(key, bug)
	default:
		return t
	}
	return n.balance(bug)
}

// balance repairs a black node that has a red child which has a red child itself.
func (t *RB) balance(bug missing) *RB {
	l, r := t.L, t.R
	switch {
	case t.Red:
		return t
	case l.red() && l.L.red():
		return raised(l, l.L.over(l.L.L, l.L.R), t.over(l.R, r))
	case l.red() && l.R.red():
		if bug == always || bug == fromBelow && l.R.L != nil {
			return t
		}
		return raised(l.R, l.over(l.L, l.R.L), t.over(l.R.R, r))
	case r.red() && r.L.red():
		return raised(r.L, t.over(l, r.L.L), r.over(r.L.R, r.R))
	case r.red() && r.R.red():
		return raised(r, t.over(l, r.L), r.R.over(r.R.L, r.R.R))
	}
	return t
}

// over returns a black node with the key of t and the given subtrees.
func (t *RB) over(l, r *RB) *RB { return &RB{L: l, R: r, K: t.K} }

// raised returns a red node with the key of t and the given subtrees.
func raised(t, l, r *RB) *RB { return &RB{Red: true, L: l, R: r, K: t.K} }
