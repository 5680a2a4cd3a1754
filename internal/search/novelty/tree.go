package novelty

// tree is a radix tree over symbols: a node stands for a stretch of path without
// a branch, so a new path costs two nodes, or a few more if it is very long.
//
// Symbols are most of the memory. They are kept in pages, as one list would be
// copied whenever it grows, which took as long as all else together. A stretch
// that does not fit in its page goes on in another node.
type tree struct {
	pages []*[pageSize]uint32
	used  int // symbols
	nodes []node
	edges table[uint32] // from a node and the first symbol of a stretch to its node
}

// pageSize is small enough for a search with many small trees, and large enough
// that stretches seldom meet an end of page.
const pageSize = 1 << 13

// node is the symbols in [from, to), on one page, below its parent.
type node struct {
	from, to uint32
	end      bool // a path ends behind it
}

const root = 0

// add puts a path in. It counts every new symbol, and one for the end, so that
// a path that is the beginning of a known one counts as new as well.
func (t *tree) add(path []uint32) (added, depth int) {
	if len(t.nodes) == 0 {
		t.nodes = append(withRoom(t.nodes, 1), node{})
	}
	at, i := uint32(root), 0
	for i < len(path) {
		child, ok := t.edges.get(key(at, path[i]))
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
	from, length := t.nodes[n].from, t.nodes[n].to-t.nodes[n].from
	stretch := t.pages[from/pageSize][from%pageSize:][:length]
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
	for len(path) > 0 {
		at := t.used % pageSize
		if at == 0 {
			t.pages = append(t.pages, new([pageSize]uint32))
		}
		n := copy(t.pages[len(t.pages)-1][at:], path)
		id := uint32(len(t.nodes))
		*t.edges.at(key(parent, path[0])) = id
		t.nodes = append(withRoom(t.nodes, 1), node{uint32(t.used), uint32(t.used + n), n == len(path)})
		t.used += n
		parent, path = id, path[n:]
	}
}

// split cuts a node in two and gives the upper half, which is new.
func (t *tree) split(parent, child uint32, at int) uint32 {
	n := &t.nodes[child]
	upper := node{n.from, n.from + uint32(at), false}
	n.from = upper.to
	id := uint32(len(t.nodes))
	*t.edges.at(key(parent, t.symbol(upper.from))) = id
	*t.edges.at(key(id, t.symbol(n.from))) = child
	t.nodes = append(withRoom(t.nodes, 1), upper)
	return id
}

func (t *tree) symbol(i uint32) uint32 { return t.pages[i/pageSize][i%pageSize] }

func (t *tree) bytes() int { return pageBytes*len(t.pages) + nodeBytes*cap(t.nodes) + t.edges.bytes() }

// bytesFor is how much it will be, at most, with one more path: a node where it
// leaves another, one for each page it is on, and the first time the root.
func (t *tree) bytesFor(length int) int {
	pages := (t.used + length + pageSize - 1) / pageSize
	nodes := 3 + pages - t.used/pageSize
	return pageBytes*pages + nodeBytes*room(cap(t.nodes), len(t.nodes)+nodes) + t.edges.bytesFor(nodes)
}

const pageBytes = 4*pageSize + 16 // with its place in the list of pages, which has some to spare

const nodeBytes = 12 // as the compiler lays it out

// room is the capacity of a list that had one and is to hold n. It grows by half:
// doubling would leave more empty when the limit is near.
func room(capacity, n int) int {
	if n <= capacity {
		return capacity
	}
	return max(n, capacity+capacity/2, slotsMin)
}

// withRoom is what append would do, but by a rule that bytesFor knows.
func withRoom[E any](list []E, more int) []E {
	n := room(cap(list), len(list)+more)
	if n == cap(list) {
		return list
	}
	return append(make([]E, 0, n), list...)
}

// key of the edge from a node to its child that begins with a symbol: one table
// for the whole tree, as most nodes have one child and a few have many. Symbols
// use all 32 bits, nodes fewer.
func key(node, symbol uint32) uint64 { return uint64(node)<<32 | uint64(symbol) + 1 }
