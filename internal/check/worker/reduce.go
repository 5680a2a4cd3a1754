//go:build go1.25

package worker

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/allele-go/allele/internal/check/plain"
	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/search/cover"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/watch"
	"github.com/allele-go/allele/internal/store/corpus"
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
	fixed   bool // not a case, but what cases show that always stay
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
		w = plain.Follow(p)
	}
	var all []rerun
	for _, e := range kept.Entries {
		x, ok := p.ParseKept(e.Input)
		all = append(all, rerun{name: e.ID(), term: x, misfit: !ok})
	}
	if p.Job.Mode == job.Save {
		all = append(all, savedBefore(p)...)
	}
	kills, err := readKills(p.Job.Text.Request)
	if err != nil {
		p.TB.Errorf("allele: %v", err)
		return
	}
	all = slices.DeleteFunc(all, func(r rerun) bool { return slices.Contains(p.Job.Skip, r.name) })
	h := handler(p, w, s)
	h.GoOn()
	for i := range all {
		if s.slot.Stopped() || s.gone() {
			return // no final event: the command must know that not all cases were run
		}
		if r := &all[i]; !r.misfit {
			p.Emit(event.Rerun{Case: r.name})
			r.verdict = h.Runner.One(r.term, false).Verdict
			r.shows = cover.Shows(w.End(r.verdict == engine.Passed))
		}
	}
	if kills != nil {
		all = kills.decide(all)
	}
	then(p, all)
}

// killSets contains the faults that each case kills. If a job has them, they decide which cases
// are needed, and not the paths.
type killSets struct {
	Kills map[string][]int `json:"kills"`
}

// readKills reads the kill sets of a job. It returns nil if the job names no file.
func readKills(file string) (k *killSets, err error) {
	if file == "" {
		return nil, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, &k); err != nil {
		return nil, fmt.Errorf("read %s: not a list of kills: %w", file, err)
	}
	if k == nil {
		return nil, fmt.Errorf("read %s: not a list of kills", file)
	}
	return k, nil
}

// decide makes the faults that a case kills what it shows. A case that does not pass kills
// nothing. What examples and stored cases kill needs no other case.
func (k *killSets) decide(all []rerun) []rerun {
	fixed := maps.Clone(k.Kills)
	for i := range all {
		r := &all[i]
		delete(fixed, r.name)
		if r.shows = nil; r.verdict == engine.Passed && !r.misfit {
			r.shows = cover.Kills(k.Kills[r.name])
		}
	}
	var rest []uint64
	for _, faults := range fixed {
		for _, f := range faults {
			rest = append(rest, uint64(f))
		}
	}
	slices.Sort(rest)
	return append(all, rerun{fixed: true, shows: slices.Compact(rest)})
}

// fixedRank is the rank of what needs no case. It comes before the ranks of cases.
const fixedRank = -1

// reportReduced reports which cases are not needed. A case that fails stays, because it is
// a finding for the next search. Of the others, passed cases are picked first: a
// discarded case may reach nothing behind the assumption that discarded it.
func reportReduced(p *property.Property, all []rerun) {
	var done event.Finished
	var pool []cover.Case
	var of []rerun
	for _, r := range all {
		if !r.fixed {
			done.Counts.Runs++
		}
		switch {
		case r.fixed:
			pool = append(pool, cover.Case{Shows: r.shows, Rank: fixedRank})
			of = append(of, r)
		case r.misfit:
			p.Emit(event.Dropped{Case: r.name, Misfit: true})
		case r.verdict == engine.Failed:
			p.Emit(event.Found{Case: r.name, Verdict: event.Failed})
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
		if !needed[i] && !r.fixed {
			p.Emit(event.Dropped{Case: r.name})
		}
	}
	p.Emit(done)
}
