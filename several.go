package allele

import (
	"github.com/allele-go/allele/internal/ops/corpus"
	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/value/term"
)

// The search runs on one processor, where goroutines take turns and hardly ever get
// into each other's way. So inputs that were kept and start goroutines are run
// again in a program without probes, on several processors, many times each.

// fromSeveral is where such findings come from.
const fromSeveral = "an input that was kept, run again on several processors"

// several runs what was kept again. What ends the process is looked into by another
// one, as in a search.
func (c *check) several() {
	c.t.Helper()
	c.verdict = event.Passed
	e := event.Event{Kind: event.Repeated, Property: c.name}
	defer func() {
		e.Verdict, e.Text = c.verdict, c.said
		if c.emit(e); e.Sign != "" {
			c.failures.tell(e.Sign)
		}
	}()
	tries := c.job.Repeat.Tries
	kept, err := corpus.Read(c.job.Corpus)
	if err != nil {
		c.t.Errorf("allele: what was kept cannot be read: %v", err)
		return
	}
	c.runner.detail = true
	for _, k := range kept.Entries {
		x, ok := c.parseKept(k.Input)
		if !k.Spawned || !ok {
			continue
		}
		e.Resumed++
		for range tries {
			if c.runner.slot.Stopped() {
				return
			}
			e.Runs++
			o := c.runner.alone(x, nil)
			if o.verdict() != engine.Failed {
				continue
			}
			if sign := o.sign(); c.failures.claim(sign) {
				e.Sign = sign
				c.foundSeveral(o, x, tries)
				return
			}
			break // somebody has shown it
		}
	}
}

// foundSeveral deals with an input that fails by an ordinary failure where it
// passed on one processor.
func (c *check) foundSeveral(o outcome, x term.Term, tries int) {
	c.t.Helper()
	c.verdict = event.Failed
	f := finding{term: x, from: c.world.Cells(x), outcome: o, tries: tries, seed: fromSeveral, sign: o.sign()}
	f.file, f.unsaved = c.save(f)
	p := c.newPen(tries)
	again := p.run(x)
	p.close()
	if p.err == nil && again.verdict() == engine.Failed {
		if again.sign() == f.sign {
			f.outcome = again
		}
		c.shrinkApart(&f)
	} else {
		f.flaky = true
		c.place.remove(f.file)
		f.file, c.verdict = "", event.Unstable
	}
	c.report(f)
}
