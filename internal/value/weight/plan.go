//go:build go1.25

package weight

import (
	"slices"

	"github.com/allele-go/allele/internal/value/schema"
)

// Plan defines what a level is for each type of a world. The generator and the
// prediction both use the Plan, so they cannot disagree.
//
// Types that contain each other recursively form a component. A choice is made for a
// pointer, an interface, a builder call or a list. If the chosen way has a field
// whose type is in the same component, the field is one level lower: it takes a
// level. Structs and arrays offer no choice, so their fields take no level. A field
// whose type is in another component takes no level either.
type Plan struct {
	World *schema.World
	nodes []node // by schema

	// Topological orders of the schemas above level 0 and at level 0: a schema
	// comes before the schemas that it needs at the same level.
	above, last []int
}

type node struct {
	s      *schema.Schema
	part   int // number of the component that s belongs to
	height int // minimal number of levels of a term
	ways   []way
}

// way is one possible choice for the root of a term: a constructor, a list, or a
// pattern.
type way struct {
	steps  []uint8 // by field: the levels that it takes, 0 or 1
	height int     // minimal number of levels of a term that begins with this way
	open   bool    // whether it may be chosen at all
	last   bool    // whether it may be chosen at level 0
	edges  []edge

	// The other fields are for the size in cells. Each element of a slice or map counts
	// at least one cell, even if it contains none, except for the elements that the list
	// must have (see schema.Schema.ElemCost).
	cells int     // cells that every such term has, fields and holes not counted
	sure  bool    // such a term always has at least one cell
	list  bool    // it is a slice or map, and not a pattern
	must  float64 // of a list: the number of elements that it must have
	only  float64 // of a list: the probability that it has no other elements
	bare  []bare  // list elements of a pattern that count one cell if their holes contain none
}

// edge records that a way has fields of one schema. The index of the schema is to,
// the mean number of such fields is count, and each of them is step levels lower.
type edge struct {
	to    int
	step  uint8
	count float64
}

// bare is a list element in a pattern, represented by the holes in it.
type bare []edge

// At every level the length of a list is drawn uniformly, with these bounds. The
// mean length is known, so predictions are exact. The elements of a recursive list
// take a level, so such a list is empty at level 0.
const (
	LenMax   = 4  // lengths are 0 to LenMax, all equally likely
	NilOneIn = 16 // one list in NilOneIn is nil

	lenMean  = (1 - 1.0/NilOneIn) * LenMax / 2
	lenEmpty = 1.0/NilOneIn + (1-1.0/NilOneIn)/(LenMax+1)
)

// LenRoom returns how many elements more than its minimum a list with bounds may have.
func LenRoom(s *schema.Schema) int { return min(LenMax, s.LenMax-s.LenMin) }

// NewPlan computes the components and levels of a world.
func NewPlan(w *schema.World) *Plan {
	p := &Plan{World: w, nodes: make([]node, len(w.Schemas))}
	for i, part := range parts(w) {
		p.nodes[i] = node{s: w.Schemas[i], part: part}
	}
	for i := range p.nodes {
		p.ways(&p.nodes[i])
	}
	p.heights()
	p.above = p.order(false)
	p.last = p.order(true)
	return p
}

// Step returns how many levels field f of constructor c takes: 0 or 1. List
// elements are field 0 of constructor 0; in a map, keys are field 0 and values
// field 1.
func (p *Plan) Step(s *schema.Schema, c, f int) int { return int(p.nodes[s.ID].ways[c].steps[f]) }

// HoleStep returns how many levels a hole of schema t takes in a pattern of schema
// s: 0 or 1.
func (p *Plan) HoleStep(s, t *schema.Schema) int { return int(p.hole(s, t)) }

func (p *Plan) hole(s, t *schema.Schema) uint8 {
	if p.nodes[s.ID].part == p.nodes[t.ID].part {
		return 1
	}
	return 0
}

// Recursive reports whether s is a list whose elements are in the same component.
// Such a list must be empty at level 0.
func (p *Plan) Recursive(s *schema.Schema) bool {
	return s.IsList() && slices.Max(p.nodes[s.ID].ways[0].steps) > 0
}

// Odds returns the probabilities of the ways of s, above level 0 or at level 0. They
// add up to 1. At level 0 only the ways that take the fewest levels are possible, in
// the same proportion to each other as above level 0 (section 5 of the thesis, p* of
// LeafA). If all possible ways have odds 0, they are equally likely.
func (p *Plan) Odds(s *schema.Schema, last bool) []float64 {
	ways := p.nodes[s.ID].ways
	odds := make([]float64, len(ways))
	sum := 0.0
	for k := range ways {
		if !ways[k].open || last && !ways[k].last {
			continue
		}
		switch {
		case s.Odds == nil:
			odds[k] = 1
		case k < len(s.Odds) && s.Odds[k] > 0:
			odds[k] = s.Odds[k]
		}
		sum += odds[k]
	}
	for k := range ways {
		if sum > 0 {
			odds[k] /= sum
		}
	}
	if sum == 0 {
		p.even(s, last, odds)
	}
	return odds
}

