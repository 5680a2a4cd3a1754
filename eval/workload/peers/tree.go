package peers

import "github.com/allele-go/allele/eval/workload/task"

// Tree is a binary search tree.
type Tree struct {
	L, R *Tree
	K    int
}

// TreeKey is a tree and a key to insert.
type TreeKey struct {
	Tree *Tree
	Key  int
}

// never is a depth that no tree reaches.
const never = 1 << 30

// BST4 holds if inserting into a search tree yields a search tree. The bug affects
// insertions below a path of four nodes.
func BST4(in TreeKey) task.Verdict {
	return insertKeepsOrder(in, func(*Tree) int { return 4 })
}

// BST8 is the same property, but the bug needs a tree of eight nodes.
func BST8(in TreeKey) task.Verdict {
	return insertKeepsOrder(in, func(t *Tree) int {
		if t.size() >= 8 {
			return 1
		}
		return never
	})
}

func insertKeepsOrder(in TreeKey, wrongFrom func(*Tree) int) task.Verdict {
	if !in.Tree.ordered(nil, nil) {
		return task.Discarded
	}
	return task.Holds(in.Tree.insert(in.Key, wrongFrom(in.Tree)).ordered(nil, nil))
}

// ordered reports whether t is a search tree with keys between lo and hi.
func (t *Tree) ordered(lo, hi *int) bool {
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

func (t *Tree) size() int {
	if t == nil {
		return 0
	}
	return 1 + t.L.size() + t.R.size()
}

// insert adds a key. From level wrongFrom on, a key that belongs to the left of a node
// without a left subtree is inserted on the right instead. The root is level one.
func (t *Tree) insert(key, wrongFrom int) *Tree {
	if t == nil {
		return &Tree{K: key}
	}
	n := *t
	switch {
	case key < t.K && t.L == nil && wrongFrom <= 1:
		n.R = t.R.insert(key, wrongFrom-1)
	case key < t.K:
		n.L = t.L.insert(key, wrongFrom-1)
	case key > t.K:
		n.R = t.R.insert(key, wrongFrom-1)
	}
	return &n
}
