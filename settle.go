package allele

import (
	"os"
	"strconv"
	"time"

	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/proc"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/value/term"
)

// settle looks into the case that a process ran when it ended: the process, or
// somebody else, may be to blame. The case is run once more in a fresh process. If
// that ends as well, or the property fails, it is a finding: it goes to disk, is
// made small, each try in a process that it may end, and is shown.
func (c *check) settle() {
	c.t.Helper()
	e := event.Event{Kind: event.Unconfirmed, Property: c.name}
	defer func() { c.emit(e) }()
	x, before, err := c.deadCase(os.Getenv("ALLELE_DEAD"))
	if err != nil {
		c.t.Errorf("allele: the case that a process ended with is lost: %v", err)
		return
	}
	tries, _ := strconv.Atoi(os.Getenv("ALLELE_TRIES"))
	p := c.newPen(tries)
	defer p.close()
	o := p.run(x)
	if p.err != nil {
		c.t.Errorf("allele: the case that a process ended with was not run again: %v", p.err)
		return
	}
	if o.verdict() != engine.Failed {
		return
	}
	f := finding{term: x, outcome: o, from: c.world.Cells(x), run: before.Started, before: &before.Seen, tries: tries}
	if tries > 1 {
		f.seed = fromSeveral
	}
	f.file, f.unsaved = c.save(f)
	c.shrinkApart(&f)
	e.Kind, e.Verdict, e.Death, e.Case = event.Found, "failed", f.outcome.kind(), f.file
	if f.outcome.death != nil && len(deathFrames(f.outcome.death)) == 0 {
		e.Last = f.outcome.last
	}
	c.t.Error(c.failure(f))
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