func (p *Plan) even(s *schema.Schema, last bool, odds []float64) {
	n := 0.0
	for _, w := range p.nodes[s.ID].ways {
		if w.open && (!last || w.last) {
			n++
		}
	}
	for k, w := range p.nodes[s.ID].ways {
		if w.open && (!last || w.last) {
			odds[k] = 1 / n
		}
	}
}

// takes reports whether fields of s take a level if their type is in the same
// component.
func takes(s *schema.Schema) bool {
	return s.Kind != schema.Struct && s.Kind != schema.Complex && s.Kind != schema.Array
}

func (p *Plan) ways(n *node) {
	s := n.s
	n.ways = make([]way, s.Ways())
	switch {
	case s.IsList():
		p.list(n)
	case len(s.Ctors) == 0:
		n.ways[0].open = true
	default:
		for c := range s.Ctors {
			n.ways[c] = p.ctor(s, c)
		}
	}
	for i := range s.Patterns {
		n.ways[s.Plain()+i] = p.pattern(s, s.Patterns[i].Shape)
	}
}

func (p *Plan) list(n *node) {
	s := n.s
	mean, only := lenMean, lenEmpty
	switch {
	case s.Kind == schema.Array:
		mean = float64(s.Len)
	case s.LenMax > 0:
		mean, only = float64(s.LenMin)+float64(LenRoom(s))/2, 1/float64(LenRoom(s)+1)
	}
	w := way{open: true, list: s.Kind != schema.Array, must: float64(s.LenMin), only: only}
	of := []*schema.Schema{s.Elem}
	if s.Kind == schema.Map {
		of = []*schema.Schema{s.Key, s.Elem}
	}
	for _, t := range of {
		step := uint8(0)
		if takes(s) {
			step = p.hole(s, t)
		}
		w.steps = append(w.steps, step)
		if mean > 0 {
			w.edges = append(w.edges, edge{int(t.ID), step, mean})
		}
	}
	n.ways[0] = w
}

func (p *Plan) ctor(s *schema.Schema, c int) way {
	w := way{open: c >= s.First(), cells: s.Cost(c), sure: s.Cost(c) > 0}
	for _, f := range s.Ctors[c].Fields {
		step := uint8(0)
		if takes(s) && !s.Ctors[c].Call {
			step = p.hole(s, f.S)
		}
		w.steps = append(w.steps, step)
		w.need(edge{int(f.S.ID), step, 1})
	}
	return w
}

// need adds an edge to a way. It merges edges with the same schema and step.
func (w *way) need(e edge) {
	for i := range w.edges {
		if w.edges[i].to == e.to && w.edges[i].step == e.step {
			w.edges[i].count += e.count
			return
		}
	}
	w.edges = append(w.edges, e)
}

// pattern returns the way of a pattern. The fields of the way are the pattern's
// holes, however deep they are. A pattern without a shape is never chosen, since it
// would be nothing but a hole.
func (p *Plan) pattern(s *schema.Schema, shape *schema.Shape) way {
	r := reader{plan: p, root: s, way: way{open: shape != nil}}
	r.way.cells, r.way.sure = r.walk(s, shape, &bare{})
	return r.way
}

// reader turns a pattern into a way.
type reader struct {
	plan *Plan
	root *schema.Schema
	way  way
}

// walk returns how many cells the node of a pattern has, with all nodes below it
// that the pattern fixes, and whether there is always a cell. It appends the holes
// below the node to holes.
func (r *reader) walk(s *schema.Schema, at *schema.Shape, holes *bare) (cells int, sure bool) {
	if at == nil {
		e := edge{int(s.ID), r.plan.hole(r.root, s), 1}
		r.way.need(e)
		*holes = append(*holes, e)
		return 0, false
	}
	if s.IsList() && s.Kind != schema.Array {
		return r.elements(s, at), Kids(s, at) > 0
	}
	if len(s.Ctors) > 0 {
		cells = s.Cost(at.C)
	}
	sure = cells > 0
	for i := range Kids(s, at) {
		t, kid := Kid(s, at, i)
		n, some := r.walk(t, kid, holes)
		cells, sure = cells+n, sure || some
	}
	return cells, sure
}

// elements returns how many cells the elements of a list in a pattern have, or the
// entries of a map.
func (r *reader) elements(s *schema.Schema, at *schema.Shape) (cells int) {
	each := 1
	if s.Kind == schema.Map {
		each = 2
	}
	var holes bare
	certain := false
	for i := range Kids(s, at) {
		t, kid := Kid(s, at, i)
		n, sure := r.walk(t, kid, &holes)
		cells, certain = cells+n, certain || sure
		if (i+1)%each != 0 {
			continue
		}
		switch {
		case certain:
		case len(holes) == 0:
			cells++
		default:
			r.way.bare = append(r.way.bare, holes)
		}
		holes, certain = nil, false
	}
	return cells
}

