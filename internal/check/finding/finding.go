//go:build go1.25

// Package finding handles an input that fails: it runs the input again to see whether it
// always fails, claims the failure so that no other process reports it too, writes the
// input to disk, shrinks it, and reports it.
//
//	h := finding.NewHandler(p)
//	goOn := h.Deal(finding.Finding{Term: x, Outcome: o, ...})   // a search: the run of x failed
//
//	sign := finding.Sign(o)          // which failure is it?
//	text := finding.Text(p, f)       // the report for the user
//
// The order matters. An input is on disk before anything is done that may end the
// process, so that nothing is lost. The failure is claimed before the input is written, so
// that workers that find the same input do not remove each other's file.
package finding

import (
	"fmt"
	"os"
	"time"

	"github.com/allele-go/allele/internal/check/isolated"
	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/search/shrink"
	"github.com/allele-go/allele/internal/search/watch"
	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/term"
	"github.com/allele-go/allele/internal/words"
)

// Deal stores, shrinks and reports a finding, unless its sign turns out to be known. It
// reports whether the search goes on.
func (h *Handler) Deal(f Finding) (goOn bool) {
	t := h.Prop.TB
	t.Helper()
	if misused(h, f.Outcome) {
		return false
	}
	if o := f.Outcome; o.Hung || o.Outer != "" {
		// Another run could not reproduce exactly this failure, so it is not shrunk.
		f.Sign = Sign(o)
		h.save(&f)
		h.Report(f)
		return !o.Hung && h.goOn() && !t.Failed() && !t.Skipped()
	}
	defer exact(h, &f)()
	if h.Ledger.ways[Sign(f.Outcome)] != nil {
		return another(h, &f)
	}
	if !h.secure(&f) {
		return true
	}
	if !f.Flaky && !h.unstable(&f, againRuns) {
		h.shrink(&f)
		h.unstable(&f, againRuns)
	}
	return finish(h, &f)
}

// finish reports a finding that was shrunk. It reports whether the search goes on.
func finish(h *Handler, f *Finding) (goOn bool) {
	h.Prop.TB.Helper()
	switch {
	case f.Flaky:
		// A stored flaky case would pass or fail at random in later tests.
		h.forget(f)
	case !f.needsProcess() && !h.abandoned:
		property.AddFields(h.Prop, f.File, f.Term)
	}
	keep(h, f)
	h.Report(*f)
	remember(h, f)
	return h.goOn() && !h.abandoned
}

// Seed handles a stored case or an example that fails. If several of them show the same
// failure, only the first is reported.
func (h *Handler) Seed(s property.Seed, o property.Outcome) (goOn bool) {
	h.Prop.TB.Helper()
	if misused(h, o) {
		return false
	}
	if s.ByFields() {
		search := h.Prop
		defer func() { h.Prop = search }()
		h.Prop, s.Shrunk = s.Prop, true // shrinking would try values that no builder makes
	}
	f := h.New(s.Term, o, History{From: s.From})
	f.Case, f.Tries, f.Sign = s.File, s.Runs.Tries, Sign(o)
	alone := s.ByFields() || s.Runs.Isolated
	if !o.Hung && !h.Ledger.Claim(f.Sign) && (alone || !storedApart(h, &f)) {
		h.Ledger.countKnown(f.Sign)
		return true
	}
	if s.Runs.Isolated && !o.Hung && knownInput(h, &f) {
		h.Ledger.countKnown(f.Sign)
		return true
	}
	defer exact(h, &f)()
	if !s.Shrunk && !o.Hung {
		if s.File == "" {
			h.save(&f)
		} else {
			announce(h, f) // a case is on disk already
		}
		if s.Runs.Isolated {
			h.ShrinkIsolated(&f)
		} else {
			h.shrink(&f)
			if !h.abandoned {
				property.AddFields(h.Prop, f.File, f.Term)
			}
		}
	}
	h.Report(f)
	if !alone {
		remember(h, &f)
	}
	return h.goOn() && !o.Hung && !h.abandoned
}

