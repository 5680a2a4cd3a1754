//go:build go1.25

package worker

import (
	"time"

	"github.com/allele-go/allele/internal/check/finding"
	"github.com/allele-go/allele/internal/check/plain"
	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/search/slow"
	"github.com/allele-go/allele/internal/value/term"
	"github.com/allele-go/allele/internal/words"
)

// A run that takes more steps than the limit, and does not end in time, is examined in the process
// that made it. Steps are counted instead of time, so the same input has the same result each time.

// stepsScale is how long a run of as many steps as the limit counts.
const stepsScale = time.Second

// slowSteps reports whether a run that took too many steps is slow. It makes a note then, and later
// inputs that are as large are left out.
func slowSteps(s *searcher, f *plain.Failure) bool {
	limit := s.Prop.Job.Limits.StepsMax()
	if f.Lost || limit == 0 || !f.Outcome.TooLong() {
		return false
	}
	defer finding.Exact(s.Handler)()
	run := func(x term.Term) (took time.Duration, ended bool) {
		o := s.Runner.One(x.Clone(), false)
		return time.Duration(float64(hook.Hits()) / float64(limit) * float64(stepsScale)), !o.TooLong() && !o.Hung
	}
	control := slowControl(s.Prop, f.Term, run)
	if control == nil {
		return false
	}
	b, ok := slow.Find(slow.Config{World: s.Prop.World, Control: control, Run: run, Over: s.Prop.Stopped}, f.Term)
	if ok {
		s.Bound(b)
		s.Prop.Emit(event.Note{Slow: b.String(), Text: slowNote(s.Prop, f.Term, b, words.Group(int(limit))+" steps")})
	}
	return ok
}
