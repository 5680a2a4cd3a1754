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

func (w *words) slots(f *frame) int { return w.fixed(f) + f.samples() }

func (w *words) pick(f *frame, slot int) bool {
	n := w.fixed(f)
	if slot >= n {
		return f.takeSample(slot-n) && !w.has(f, n)
	}
	f.candidate.take(whole{Pure, f.mem.keep(w.append(f.mem.units, f.node.s, slot))})
	return !equal(f.candidate.pieces[0], f.node.sub) && !w.has(f, slot)
}

// fixed returns the number of candidates that are not samples.
func (*words) fixed(f *frame) int {
	switch s := f.node.s; {
	case !f.enabled(Pure):
		return 0
	case s.Kind == schema.Bytes:
		return len(s.Words) + 2
	default:
		return len(s.Words)
	}
}

// append appends candidate i that is no sample.
func (*words) append(out term.Term, s *schema.Schema, i int) term.Term {
	switch i - len(s.Words) {
	case 0:
		return append(out, s.Least...)
	case 1:
		return term.AppendRaw(out, s.ID, "")
	}
	return term.AppendRaw(out, s.ID, s.Words[i])
}

// has reports whether the current candidate is one of the first n that are no samples.
func (w *words) has(f *frame, n int) bool {
	t := f.candidate.pieces[0]
	for i := range n {
		if equal(t, f.mem.lend(w.append(f.mem.units, f.node.s, i))) {
			return true
		}
	}
	return false
}
