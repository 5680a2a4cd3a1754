//go:build go1.25

package worker

import (
	"slices"

	"github.com/allele-go/allele/internal/ops/corpus"
	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/property"
	"github.com/allele-go/allele/internal/search/cover"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/watch"
	"github.com/allele-go/allele/internal/value/term"
)

// The saved cases are run once more, to find a few of them that together reach everything
// that all of them reach. Mode reduce drops the others from the corpus. Mode save chooses
// among the cases that pass and writes the few to files, which plain go test runs first
// (save.go).

// rerun is a case that is run once more.
type rerun struct {
	name    string // ID in the corpus, or name of the file
	term    term.Term
	file    bool // the case comes from a file, not from the corpus
	misfit  bool // the case no longer fits the type
	verdict engine.Verdict
	shows   []uint64
}

// rerunAll runs the saved cases and passes the results to then. It emits the name of each
// case before the run. If the run ends the process, the command passes the last name to
// the next process, which skips that case.
func rerunAll(p *property.Property, w *watch.Watcher, s *supervisor, then func(*property.Property, []rerun)) {
	p.TB.Helper()
	kept, err := corpus.Read(p.Job.Corpus)
	if err != nil {
		p.TB.Errorf("allele: cannot read the corpus: %v", err)
		return
	}
	if w == nil {
		w = follow(p)
	}
	var all []rerun
	for _, e := range kept.Entries {
		x, ok := p.ParseKept(e.Input)
		all = append(all, rerun{name: e.ID(), term: x, misfit: !ok})
	}
	if p.Job.Mode == job.Save {
		all = append(all, savedBefore(p)...)
	}
	all = slices.DeleteFunc(all, func(r rerun) bool { return slices.Contains(p.Job.Skip, r.name) })
	h := handler(p, w, s)
	h.GoOn()
	for i := range all {
		if s.slot.Stopped() || s.gone() {
			return // no final event: the command must know that not all cases were run
		}
		if r := &all[i]; !r.misfit {
			p.Emit(event.Event{Kind: event.Progress, Property: p.Name, Case: r.name})
			r.verdict = h.Runner.One(r.term, false).Verdict
			r.shows = cover.Shows(w.End(r.verdict == engine.Passed))
		}
	}
	then(p, all)
}

// reportReduced reports which cases are not needed. A case that fails stays, because it is
// a finding for the next search. Of the others, passed cases are picked first: a
// discarded case may reach nothing behind the assumption that discarded it.
func reportReduced(p *property.Property, all []rerun) {
	done := event.Event{Kind: event.Finished, Property: p.Name, Runs: len(all)}
	var pool []cover.Case
	var of []rerun
	for _, r := range all {
		switch {
		case r.misfit:
			p.Emit(event.Event{Kind: event.Dropped, Property: p.Name, Case: r.name, Misfit: true})
		case r.verdict == engine.Failed:
			p.Emit(event.Event{Kind: event.Found, Property: p.Name, Case: r.name, Verdict: event.Failed})
		default:
			pool = append(pool, cover.Case{Shows: r.shows, Size: len(r.term), Rank: int(r.verdict)})
			of = append(of, r)
		}
	}
	needed := map[int]bool{}
	for _, i := range cover.Pick(pool, 0) {
		needed[i] = true
	}
	for i, r := range of {
		if !needed[i] {
			p.Emit(event.Event{Kind: event.Dropped, Property: p.Name, Case: r.name})
		}
	}
	p.Emit(done)
}
