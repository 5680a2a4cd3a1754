//go:build go1.25

package worker

import (
	"time"

	"github.com/allele-go/allele/internal/finding"
	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/words"
	"github.com/allele-go/allele/internal/search/slow"
	"github.com/allele-go/allele/internal/value/term"
)

// A run that takes more steps than the limit, and does not end in time, is examined in the process
// that made it. Steps are counted instead of time, so the same input has the same result each time.

// stepsScale is how long a run of as many steps as the limit counts.
const stepsScale = time.Second

// slowSteps reports whether a run that took too many steps is slow. It makes a note then, and later
// inputs that are as large are left out.
func slowSteps(s *searcher, f *failure) bool {
	limit := s.prop.Job.Limits.StepsMax()
	if s.watch == nil || f.lost || limit == 0 || !f.outcome.TooLong() {
		return false
	}
	defer finding.Exact(s.handler)()
	run := func(x term.Term) (took time.Duration, ended bool) {
		o := s.runner.One(x.Clone(), false)
		return time.Duration(float64(hook.Hits()) / float64(limit) * float64(stepsScale)), !o.TooLong() && !o.Hung
	}
	control := slowControl(s.prop, f.term, run)
	if control == nil {
		return false
	}
	b, ok := slow.Find(slow.Config{World: s.prop.World, Control: control, Run: run, Over: s.prop.Stopped}, f.term)
	if ok {
		s.slow.bounds = append(s.slow.bounds, b)
		s.prop.Emit(event.Event{Kind: event.Note, Property: s.prop.Name, Slow: b.String(),
			Text: slowNote(s.prop, f.term, b, words.Group(int(limit))+" steps")})
	}
	return ok
}
