// Package bst is a map implemented as a binary search tree, with eight faults and the
// properties that they break.
//
// The operations are methods of the fault that affects them:
//
//	t = bst.Correct.Insert(t, 3, true)
//	t = bst.Union8.Union(t, u)       // may take the wrong tree's value
//	for _, task := range bst.Tasks() // a fault and a property that it breaks
//
// Many small random trees are search trees, and small trees reveal the faults. So plain
// random testing does well on this workload, and guidance must not cost much.
package bst

// Tree is a map. Nil is the empty map.
type Tree struct {
	L *Tree
	K int
	V bool
	R *Tree
}

// Fault is a fault of the operations.
type Fault int

// The faults.
const (
	Correct Fault = iota
	Insert1       // a tree that is not empty is replaced by one node
	Insert2       // inserting a greater key overwrites the value of the node: the case k > t.K is missing
	Insert3       // inserting an existing key does not change its value
	Delete4       // the nodes on the path to the key are lost
	Delete5       // searches for the key on the wrong side
	Union6        // does not compare keys
	Union7        // compares only the keys of the roots
	Union8        // for a key that both trees have, may take the value of the right tree
)

func (f Fault) String() string {
	return [...]string{"correct", "insert_1", "insert_2", "insert_3", "delete_4", "delete_5", "union_6", "union_7", "union_8"}[f]
}

// Insert returns the tree with a key set to a value.
func (f Fault) Insert(t *Tree, k int, v bool) *Tree {
	if t == nil || f == Insert1 {
		return &Tree{K: k, V: v}
	}
	switch {
	case k < t.K:
		return &Tree{f.Insert(t.L, k, v), t.K, t.V, t.R}
	case k > t.K && f != Insert2:
		return &Tree{t.L, t.K, t.V, f.Insert(t.R, k, v)}
	case f == Insert3:
		return t
	}
	return &Tree{t.L, t.K, v, t.R}
}

// Delete returns the tree without a key.
func (f Fault) Delete(t *Tree, k int) *Tree {
	if t == nil {
		return nil
	}
	before, after := k < t.K, k > t.K
	if f == Delete5 {
		before, after = after, before
	}
	switch {
	case before && f == Delete4:
		return f.Delete(t.L, k)
	case before:
		return &Tree{f.Delete(t.L, k), t.K, t.V, t.R}
	case after && f == Delete4:
		return f.Delete(t.R, k)
	case after:
		return &Tree{t.L, t.K, t.V, f.Delete(t.R, k)}
	}
	return joined(t.L, t.R)
}

// joined joins two trees. All keys of the left tree are before those of the right.
func joined(l, r *Tree) *Tree {
	if l == nil {
		return r
	}
	if r == nil {
		return l
	}
	return &Tree{l.L, l.K, l.V, &Tree{joined(l.R, r.L), r.K, r.V, r.R}}
}

// Union returns a tree with the keys of both trees. A key that both trees have gets its
// value from t.
func (f Fault) Union(t, u *Tree) *Tree {
	if t == nil {
		return u
	}
	if u == nil {
		return t
	}
	switch f {
	case Union6:
		return &Tree{t.L, t.K, t.V, &Tree{f.Union(t.R, u.L), u.K, u.V, u.R}}
	case Union7, Union8:
		return f.unionByRoots(t, u)
	}
	return &Tree{f.Union(t.L, below(u, t.K)), t.K, t.V, f.Union(t.R, above(u, t.K))}
}

// unionByRoots is the faulty union of Union7 and Union8.
func (f Fault) unionByRoots(t, u *Tree) *Tree {
	switch {
	case t.K == u.K:
		return &Tree{f.Union(t.L, u.L), t.K, t.V, f.Union(t.R, u.R)}
	case t.K > u.K:
		return f.Union(u, t)
	case f == Union7:
		return &Tree{t.L, t.K, t.V, &Tree{f.Union(t.R, u.L), u.K, u.V, u.R}}
	}
	right := &Tree{above(u.L, t.K), u.K, u.V, u.R}
	return &Tree{f.Union(t.L, below(u.L, t.K)), t.K, t.V, f.Union(t.R, right)}
}

// below returns a tree with the keys of t that are less than k.
func below(t *Tree, k int) *Tree {
	switch {
	case t == nil:
		return nil
	case t.K >= k:
		return below(t.L, k)
	}
	return &Tree{t.L, t.K, t.V, below(t.R, k)}
}

// above returns a tree with the keys of t that are greater than k.
func above(t *Tree, k int) *Tree {
	switch {
	case t == nil:
		return nil
	case t.K <= k:
		return above(t.R, k)
	}
	return &Tree{above(t.L, k), t.K, t.V, t.R}
}

// Find returns the value of a key.
func (t *Tree) Find(k int) (v, ok bool) {
	switch {
	case t == nil:
		return false, false
	case k < t.K:
		return t.L.Find(k)
	case k > t.K:
		return t.R.Find(k)
	}
	return t.V, true
}

// Valid reports whether t is a search tree without equal keys.
func (t *Tree) Valid() bool { return t.between(nil, nil) }

func (t *Tree) between(lo, hi *int) bool {
	if t == nil {
		return true
	}
	if lo != nil && t.K <= *lo || hi != nil && t.K >= *hi {
		return false
	}
	return t.L.between(lo, &t.K) && t.R.between(&t.K, hi)
}
