//go:build go1.25

package engine

import (
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/search/queue"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/term"
)

// encoder is the way encoder: changes of encoders and of bytes.
//
// The inputs of a property over bytes that has an encoder can be changed at three levels:
// the value that is encoded, the code of the encoder, and the bytes. A change of the value
// makes well-formed bytes. A fault in the encoder makes bytes that are wrong in one respect:
// a length that does not fit, with a correct checksum. A change of the bytes can do anything,
// but mostly breaks a checksum. What pays depends on the decoder, so the search finds out:
// a level gets the more runs, the more new features it has shown for the steps that it took.
// Values are left to the other ways: then this way proposes nothing.
type encoder struct {
	quiet
	with   *shared
	forger Forger
	now    level               // the level of the current term
	raws   []*kept             // given bytes for havoc
	queue  queue.Queue[*kept]  // given bytes with changes left
	paid   [levelCount]payment // what each level has cost and shown
	steps  int                 // steps of the encoder for the current term
	below  int                 // values that were kept
	source *Source             // of the current term, if an encoder with a fault has made it
}

func newEncoder(s *shared) way {
	return &encoder{with: s, forger: s.config.Forger, queue: queue.Queue[*kept]{Max: queueMax}}
}

// level is what the term of a run was changed in.
type level uint8

const (
	valueLevel level = iota
	faultLevel
	byteLevel
	levelCount
)

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

// pick chooses the level of the next term.
func (e *encoder) pick(r *rng.Rand) level {
	all := 0.0
	for _, p := range e.paid {
		all += p.all
	}
	for i, p := range e.paid {
		if p.all < levelLeast*all && r.OneIn(8) {
			return level(i)
		}
	}
	var rates [levelCount]float64
	total := 0.0
	for i, p := range e.paid {
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

func (e *encoder) ready() bool { return e.forger != nil }

// propose returns a term that is changed in the encoder or in its bytes, or nil if a value is to
// be changed.
func (e *encoder) propose(now *turn) (term.Term, origin) {
	e.now, e.steps, e.source = e.pick(&now.dice), 0, nil
	switch e.now {
	case faultLevel:
		t, from, steps, _ := e.forger.Forge()
		if t != nil {
			e.source, e.steps = from, steps
			return t, origin{how: howFault}
		}
		e.paid[faultLevel].add(0, float64(steps))
	case byteLevel:
		if t, from := e.bytes(&now.dice); t != nil {
			return t, from
		}
	}
	e.now = valueLevel
	return nil, origin{}
}

// bytes returns a change of given bytes, or nil if there are none.
func (e *encoder) bytes(r *rng.Rand) (term.Term, origin) {
	if len(e.raws) == 0 {
		return nil, origin{}
	}
	for e.queue.Len() > 0 && r.OneIn(2) {
		if t, from := e.with.changes.next(e.queue.Top(), e.with.changes.big); t != nil {
			return t, from
		}
		e.queue.Drop()
	}
	return e.with.changes.havoc(e.raws[r.Below(len(e.raws))], r)
}

// learn adds the run of a term to what its level has cost and shown.
func (e *encoder) learn(o *outcome) {
	if e.forger != nil {
		e.paid[e.now].add(float64(o.news.Edges)+float64(o.news.Features)/featuresPerEdge, float64(len(o.run.Symbols)+e.steps))
	}
}

// keep makes kept bytes a parent at the level of bytes, and an encoded value one at both levels.
func (e *encoder) keep(k *kept, _ trace.Run) {
	switch {
	case e.forger == nil:
	case e.with.isRaw(k.term()):
		e.keepBytes(k)
	default:
		e.keepValue(k)
	}
}

func (e *encoder) keepBytes(k *kept) {
	e.with.counts.full(e.queue.Push(k, k.prio))
	if len(e.raws) < rawsMax {
		e.raws = append(e.raws, k)
	} else {
		e.raws[k.id%rawsMax] = k
	}
	e.with.stock.collectTexts(k.term())
}

func (e *encoder) keepValue(k *kept) {
	if e.below++; e.below > belowAll && !k.edges {
		return
	}
	t := k.term()
	e.forger.Keep(t)
	if raw := e.forger.Freeze(t); raw != nil {
		e.keepBytes(e.with.made(raw, &kept{passed: k.passed, chain: e.with.settings.Keep.Chain, length: k.length,
			prio: k.prio, unasked: k.unasked, source: &Source{Value: t}}))
	}
}

// sourceOf returns what the bytes of a term were made from, and whether they were changed after that.
//
//go:norace
func (e *encoder) sourceOf(t term.Term, from origin) (s *Source, changed bool) {
	if !e.with.isRaw(t) {
		return nil, false
	}
	if from.parent != nil {
		return from.parent.source, true
	}
	return e.source, false
}
