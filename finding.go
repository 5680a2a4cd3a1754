package allele

import (
	"os"

	"github.com/allele-go/allele/internal/ops/proc"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/shrink"
	"github.com/allele-go/allele/internal/value/term"
)

// found deals with a failing input of the search, and reports whether that goes on.
func (c *check) found(o outcome, x term.Term) (goOn bool) {
	c.t.Helper()
	f := finding{term: x, from: c.world.Cells(x), outcome: o, run: c.engine.Started()}
	if c.watch != nil && !o.hung {
		f.origin = c.engine.Origin()
	}
	return c.deal(f)
}

// deal deals with a finding: it goes to disk, it is made small, then it is shown,
// unless its sign turns out to be known. It reports whether the search goes on.
func (c *check) deal(f finding) (goOn bool) {
	c.t.Helper()
	if o := f.outcome; o.hung || o.more != nil && o.more.outer != "" {
		// It cannot be told from the next run's failure, so it stays as it is.
		f.sign = o.sign()
		f.file, f.unsaved = c.save(f)
		c.report(f)
		return !o.hung && c.goOn() && !c.t.Failed() && !c.t.Skipped()
	}
	c.runner.detail = true
	defer func() { c.runner.detail = false }()
	if !c.secure(&f) {
		return true
	}
	if !f.flaky && !c.unstable(&f, againRuns) {
		c.shrink(&f)
		c.unstable(&f, againRuns)
	}
	if f.flaky {
		// It would pass and fail in later tests as well, whatever is done.
		c.place.remove(f.file)
		f.file = ""
	}
	c.report(f)
	return c.goOn()
}

// secure has a look at a finding, which gives it its sign, and takes it to disk. It
// reports false if the sign is known.
//
// Who claims a sign first stores the case. The other order would have workers that
// meet the same input remove each other's file. If this process ends before the case
// is stored nothing is lost: until then the slot holds the input as if it were still
// running, so it is looked into, and a claim of a process that ended is none. Where
// there is no slot there is nobody else either, and the case is stored before it is
// run again.
func (c *check) secure(f *finding) bool {
	raw, alone := f.outcome.sign(), c.runner.slot == nil
	_, err := os.Stat(at(c.caseFile(f.term)))
	if alone {
		f.file, f.unsaved = c.save(*f)
	}
	c.look(f)
	if !alone {
		c.runner.begin(f.term)
		defer func() { c.runner.slot.End(c.runner.slot.Look().Seen) }()
	}
	f.sign = f.outcome.sign()
	if !c.failures.claim(f.sign) {
		c.failures.count(c.failures.known[f.sign])
		if raw != f.sign {
			c.failures.strange[raw]++
		}
		if alone && err != nil { // or it was there before
			c.place.remove(f.file)
		}
		return false
	}
	if !alone {
		f.file, f.unsaved = c.save(*f)
	}
	return true
}

// look runs the input of a finding again with detail. A run of the search keeps no
// words, and does not know all helpers, so its sign may be another.
func (c *check) look(f *finding) {
	if !c.careful {
		c.unstable(f, 1)
		return
	}
	p := c.newPen(1)
	defer p.close()
	if again := p.run(f.term); p.err == nil && again.verdict() == engine.Failed {
		f.outcome = again
	}
}

// againRuns is how often a failing input is run again before it is believed: one
// that fails in half of its runs passes for a stable one in one of a thousand.
const againRuns = 10

// unstable runs the input of a finding again and reports whether it ever passes. A run
// that fails in another way than before says nothing: what is shown keeps its sign.
func (c *check) unstable(f *finding, runs int) bool {
	if f.outcome.kind() == proc.Cut {
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
		if f.sign != "" && again.sign() != f.sign {
			continue
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
	sign    string     // it was claimed under
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
