package engine

import "github.com/allele-go/allele/internal/value/schema"

// peak is the most that a search has known at a time. It forgets now and then, and
// what it learns again is no news.
type peak struct {
	features, sets int
	barren         int  // runs since either rose
	emptied        bool // since then there was a moment at which no change of a kept term was left
}

func (p *peak) look(logs *[2]memory) {
	features, sets := 0, 0
	for i := range logs {
		features += logs[i].features.Len()
		sets += logs[i].features.Sets()
	}
	if p.barren++; features > p.features || sets > p.sets {
		p.barren, p.emptied = 0, false
	}
	p.features, p.sets = max(p.features, features), max(p.sets, sets)
}

// A search gives up after so many runs without anything new, at least; in between, it
// is as many as there are terms.
const (
	barrenMin = 1 << 17
	barrenMax = 1 << 22
)

// Exhausted reports whether nothing is left to try: every term was run, or the type
// has finitely many, every change of one step of every kept one was run, and half of
// all runs, a good many, have shown nothing new.
func (e *Engine) Exhausted() bool {
	if e.All() {
		return true
	}
	if e.guide == nil || e.guide.line == nil || e.config.World.Root.Count >= schema.Unbounded {
		return false
	}
	l, terms := e.guide.line, int(e.config.World.Root.Count)
	return l.peak.emptied && l.counts.overflown == 0 && l.peak.barren >= max(barrenMin, min(terms, barrenMax), e.Runs/2)
}

// Learnt is the most features of runs that were known at a time, and how many terms
// were kept.
func (e *Engine) Learnt() (features, kept int) {
	if e.guide == nil || e.guide.line == nil {
		return 0, 0
	}
	return e.guide.line.peak.features, e.guide.line.counts.kept
}
