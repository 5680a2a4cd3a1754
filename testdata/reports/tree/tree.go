package tree

type Tree struct {
	L, R *Tree
	K    int
}

func (t *Tree) Ordered() bool { return t.between(nil, nil) }

func (t *Tree) between(lo, hi *int) bool {
	if t == nil {
		return true
	}
	if lo != nil && t.K <= *lo || hi != nil && t.K >= *hi {
		return false
	}
	return t.L.between(lo, &t.K) && t.R.between(&t.K, hi)
}

// Insert forgets that a key to the right may have a left subtree.
func (t *Tree) Insert(k int) *Tree {
	if t == nil {
		return &Tree{K: k}
	}
	switch c := *t; {
	case k < t.K:
		c.L = t.L.Insert(k)
		return &c
	case k > t.K && t.R != nil && k < t.R.K:
		c.R = &Tree{K: k, R: t.R}
		return &c
	case k > t.K:
		c.R = t.R.Insert(k)
		return &c
	}
	return t
}
