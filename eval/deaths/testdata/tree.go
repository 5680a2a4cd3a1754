package scratch

// Tree is a search tree if it is in order.
type Tree struct {
	L, R *Tree
	K    int
}

// Ordered reports whether all keys lie between two others, in order.
func (t *Tree) Ordered(low, high int) bool {
	if t == nil {
		return true
	}
	return low < t.K && t.K < high && t.L.Ordered(low, t.K) && t.R.Ordered(t.K, high)
}

// Size counts the nodes.
func (t *Tree) Size() int {
	if t == nil {
		return 0
	}
	return 1 + t.L.Size() + t.R.Size()
}
