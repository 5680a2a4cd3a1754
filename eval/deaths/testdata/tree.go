package scratch

// Tree is a binary tree. It is a search tree if its keys are in order.
type Tree struct {
	L, R *Tree
	K    int
}

// Ordered reports whether the keys are in order, and between low and high.
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
