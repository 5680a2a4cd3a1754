// Package finding is what becomes of an input that fails: it is run again to see
// whether it always fails, it is claimed so that no other process shows the same
// failure, it goes to disk, it is shrunk, and it is shown.
//
//	h := finding.NewHandler(p)
//	goOn := h.Deal(finding.Finding{Term: x, Outcome: o, ...})   // a search: this failed
//
//	sign := finding.Sign(o)          // which failure is it?
//	text := finding.Text(p, f)       // what the user reads of it
//
// The order matters. An input is on disk before anything is done that may end the
// process, so that nothing is lost; and it is claimed before that, so that workers
// that meet the same input do not remove each other's file.
package finding

import (
	"fmt"
	"os"

	"github.com/allele-go/allele/internal/isolated"
	"github.com/allele-go/allele/internal/ops/proc"
	"github.com/allele-go/allele/internal/ops/words"
	"github.com/allele-go/allele/internal/property"
	"github.com/allele-go/allele/internal/search/shrink"
	"github.com/allele-go/allele/internal/search/watch"
	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/term"
)

// Finding is a failing input on its way to the user.
type Finding struct {
	Term    term.Term
	Outcome property.Outcome
	History History

	Sign     string // it was claimed under
	Cells    int    // before it was shrunk
	Shrunk   int    // runs it took; 0 if it was not shrunk
	Flaky    bool
	Tries    int  // how often it must be run to fail, if once is not enough
	Isolated bool // a file says that it must run in a process of its own

	Case    string // the stored case it came from, if it is one
	File    string // that it was stored in
	Unsaved error
}

// History is where an input came from.
type History struct {
	From      string // a file or an example; empty if the search made it
	Run       int    // that found it
	Passed    int    // runs before it
	Discarded int
	Rejects   string // which assumption discarded how many, for people
	Origin    string // how it was made, if the search was guided
	Replay    bool   // somebody asked for this input alone
}

// Stored is the file that holds the input, or nothing.
func (f Finding) Stored() string {
	switch {
	case f.Unsaved != nil:
		return ""
	case f.File == "":
		return f.Case
	}
	return f.File
}

// apart reports whether the input can only be run in a process of its own, which it
// may end or which is ended.
func (f Finding) apart() bool {
	k := f.Outcome.Kind()
	return f.Isolated || f.Outcome.Death != nil || k == proc.Cut || k == proc.Hang
}

// Handler deals with the findings of a property in one process.
type Handler struct {
	Prop    *property.Property
	Runner  property.Runner // in this process
	Watch   *watch.Watcher  // nil without probes
	Slot    *proc.Slot      // that holds the input which is running; nil if nobody looks
	Isolate bool            // an earlier process died, so findings run in child processes
	Ledger  *Ledger

	said   string   // about what failed
	blocks []string // what is shown at the end, if the search goes on
}

// NewHandler makes a handler that runs inputs in this process.
func NewHandler(p *property.Property) *Handler {
	return &Handler{Prop: p, Runner: p.Runner, Ledger: newLedger(p.Job)}
}

// New is a finding as a run gave it.
func (h *Handler) New(x term.Term, o property.Outcome, from History) Finding {
	return Finding{Term: x, Outcome: o, History: from, Cells: h.Prop.World.Cells(x)}
}

// Deal deals with a finding: it goes to disk, it is shrunk, then it is shown, unless
// its sign turns out to be known. It reports whether the search goes on.
func (h *Handler) Deal(f Finding) (goOn bool) {
	t := h.Prop.TB
	t.Helper()
	if o := f.Outcome; o.Hung || o.Outer != "" {
		// It cannot be told from the next run's failure, so it stays as it is.
		f.Sign = Sign(o)
		h.save(&f)
		h.Report(f)
		return !o.Hung && h.goOn() && !t.Failed() && !t.Skipped()
	}
	if !h.secure(&f) {
		return true
	}
	if !f.Flaky && !h.unstable(&f, againRuns) {
		h.shrink(&f)
		h.unstable(&f, againRuns)
	}
	if f.Flaky {
		// It would pass and fail in later tests as well, whatever is done.
		h.forget(&f)
	}
	h.Report(f)
	return h.goOn()
}

// Seed deals with a stored case or an example that fails. Several may show the same
// failure; one of them is enough.
func (h *Handler) Seed(s property.Seed, o property.Outcome) (goOn bool) {
	h.Prop.TB.Helper()
	f := h.New(s.Term, o, History{From: s.From})
	f.Case, f.Tries, f.Sign = s.File, s.Runs.Tries, Sign(o)
	if !o.Hung && !h.Ledger.Claim(f.Sign) {
		h.Ledger.countKnown(f.Sign)
		return true
	}
	if !s.Shrunk && !o.Hung {
		if h.save(&f); s.Runs.Isolated {
			h.ShrinkIsolated(&f)
		} else {
			h.shrink(&f)
		}
	}
	h.Report(f)
	return h.goOn() && !o.Hung
}

