//go:build go1.25

package engine

import "github.com/allele-go/allele/internal/value/term"

// faults is the way faults: one encoded value, and then what encoders with faults make of it, each
// fault once, whatever the runs show. When there are no more, it has nothing to propose.
type faults struct {
	quiet
	with *shared
}

func newFaults(s *shared) way { return &faults{with: s} }

func (f *faults) propose(now *turn) (t term.Term, _ origin) {
	forger := f.with.config.Forger
	switch {
	case forger == nil:
		return nil, origin{}
	case f.with.progress.runs == 0:
		t = f.with.numbered.make(now.run)
		forger.Keep(t)
		return t, origin{}
	}
	var from *Source
	for more := true; more; more = more && t == nil {
		t, from, _, more = forger.Forge()
	}
	if t != nil {
		f.with.journal().forged(t, from)
	}
	return t, origin{}
}
