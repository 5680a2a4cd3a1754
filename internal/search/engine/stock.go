//go:build go1.25

package engine

import (
	"slices"

	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/value/mutate"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// stock is what changes of a term take from elsewhere: subterms of other terms, values and texts that
// the program compares with.
type stock struct {
	world      *schema.World
	kinds      mutate.Kind // the kinds of changes that the search makes
	text       bool        // the input has texts, and they are edited
	fragments  fragments
	dictionary dictionary
	alphabet   *alphabet

	ask      func(term.Term) []operand.Compared // Config.Compare
	asked    int                                // how often it was called
	progress *progress
}

func newStock(c *Config, kinds mutate.Kind, p *progress) *stock {
	return &stock{
		world: c.World, kinds: kinds, text: kinds&mutate.Text != 0 && hasText(c.World),
		dictionary: dictionary{literals: c.Literals}, alphabet: newAlphabet(c.Words), ask: c.Compare, progress: p,
	}
}

// hasText reports whether inputs have texts.
func hasText(w *schema.World) bool {
	return slices.ContainsFunc(w.Schemas, (*schema.Schema).IsText)
}

// collect adds the parts of a kept term, which must not change.
func (s *stock) collect(t term.Term) {
	if s.kinds&mutate.Fragments != 0 {
		s.fragments.add(s.world, t)
	}
	s.collectTexts(t)
}

// collectTexts adds the texts of a term, which must not change.
func (s *stock) collectTexts(t term.Term) {
	if s.text {
		s.alphabet.collect(t)
	}
}

// use sets the term that will be changed.
func (s *stock) use(k *kept) { s.dictionary.use(k.term(), k.compared) }

// know requests what a kept term is compared with, if that has not been done yet.
func (s *stock) know(k *kept) {
	if k.unasked {
		k.unasked, k.compared = false, s.compare(k.term())
	}
}

// To find out what a term is compared with takes as long as about a hundred runs. So this
// is not requested for every kept term.
const (
	askFirst    = 64  // requests allowed from the start
	askEvery    = 256 // after that, one request for each 256 runs
	comparedMax = 64  // comparisons kept of one run
	lookedMax   = 512 // comparisons examined of one run
)

// compare requests the comparisons that a run of t makes and returns those in which one
// side is a part of t.
func (s *stock) compare(t term.Term) []operand.Compared {
	if !s.mayAsk() {
		return nil
	}
	s.asked++
	var own []operand.Compared
	all := s.ask(t)
	s.alphabet.hear(all)
	for _, c := range all[:min(len(all), lookedMax)] {
		if len(own) < comparedMax && s.about(t, c) {
			own = append(own, c)
		}
	}
	return own
}

// mayAsk reports whether one more request is allowed.
func (s *stock) mayAsk() bool {
	return s.ask != nil && s.kinds&mutate.Dictionary != 0 && s.asked < askFirst+s.progress.runs/askEvery
}

// about reports whether one side of a comparison is a part of t.
func (s *stock) about(t term.Term, c operand.Compared) bool {
	one := []operand.Compared{c}
	for pos := range t.Nodes() {
		if of := s.world.Of(t[pos]); mutate.HasEntries(of) && len(operand.Candidates(of, t.Sub(pos), one, 1)) > 0 {
			return true
		}
	}
	return false
}
