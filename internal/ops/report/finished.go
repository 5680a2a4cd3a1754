package report

import (
	"fmt"
	"strings"

	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/words"
)

// tellFinished shows the line of a property, and its report if it failed.
func (r *Report) tellFinished(p *row, e event.Event) {
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
		r.detail(p, "    %s\n%s\n", words.Printable(e.Crash), strings.TrimSpace(words.Printable(e.Text)))
		return
	}
	r.tellManner(p, e)
	r.tellTroubles(p, e)
	if r.Verbose {
		r.tellSearch(p, e)
	}
	failed := e.Verdict != event.Passed && e.Verdict != event.Aborted
	if text := words.Printable(e.Text); strings.TrimSpace(text) != "" && (failed && !p.seen(text) || r.Verbose) {
		r.block(p, text)
	}
	if p.later != "" && !p.seen(p.later) {
		r.block(p, p.later)
	}
	if failed {
		r.tellPlaces(p, e)
	}
}

// tellManner says what must be known to read the numbers.
func (r *Report) tellManner(p *row, e event.Event) {
	if e.Verdict == event.Passed && e.Spawned > 0 {
		r.detail(p, "    %s started goroutines: judged by the places they reached, not\n    their order\n", words.Count(e.Spawned, "run"))
	}
	if r.Mode == Plain && p.State == event.Exhausted && e.Why != "" {
		r.detail(p, "    %s\n", words.Printable(e.Why))
	}
}

// tellTroubles says what did not work beside the search.
func (r *Report) tellTroubles(p *row, e event.Event) {
	if o := e.Operands; o != nil && o.Off != "" {
		r.warn("%s: the search went on without operands: %s; -operands=off does not try", p.label, words.Printable(o.Off))
	} else if o != nil && r.Verbose && o.Asked > 0 {
		r.detail(p, "    operands: asked %s, died %s\n", words.Count(o.Asked, "time"), words.Count(o.Died, "time"))
	}
	if e.Unlogged != "" {
		r.warn("-log: %s: the log is not whole: %s", p.label, words.Printable(e.Unlogged))
	}
	if e.Unkept != "" {
		r.warn("%s: what was kept is not whole: %s", p.label, words.Printable(e.Unkept))
	}
}

// tellSearch says how far a search got, and what each kind of input did for it.
func (r *Report) tellSearch(p *row, e event.Event) {
	if e.Resumed > 0 {
		r.detail(p, "    resumed with %s; -fresh starts from scratch\n", words.Count(e.Resumed, "saved input"))
	}
	if e.Shared > 0 {
		r.detail(p, "    workers told each other of %s, and heard of %s\n", words.Count(e.Shared, "input"), words.Group(e.Heard))
	}
	if text := searched(e.Search); text != "" {
		r.detail(p, "%s", text)
	}
}

func searched(s *event.Search) string {
	if s == nil || len(s.Kinds) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "    kept %s\n", words.Count(s.Kept, "input"))
	rest := "changed at random"
	if s.Share >= 0 {
		rest = fmt.Sprintf("under way: %.0f %% of the places were changed", 100*s.Share)
	}
	for _, part := range []struct {
		n    int
		what string
	}{
		{s.Whole, "every change of one step was run"},
		{s.Bounded, "every change of one step was run, except to inputs that would be\n               too large"},
		{s.Dropped, "given up: the search forgot them or began anew, or there was no\n               room"},
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

// tellPlaces names what a binary knows by its number only.
func (r *Report) tellPlaces(p *row, e event.Event) {
	if at := r.Place(e.Hot); at != "" {
		r.detail(p, "    hottest: %s\n", at)
	}
	if len(e.Parted) == 3 {
		r.tellParted(p, e.Parted)
	} else if e.Verdict == event.Unstable {
		r.detail(p, "    the run that failed and one that passed went the same way: they differ in\n    values only\n")
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

// tellParted says where two runs of one input part.
func (r *Report) tellParted(p *row, at []uint32) {
	for i, text := range []string{"both runs came to          ", "the one that failed went to", "the one that passed went to"} {
		where := r.Place(at[i])
		switch {
		case where != "":
		case i == 0:
			where = "their beginning"
		default:
			where = "its end"
		}
		r.detail(p, "    %s  %s\n", text, where)
	}
}
