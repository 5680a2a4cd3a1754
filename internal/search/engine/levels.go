//go:build go1.25

package engine

import (
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/search/queue"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// The inputs of a property over bytes that has an encoder can be changed at three levels:
// the value that is encoded, the code of the encoder, and the bytes. A change of the value
// makes well-formed bytes. A fault in the encoder makes bytes that are wrong in one respect:
// a length that does not fit, with a correct checksum. A change of the bytes can do anything,
// but mostly breaks a checksum. What pays depends on the decoder, so the search finds out:
// a level gets the more runs, the more new features it has shown for the steps that it took.

// Forger makes the bytes that the search needs beside the terms of values.
type Forger interface {
	// Freeze returns the bytes of an encoded value, as a term of given bytes. It returns nil
	// if the value cannot be encoded.
	Freeze(t term.Term) term.Term
	// Keep is called with every encoded value that is kept. Forge makes more of it.
	Keep(t term.Term)
	// Forge returns bytes that an encoder with a fault has made, what they were made from, and
	// how many steps that took. The term is nil if nothing was made; then more reports whether
	// another call may make something.
	Forge() (t term.Term, from *Source, steps int, more bool)
}

// Source is what given bytes were made from.
type Source struct {
	Value term.Term // the encoded value
	Fault any       // the fault in the encoder, as the Forger describes it; nil means none
}

// Source returns what the bytes of the current term were made from, and whether the bytes
// were changed after that. It returns nil for a term that is an encoded value, and for bytes
// that no encoder has made. Any goroutine may call it during a run.
//
//go:norace
func (e *Engine) Source() (s *Source, changed bool) {
	if e.guide == nil || !e.guide.own {
		return nil, false
	}
	return e.guide.line.sourceOf(e.term)
}

//go:norace
func (l *line) sourceOf(t term.Term) (s *Source, changed bool) {
	if !l.isRaw(t) {
		return nil, false
	}
	if l.from.parent != nil {
		return l.from.parent.source, true
	}
	return l.levels.source, false
}

// forged returns the next term of a search that makes nothing but faults.
func (e *Engine) forged(run uint64) (term.Term, bool) {
	g := e.guide
	switch {
	case g.forger == nil:
		e.term = nil
	case e.Runs == 0:
		e.term = e.make(e.gen, run, e.turn)
		g.forger.Keep(e.term)
	default:
		var from *Source
		for more := true; more; more = more && e.term == nil {
			e.term, from, _, more = g.forger.Forge()
		}
		if e.term != nil {
			g.logForged(e.term, from)
		}
	}
	if e.term == nil {
		e.stop.Store(true)
		return nil, false
	}
	e.own(e.term)
	return e.term, true
}

// level is what the term of a run was changed in.
type level uint8

const (
	valueLevel level = iota
	faultLevel
	byteLevel
	levelCount
)

// levels is the part of a line that changes encoders and bytes.
type levels struct {
	forger Forger
	now    level               // the level of the current term
	raws   []*kept             // given bytes for havoc
	queue  queue.Queue[*kept]  // given bytes with changes left
	paid   [levelCount]payment // what each level has cost and shown
	steps  int                 // steps of the encoder for the current term
	below  int                 // values that were kept
	source *Source             // of the current term, if an encoder with a fault has made it
}

// payment is what a level has shown for its steps. Old amounts are halved from time to time.
type payment struct {
	shown, steps float64
	all          float64 // steps since the beginning
}

func (p *payment) add(shown, steps float64) {
	p.shown, p.steps, p.all = p.shown+shown, p.steps+steps, p.all+steps
	if p.steps > paidAgesAt {
		p.steps, p.shown = p.steps/2, p.shown/2
	}
}

const (
	levelLeast = 1.0 / 64 // least share of the steps that each level gets
	paidAgesAt = 1 << 22  // steps after which amounts are halved
	// A new count of a known edge is worth little: larger values have them without end.
	featuresPerEdge = 16
	rawsMax         = 512
	// The first kept values are all changed at the other levels, later ones only if they have shown a new edge.
	belowAll = 64
)

func newLevels(f Forger) *levels {
	if f == nil {
		return nil
	}
	return &levels{forger: f, queue: queue.Queue[*kept]{Max: queueMax}}
}

// pick chooses the level of the next term.
func (v *levels) pick(r *rng.Rand) level {
	all := 0.0
	for _, p := range v.paid {
		all += p.all
	}
	for i, p := range v.paid {
		if p.all < levelLeast*all && r.OneIn(8) {
			return level(i)
		}
	}
	var rates [levelCount]float64
	total := 0.0
	for i, p := range v.paid {
		// With few steps, a level counts as good.
		rate := (p.shown + 1) / (p.steps + 1000)
		rates[i] = rate * rate
		total += rates[i]
	}
	x := float64(r.Below(1<<20)) / (1 << 20) * total
	for i, rate := range rates {
		if x -= rate; x < 0 {
			return level(i)
		}
	}
	return valueLevel
}

// changedBelow returns a term that is changed in the encoder or in its bytes, or nil if a value is to
// be changed.
func (l *line) changedBelow(r *rng.Rand) term.Term {
	v := l.levels
	if v == nil {
		return nil
	}
	v.now, v.steps, v.source = v.pick(r), 0, nil
	switch v.now {
	case faultLevel:
		t, from, steps, _ := v.forger.Forge()
		if t != nil {
			v.source, v.steps = from, steps
			l.from = origin{how: forged}
			return t
		}
		v.paid[faultLevel].add(0, float64(steps))
	case byteLevel:
		if t := l.bytesOf(r); t != nil {
			return t
		}
	}
	v.now = valueLevel
	return nil
}

// bytesOf returns a change of given bytes, or nil if there are none.
func (l *line) bytesOf(r *rng.Rand) term.Term {
	v := l.levels
	if len(v.raws) == 0 {
		return nil
	}
	for v.queue.Len() > 0 && r.OneIn(2) {
		k := v.queue.Top()
		if t := l.mutantOf(k, l.big); t != nil {
			return t
		}
		v.queue.Drop()
	}
	k := v.raws[r.Below(len(v.raws))]
	l.from = origin{how: havoc, parent: k}
	l.dictionary.use(k.batch.Parent(), k.compared)
	return l.dice.Havoc(k.batch.Parent(), steps(r), r)
}

// account adds the run of a term to what its level has cost and shown.
func (l *line) account(run trace.Run, n news) {
	v := l.levels
	if v == nil {
		return
	}
	v.paid[v.now].add(float64(n.Edges)+float64(n.Features)/featuresPerEdge, float64(len(run.Symbols)+v.steps))
}

// isRaw reports whether a term is given bytes, in a world with an encoder.
func (l *line) isRaw(t term.Term) bool { return l.levels != nil && t[0].C == schema.GivenBytes }

// keepRaw makes kept bytes a parent at the level of bytes.
func (l *line) keepRaw(k *kept) {
	v := l.levels
	l.counts.full(v.queue.Push(k, k.prio))
	if len(v.raws) < rawsMax {
		v.raws = append(v.raws, k)
	} else {
		v.raws[k.id%rawsMax] = k
	}
}

// keepBelow makes an encoded value a parent at the other levels.
func (l *line) keepBelow(t term.Term, k *kept) {
	v := l.levels
	if v.below++; v.below > belowAll && !k.edges {
		return
	}
	v.forger.Keep(t)
	if raw := v.forger.Freeze(t); raw != nil {
		l.keep(raw, &kept{passed: k.passed, chain: l.Chain, length: k.length, prio: k.prio, unasked: k.unasked, source: &Source{Value: t}})
	}
}
