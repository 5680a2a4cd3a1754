//go:build go1.25

package engine

import "github.com/allele-go/allele/internal/value/schema"

// peak holds the maximum number of features (see novelty.Features), and of sets of
// features, that a search has known at any time. The search forgets from time to time, and what it learns again does
// not count as new here.
type peak struct {
	features, sets int
	barren         int  // runs since features or sets rose
	emptied        bool // since then the queues of changes were empty at least once
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

// A search gives up after many runs without anything new: as many as the type has terms, but
// at least barrenMin and at most barrenMax.
const (
	barrenMin = 1 << 17
	barrenMax = 1 << 22
	// saturatedMin takes the place of barrenMin if Config.Saturate is set.
	saturatedMin = 1 << 20
)

// Exhausted reports whether nothing is left to try. That is so if every term was run. It
// is also so if all of these hold: the type has finitely many terms, or Config.Saturate is
// set; every one-step change of every kept term was run; neither the second half of all runs
// nor the last N runs have shown anything new. N is the number of terms of the type, but at
// least barrenMin and at most barrenMax.
func (e *Engine) Exhausted() bool {
	if e.All() {
		return true
	}
	finite := e.config.World.Root.Count < schema.Unbounded
	if e.guide == nil || e.guide.line == nil || !finite && !e.config.Saturate {
		return false
	}
	n := barrenMin
	switch {
	case finite:
		n = max(n, min(int(e.config.World.Root.Count), barrenMax))
	case e.config.Saturate:
		n = saturatedMin
	}
	l := e.guide.line
	return l.peak.emptied && l.counts.overflown == 0 && l.peak.barren >= max(n, e.Runs/2)
}

// Learnt returns the maximum number of features that were known at any time, and how
// many terms were kept.
func (e *Engine) Learnt() (features, kept int) {
	if e.guide == nil || e.guide.line == nil {
		return 0, 0
	}
	return e.guide.line.peak.features, e.guide.line.counts.kept
}
