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

// Many kept cases are run once more, to see which few of them show all that they
// show together. The others are dropped from the corpus; or, in mode save, the few that
// pass become files, which plain go test begins with (save.go).

// rerun is a case on its way to being run once more.
type rerun struct {
	name    string // its ID, or its file
	term    term.Term
	file    bool
	misfit  bool // it does not fit the type any more
	verdict engine.Verdict
	shows   []uint64
}

// rerunAll runs what was kept and hands it on. What ends this process is not run in
// the next one, which is told its name: the last that was told before.
func rerunAll(p *property.Property, w *watch.Watcher, s *supervisor, then func(*property.Property, []rerun)) {
	p.TB.Helper()
	kept, err := corpus.Read(p.Job.Corpus)
	if err != nil {
		p.TB.Errorf("allele: what was kept cannot be read: %v", err)
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
	for i := range all {
		if s.slot.Stopped() || s.gone() {
			return // without a last word, so that nobody takes this for all
		}
		if r := &all[i]; !r.misfit {
			p.Emit(event.Event{Kind: event.Progress, Property: p.Name, Case: r.name})
			r.verdict = h.Runner.One(r.term, false).Verdict
			r.shows = cover.Shows(w.End(r.verdict == engine.Passed))
		}
	}
	then(p, all)
}

// reportReduced says which cases are not needed. One that fails is a finding for the
// next search, so it stays. Of the rest passed ones come first: what a discarded
// one shows may lie before the assumption that stopped it.
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
