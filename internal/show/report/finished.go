//go:build go1.25

package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/words"
)

// printFinished shows the result line of a property and, if the property failed, its
// failure report.
func (r *Report) printFinished(p *row, e event.Finished) {
	if r.Mode == Plain {
		r.head()
		state := p.word()
		if p.wrong() == "" && p.State == event.Exhausted {
			state = "ok"
		}
		r.say("%s\n", plainLine(p, state))
	}
	r.heading = ""
	if e.Verdict == event.Crashed {
		r.detail(p, "    %s\n%s\n", words.Printable(e.Why), strings.TrimSpace(words.Printable(e.Text)))
		return
	}
	r.printRemarks(p, e)
	r.printProblems(p, e.Search)
	if r.Verbose {
		r.printSearch(p, e.Search)
	}
	failed := e.Verdict != event.Passed && e.Verdict != event.Aborted
	if text := words.Printable(e.Text); strings.TrimSpace(text) != "" && (failed && !p.seen(text) || r.Verbose) {
		r.block(p, text, text)
	}
	for _, text := range p.later {
		if !p.seen(text) {
			r.block(p, text, p.framed(text))
		}
	}
	if failed {
		r.printPlaces(p, e.Places)
	}
}

// printRemarks writes what the user needs to know to understand the numbers.
func (r *Report) printRemarks(p *row, e event.Finished) {
	if e.Verdict == event.Passed && e.Counts.Spawned > 0 {
		r.detail(p, "    %s started goroutines. To decide whether such a run is new, allele\n"+
			"    looks at which places it reached, not in which order\n",
			words.Count(e.Counts.Spawned, "run"))
	}
	if long := e.Counts.Long; long.Runs > 0 {
		r.detail(p, "    %s took more than %s steps and ended; -steps sets this limit\n",
			words.Count(long.Runs, "run"), words.Group(long.Limit))
	}
	for _, note := range e.Notes {
		// The verbose output of the test has it, and the report of one that has not passed may have it.
		if !(r.Verbose && e.Verdict == event.Passed) && !strings.Contains(e.Text, note) {
			r.detail(p, "    note: %s\n", words.Printable(oneLine(note)))
		}
	}
	if resumed := e.Counts.Resumed; resumed.Inputs > 0 {
		r.detail(p, "    %s run again in %v; -fresh starts from scratch\n", words.Count(resumed.Inputs, "saved input"),
			time.Duration(resumed.Seconds*float64(time.Second)).Round(time.Millisecond))
	}
	if r.Mode == Plain && (p.State == event.Exhausted || e.Verdict == event.Aborted) && e.Why != "" {
		r.detail(p, "    %s\n", words.Printable(e.Why))
	}
}

// printProblems prints warnings about what failed outside of the search itself: operands,
// the encoder, the log and the corpus.
func (r *Report) printProblems(p *row, e event.Search) {
	if o := e.Operands; o != nil && o.Off != "" {
		r.warn("%s: the search went on without operands: %s; -operands=off disables them", p.label, words.Printable(o.Off))
	} else if o != nil && r.Verbose && o.Asked > 0 {
		r.detail(p, "    operand process: asked %s, died %s\n", words.Count(o.Asked, "time"), words.Count(o.Died, "time"))
	}
	if o := e.Encoded; o != nil && o.Off != "" {
		r.warn("%s: the search went on without faults in the encoder: %s", p.label, words.Printable(o.Off))
	} else if o != nil && r.Verbose && o.Runs > 0 {
		r.detail(p, "    encoder: %s, %s; %s made new bytes, %s known ones, %s an error; %s panicked, %s took too long\n",
			words.Count(o.Faults, "fault"), words.Count(o.Runs, "run"), words.Group(o.Made), words.Group(o.Same),
			words.Group(o.Refused), words.Group(o.Panics), words.Group(o.Spent))
	}
	if e.Unlogged != "" {
		r.warn("-log: %s: the log is incomplete: %s", p.label, words.Printable(e.Unlogged))
	}
	if e.Unkept != "" {
		r.warn("%s: the corpus is incomplete: %s", p.label, words.Printable(e.Unkept))
	}
}

// printSearch writes the statistics of a search, and of each kind of input.
func (r *Report) printSearch(p *row, e event.Search) {
	if e.Shared > 0 {
		r.detail(p, "    workers sent %s to each other and received %s\n", words.Count(e.Shared, "input"), words.Group(e.Heard))
	}
	if text := searched(e); text != "" {
		r.detail(p, "%s", text)
	}
}

func searched(s event.Search) string {
	if len(s.Kinds) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "    kept %s\n", words.Count(s.Kept, "input"))
	rest := "changed at random"
	if s.Share >= 0 {
		rest = fmt.Sprintf("in progress: %.0f %% of the places were changed", 100*s.Share)
	}
	for _, part := range []struct {
		n    int
		what string
	}{
		{s.Whole, "every change of one step was run"},
		{s.Bounded, "every change of one step was run, except to inputs that would be\n               too large"},
		{s.Dropped, "dropped: the search forgot them or started over, or a queue was\n               full"},
		{s.Kept - s.Whole - s.Bounded - s.Dropped, rest},
	} {
		if part.n > 0 {
			fmt.Fprintf(&b, "    %9s  %s\n", words.Group(part.n), part.what)
		}
	}
	fmt.Fprintf(&b, "    %-11s %9s %9s %9s %9s\n", "inputs", "tried", "passed", "new", "failed")
	for _, k := range s.Kinds {
		fmt.Fprintf(&b, "    %-11s %9s %9s %9s %9s\n", words.Printable(k.Kind),
			words.Group(k.Tried), words.Group(k.Passed), words.Group(k.New), words.Group(k.Failed))
	}
	return b.String()
}

// printPlaces prints descriptions of the sites of a failure. Events contain only their numbers.
func (r *Report) printPlaces(p *row, e event.Places) {
	if at := r.Place(e.Hot); at != "" {
		r.detail(p, "    hottest: %s\n", at)
	}
	if len(e.Parted) == 3 {
		r.printParted(p, e.Parted)
	} else if e.Same {
		r.detail(p, "    the failing run and a passing run took the same path: they differ in values\n    only\n")
	}
	if len(e.Last) > 0 {
		r.detail(p, "    the last places before the end, the latest first:\n")
	}
	for _, id := range e.Last {
		if at := r.Place(id); at != "" {
			r.detail(p, "        %s\n", at)
		}
	}
}

// printParted shows where two runs of one input diverge.
func (r *Report) printParted(p *row, at []uint32) {
	for i, text := range []string{"both runs reached      ", "the failing run went to", "the passing run went to"} {
		where := r.Place(at[i])
		switch {
		case where != "":
		case i == 0:
			where = "their start"
		default:
			where = "its end"
		}
		r.detail(p, "    %s  %s\n", text, where)
	}
}
