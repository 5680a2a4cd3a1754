package formats

import (
	"time"

	"github.com/allele-go/allele/program"
)

// hangs decides how long a run may take. Changed programs often never end, and a search that waits for the whole
// time limit each time does little else. So a run is stopped early, when it has taken much longer than all runs that
// have ended. It is made again with the whole limit only as long as that takes a small share of the time.
type hangs struct {
	limit   time.Duration // what the user allows
	longest time.Duration // of the runs that have ended
	all     time.Duration // of all runs
	waited  time.Duration // for runs with the whole limit
	seen    int           // runs that were stopped early
}

const (
	stopMin   = 25 * time.Millisecond
	stopTimes = 20
	// So many runs get the whole limit in any case, so that a stored input that hangs fails again.
	waitFree  = 5
	waitShare = 10 // one part in so many
)

// run runs the program. It reports false if the run was stopped early and not made again.
func (h *hangs) run(p *program.Program, input []byte) (r program.Result, known bool, err error) {
	began := time.Now()
	defer func() { h.all += time.Since(began) }()
	early := min(h.limit, max(stopMin, stopTimes*h.longest))
	if r, err = p.RunWithin(early, input); err != nil || !late(r) {
		h.longest = max(h.longest, r.Time)
		return r, true, err
	}
	if early == h.limit {
		return r, true, nil
	}
	if h.seen++; h.seen > waitFree && h.waited > h.all/waitShare {
		return r, false, nil
	}
	again := time.Now()
	r, err = p.RunWithin(h.limit, input)
	h.waited += time.Since(again)
	if !late(r) {
		h.longest = max(h.longest, r.Time)
	}
	return r, true, err
}

// late reports whether a run was stopped because of its time.
func late(r program.Result) bool { return r.Stopped == program.OutOfTime }
