//go:build go1.25

package mutate

import (
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// words offers other strings and byte slices: declared words, nil and empty, and samples.
type words struct{ stores }

func (*words) open(f *frame, _ term.Term) bool {
	s := f.node.s
	if f.enabled(Pure) {
		for _, word := range s.Words {
			f.offer(Pure, f.mem.keep(term.AppendRaw(f.mem.units, s.ID, word)))
		}
		if s.Kind == schema.Bytes {
			f.offer(Pure, s.Least)
			f.offer(Pure, f.mem.keep(term.AppendRaw(f.mem.units, s.ID, "")))
		}
	}
	f.offerSamples()
	return true
}
