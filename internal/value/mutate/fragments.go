//go:build go1.25

package mutate

import (
	"github.com/allele-go/allele/internal/value/term"
)

// fragments offers FragmentsMax consecutive terms of Mutator.Fragments, starting at a
// random one.
type fragments struct {
	stores
	found []term.Term // for the method pick
}

func (*fragments) open(f *frame, want term.Term) bool {
	if f.extent == own || !f.enabled(Fragments) {
		return false
	}
	w := f.scene.window(f.node.s, f.node.pos)
	if want != nil && !w.has(want) {
		return false
	}
	for i, before := 0, len(f.stored); i < w.tries && len(f.stored)-before < f.scene.config.FragmentsMax; i++ {
		f.offerGiven(Fragments, w.at(i))
	}
	return w.tries > 0
}

func (*fragments) slots(f *frame) int {
	return min(f.scene.config.FragmentsMax, len(f.scene.caller.fragmentsOf(f.node.s)))
}

// pick tries the fragments in the same order as open.
func (g *fragments) pick(f *frame, slot int) bool {
	w := f.scene.window(f.node.s, f.node.pos)
	g.found = g.found[:0]
	for i := range w.tries {
		t := w.at(i)
		if indexOf(g.found, t) >= 0 || HasEntries(f.node.s) && f.isEntry(t) || !f.takeGiven(Fragments, t) {
			continue
		}
		if len(g.found) == slot {
			return true
		}
		g.found = append(g.found, t)
	}
	return false
}
