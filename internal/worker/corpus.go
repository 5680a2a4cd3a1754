package worker

import (
	"strings"
	"time"

	"github.com/allele-go/allele/internal/ops/corpus"
	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/exchange"
	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/property"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/novelty"
	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// keeper is what a search saves from one process to the next: the inputs that showed
// something new, and how many runs were made. It also shares them with other workers.
// It never stands in the way of a search; why it is not whole is told at the end.
type keeper struct {
	search *searcher
	hash   string // of this binary
	writer *corpus.Writer

	before   *corpus.Corpus // what was kept when this process began
	seen     map[uint64]bool
	ids      map[int]string // number of a case in the search -> its ID
	stored   [2]int         // passed and discarded
	told     time.Time
	resuming bool
	resumed  int              // inputs that were kept before and run again
	client   *exchange.Client // nil if nobody shares
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

// openKeeper opens the corpus, if the command has named a folder for it.
func (s *searcher) openKeeper(e *engine.Config) *keeper {
	p, params := s.prop, s.prop.Job.Search
	folder := p.Job.Corpus
	if folder == "" || p.Job.Mode != job.Search {
		return nil
	}
	k := &keeper{search: s, hash: p.Job.Program.Hash, seen: map[uint64]bool{}, ids: map[int]string{}, before: &corpus.Corpus{}}
	k.client = exchange.Dial(params.Inbox, params.Outbox)
	// Each worker has fresh terms of its own. The first has those that one alone has.
	e.Seed += uint64(params.Worker) * 0x9e3779b97f4a7c15
	before, err := corpus.Read(folder)
	if err != nil {
		k.trouble = err.Error()
	} else if !params.Fresh {
		k.before = before
		e.First = before.Runs
		before.Entries = k.count(before.Entries)
	}
	e.First += max(0, params.Before)
	if k.writer, err = corpus.Create(folder, p.Place.Package(), p.Name); err != nil {
		k.trouble = err.Error()
	}
	return k
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
func (k *keeper) count(all []corpus.Entry) (some []corpus.Entry) {
	for _, e := range all {
		if k.stored[which(e.Verdict)] < rareMax {
			k.stored[which(e.Verdict)]++
			some = append(some, e)
		}
	}
	return some
}

// keep stores an input, unless a stored one took the same path.
func (k *keeper) keep(e engine.Entry, run trace.Run) {
	h := novelty.Hash(run.Symbols)
	verdict := runVerdict(e.Verdict)
	w, most := which(verdict), storedMax
	if e.Rare {
		most = rareMax
	}
	switch {
	case k.writer == nil || k.seen[h]:
		return
	case k.resuming: // it is counted
	case k.stored[w] >= most:
		return
	default:
		k.stored[w]++
		if k.search.super.slot.HasOthers() {
			k.client.Send(shared(h, e.Term, e.Verdict, run))
		}
	}
	k.seen[h] = true
	entry := corpus.Entry{Input: k.search.prop.CaseText(e.Term), Verdict: verdict, Trace: h, Parent: k.ids[e.Parent],
		How: strings.TrimSpace(e.How + " " + e.Kind), Why: e.Why, Run: k.search.engine.Started(), Binary: k.hash, Spawned: run.Set}
	if len(k.ids) < idsMax {
		k.ids[e.ID] = entry.ID()
	}
	if !k.resuming {
		k.add(entry)
	}
}

func (k *keeper) add(e corpus.Entry) {
	if err := k.writer.Add(e); err != nil && k.trouble == "" {
		k.trouble = err.Error()
	}
}

// known notes that a case with a trace is stored by another process.
func (k *keeper) known(h uint64) {
	if len(k.seen) < seenMax {
		k.seen[h] = true
	}
}

// ran notes how far the search has come, now and then or at its end.
func (k *keeper) ran(end bool) {
	if k == nil || k.writer == nil {
		return
	}
	now := time.Now()
	if !end && now.Sub(k.told) < ranEvery {
		return
	}
	k.told = now
	if err := k.writer.Ran(k.search.engine.Started(), k.hash); err != nil && k.trouble == "" {
		k.trouble = err.Error()
	}
}

// close ends the memory.
func (k *keeper) close() {
	if k != nil && k.writer != nil {
		k.ran(true)
		if err := k.writer.Close(); err != nil && k.trouble == "" {
			k.trouble = err.Error()
		}
	}
}

// renew stores what this binary sees in an input, if another one kept it.
func (k *keeper) renew(e corpus.Entry, o property.Outcome, run trace.Run) {
	h := novelty.Hash(run.Symbols)
	k.seen[h] = true
	if e.Binary == k.hash || k.writer == nil {
		return
	}
	e.Binary, e.Trace, e.Verdict, e.Spawned = k.hash, h, runVerdict(o.Verdict), run.Set
	k.add(e)
}

// receive takes what other workers have sent: it is known as if it had been run here.
func (s *searcher) receive(delivered int) {
	for _, c := range s.keeper.client.Receive(delivered) {
		x, v, run, ok := received(s.prop.World, c)
		if !ok {
			continue
		}
		s.keeper.known(c.Trace)
		s.engine.Share(x, v, run)
	}
}

// shared is a kept case as others get it.
func shared(h uint64, x term.Term, v engine.Verdict, run trace.Run) exchange.Case {
	return exchange.Case{Trace: h, Verdict: byte(v), Set: run.Set, Path: run.Symbols, Term: operand.AppendTerm(nil, x)}
}

// received makes of a case what shared was given.
func received(w *schema.World, k exchange.Case) (x term.Term, v engine.Verdict, run trace.Run, ok bool) {
	x, err := operand.ParseTerm(w, k.Term)
	v = engine.Verdict(k.Verdict)
	return x, v, trace.Run{Symbols: k.Path, Set: k.Set}, err == nil && v <= engine.Discarded
}
