package allele

import (
	"github.com/allele-go/allele/internal/ops/proc"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/shrink"
	"github.com/allele-go/allele/internal/value/term"
)

// found deals with a failing input: first it goes to disk, then it is made
// small, then it is shown.
func (c *check) found(o outcome, x term.Term) {
	c.t.Helper()
	f := finding{term: x, from: c.world.Cells(x), outcome: o, run: c.engine.Started()}
	if c.watch != nil && !o.hung {
		f.origin = c.engine.Origin()
	}
	c.deal(f)
}

// deal deals with a finding.
func (c *check) deal(f finding) {
	c.t.Helper()
	o := f.outcome
	f.file, f.unsaved = c.save(f)
	if o.hung || o.more != nil && o.more.outer != "" {
		// It cannot be told from the next run's failure, so it stays as it is.
		c.report(f)
		return
	}
	c.runner.detail = true
	if !c.unstable(&f) {
		c.shrink(&f)
		c.unstable(&f)
	}
	if f.flaky {
		// It would pass and fail in later tests as well, whatever is done.
		c.place.remove(f.file)
		f.file, c.verdict = "", "flaky"
	}
	c.report(f)
}

// report shows a finding, in the test and to the command: the property may have
// closed where tests print.
func (c *check) report(f finding) {
	c.t.Helper()
	c.said = c.failure(f)
	c.t.Error(c.said)
}

// againRuns is how often a failing input is run again before it is believed: one
// that fails in half of its runs passes for a stable one in one of a thousand.
const againRuns = 10

// unstable runs the input of a finding again and reports whether it ever passes.
func (c *check) unstable(f *finding) bool {
	runs := againRuns
	if f.outcome.kind() == "cut" {
		runs = 1 // it takes long, and what is counted does not change
	}
	for range runs {
		if c.careful || c.stopped() {
			return false
		}
		again := c.runner.alone(f.term, c.stop)
		if again.hung {
			return false // no time is left to look closer; the first run said enough
		}
		var now way
		if c.watch != nil {
			now = went(c.watch.recorder.End())
		}
		if again.verdict() != engine.Failed {
			f.flaky = true
			if c.watch != nil {
				c.watch.parted = parting(c.watch.failed, now)
			}
			return true
		}
		f.outcome = again
		if c.watch != nil {
			c.watch.failed = now
		}
	}
	return false
}

// finding is a failing input on its way to the user.
type finding struct {
	term    term.Term
	outcome outcome
	from    int    // cells before shrinking
	run     int    // that found it
	origin  string // where it came from, if the search was guided
	shrunk  int    // runs it took; 0 if it was not shrunk
	flaky   bool
	ends    bool       // a file says that it must run in a process of its own
	tries   int        // how often it must be run to fail, if once is not enough
	before  *proc.Seen // what came before it, if that was in another process
	seed    string     // the file or example it came from, if not from the search
	file    string
	unsaved error
}

// shrink makes the input of a finding as small as it can and stores that in
// place of the first one.
func (c *check) shrink(f *finding) {
	if c.careful {
		c.shrinkApart(f)
		return
	}
	least, o, runs := c.minimise(f, func(x term.Term) outcome { return c.runner.alone(x, c.stop) }, c.stopped)
	c.smaller(f, least, o, runs)
}

// minimise makes the input of a finding small, with a way to run a term.
func (c *check) minimise(f *finding, run func(term.Term) outcome, stop func() bool) (least term.Term, best outcome, runs int) {
	sign := f.outcome.sign()
	best = f.outcome
	least, runs = shrink.Minimise(shrink.Config{World: c.world, Stop: stop, Fails: func(x term.Term) bool {
		o := run(x)
		if o.verdict() != engine.Failed || o.sign() != sign {
			return false
		}
		best = o
		return true
	}}, f.term)
	return least, best, runs
}

// smaller puts a smaller input in place of the first one.
func (c *check) smaller(f *finding, least term.Term, o outcome, runs int) {
	first := f.file
	f.term, f.outcome, f.shrunk = least, o, runs
	if file, err := c.save(*f); err == nil && file != first {
		f.file = file
		c.place.remove(first)
	}
}
