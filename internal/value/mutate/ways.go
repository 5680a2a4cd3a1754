//go:build go1.25

package mutate

import (
	"math"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// ways enumerates the ways to fill the fields of constructors: first of the
// constructors that the parent's node does not have, then of the one that it has. A
// field can be filled with each distinct field of the node that has the right schema.
// If the node has none, the field gets a fill (see appendFills). The terms that
// can fill a field are called its items.
//
// Each field has a digit that selects its item; 0 is the present field or the first
// item. Ways are ordered by the number of digits that are not 0. So if WaysMax is
// reached, the largest changes are omitted. If the digits were simply counted up,
// some fields would never change.
type ways struct {
	ctor   int  // the current constructor
	only   int  // the only constructor to enumerate, -1 for all
	own    bool // ctor is the constructor of the parent's node
	fields []wayField
	movers []int32 // indexes of the fields that have several items
	at     []int32 // indexes of the movers whose digit is not 0, ascending
	fresh  bool    // the way with all digits 0 is still to be made
	tried  int
	items  []term.Term // terms that fields can be filled with, by group
	groups []group
	counts []int // slots, by constructor
}

type wayField struct {
	group        int32
	own          int32 // index of the item with digit 0: the present field; -1 if the constructor is another one
	digit, radix int32
}

// group is the items of one schema, a range of ways.items.
type group struct {
	schema   uint16
	fill     bool
	from, to int32
}

func (w *ways) open(f *frame, want term.Term) bool {
	if !f.enabled(Pure | Lists | Filled) {
		return false
	}
	w.only = -1
	if want != nil {
		if !mayBeWay(&f.scene.parent, f.node.pos, want) {
			return false
		}
		w.only = int(want[0].C)
	}
	w.groupKids(&f.node)
	w.ctor, w.own = f.node.s.First()-1, false
	w.close()
	return true
}

// slots gives each constructor at least as many slots as it has ways.
func (w *ways) slots(f *frame) (all int) {
	w.counts = w.counts[:0]
	if !f.enabled(Pure | Lists | Filled) {
		return 0
	}
	w.groupKids(&f.node)
	s, own := f.node.s, int(f.node.sub[0].C)
	for c := range max(1, len(s.Ctors)) {
		n := 0
		switch {
		case c == own:
			n = w.countOwn(f)
		case c >= s.First():
			n = w.countCtor(f, &s.Ctors[c])
		}
		w.counts = append(w.counts, n)
		all += n
	}
	return all
}

// countOwn returns the number of ways of the constructor that the node has.
func (w *ways) countOwn(f *frame) int {
	n, most := 1, f.scene.config.waysMax()
	for _, k := range f.node.kids {
		g := w.groups[w.find(k[0].S)]
		if n *= int(g.to - g.from); n > most {
			return most
		}
	}
	return n - 1
}

// countCtor returns a bound for the number of ways of another constructor.
func (w *ways) countCtor(f *frame, c *schema.Ctor) int {
	n, most := 1, f.scene.config.waysMax()
	for i := range c.Fields {
		s := c.Fields[i].S
		if g := w.find(s.ID); g >= 0 && !w.groups[g].fill {
			n *= int(w.groups[g].to - w.groups[g].from)
		} else {
			n *= fillsMax(f, s)
		}
		if n > most {
			return most
		}
	}
	return n
}

func (w *ways) pick(f *frame, slot int) bool {
	w.ctor = 0
	for slot >= w.counts[w.ctor] {
		slot -= w.counts[w.ctor]
		w.ctor++
	}
	w.own = w.ctor == int(f.node.sub[0].C)
	w.close()
	w.openCtor(f)
	for range slot + 1 {
		if !w.step(f) {
			return false
		}
	}
	w.assemble(f)
	return f.isNew()
}

// next moves to the next way that is new.
func (w *ways) next(f *frame) bool {
	for w.nextWay(f) {
		if f.isNew() {
			return true
		}
	}
	return false
}

// groupKids makes a group of items for each schema among the fields of the node.
func (w *ways) groupKids(n *node) {
	w.items, w.groups = w.items[:0], w.groups[:0]
	for i := range n.kids {
		if w.find(n.kids[i][0].S) >= 0 {
			continue
		}
		g := group{schema: n.kids[i][0].S, from: int32(len(w.items))}
		for _, k := range n.kids[i:] {
			if k[0].S == g.schema && indexOf(w.items[g.from:], k) < 0 {
				w.items = append(w.items, k)
			}
		}
		g.to = int32(len(w.items))
		w.groups = append(w.groups, g)
	}
}

func (w *ways) find(id uint16) int {
	for i := range w.groups {
		if w.groups[i].schema == id {
			return i
		}
	}
	return -1
}

// nextWay moves to the next way.
func (w *ways) nextWay(f *frame) bool {
	own := int(f.node.sub[0].C)
	for !w.step(f) {
		if w.own {
			return false
		}
		w.ctor++
		if w.ctor == own {
			w.ctor++ // the constructor of the node comes last
		}
		if w.ctor >= max(1, len(f.node.s.Ctors)) {
			w.ctor, w.own = own, true
		}
		if w.close(); w.only < 0 || w.ctor == w.only {
			w.openCtor(f)
		}
	}
	w.assemble(f)
	return true
}

// close drops the ways of the constructor before.
func (w *ways) close() {
	w.fields, w.movers, w.at, w.fresh = w.fields[:0], w.movers[:0], w.at[:0], false
}

// openCtor prepares the ways to fill the current constructor.
func (w *ways) openCtor(f *frame) {
	w.tried, w.fresh = 0, !w.own
	if w.own {
		for _, k := range f.node.kids {
			g := w.find(k[0].S)
			w.field(g, int32(indexOf(w.items[w.groups[g].from:w.groups[g].to], k)))
		}
		return
	}
	for _, field := range f.node.s.Ctors[w.ctor].Fields {
		w.field(w.groupOf(f, field.S), -1)
	}
}

// field adds a field with the items of a group.
func (w *ways) field(g int, own int32) {
	radix := w.groups[g].to - w.groups[g].from
	if radix > 1 {
		w.movers = append(w.movers, int32(len(w.fields)))
	}
	w.fields = append(w.fields, wayField{group: int32(g), own: own, radix: radix})
}

// groupOf returns the index of the group with the items for a field of s. If the
// node has no field of s, it makes a group of fills.
func (w *ways) groupOf(f *frame, s *schema.Schema) int {
	if g := w.find(s.ID); g >= 0 {
		return g
	}
	g := group{schema: s.ID, fill: true, from: int32(len(w.items))}
	w.items = appendFills(w.items, f, s)
	g.to = int32(len(w.items))
	w.groups = append(w.groups, g)
	return len(w.groups) - 1
}

// step changes the digits to those of the next way of the current constructor. It
// returns false if there is none.
func (w *ways) step(f *frame) bool {
	if w.ctor < f.node.s.First() && !w.own {
		return false
	}
	if w.tooMany(f) {
		return false
	}
	w.tried++
	if w.fresh {
		w.fresh = false
		return true
	}
	return w.count() || w.choose() || w.widen()
}

// tooMany reports whether WaysMax is reached. If so, it adds the number of omitted
// ways to frame.cut.
func (w *ways) tooMany(f *frame) bool {
	if w.tried < f.scene.config.waysMax() {
		return false
	}
	all := uint64(1)
	for _, m := range w.movers {
		all = min(all*uint64(w.fields[m].radix), math.MaxUint32)
	}
	if w.own {
		all--
	}
	f.cut = uint32(min(uint64(f.cut)+all-uint64(w.tried), math.MaxUint32))
	return true
}

// count moves to the next digits of the same set of changed fields.
func (w *ways) count() bool {
	for k := len(w.at) - 1; k >= 0; k-- {
		field := &w.fields[w.movers[w.at[k]]]
		if field.digit++; field.digit < field.radix {
			return true
		}
		field.digit = 1
	}
	return false
}

// choose moves to the next set of changed fields that has the same size.
func (w *ways) choose() bool {
	n := len(w.at)
	for k := n - 1; k >= 0; k-- {
		if int(w.at[k]) < len(w.movers)-n+k {
			w.clear()
			w.at[k]++
			for l := k + 1; l < n; l++ {
				w.at[l] = w.at[l-1] + 1
			}
			w.begin()
			return true
		}
	}
	return false
}

// widen moves to the first set of changed fields that has one more field.
func (w *ways) widen() bool {
	if len(w.at) == len(w.movers) {
		return false
	}
	w.clear()
	w.at = append(w.at, 0)
	for k := range w.at {
		w.at[k] = int32(k)
	}
	w.begin()
	return true
}

func (w *ways) clear() {
	for _, k := range w.at {
		w.fields[w.movers[k]].digit = 0
	}
}

func (w *ways) begin() {
	for _, k := range w.at {
		w.fields[w.movers[k]].digit = 1
	}
}

// item returns the term for a field.
func (w *ways) item(field *wayField) term.Term {
	d := field.digit
	switch {
	case field.own < 0:
	case d == 0:
		d = field.own
	case d <= field.own:
		d--
	}
	return w.items[w.groups[field.group].from+d]
}

// assemble makes the current way the current candidate.
func (w *ways) assemble(f *frame) {
	c, kind := &f.candidate, Pure
	c.put(f.node.s, uint16(w.ctor), uint64(f.node.s.Len))
	for i := range w.fields {
		field := &w.fields[i]
		c.add(w.item(field))
		if field.digit > 0 && w.groups[field.group].fill {
			kind = Filled
		}
	}
	if w.own && len(w.at) <= 2 {
		c.single = int(w.movers[w.at[0]])
		c.to[0] = c.pieces[1+c.single]
		if len(w.at) == 2 {
			c.second = int(w.movers[w.at[1]])
			c.to[1] = c.pieces[1+c.second]
		}
	}
	c.seal(kind)
}
