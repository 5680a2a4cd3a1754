package pathlog

// tree holds paths in a radix tree over symbols. A node stands for a stretch of path
// without a branch, so a new path costs two nodes, or a few more if it is very long.
//
// Symbols take most of the memory. They are stored in pages, because one list would
// be copied whenever it grows, and the copying took as long as everything else
// together. A stretch that does not fit in its page continues in another node.
type tree struct {
	pages []*[pageSize]uint32
	used  int // number of symbols in pages
	nodes []node
	edges table // maps a node and the first symbol of a child to the child
}

// pageSize is small enough for a search with many small trees, and large enough
// that stretches seldom reach the end of a page.
const pageSize = 1 << 13

// node holds the symbols in [from, to), which are on one page.
type node struct {
	from, to uint32
	end      bool // a path ends after the last symbol
}

const root = 0

// add adds a path. added counts every new symbol, and one for the end of the path. So a
// path that is a prefix of a known path counts as new as well. depth is where the path
// branches off the known paths.
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

// match returns how many symbols a node and a path have in common at their start.
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

// leaf adds a new stretch below a node.
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

// split splits a node in two and returns the upper half, which is a new node.
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

// bytesFor returns an upper bound of the memory that will be used with one more path of
// the given length. The path adds at most these nodes: one where it branches off another
// path, one for each page that it is on, and the root if the tree was empty.
func (t *tree) bytesFor(length int) int {
	pages := (t.used + length + pageSize - 1) / pageSize
	nodes := 3 + pages - t.used/pageSize
	return pageBytes*pages + nodeBytes*room(cap(t.nodes), len(t.nodes)+nodes) + t.edges.bytesFor(nodes)
}

const pageBytes = 4*pageSize + 16 // a page, and its share of the page list including spare capacity

const nodeBytes = 12 // the size of a node in memory

// room returns the new capacity of a list that is to hold n elements. Capacity grows
// by half, because doubling would leave more memory unused near the limit.
func room(capacity, n int) int {
	if n <= capacity {
		return capacity
	}
	return max(n, capacity+capacity/2, slotsMin)
}

// withRoom grows a list as append would, but by the rule that bytesFor uses.
func withRoom[E any](list []E, more int) []E {
	n := room(cap(list), len(list)+more)
	if n == cap(list) {
		return list
	}
	return append(make([]E, 0, n), list...)
}

// key returns the key in tree.edges for a node and the first symbol of its child. There
// is one table for the whole tree, because most nodes have one child and a few have many.
// 1 is added because no key may be 0. Symbols use all 32 bits; node numbers use fewer, so
// the sum cannot overflow.
func key(node, symbol uint32) uint64 { return uint64(node)<<32 | uint64(symbol) + 1 }