// secure runs the input of a finding again to get its sign, claims the sign, and stores
// the input. It reports false if the sign is known.
//
// The sign is claimed before the case is stored. In the other order, workers that find
// the same input would remove each other's file. If this process ends before the case
// is stored, nothing is lost: until then the slot holds the input as if it were still
// running, so the command confirms it, and the claim of a process that ended does not
// count. Without a slot there are no other workers, and the case is stored before it is
// run again.
func (h *Handler) secure(f *Finding) bool {
	raw, alone := Sign(f.Outcome), h.Slot == nil
	_, missing := os.Stat(property.At(h.Prop.FailFile(f.Term)))
	if alone {
		h.save(f)
	}
	h.rerun(f)
	if !alone {
		h.Slot.Begin(f.Term.Memory())
		defer func() { h.Slot.End(h.Slot.Look().Seen) }()
	}
	f.Sign = Sign(f.Outcome)
	if !h.Ledger.Claim(f.Sign) {
		h.Ledger.countKnown(f.Sign)
		if raw != f.Sign {
			h.Ledger.strange[raw]++
		}
		if alone && missing != nil { // save created the file; it is not from an earlier search
			h.Prop.Place.Remove(f.File)
		}
		return false
	}
	if !alone {
		h.save(f)
	}
	return true
}

// rerun runs the input of a finding again with detail. A run of the search stores no
// messages and does not know all helper functions, so its sign may differ.
func (h *Handler) rerun(f *Finding) {
	if !h.Isolate {
		h.unstable(f, 1)
		return
	}
	r := isolated.New(h.Prop, 1)
	r.SetSteps(f.stepsMax(h.Prop))
	defer r.Close()
	if again := r.One(f.Term, true); r.Err == nil && again.Failed() {
		f.Outcome = again
	}
}

// againRuns is how often a failing input is run again before it counts as stable. An input
// that fails in half of its runs is taken for stable once in a thousand cases.
const againRuns = 10

// longRuns is how often it is run again if its run takes more steps than the limit.
const longRuns = 2

// unstable runs the input of a finding again and reports whether it ever passes. A run
// that fails with another sign is ignored: the report keeps the first sign. If the user waits, one
// run is enough: the first run of a finding in detail shows its messages.
func (h *Handler) unstable(f *Finding, runs int) bool {
	switch {
	case f.Outcome.Kind() == proc.Cut:
		runs = 1 // the run takes long, and is stopped after the same number of steps each time
	case f.Steps > 0:
		runs = min(runs, longRuns)
	}
	for i := range runs {
		if h.Isolate || h.abandoned || h.Prop.Stopped() || i > 0 && interrupted(h) {
			return false
		}
		begin := time.Now()
		again := h.Runner.One(f.Term, true)
		h.took = time.Since(begin)
		if again.Hung {
			return false // no time is left for more runs; the first outcome is reported
		}
		var now watch.Path
		if h.Watch != nil {
			now = h.Watch.Again()
		}
		if !again.Failed() {
			f.Flaky = true
			if h.Watch != nil {
				h.Watch.Passed(now)
			}
			return true
		}
		if f.Sign != "" && Sign(again) != f.Sign {
			continue
		}
		f.Outcome = again
		if h.Watch != nil {
			h.Watch.Failed(now)
		}
	}
	return false
}

// shrink shrinks the input of a finding and stores the result in place of the first
// input.
func (h *Handler) shrink(f *Finding) {
	if h.Isolate {
		h.ShrinkIsolated(f)
		return
	}
	proc.SetShrinking(h.Slot, true)
	defer proc.SetShrinking(h.Slot, false)
	runner, over := h.Runner, bound(h, f, 0)
	stop := over
	if h.Slot == nil && h.Watch == nil {
		b := newBounded(h)
		runner, stop = b, func() bool { return b.abandoned || over() }
		defer func() {
			f.Slow = b.left
			if h.abandoned = b.abandoned; b.abandoned && b.slow == 0 {
				f.Stuck = b.timeout
			}
		}()
	}
	if lift(h, f, stop) {
		return
	}
	s := h.minimise(f, runner, stop)
	deadline(h, f)
	h.replace(f, h.endless(f, s, func(x term.Term) property.Outcome {
		defer h.GoOn()()
		return h.Runner.One(x, true)
	}))
}

