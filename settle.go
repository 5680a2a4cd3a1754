package allele

import (
	"time"

	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/proc"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/value/term"
)

// settle looks into the case that a process ran when it ended: the process, or
// somebody else, may be to blame. The case is run again in fresh processes. If it ends
// them as well, or the property fails, it is a finding: it goes to disk, is made small,
// each try in a process that it may end, and is shown. If that failure was shown before
// it is told with its sign and nothing else.
func (c *check) settle() {
	c.t.Helper()
	e := event.Event{Kind: event.Unconfirmed, Property: c.name}
	defer func() {
		e.Silent = silent()
		if c.emit(e); e.Text != "" && e.Sign != "" {
			c.failures.tell(e.Sign)
		}
	}()
	x, before, err := c.deadCase(c.job.Confirm.Slot)
	if err != nil {
		e.Kind, e.Text = event.Note, err.Error()
		return
	}
	tries := c.job.Repeat.Tries
	o, flaky, err := c.confirm(x, tries)
	if err != nil {
		c.t.Errorf("allele: the input that a process ended with was not run again: %v", err)
		return
	}
	e.Input = c.inputText(x)
	if o.verdict() != engine.Failed {
		return
	}
	if e.Sign = o.sign(); !c.failures.claim(e.Sign) {
		e.Kind = event.Found
		return
	}
	f := finding{sign: e.Sign, term: x, outcome: o, from: c.world.Cells(x), run: before.Started, before: &before.Seen, tries: tries, flaky: flaky}
	if tries > 1 {
		f.seed = fromSeveral
	}
	e.Kind, e.Verdict = event.Flaky, event.Unstable
	if !flaky {
		f.file, f.unsaved = c.save(f)
		c.shrinkApart(&f)
		e.Kind, e.Verdict = event.Found, event.Failed
	}
	e.Death, e.Case = f.outcome.kind(), f.file
	if f.outcome.death != nil && len(deathFrames(f.outcome.death)) == 0 {
		e.Last = f.outcome.last
	}
	c.report(f)
	e.Text, e.Failures, e.Run, e.Input = c.said, c.failures.shown, f.run, c.inputText(f.term)
	e.Traced = c.watch != nil
}

// surely is how many deaths in a row make a finding.
const surely = 3

// confirm runs a term again, in fresh processes as it ends them. It must fail every
// time; one that passes as well is flaky. A hang is believed the first time: it
// takes long, and it was waited for before. So is what was shown before.
func (c *check) confirm(x term.Term, tries int) (last outcome, flaky bool, err error) {
	p := c.newPen(tries)
	defer p.close()
	failed, passed := 0, 0
	for range againRuns {
		o := p.run(x)
		if p.err != nil {
			return o, false, p.err
		}
		if o.verdict() != engine.Failed {
			passed++
			if last.T == nil {
				last = o
			}
			continue
		}
		failed++
		last = o
		if tries > 1 || failed >= surely || passed > 0 || o.death != nil && o.death.Kind == proc.Hang || c.failures.old(o.sign()) {
			break
		}
	}
	return last, failed > 0 && passed > 0 && tries <= 1, nil
}

// deadCase reads the case from the slot of a process that is no more.
func (c *check) deadCase(file string) (x term.Term, before proc.Now, err error) {
	slot, err := proc.OpenSlot(file)
	if err != nil {
		return nil, before, err
	}
	defer slot.Close()
	data, err := slot.Case()
	if err != nil {
		return nil, before, err
	}
	x, err = operand.ParseTerm(c.world, data)
	return x, slot.Look(), err
}

const (
	// shrinkTime bounds shrinking where every failure costs a process.
	shrinkTime = time.Minute
	// hangShare is how much sooner patience is lost with a run while a hang is made
	// small; what comes of it is then waited for as long as the first.
	hangShare = 10
	hangLeast = 300 * time.Millisecond
	// triesShare is how much less often a term is tried that may pass by chance.
	triesShare = 5
)

// shrinkApart is shrink for a finding that ends its process.
func (c *check) shrinkApart(f *finding) {
	p := c.newPen(f.tries)
	defer p.close()
	if f.outcome.death != nil && f.outcome.death.Kind == proc.Hang {
		p.hang = max(p.hang/hangShare, hangLeast)
	}
	p.tries = max(1, p.tries/triesShare)
	end := time.Now().Add(shrinkTime)
	least, o, runs := c.minimise(f, p.run, func() bool { return p.err != nil || c.stopped() || time.Now().After(end) })
	p.close()
	again := c.newPen(f.tries)
	defer again.close()
	if last := again.run(least); again.err == nil && last.verdict() == engine.Failed && last.sign() == o.sign() {
		c.smaller(f, least, last, runs)
	}
}
