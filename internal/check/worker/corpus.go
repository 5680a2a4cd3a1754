//go:build go1.25

package worker

import (
	"strings"
	"time"

	"github.com/allele-go/allele/internal/check/finding"
	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/proc/share"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/novelty"
	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/store/corpus"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// keeper saves the state of a search for later processes: the inputs that showed
// something new, and the number of runs. It also shares these inputs with other workers.
// An error of the keeper never stops the search; it is reported when the search ends.
type keeper struct {
	search *searcher
	hash   string // identifies this binary
	writer *corpus.Writer

	before *corpus.Corpus // the corpus when this process started
	seen   map[uint64]bool
	ids    map[int]string // number of a case in the search -> its ID
	stored [2]int         // number of stored cases: passed, discarded
	cases  []savedCase    // the stored cases that this process has run
	resumption
	needed  bool          // nearly all cases are needed, so reduce makes no room
	noted   time.Time     // when the number of runs was last written
	client  *share.Client // nil if there are no other workers
	trouble string        // the first error; empty if there was none
}

// resumption is how a search continues from the corpus.
type resumption struct {
	resuming bool
	resumed  int           // inputs of the corpus that were run again
	took     time.Duration // the time of these runs
	unfit    int           // inputs of the corpus that cannot be read as inputs of the property
}

const (
	// storedMax limits the stored cases of each verdict, because a resumed search runs
	// all of them again. For cases that show a new edge, or a new hit count of an edge,
	// and not just a new path, the limit is rareMax.
	storedMax = 1500
	rareMax   = 2000
	// ranEvery is how often the number of runs is written to the corpus.
	ranEvery = time.Second
	idsMax   = 1 << 16
	seenMax  = 1 << 20
)

// openKeeper opens the corpus. It returns nil if the job names no folder for a corpus.
func (s *searcher) openKeeper(e *engine.Config) *keeper {
	p, params := s.Prop, s.Prop.Job.Search
	folder := p.Job.Corpus
	if folder == "" || p.Job.Mode != job.Search {
		return nil
	}
	k := &keeper{search: s, hash: p.Job.Program.Hash, seen: map[uint64]bool{}, ids: map[int]string{}, before: &corpus.Corpus{}}
	k.client = share.Dial(params.Others.Inbox, params.Others.Outbox)
	// Each worker generates different fresh terms. The first worker of a host alone generates
	// the terms that a single worker would.
	e.Seed += params.Others.Host + uint64(params.Others.Worker)*0x9e3779b97f4a7c15
	before, err := corpus.Read(folder)
	if err != nil {
		k.trouble = err.Error()
	} else {
		some := k.count(before.Entries)
		if params.Others.Worker == 0 {
			k.shorten(folder, before.Entries, some)
		}
		before.Entries = some
	}
	if params.Fresh {
		k.stored = [2]int{}
	} else if err == nil {
		k.before = before
	}
	if k.writer, err = corpus.Create(folder, p.Place.Tested(), p.Name); err != nil {
		k.trouble = err.Error()
	}
	return k
}

// keepUnsaved returns a function that adds a failing input to the corpus. It is called if the
// input cannot be stored as a case, for example because the source is read-only. The next
// search then runs it first. The result is nil if there is no corpus.
func keepUnsaved(p *property.Property) func(finding.Finding) bool {
	if p.Job.Corpus == "" {
		return nil
	}
	return func(f finding.Finding) bool {
		w, err := corpus.Create(p.Job.Corpus, p.Place.Tested(), p.Name)
		if err != nil {
			return false
		}
		err = w.Add(corpus.Entry{Input: p.CaseText(f.Term), Verdict: event.Failed, Why: "failed", Run: f.History.Run,
			Binary: p.Job.Program.Hash})
		return w.Close() == nil && err == nil
	}
}

// which returns the index into keeper.stored for a verdict.
func which(verdict event.Verdict) int {
	if verdict == event.Passed {
		return 0
	}
	return 1
}

// runVerdict converts the verdict of a run to the form that a corpus stores.
func runVerdict(v engine.Verdict) event.Verdict { return event.Verdict(v.String()) }

// count counts the stored cases and returns the ones to run. The corpus may hold more
// cases than the limit, if several workers have stored cases or if an earlier version
// had a higher limit.
func (k *keeper) count(all []corpus.Entry) (some []corpus.Entry) {
	for _, e := range all {
		if k.stored[which(e.Verdict)] < rareMax {
			k.stored[which(e.Verdict)]++
			some = append(some, e)
		}
	}
	return some
}

// keep stores an input, unless a stored input took the same path.
func (k *keeper) keep(e engine.Entry, run trace.Run) {
	h := novelty.Hash(run.Symbols)
	verdict := runVerdict(e.Verdict)
	w, most := which(verdict), storedMax
	if e.Rare || e.Kills > 0 {
		most = rareMax
	}
	switch {
	case k.writer == nil || k.seen[h] && e.Kills == 0:
		return
	case k.resuming: // openKeeper has counted this case already
	case k.stored[w] >= most && !k.reduce():
		return
	default:
		k.stored[w]++
	}
	k.seen[h] = true
	text := k.search.Prop.CaseText(e.Term)
	if k.search.super.slot.HasOthers() {
		k.send(shared(h, e.Term, e.Verdict, run), text)
	}
	entry := corpus.Entry{Input: text, Verdict: verdict, Trace: h, Parent: k.ids[e.Parent],
		How: strings.TrimSpace(e.How + " " + e.Kind), Why: e.Why, Run: k.search.Engine.Started(), Binary: k.hash, Spawned: run.Set}
	if len(k.ids) < idsMax {
		k.ids[e.ID] = entry.ID()
	}
	if !k.resuming {
		k.add(entry)
		k.remember(entry, run, e.Kills > 0)
	}
}

// send sends a case to the other workers, with its text if some of them are on other hosts. These
// do not have the corpus of this host, so they get what it had before this search, too.
func (k *keeper) send(c share.Case, text string) {
	switch {
	case k.search.Prop.Job.Search.Others.Host != 0:
		c.Text = text
	case k.resuming:
		return
	}
	k.client.Send(c)
}

func (k *keeper) add(e corpus.Entry) {
	if err := k.writer.Add(e); err != nil && k.trouble == "" {
		k.trouble = err.Error()
	}
}

// known notes that another process has stored a case with this trace.
func (k *keeper) known(h uint64) {
	if len(k.seen) < seenMax {
		k.seen[h] = true
	}
}

// ran writes the number of runs to the corpus, at most once per ranEvery unless the search
// ends.
func (k *keeper) ran(end bool) {
	if k == nil || k.writer == nil {
		return
	}
	now := time.Now()
	if !end && now.Sub(k.noted) < ranEvery {
		return
	}
	k.noted = now
	if err := k.writer.Ran(k.search.Engine.Started(), k.hash); err != nil && k.trouble == "" {
		k.trouble = err.Error()
	}
}

// close writes the number of runs and closes the corpus.
func (k *keeper) close() {
	if k != nil && k.writer != nil {
		k.ran(true)
		if err := k.writer.Close(); err != nil && k.trouble == "" {
			k.trouble = err.Error()
		}
	}
}

// renew updates a saved input that was saved by another binary: it stores the trace and the
// verdict that the input has in this binary.
func (k *keeper) renew(e corpus.Entry, o property.Outcome, run trace.Run) {
	h := novelty.Hash(run.Symbols)
	k.seen[h] = true
	known := e.Binary == k.hash || k.writer == nil
	e.Binary, e.Trace, e.Verdict, e.Spawned = k.hash, h, runVerdict(o.Verdict), run.Set
	k.remember(e, run, strings.HasSuffix(e.Why, "killed"))
	if !known {
		k.add(e)
	}
}

// receive reads the cases that other workers have sent. The search treats them as if they
// had been run here. Cases of other hosts are run soon.
func (s *searcher) receive(delivered int) {
	for _, c := range s.keeper.client.Receive(delivered) {
		if c.Verdict == share.Unrun {
			if x, ok := s.Prop.ParseKept(c.Text); ok {
				s.Engine.Visit(x)
			}
			continue
		}
		x, v, run, ok := received(s.Prop.World, c)
		if !ok {
			continue
		}
		s.keeper.known(c.Trace)
		s.Engine.Share(x, v, run)
	}
}

// shared converts a saved case to the form that is sent to other workers.
func shared(h uint64, x term.Term, v engine.Verdict, run trace.Run) share.Case {
	return share.Case{Trace: h, Verdict: byte(v), Set: run.Set, Path: run.Symbols, Term: operand.AppendTerm(nil, x)}
}

// received is the inverse of shared. It reports false for a case that does not fit
// the type.
func received(w *schema.World, k share.Case) (x term.Term, v engine.Verdict, run trace.Run, ok bool) {
	x, err := operand.ParseTerm(w, k.Term)
	v = engine.Verdict(k.Verdict)
	return x, v, trace.Run{Symbols: k.Path, Set: k.Set}, err == nil && v <= engine.Discarded
}
