package engine

import (
	"slices"

	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/value/mutate"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// words is the dictionary of a line: what to try in place of a scalar. First what
// the program compared it with, then what the term has elsewhere, then what stands
// in the source.
type words struct {
	literals func(*schema.Schema) []term.Term

	term     term.Term // that is being changed
	compared []operand.Compared
	list     []term.Term
}

// wordsMax is how many there are of each sort.
const wordsMax = 4

// use says which term will be changed.
func (w *words) use(t term.Term, compared []operand.Compared) { w.term, w.compared = t, compared }

// of gives words of a schema in place of now. Equal ones come once.
func (w *words) of(s *schema.Schema, now term.Term) []term.Term {
	w.list = w.list[:0]
	if len(w.compared) > 0 {
		w.list = append(w.list, operand.Candidates(s, now, w.compared, wordsMax)...)
	}
	w.present(s, len(w.list)+wordsMax)
	if w.literals != nil {
		all := w.literals(s)
		for i := range min(wordsMax, len(all)) {
			w.add(all[(int(term.Hash(w.term)>>1)+i)%len(all)])
		}
	}
	return w.list
}

// present adds the scalars of a schema that the term has: names that are bound,
// keys that are there, sizes of things.
func (w *words) present(s *schema.Schema, most int) {
	for pos := range w.term.Nodes() {
		if w.term[pos].S == s.ID {
			w.add(w.term.Sub(pos))
			if len(w.list) > most {
				return
			}
		}
	}
}

func (w *words) add(t term.Term) {
	if !slices.ContainsFunc(w.list, func(old term.Term) bool { return term.Equal(old, t) }) {
		w.list = append(w.list, t)
	}
}

// To ask what a term is compared with takes as long as some hundred runs, so not
// every kept one is asked about.
const (
	askFirst    = 64
	askEvery    = 256 // runs, for each further question
	comparedMax = 64  // pairs kept of one run
	lookedMax   = 512 // pairs looked at
)

// compare asks what the run of t compares with parts of it.
func (g *guide) compare(t term.Term) []operand.Compared {
	if g.ask == nil || g.setting.Mutants.Kinds&mutate.Dictionary == 0 || g.asked >= askFirst+g.runs/askEvery {
		return nil
	}
	g.asked++
	var own []operand.Compared
	all := g.ask(t)
	for _, c := range all[:min(len(all), lookedMax)] {
		if len(own) < comparedMax && g.about(t, c) {
			own = append(own, c)
		}
	}
	return own
}

// about reports whether a side of a comparison is a part of t.
func (g *guide) about(t term.Term, c operand.Compared) bool {
	one := []operand.Compared{c}
	for pos := range t.Nodes() {
		if s := g.world.Of(t[pos]); s.IsScalar() && len(operand.Candidates(s, t.Sub(pos), one, 1)) > 0 {
			return true
		}
	}
	return false
}
