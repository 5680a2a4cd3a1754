//go:build go1.25

package finding

import (
	"cmp"
	"fmt"
	"time"

	"github.com/allele-go/allele/internal/check/isolated"
	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/value/term"
)

// Shrinking must not take the time that the report needs: a test binary that reaches its
// deadline prints stacks, and nothing about the input. And a simpler input may not end, though
// the input that is shrunk does.

const (
	// shrinkTime bounds shrinking: a run may take seconds, and a failing run may cost a process.
	shrinkTime = time.Minute
	// leftShare divides the time until the test's deadline. Shrinking gets this part of it, and
	// the tests after this one get the rest.
	leftShare = 2
	// hangShare divides the timeout of a run while a hang is shrunk. The shrunk input is
	// then run with the full timeout.
	hangShare = 10
	// slowMax is how many slow runs end shrinking in this process: each leaves a goroutine behind.
	slowMax = 3
	// slowRuns is how long a simpler input may take at least, in times of the input that is shrunk.
	slowRuns = 10
	// hangRuns is the timeout while a hang is shrunk, in times of the slowest run that has
	// ended, with the start of its process. hangMin is the shortest timeout.
	hangRuns = 10
	hangMin  = 300 * time.Millisecond
)

// Shrinking is how an input was shrunk.
type Shrinking struct {
	Shrunk int           // runs that it took; 0 if the input was not shrunk
	Ended  ending        // why it ended early, so the next test that runs the case goes on; or 0
	Stuck  time.Duration // a simpler input was still running after this time, which ended it; or 0
	Slow   int           // so many simpler inputs were left out, because their runs took very long
}

// ending is why shrinking ended before all simpler inputs were tried.
type ending uint8

const (
	atDeadline    ending = iota + 1 // the test's deadline is near
	timeUp                          // it took shrinkTime
	byUser                          // the user waits for the search to end
	beforeProcess                   // its process ended
)

// early returns why shrinking ended before all simpler inputs were tried, or "".
func (s Shrinking) early() string {
	switch {
	case s.Ended == beforeProcess:
		return "not shrunk, because its process ended; replay it to shrink it"
	case s.Ended == atDeadline && s.Shrunk == 0:
		return "not shrunk, because the test's deadline is near; run go test with a longer -timeout to shrink this input"
	case s.Ended == atDeadline:
		return "shrinking ended early, because the test's deadline is near; run go test with a longer -timeout to go on"
	case s.Ended == byUser && s.Shrunk == 0:
		return "not shrunk, because the search was stopped; replay it to shrink it"
	case s.Ended == byUser:
		return "shrinking ended early, because the search was stopped; replay it to go on"
	case s.Ended == timeUp:
		return fmt.Sprintf("shrinking ended early, after %v; replay it to go on", shrinkTime)
	case s.Stuck > 0:
		return fmt.Sprintf("shrinking ended early: a simpler input was still running after %v (ALLELE_RUN_TIMEOUT)", s.Stuck)
	case s.Slow >= slowMax:
		return fmt.Sprintf("shrinking ended early: the runs of %d simpler inputs were slow, and go on until the test binary exits", s.Slow)
	case s.Slow == 1:
		return "1 simpler input left out, whose run was slow, and goes on until the test binary exits"
	case s.Slow > 0:
		return fmt.Sprintf("%d simpler inputs left out, whose runs were slow, and go on until the test binary exits", s.Slow)
	}
	return ""
}

// timeToShrink returns how long shrinking may take, if last is how long the run of the shrunk
// input may take, and whether the test's deadline limits it. The time may be negative.
func timeToShrink(p *property.Property, last time.Duration) (time.Duration, bool) {
	if left, ok := p.Left(); ok && (left-last)/leftShare < shrinkTime {
		return (left - last) / leftShare, true
	}
	return shrinkTime, false
}

// bound returns a function that reports whether shrinking a finding has to end. The function notes why. last
// is how long the run of the shrunk input may take.
func bound(h *Handler, f *Finding, last time.Duration) (over func() bool) {
	left, limited := timeToShrink(h.Prop, last)
	end := time.Now().Add(left)
	return func() bool {
		late := !time.Now().Before(end)
		switch {
		case h.Prop.Stopped() || late && limited:
			f.Ended = atDeadline
		case late:
			f.Ended = timeUp
		case interrupted(h):
			f.Ended = byUser
		default:
			return false
		}
		return true
	}
}

// hasty is an isolated runner that shrinks hangs. It waits no longer for a run than it has to,
// judging by the runs that have ended.
type hasty struct {
	*isolated.Runner
	max     time.Duration // the longest timeout
	slowest time.Duration
}

func newHasty(r *isolated.Runner) *hasty {
	h := &hasty{Runner: r, max: max(r.Timeout()/hangShare, hangMin)}
	r.SetTimeout(h.max)
	return h
}

func (h *hasty) One(x term.Term, detail bool) property.Outcome {
	begin := time.Now()
	o := h.Runner.One(x, detail)
	if o.Kind() != proc.Hang {
		h.slowest = max(h.slowest, time.Since(begin))
		h.SetTimeout(min(h.max, max(hangMin, hangRuns*h.slowest)))
	}
	return o
}

// bounded is the runner of this process, for shrinking without a supervisor that would end the
// process. It does not wait for a run longer than the timeout, which ends shrinking. It leaves
// out inputs that take longer than slow, which is known if the input that is shrunk was run again.
type bounded struct {
	property.Local
	timeout   time.Duration
	slow      time.Duration // 0 if it is not known
	left      int           // inputs that were left out
	abandoned bool
}

func newBounded(h *Handler) *bounded {
	b := &bounded{Local: h.Prop.Runner, timeout: isolated.Timeout(h.Prop)}
	slow := max(h.Prop.Pace.Limit(), slowRuns*h.took)
	if _, known := h.Prop.Pace.Median(); !known {
		slow = max(slow, property.SlowMedians*h.took)
	}
	if h.took > 0 && slow < b.timeout {
		b.slow = slow
	}
	return b
}

func (b *bounded) One(x term.Term, detail bool) property.Outcome {
	giveUp := time.NewTimer(cmp.Or(b.slow, b.timeout))
	defer giveUp.Stop()
	b.Observe(property.Observing{GiveUp: giveUp.C})
	o := b.Local.One(x.Clone(), detail) // an abandoned run keeps its term
	b.Observe(property.Observing{})
	switch {
	case o.Hung && b.slow > 0:
		b.left++
		b.abandoned = b.left >= slowMax
	case o.Hung:
		b.abandoned = true
	}
	return o
}
