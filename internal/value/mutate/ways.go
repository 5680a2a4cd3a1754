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
// If the node has none, the field gets a fill (see the method fill). The terms that
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
}

type wayField struct {
	group        int32
	own          int32 // index of the item with digit 0: the present field; -1 if the constructor is another one
	digit, radix int32
}

// group is the items of one schema, a range of frame.items.
type group struct {
	schema   uint16
	fill     bool
	from, to int32
}

// arrayWays is the length of the longest array that is treated as a constructor
// with that many fields; longer arrays are edited like lists.
const arrayWays = 4

func (f *frame) openWays() {
	f.groupKids()
	f.ways.ctor, f.ways.only, f.ways.own, f.ways.fresh = f.s.First()-1, -1, false, false
	f.ways.fields, f.ways.movers, f.ways.at = f.ways.fields[:0], f.ways.movers[:0], f.ways.at[:0]
}

// groupKids makes a group of items for each schema among the fields of the node.
func (f *frame) groupKids() {
	for i := range f.kids {
		if f.find(f.kids[i][0].S) >= 0 {
			continue
		}
		g := group{schema: f.kids[i][0].S, from: int32(len(f.items))}
		for _, k := range f.kids[i:] {
			if k[0].S == g.schema && indexOf(f.items[g.from:], k) < 0 {
				f.items = append(f.items, k)
			}
		}
		g.to = int32(len(f.items))
		f.groups = append(f.groups, g)
	}
}

func indexOf(items []term.Term, t term.Term) int {
	for i := range items {
		if equal(items[i], t) {
			return i
		}
	}
	return -1
}

func (f *frame) find(id uint16) int {
	for i := range f.groups {
		if f.groups[i].schema == id {
			return i
		}
	}
	return -1
}

// mayBeWay is a quick check whether t may be one of the ways. It returns false if t
// has a field that is certainly not an item.
func (f *frame) mayBeWay(t term.Term) bool {
	for k := 1; k < len(t); k += int(t[k].N) {
		if g := f.find(t[k].S); g >= 0 {
			if indexOf(f.items[f.groups[g].from:f.groups[g].to], t.Sub(k)) < 0 {
				return false
			}
		} else if s := f.m.world.Of(t[k]); rigid(s) && !equal(t.Sub(k), s.Least) {
			return false
		}
	}
	return true
}

// rigid reports whether the least term is the only fill for a field of schema s.
func rigid(s *schema.Schema) bool {
	return len(s.Least) == 1 && !s.IsScalar() && s.Kind != schema.Choice
}

// nextWay moves to the next way.
func (f *frame) nextWay() bool {
	w := &f.ways
	for !f.step() {
		if w.own {
			return false
		}
		w.ctor++
		if w.ctor == int(f.sub[0].C) {
			w.ctor++ // the constructor of the node comes last
		}
		if w.ctor >= max(1, len(f.s.Ctors)) {
			w.ctor, w.own = int(f.sub[0].C), true
		}
		if w.only >= 0 && w.ctor != w.only {
			w.fields, w.movers, w.at, w.fresh = w.fields[:0], w.movers[:0], w.at[:0], false
			continue
		}
		f.openCtor()
	}
	f.assemble()
	return true
}

// openCtor prepares the ways to fill the current constructor.
func (f *frame) openCtor() {
	w := &f.ways
	w.fields, w.movers, w.at = w.fields[:0], w.movers[:0], w.at[:0]
	w.tried, w.fresh = 0, !w.own
	if w.own {
		for i := range f.kids {
			g := f.find(f.kids[i][0].S)
			f.wayField(g, int32(indexOf(f.items[f.groups[g].from:f.groups[g].to], f.kids[i])))
		}
		return
	}
	for _, field := range f.s.Ctors[w.ctor].Fields {
		f.wayField(f.groupOf(field.S), -1)
	}
}

func (f *frame) wayField(g int, own int32) {
	w := &f.ways
	radix := f.groups[g].to - f.groups[g].from
	if radix > 1 {
		w.movers = append(w.movers, int32(len(w.fields)))
	}
	w.fields = append(w.fields, wayField{group: int32(g), own: own, radix: radix})
}

// groupOf returns the index of the group with the items for a field of s. If the
// node has no field of s, it makes a group of fills.
func (f *frame) groupOf(s *schema.Schema) int {
	if g := f.find(s.ID); g >= 0 {
		return g
	}
	g := group{schema: s.ID, fill: true, from: int32(len(f.items))}
	f.fill(s)
	g.to = int32(len(f.items))
	f.groups = append(f.groups, g)
	return len(f.groups) - 1
}

// step changes the digits to those of the next way of the current constructor. It
// returns false if there is none.
func (f *frame) step() bool {
	w := &f.ways
	if w.ctor < f.s.First() && !w.own {
		return false
	}
	if f.tooMany() {
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
// ways to cut.
func (f *frame) tooMany() bool {
	w, most := &f.ways, f.m.WaysMax
	if most == 0 {
		most = waysDefault
	}
	if w.tried < most {
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
func (f *frame) item(w *wayField) term.Term {
	g := &f.groups[w.group]
	d := w.digit
	switch {
	case w.own < 0:
	case d == 0:
		d = w.own
	case d <= w.own:
		d--
	}
	return f.items[g.from+d]
}

// assemble makes the current way the current candidate.
func (f *frame) assemble() {
	w := &f.ways
	kind := Pure
	f.put(uint16(w.ctor), uint64(f.s.Len))
	for i := range w.fields {
		field := &w.fields[i]
		f.add(f.item(field))
		if field.digit > 0 && f.groups[field.group].fill {
			kind = Filled
		}
	}
	if w.own && len(w.at) <= 2 {
		f.single = int(w.movers[w.at[0]])
		f.to[0] = f.pieces[1+f.single]
		if len(w.at) == 2 {
			f.second = int(w.movers[w.at[1]])
			f.to[1] = f.pieces[1+f.second]
		}
	}
	f.seal(kind)
}