// secure has a look at a finding, which gives it its sign, and takes it to disk. It
// reports false if the sign is known.
//
// Who claims a sign first stores the case. The other order would have workers that
// meet the same input remove each other's file. If this process ends before the case
// is stored nothing is lost: until then the slot holds the input as if it were still
// running, so it is looked into, and a claim of a process that ended is none. Where
// there is no slot there is nobody else either, and the case is stored before it is
// run again.
func (h *Handler) secure(f *Finding) bool {
	raw, alone := Sign(f.Outcome), h.Slot == nil
	_, missing := os.Stat(property.At(h.Prop.FailFile(f.Term)))
	if alone {
		h.save(f)
	}
	h.look(f)
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
		if alone && missing != nil { // or it was there before
			h.Prop.Place.Remove(f.File)
		}
		return false
	}
	if !alone {
		h.save(f)
	}
	return true
}

// look runs the input of a finding again with detail. A run of the search keeps no
// words, and does not know all helpers, so its sign may be another.
func (h *Handler) look(f *Finding) {
	if !h.Isolate {
		h.unstable(f, 1)
		return
	}
	r := isolated.New(h.Prop, 1)
	defer r.Close()
	if again := r.One(f.Term, true); r.Err == nil && again.Failed() {
		f.Outcome = again
	}
}

// againRuns is how often a failing input is run again before it is believed: one
// that fails in half of its runs passes for a stable one in one of a thousand.
const againRuns = 10

// unstable runs the input of a finding again and reports whether it ever passes. A run
// that fails in another way than before says nothing: what is shown keeps its sign.
func (h *Handler) unstable(f *Finding, runs int) bool {
	if f.Outcome.Kind() == proc.Cut {
		runs = 1 // it takes long, and what is counted does not change
	}
	for range runs {
		if h.Isolate || h.Prop.Stopped() {
			return false
		}
		again := h.Runner.One(f.Term, true)
		if again.Hung {
			return false // no time is left to look closer; the first run said enough
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

// shrink makes the input of a finding as small as it can and stores that in place of
// the first one.
func (h *Handler) shrink(f *Finding) {
	if h.Isolate {
		h.ShrinkIsolated(f)
		return
	}
	h.replace(f, h.minimise(f, h.Runner, h.Prop.Stopped))
}

// smaller is what shrinking came to.
type smaller struct {
	term    term.Term
	outcome property.Outcome
	runs    int
}

// minimise shrinks the input of a finding, with a way to run a term.
func (h *Handler) minimise(f *Finding, r property.Runner, stop func() bool) smaller {
	sign := Sign(f.Outcome)
	s := smaller{outcome: f.Outcome}
	s.term, s.runs = shrink.Minimise(shrink.Config{World: h.Prop.World, Stop: stop, Fails: func(x term.Term) bool {
		o := r.One(x, true)
		if !o.Failed() || Sign(o) != sign {
			return false
		}
		s.outcome = o
		return true
	}}, f.Term)
	return s
}

// replace puts a smaller input in place of the first one.
func (h *Handler) replace(f *Finding, s smaller) {
	first := f.File
	f.Term, f.Outcome, f.Shrunk = s.term, s.outcome, s.runs
	if file, err := h.store(*f); err == nil && file != first {
		f.File = file
		h.Prop.Place.Remove(first)
	}
}

// save stores a finding.
func (h *Handler) save(f *Finding) { f.File, f.Unsaved = h.store(*f) }

// forget removes it.
func (h *Handler) forget(f *Finding) {
	h.Prop.Place.Remove(f.File)
	f.File = ""
}

// messageMax bounds what a case says about its failure.
const messageMax = 1000

func (h *Handler) store(f Finding) (file string, err error) {
	p := h.Prop
	head := codec.Header{Test: p.Name, Verdict: string(f.Outcome.Kind()), Message: words.Bounded(Headline(f.Outcome), messageMax),
		Found: fmt.Sprintf("run %d, seed %d", f.History.Run, p.Config.Seed)}
	if f.History.From != "" {
		head.Found = f.History.From
	}
	head.Runs = codec.Runs{Isolated: f.Tries > 1 || f.apart(), Tries: f.Tries}.String()
	if f.Shrunk > 0 {
		head.Shrunk = fmt.Sprintf("from %d to %d nodes in %d runs", f.Cells, p.World.Cells(f.Term), f.Shrunk)
	}
	file = p.FailFile(f.Term)
	return file, p.Store(file, head, f.Term)
}