// Kids returns how many subterms a node of a pattern has: fields or list elements.
// The key and the value of a map entry count separately.
func Kids(s *schema.Schema, at *schema.Shape) int {
	switch {
	case s.Kind == schema.Map:
		return len(at.Fields) &^ 1
	case s.Kind == schema.Slice:
		return len(at.Fields)
	case s.Kind == schema.Array:
		return s.Len
	case len(s.Ctors) > 0:
		return len(s.Ctors[at.C].Fields)
	}
	return 0
}

// Kid returns the schema and the shape of subterm i of a node of a pattern. The
// shape is nil for a hole. Fields that the pattern does not mention are holes too.
func Kid(s *schema.Schema, at *schema.Shape, i int) (*schema.Schema, *schema.Shape) {
	var kid *schema.Shape
	if i < len(at.Fields) {
		kid = at.Fields[i]
	}
	switch {
	case s.Kind == schema.Map && i%2 == 0:
		return s.Key, kid
	case s.IsList():
		return s.Elem, kid
	}
	return s.Ctors[at.C].Fields[i].S, kid
}

// heights computes the minimal number of levels of each way, by iterating from
// Unbounded down until nothing changes. It also sets which ways may be chosen at
// level 0: those with the fewest levels. That number is 0, unless every way of the
// schema needs a field in the same component.
//
//	height(way) = max over edges into its component of step + height(schema), 0 without any
//	height(schema) = min over ways
//
// A list can be empty, so its height is 0. A field that is a list does not count
// either, because at level 0 the list is empty and does not lead back to the
// component. The exception is a list pattern that contains its own list type.
func (p *Plan) heights() {
	for i := range p.nodes {
		p.nodes[i].height = schema.Unbounded
	}
	for changed := true; changed; {
		changed = false
		for i := range p.nodes {
			n := &p.nodes[i]
			least := schema.Unbounded
			for k := range n.ways {
				if w := &n.ways[k]; w.open {
					w.height = p.height(n, w)
					least = min(least, w.height)
				}
			}
			if least < n.height {
				n.height, changed = least, true
			}
		}
	}
	for i := range p.nodes {
		n := &p.nodes[i]
		for k := range n.ways {
			n.ways[k].last = n.ways[k].open && n.ways[k].height == n.height
		}
	}
}

func (p *Plan) height(n *node, w *way) int {
	if w.list && canBeEmpty(n.s) {
		return 0
	}
	h := 0
	for _, e := range w.edges {
		to := &p.nodes[e.to]
		if to.part != n.part || canBeEmpty(to.s) && !canBeEmpty(n.s) {
			continue
		}
		h = max(h, min(to.height+int(e.step), schema.Unbounded))
	}
	return h
}

func canBeEmpty(s *schema.Schema) bool { return s.Kind == schema.Slice || s.Kind == schema.Map }

// empty reports whether w is a recursive list, which has no elements at level 0.
func (w *way) empty() bool {
	for _, step := range w.steps {
		if w.list && step > 0 {
			return true
		}
	}
	return false
}

// order sorts the schemas topologically: a schema comes before the schemas that its
// fields at the same level have.
func (p *Plan) order(last bool) []int {
	seen := make([]bool, len(p.nodes))
	out := make([]int, 0, len(p.nodes))
	var visit func(i int)
	visit = func(i int) {
		if seen[i] {
			return
		}
		seen[i] = true
		for k := range p.nodes[i].ways {
			w := &p.nodes[i].ways[k]
			if !w.open || last && (!w.last || w.empty()) {
				continue
			}
			for _, e := range w.edges {
				if last || e.step == 0 {
					visit(e.to)
				}
			}
		}
		out = append(out, i)
	}
	for i := range p.nodes {
		visit(i)
	}
	slices.Reverse(out)
	return out
}

// parts returns, for each schema, the number of its strongly connected component
// (Tarjan's algorithm).
func parts(w *schema.World) []int {
	t := tarjan{part: make([]int, len(w.Schemas)), index: make([]int, len(w.Schemas)), low: make([]int, len(w.Schemas))}
	for i := range t.part {
		t.part[i] = -1
	}
	for _, s := range w.Schemas {
		if t.index[s.ID] == 0 {
			t.visit(s)
		}
	}
	return t.part
}

type tarjan struct {
	part, index, low []int
	stack            []int
	count, parts     int
}

func (t *tarjan) visit(s *schema.Schema) {
	id := int(s.ID)
	t.count++
	t.index[id], t.low[id] = t.count, t.count
	t.stack = append(t.stack, id)
	to := func(f *schema.Schema) {
		switch {
		case f == nil:
		case t.index[f.ID] == 0:
			t.visit(f)
			t.low[id] = min(t.low[id], t.low[f.ID])
		case t.part[f.ID] < 0:
			t.low[id] = min(t.low[id], t.index[f.ID])
		}
	}
	to(s.Key)
	to(s.Elem)
	for c := range s.Ctors {
		for _, f := range s.Ctors[c].Fields {
			to(f.S)
		}
	}
	for t.low[id] == t.index[id] && t.part[id] < 0 {
		last := len(t.stack) - 1
		t.part[t.stack[last]] = t.parts
		if t.stack[last] == id {
			t.parts++
		}
		t.stack = t.stack[:last]
	}
}