// deadline notes that the test's deadline has abandoned the last run of shrinking.
func deadline(h *Handler, f *Finding) {
	if h.Prop.Stopped() {
		f.Ended = atDeadline
	}
}

// smaller is the result of shrinking.
type smaller struct {
	term    term.Term
	outcome property.Outcome
	runs    int

	accepted []smaller // of an endless run: the inputs that were accepted, the last one last
}

// minimise returns the smallest input that it finds with the same failure. It runs terms
// with r.
func (h *Handler) minimise(f *Finding, r property.Runner, stop func() bool) smaller {
	sign := Sign(f.Outcome)
	s := smaller{outcome: f.Outcome}
	s.term, s.runs = shrink.Minimise(shrink.Config{World: h.Prop.World, Stop: stop, Fails: func(x term.Term) bool {
		o := r.One(x, true)
		if !o.Failed() || o.Hung || Sign(o) != sign {
			return false
		}
		s.outcome = o
		if o.TooLong() {
			s.accepted = append(s.accepted, smaller{term: x.Clone(), outcome: o})
		}
		return true
	}}, f.Term)
	return asProgram(s, sign, r)
}

// asProgram replaces lists of calls by the programs that they turned out to be, if these fail in the same way: a program
// is what people read and paste.
func asProgram(s smaller, sign string, r property.Runner) smaller {
	for _, x := range s.outcome.Programs {
		if o := r.One(x, true); o.Failed() && !o.Hung && Sign(o) == sign {
			s.term, s.outcome = x, o
			s.runs++
			return s
		}
	}
	return s
}

// replace puts the shrunk input in place of the first one, also on disk.
func (h *Handler) replace(f *Finding, s smaller) {
	first := f.File
	if f.Case != "" && term.Equal(f.Term, s.term) {
		f.Outcome = s.outcome
		return // the case is minimal, and its file stays as it is
	}
	if f.Case == h.Prop.FailFile(f.Term) {
		first = f.Case // a process stored it, and ended before it was shrunk
	}
	f.Term, f.Outcome, f.Shrunk = s.term, s.outcome, s.runs
	if file, err := h.store(*f); err == nil && file != first {
		f.File = file
		h.Prop.Place.Remove(first)
	}
	announce(h, *f)
}

// keep keeps an input that could not be stored, and that a new search may not generate again.
func keep(h *Handler, f *Finding) {
	f.Kept = f.Unsaved != nil && !f.Flaky && h.Keep != nil && h.Keep(*f)
}

// save stores a finding.
func (h *Handler) save(f *Finding) {
	f.File, f.Unsaved = h.store(*f)
	announce(h, *f)
}

// forget removes the stored file of a finding.
func (h *Handler) forget(f *Finding) {
	h.Prop.Place.Remove(f.File)
	f.File = ""
}

// messageMax bounds the failure message in a case file, in bytes.
const messageMax = 1000

func (h *Handler) store(f Finding) (file string, err error) {
	p := h.Prop
	head := codec.Header{Test: p.Name, Verdict: string(f.Outcome.Kind()), Message: words.Bounded(Headline(f.Outcome), messageMax),
		Found: fmt.Sprintf("run %d, seed %d", f.History.Run, p.Config.Seed)}
	if f.History.From != "" {
		head.Found = f.History.From
	}
	head.Runs = codec.Runs{Isolated: f.Tries > 1 || f.needsProcess(), Tries: f.Tries}.String()
	if f.Shrunk > 0 && f.Ended == 0 {
		head.Shrunk = fmt.Sprintf("from %d to %s in %s", f.Cells, words.Count(p.World.Cells(f.Term), "node"), words.Count(f.Shrunk, "run"))
	}
	if f.History.Source != nil {
		head.Made = f.History.Source.text(p)
	}
	file = p.FailFile(f.Term)
	return file, p.Store(file, head, f.Term)
}
