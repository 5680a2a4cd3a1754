//go:build go1.25

package mutate

import (
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// source makes candidates of one kind of change. The table mutations lists all of them.
type source interface {
	// open prepares the candidates for the node of a frame, and returns false if there
	// are none. It may store candidates of a single piece, see frame.offer. If want is
	// not nil, candidates that differ from it may be left out.
	open(f *frame, want term.Term) bool
	// next makes the next one of the candidates that open has not stored, and makes it the
	// current candidate. It returns false if there is none.
	next(f *frame) bool
}

// numbered is a source with so many candidates that each has a number, and is made only
// if it is needed. A number may have no candidate, see candidate.void. So a batch that
// was interrupted goes on with its number. Where a frame has such a source, it is the last.
type numbered interface {
	source
	// skip moves over n candidates.
	skip(n int)
	// random makes a random candidate the current one. It returns false if there is
	// none, and in one of eight cases: then another kind of change is made.
	random(f *frame, r *rng.Rand) bool
}

// drawn is a source with slots: a random candidate is the one of a random slot. So it takes as long as one candidate,
// however many there are. A slot may have no candidate.
type drawn interface {
	source
	// slots returns the number of slots, without a call of open.
	slots(f *frame) int
	// pick makes the candidate of a slot the current one. It returns false if there is none, or if another slot of the
	// frame with a lower number has it too.
	pick(f *frame, slot int) bool
}

// stores is embedded by sources that store all their candidates.
type stores struct{}

func (stores) next(*frame) bool { return false }

// plan is the sources for nodes of one schema, in the order in which a frame asks them. Each is stored, drawn or numbered.
type plan struct {
	sources  []source
	stored   []source // store all their candidates, and have few
	drawn    []drawn
	numbered numbered // the last of them, if it is one; else nil
}

// scene is what the candidates of all positions are made from.
type scene struct {
	config  *Config
	parent  parent
	sampler sampler
	caller  caller
	plans   func() []plan // makes new sources, by schema
}

// window returns the fragments that are tried for a node of s at pos.
func (sc *scene) window(s *schema.Schema, pos int) (w window) {
	if w.all = sc.caller.fragmentsOf(s); len(w.all) > 0 {
		r := sc.sampler.random(pos, 0)
		w.from, w.tries = r.Below(len(w.all)), min(len(w.all), fragmentTries*sc.config.FragmentsMax)
	}
	return w
}

// extent is which candidates a frame enumerates.
type extent uint8

const (
	own   extent = iota // those that are derived from the parent alone
	given               // also those that the caller supplies
	every               // also those of numbered sources
)

// frame enumerates the candidates for one position of the current parent: the terms
// that may replace the subterm at this position. It asks the sources for this node in
// turn. Candidates of one frame differ from each other and from the subterm that they
// replace.
type frame struct {
	scene  *scene
	node   node
	extent extent

	candidate candidate // the current one
	stored    []whole   // candidates of a single piece, from all sources so far
	taken     int       // how many of them were enumerated
	before    int       // how many of them come before candidates that are not stored; -1 if all do
	cut       uint32    // number of ways omitted because of WaysMax

	slots []int // of the sources in plan.drawn, see draw

	plans  []plan // by schema
	plan   *plan  // for this node
	asked  int    // how many of its sources were asked
	source source // the latest one, nil if it has no more candidates

	mem   memory // of candidates and fills
	probe *frame // a second frame, to enumerate the candidates of another position
}

// start begins the enumeration at pos.
func (f *frame) start(pos int, e extent) {
	f.node.load(&f.scene.parent, pos)
	f.extent = e
	f.stored, f.taken, f.before, f.cut = f.stored[:0], 0, -1, 0
	f.plan, f.asked, f.source = &f.plans[f.node.s.ID], 0, nil
	f.mem.units = f.mem.units[:0]
}

// next moves to the next candidate. It returns false if there is none.
func (f *frame) next() bool {
	for {
		if f.taken < len(f.stored) {
			f.candidate.take(f.stored[f.taken])
			f.taken++
			return true
		}
		if f.source != nil && f.source.next(f) {
			if f.before < 0 {
				f.before = len(f.stored)
			}
			return true
		}
		f.source = nil
		if f.asked == len(f.plan.sources) {
			return false
		}
		s := f.plan.sources[f.asked]
		f.asked++
		if s.open(f, nil) {
			f.source = s
		}
	}
}

// skip moves over n candidates. Those of a numbered source are not made.
func (f *frame) skip(n int) {
	for ; n > 0; n-- {
		if f.plan.numbered != nil && f.asked == len(f.plan.sources) && f.taken == len(f.stored) {
			f.plan.numbered.skip(n)
			return
		}
		f.next()
	}
}

// has reports whether t is one of the candidates at pos, except for those of numbered
// sources. Sources do not enumerate candidates that cannot equal t, which are usually
// all of them.
func (f *frame) has(pos int, e extent, t term.Term) bool {
	if !f.may(pos, e, t) {
		return false
	}
	f.start(pos, e)
	for _, s := range f.plan.sources {
		from := len(f.stored)
		if !s.open(f, t) {
			continue
		}
		if among(f.stored[from:], t) {
			return true
		}
		for s.next(f) {
			if f.candidate.is(t) {
				return true
			}
		}
	}
	return false
}

// may is a quick check for has: it returns false if t is certainly not one of the candidates, which is usually so.
func (f *frame) may(pos int, e extent, t term.Term) bool {
	p := &f.scene.parent
	s, size := p.world.Of(p.t[pos]), int(p.t[pos].N)
	edited := isEdited(s)
	switch {
	case s.IsScalar() || s.Kind == schema.Map || s.IsMatch():
		return true
	case p.cyclic[s.ID] && len(t) != size: // a subterm is smaller, and a nest is larger
		return true
	case edited && (s.Kind == schema.Array || len(t) != size || t[0].X != p.t[pos].X || p.swapped(pos, t)):
		return true
	case !edited && f.enabled(Pure|Lists|Filled) && mayBeWay(p, pos, t):
		return true
	}
	if e == own {
		return false
	}
	return f.scene.window(s, pos).has(t) || HasEntries(s) && indexOf(f.scene.caller.entriesOf(s, p.t.Sub(pos)), t) >= 0
}

// offer stores a candidate, unless it is one already.
func (f *frame) offer(k Kind, t term.Term) {
	if !equal(t, f.node.sub) && !among(f.stored, t) {
		f.stored = append(f.stored, whole{k, t})
	}
}

// offerGiven stores a candidate that the caller supplied, unless it is not valid here or
// is a candidate already.
func (f *frame) offerGiven(k Kind, t term.Term) {
	if !f.legal(t) || equal(t, f.node.sub) || among(f.stored, t) {
		return
	}
	if !f.node.s.IsScalar() && f.probed().has(f.node.pos, own, t) {
		return
	}
	f.stored = append(f.stored, whole{k, t})
}

// takeGiven makes a term that the caller supplied the current candidate. It returns false if the term is not valid here
// or is a candidate already.
func (f *frame) takeGiven(k Kind, t term.Term) bool {
	if !f.legal(t) || equal(t, f.node.sub) || f.probed().has(f.node.pos, own, t) {
		return false
	}
	f.candidate.take(whole{k, t})
	return true
}

// legal reports whether t is a valid term of the schema of this position.
func (f *frame) legal(t term.Term) bool {
	s := f.node.s
	return t[0].S == s.ID && (s.Kind != schema.Scalar || s.In(t[0].X)) && (!s.UTF8 || s.Fits(t.Bytes(0)))
}

// enabled reports whether one of the kinds is switched on.
func (f *frame) enabled(k Kind) bool { return f.scene.config.Kinds&k != 0 }

// isNew reports whether the current candidate, which has several pieces, is of an
// enabled kind and differs from the candidates of a single piece.
func (f *frame) isNew() bool {
	if !f.enabled(f.candidate.kind) {
		return false
	}
	for i := range f.stored {
		if f.candidate.is(f.stored[i].t) {
			return false
		}
	}
	return true
}

// random returns a stream of random numbers for one purpose at this position.
func (f *frame) random(purpose uint64) rng.Rand {
	return f.scene.sampler.random(f.node.pos, purpose)
}

// offerSamples stores scalars or texts from the generator.
func (f *frame) offerSamples() {
	r := f.random(0)
	for range f.samples() {
		f.offer(Sampled, f.mem.keep(f.scene.sampler.append(f.mem.units, &r, f.node.s)))
	}
}

// samples returns the number of samples at this position.
func (f *frame) samples() int {
	if !f.enabled(Sampled) {
		return 0
	}
	return f.scene.sampler.draw.samples
}

// takeSample makes sample i the current candidate. It returns false if a sample before it is equal, or the subterm
// that it replaces. Samples are few, and each depends on those before it.
func (f *frame) takeSample(i int) bool {
	from := len(f.stored)
	defer func() { f.stored = f.stored[:from] }()
	r := f.random(0)
	for range i + 1 {
		t := f.mem.keep(f.scene.sampler.append(f.mem.units, &r, f.node.s))
		f.candidate.take(whole{Sampled, t})
		f.stored = append(f.stored, whole{Sampled, t})
	}
	t := f.candidate.pieces[0]
	return !equal(t, f.node.sub) && !among(f.stored[from:len(f.stored)-1], t)
}

func (f *frame) probed() *frame {
	if f.probe == nil {
		f.probe = newFrame(f.scene)
	}
	return f.probe
}

func newFrame(s *scene) *frame { return &frame{scene: s, plans: s.plans()} }
