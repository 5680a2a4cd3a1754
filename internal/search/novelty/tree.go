package novelty

// tree is a radix tree over site numbers: a node stands for a stretch of path
// without a branch, so a new path of any length costs two nodes at most.
type tree struct {
	symbols []uint32
	nodes   []node
	edges   edges
}

// node is the stretch symbols[from:to] below its parent.
type node struct {
	from, to uint32
	end      bool // a path ends behind it
}

const root = 0

// add puts a path in. It counts every new symbol, and one for the end, so that
// a path that is the beginning of a known one counts as new as well.
func (t *tree) add(path []uint32) (added, depth int) {
	if len(t.nodes) == 0 {
		t.nodes = append(t.nodes, node{})
	}
	at, i := uint32(root), 0
	for i < len(path) {
		child, ok := t.edges.get(at, path[i])
		if !ok {
			t.leaf(at, path[i:])
			return len(path) - i + 1, i
		}
		same := t.match(child, path[i:])
		i += same
		if n := &t.nodes[child]; same < int(n.to-n.from) {
			child = t.split(at, child, same)
			if i < len(path) {
				t.leaf(child, path[i:])
				return len(path) - i + 1, i
			}
		}
		at = child
	}
	if t.nodes[at].end {
		return 0, i
	}
	t.nodes[at].end = true
	return 1, i
}

// match is how many symbols of a node's stretch a path goes along with.
func (t *tree) match(n uint32, path []uint32) int {
	stretch := t.symbols[t.nodes[n].from:t.nodes[n].to]
	k := min(len(stretch), len(path))
	for i := range k {
		if stretch[i] != path[i] {
			return i
		}
	}
	return k
}

// leaf hangs a new stretch below a node.
func (t *tree) leaf(parent uint32, path []uint32) {
	from := uint32(len(t.symbols))
	t.symbols = append(t.symbols, path...)
	t.edges.set(parent, path[0], uint32(len(t.nodes)))
	t.nodes = append(t.nodes, node{from, uint32(len(t.symbols)), true})
}

// split cuts a node in two and gives the upper half, which is new.
func (t *tree) split(parent, child uint32, at int) uint32 {
	n := &t.nodes[child]
	upper := node{n.from, n.from + uint32(at), false}
	n.from = upper.to
	id := uint32(len(t.nodes))
	t.edges.set(parent, t.symbols[upper.from], id)
	t.edges.set(id, t.symbols[n.from], child)
	t.nodes = append(t.nodes, upper)
	return id
}

func (t *tree) bytes() int { return 4*cap(t.symbols) + 12*cap(t.nodes) + t.edges.bytes() }

// edges finds the child of a node by the first symbol of its stretch: one hash
// table for the whole tree, as most nodes have one child and a few have many.
type edges struct {
	keys   []uint64 // node and symbol, plus one; 0 is empty
	values []uint32
	used   int
}

// key of an edge. Symbols use all 32 bits, nodes fewer.
func key(node, symbol uint32) uint64 { return uint64(node)<<32 | uint64(symbol) + 1 }

func (e *edges) slot(k uint64) int {
	mask := uint64(len(e.keys) - 1)
	i := fold(k, 0x9e3779b97f4a7c15) & mask
	for e.keys[i] != 0 && e.keys[i] != k {
		i = (i + 1) & mask
	}
	return int(i)
}

func (e *edges) get(node, symbol uint32) (uint32, bool) {
	if e.used == 0 {
		return 0, false
	}
	k := key(node, symbol)
	i := e.slot(k)
	return e.values[i], e.keys[i] == k
}

func (e *edges) set(node, symbol, child uint32) {
	if 4*e.used >= 3*len(e.keys) {
		e.grow()
	}
	k := key(node, symbol)
	i := e.slot(k)
	if e.keys[i] == 0 {
		e.keys[i] = k
		e.used++
	}
	e.values[i] = child
}

func (e *edges) grow() {
	keys, values := e.keys, e.values
	n := max(slotsMin, 2*len(keys))
	e.keys, e.values = make([]uint64, n), make([]uint32, n)
	for i, k := range keys {
		if k != 0 {
			j := e.slot(k)
			e.keys[j], e.values[j] = k, values[i]
		}
	}
}

func (e *edges) bytes() int { return 12 * len(e.keys) }
