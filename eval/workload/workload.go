// Package workload contains the programs that experiments test, each with a planted
// bug.
//
// A workload is code that only accepts well-formed input: a search tree, a red-black
// tree, a typed expression. Random inputs are hardly ever well-formed, so these
// programs are a good measure of a testing tool.
package workload

// Tree is a binary search tree.
type Tree struct {
	L, R *Tree
	K    int
}

// Size returns the number of nodes.
func (t *Tree) Size() int {
	if t == nil {
		return 0
	}
	return 1 + t.L.Size() + t.R.Size()
}

// Ordered reports whether t is a search tree without equal keys.
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

// Insert returns the tree with a key added.
func (t *Tree) Insert(key int) *Tree { return t.insert(key, 1, never) }

// never is a depth that no tree reaches.
const never = 1 << 30

// InsertBST4 is Insert with a bug: from level four on, a key that belongs to the left of
// a node without a left subtree is inserted on the right instead.
func (t *Tree) InsertBST4(key int) *Tree { return t.insert(key, 1, 4) }

func (t *Tree) insert(key, depth, wrongFrom int) *Tree {
	if t == nil {
		return &Tree{K: key}
	}
	c := *t
	switch {
	case key < t.K && depth >= wrongFrom && t.L == nil:
		c.R = t.R.insert(key, depth+1, wrongFrom)
	case key < t.K:
		c.L = t.L.insert(key, depth+1, wrongFrom)
	case key > t.K:
		c.R = t.R.insert(key, depth+1, wrongFrom)
	}
	return &c
}

// Pod is a simplified copy of the largest object of a cluster manager: some forty
// fields, lists, maps and optional numbers.
type Pod struct {
	Meta
	Kind, API string
	Spec      Spec
	Phase     string
	Ready     bool
}

// The parts of a Pod.
type (
	Meta struct {
		Name, Namespace, UID, Version string
		Gen                           int64
		Labels                        map[string]string
		Deleted                       *int64
	}
	Spec struct {
		Containers               []Container
		Restart, DNS, Host, User string
		HostNet, HostPID         bool
		Grace, FSGroup           *int64
		Ratio                    float64
	}
	Container struct {
		Name, Image, Dir string
		Args             []string
		Ports            []Port
		Env              []Env
		CPU, Mem         int64
		TTY, Stdin       bool
		Prio             *int32
	}
	Port struct {
		Name, Proto    string
		Port, HostPort int32
	}
	Env struct{ Name, Value string }
)
