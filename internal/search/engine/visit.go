//go:build go1.25

package engine

import (
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/term"
)

// visitors is the terms of searches on other hosts that wait for their run here. Such a term has
// no trace: the other host may run another version of the program, and its word is not taken.
type visitors struct {
	waiting []term.Term
	now     bool // the current term is a visitor
}

// visitorsMax bounds the terms that wait.
const visitorsMax = 1 << 16

// Visit adds a term that a search on another host keeps. It is one of the next terms to be run.
// After its run it is treated as by Share.
func (e *Engine) Visit(t term.Term) {
	if e.guide != nil && e.guide.start() != nil && !e.guide.strategy.Forged && len(e.visitors.waiting) < visitorsMax {
		e.visitors.waiting = append(e.visitors.waiting, t.Clone())
	}
}

// next returns the next visitor, or nil if there is none.
func (v *visitors) next() (t term.Term) {
	if v.now = len(v.waiting) > 0; v.now {
		t, v.waiting = v.waiting[0], v.waiting[1:]
	}
	return t
}

// visited processes the run of a visitor. It does not belong to the burst.
func (g *guide) visited(t term.Term, v Verdict, run trace.Run) {
	switch v {
	case Passed:
		g.pass(t)
	case Failed:
		g.logFailed(t)
	}
	g.line.share(t, v, run)
}
