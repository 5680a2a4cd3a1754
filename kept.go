package allele

import (
	"fmt"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/ops/corpus"
	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/exchange"
	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/novelty"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/term"
)

// memory is what a search keeps from one process to the next: the inputs that
// showed something new, and how many runs were made. It never stands in the way of
// a search; why it is not whole is told at the end.
type memory struct {
	check  *check
	binary string // the hash of this one
	writer *corpus.Writer

	before   *corpus.Corpus // what was kept when this process began
	seen     map[uint64]bool
	ids      map[int]string // number of a case in the search -> its ID
	stored   [2]int         // passed and discarded
	told     time.Time
	resuming bool
	mail     *exchange.Client // nil if nobody shares
	trouble  string
}

const (
	// storedMax is how many cases of each verdict are stored, and rareMax how many if
	// they show more than a path that is new as a whole. They are all run again when a
	// search goes on.
	storedMax = 1500
	rareMax   = 2000
	// ranEvery is how often it is noted how far the search has come.
	ranEvery = time.Second
	idsMax   = 1 << 16
	seenMax  = 1 << 20
)

// remember opens the memory, if the command has named a folder for it.
func (c *check) remember(e *engine.Config) {
	folder, search := c.job.Corpus, c.job.Search
	if folder == "" || c.job.Mode != job.Search || c.job.Property != c.name {
		return
	}
	m := &memory{check: c, binary: c.job.Program.Hash, seen: map[uint64]bool{}, ids: map[int]string{}, before: &corpus.Corpus{}}
	c.memory, m.mail = m, exchange.Dial(search.Inbox, search.Outbox)
	// Each has fresh terms of its own. The first has those that one alone has.
	e.Seed += uint64(search.Worker) * 0x9e3779b97f4a7c15
	before, err := corpus.Read(folder)
	if err != nil {
		m.trouble = err.Error()
	} else if !search.Fresh {
		m.before = before
		e.First = before.Runs
		before.Entries = m.count(before.Entries)
	}
	e.First += max(0, search.Before)
	if m.writer, err = corpus.Create(folder, strings.TrimSuffix(c.place.pkg, "_test"), c.name); err != nil {
		m.trouble = err.Error()
	}
}

// which tells passed from discarded.
func which(verdict event.Verdict) int {
	if verdict == event.Passed {
		return 0
	}
	return 1
}

// runVerdict is the verdict of a run as a corpus has it.
func runVerdict(v engine.Verdict) event.Verdict { return event.Verdict(v.String()) }

// count takes those into account that are stored, and gives those that are run: more
// than are stored may be there from times with other bounds, or of several workers.
func (m *memory) count(all []corpus.Entry) (some []corpus.Entry) {
	for _, e := range all {
		if m.stored[which(e.Verdict)] < rareMax {
			m.stored[which(e.Verdict)]++
			some = append(some, e)
		}
	}
	return some
}

// logged hears of every input that the search keeps.
func (c *check) logged(e engine.Entry) {
	if c.job.Search.Log != "" && !(c.old && e.Verdict == engine.Failed) {
		c.logKept(e)
	}
	if c.memory != nil && e.ID > 0 {
		c.memory.keep(e, c.watch.latest)
	}
}

// keep stores an input, unless it went a way that a stored one goes.
func (m *memory) keep(e engine.Entry, run trace.Run) {
	h := novelty.Hash(run.Symbols)
	verdict := runVerdict(e.Verdict)
	w, most := which(verdict), storedMax
	if e.Rare {
		most = rareMax
	}
	switch {
	case m.writer == nil || m.seen[h]:
		return
	case m.resuming: // it is counted
	case m.stored[w] >= most:
		return
	default:
		m.stored[w]++
		if m.check.runner.slot.HasOthers() {
			m.mail.Send(shared(h, e.Term, e.Verdict, run))
		}
	}
	m.seen[h] = true
	entry := corpus.Entry{Input: m.check.caseText(e.Term), Verdict: verdict, Trace: h, Parent: m.ids[e.Parent],
		How: strings.TrimSpace(e.How + " " + e.Kind), Why: e.Why, Run: m.check.engine.Started(), Binary: m.binary, Spawned: run.Set}
	if len(m.ids) < idsMax {
		m.ids[e.ID] = entry.ID()
	}
	if !m.resuming {
		m.add(entry)
	}
}

func (m *memory) add(e corpus.Entry) {
	if err := m.writer.Add(e); err != nil && m.trouble == "" {
		m.trouble = err.Error()
	}
}

// known notes that a case with a trace is stored by another process.
func (m *memory) known(h uint64) {
	if len(m.seen) < seenMax {
		m.seen[h] = true
	}
}

// ran notes how far the search has come, now and then or at its end.
func (m *memory) ran(end bool) {
	if m == nil || m.writer == nil {
		return
	}
	now := time.Now()
	if !end && now.Sub(m.told) < ranEvery {
		return
	}
	m.told = now
	if err := m.writer.Ran(m.check.engine.Started(), m.binary); err != nil && m.trouble == "" {
		m.trouble = err.Error()
	}
}

// close ends the memory.
func (m *memory) close() {
	if m != nil && m.writer != nil {
		m.ran(true)
		if err := m.writer.Close(); err != nil && m.trouble == "" {
			m.trouble = err.Error()
		}
	}
}

// resume runs what was kept before, and the search goes on with it. It reports
// false if it does not: one fails now, which it has shown by then.
//
// All of it is run, also if the same binary has run it before: what the search
// knows is made of what runs show.
func (c *check) resume() bool {
	c.t.Helper()
	m := c.memory
	if m == nil {
		return true
	}
	m.resuming = true
	defer func() { m.resuming = false }()
	for _, e := range m.before.Entries {
		if c.runner.slot.Paused() {
			c.rest()
		}
		if c.engine.Over() || c.runner.slot.Stopped() {
			break
		}
		x, ok := c.parseKept(e.Input)
		if !ok {
			continue
		}
		o := c.runner.alone(x, c.stop)
		if o.verdict() == engine.Failed {
			if c.failures.passOver(o.sign()) {
				continue
			}
			c.watch.failed = went(c.watch.recorder.End())
			if !c.deal(finding{term: x, from: c.world.Cells(x), outcome: o, seed: fmt.Sprintf("an input that was kept in run %s; then it was %s", number(e.Run), e.Verdict)}) {
				return false
			}
			continue
		}
		run := c.watch.end(o.verdict())
		c.resumed++
		c.engine.Resume(x, o.verdict(), run)
		m.renew(e, o, run)
	}
	return true
}

// parseKept reads an input that another binary may have written. One that does not
// fit the type any more is left out.
func (c *check) parseKept(input string) (term.Term, bool) {
	k, err := codec.Decode(c.world, "kept", []byte(input), c.place.src)
	return k.Term, err == nil && len(k.Losses) == 0
}

// renew stores what this binary sees in an input, if another one kept it.
func (m *memory) renew(e corpus.Entry, o outcome, run trace.Run) {
	h := novelty.Hash(run.Symbols)
	m.seen[h] = true
	if e.Binary == m.binary || m.writer == nil {
		return
	}
	e.Binary, e.Trace, e.Verdict, e.Spawned = m.binary, h, runVerdict(o.verdict()), run.Set
	m.add(e)
}
