//go:build go1.25

package worker

import (
	"fmt"

	"github.com/allele-go/allele/internal/check/finding"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/store/corpus"
	"github.com/allele-go/allele/internal/words"
)

// resume runs the saved inputs of earlier processes, and the search continues from them.
// It returns false if one of them fails now and the search is to stop. The failure has been
// reported by then.
//
// All saved inputs are run, even if the same binary has run them before, because the
// search learns only from runs.
func (s *searcher) resume() bool {
	s.Prop.TB.Helper()
	k := s.keeper
	if k == nil {
		return true
	}
	defer k.replay()()
	for _, e := range k.before.Entries {
		if s.super.slot.Paused() {
			s.super.rest()
		}
		if s.Engine.Over() || s.super.slot.Stopped() {
			break
		}
		x, ok := s.Prop.ParseKept(e.Input)
		if !ok {
			k.unfit++
			continue
		}
		o := s.Runner.One(x, false)
		if o.Failed() {
			if s.Handler.Ledger.PassOver(finding.Sign(o)) {
				continue
			}
			s.Watch.Failed(s.Watch.Again())
			if !s.Handler.Deal(s.Handler.New(x, o, finding.History{From: fromCorpus(e)})) {
				return false
			}
			continue
		}
		run := s.Watch.End(o.Verdict == engine.Passed)
		s.Engine.Resume(x, o.Verdict, run)
		s.faults.given(x, o, run)
		k.again(s.super.slot)
		k.renew(e, o, run)
	}
	for _, note := range k.unfitNote() {
		s.Prop.Logf("note: %s", note)
	}
	return true
}

// fromCorpus returns the origin that is printed for a finding that was a saved input.
func fromCorpus(e corpus.Entry) string {
	then := "was discarded"
	if e.Verdict == event.Passed || e.Verdict == event.Failed {
		then = string(e.Verdict)
	}
	return fmt.Sprintf("the saved corpus (run %s, when it %s)", words.Group(e.Run), then)
}
