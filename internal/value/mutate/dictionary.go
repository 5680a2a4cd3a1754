//go:build go1.25

package mutate

import "github.com/allele-go/allele/internal/value/term"

// dictionary offers terms of Mutator.Dictionary in place of a scalar or text.
type dictionary struct{ stores }

func (*dictionary) open(f *frame, want term.Term) bool {
	if f.extent == own || want != nil && !f.node.s.IsMatch() {
		return false
	}
	from := len(f.stored)
	for _, t := range f.scene.caller.entriesOf(f.node.s, f.node.sub) {
		if len(f.stored)-from == f.scene.config.DictionaryMax {
			break
		}
		f.offerGiven(Dictionary, t)
	}
	return true
}
