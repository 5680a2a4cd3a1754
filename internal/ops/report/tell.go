package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/words"
)

// tell says what an event means for people, beyond the table.
func (r *Report) tell(p *row, e event.Event) {
	text := words.Printable(e.Text)
	switch e.Kind {
	case event.Started:
		if p == nil {
			r.started, r.budget, r.workers = e.Time, e.Budget, e.Workers
			r.say("%s %s\n", text, words.Right(short(e.Seconds), 71-words.Width(text)))
		}
	case event.Stopped:
		r.say("%s\n", text)
	case event.Note:
		r.warn("%s: %s", cmp.Or(p.called(), "note"), text)
	case event.Died:
		if e.Run == 0 {
			r.warn("%s: its process ended (%s) while no run was under way", p.called(), text)
			break
		}
		r.warn("%s: run %s ended its process (%s); looking into it", p.called(), words.Group(e.Run), text)
	case event.Unconfirmed:
		r.warn("%s: its input passes in another process, so somebody else ended it, or what earlier runs left behind; it goes on",
			p.called())
	case event.Saved:
		r.detail(p, "    %s\n", text)
	case event.Repeated:
		if r.Verbose && e.Resumed > 0 {
			r.detail(p, "    ran %s that start goroutines again on several processors, %s in all\n",
				words.Count(e.Resumed, "input"), words.Count(e.Runs, "time"))
		}
	case event.Chosen, event.Skipped:
		r.tellChosen(p, e)
	case event.Progress:
		r.tellState(p)
	case event.Found, event.Flaky:
		r.tellFailure(p, e, text)
	case event.Finished:
		if p == nil {
			r.tellEnd(e)
		} else {
			r.tellFinished(p, e)
		}
	}
}

// called is what people call the property, if there is one.
func (p *row) called() string {
	if p == nil {
		return ""
	}
	return p.label
}

// short writes seconds with a digit behind the point.
func short(seconds float64) string {
	if seconds >= 60 {
		return span(seconds)
	}
	return time.Duration(seconds * float64(time.Second)).Round(100 * time.Millisecond).String()
}

// detail says something about a property. Above a table nothing else says about
// which.
func (r *Report) detail(p *row, format string, args ...any) {
	if name := p.called(); r.Mode == Live && !r.over && name != "" && name != r.heading {
		r.heading = name
		r.say("%s\n", strings.TrimSpace(name+"  "+r.paint(colourOf(p), p.word())))
	}
	r.say(format, args...)
}

// The columns of a plain line, which fits where nobody knows the width.
const (
	plainWidth = defaultColumns
	plainName  = 36
)

func plainLine(p *row, state string) string {
	line := fmt.Sprintf("%s %9s %7s %7s %7s", words.Left(words.Fit(p.label, plainName), plainName), "-", "-", "-", "-")
	if p.Runs > 0 || p.ended && p.Verdict != event.Crashed {
		line = fmt.Sprintf("%s %9s %7s %7s %7s", words.Left(words.Fit(p.label, plainName), plainName), whenLarge(p.Runs),
			words.Brief(float64(p.Runs)/max(p.Seconds, 0.001)),
			fmt.Sprintf("%d %%", 100*p.Passed/max(1, p.Passed+p.Discarded)), whenLarge(p.Paths))
	}
	return line + "  " + state
}

// whenLarge rounds a number when it is too long for its column.
func whenLarge(n int) string {
	if n >= 1e7 {
		return words.Round(n)
	}
	return words.Group(n)
}

// head writes the titles above the first plain line.
func (r *Report) head() {
	if !r.headed {
		r.headed = true
		r.say("%s %9s %7s %7s %7s\n", words.Left("property", plainName), "runs", "/s", "passed", "paths")
	}
}

// tellState writes a plain line when a property has come to another state. Only
// campaigns with a time need that: in others one property is run after the other, and
// has its line when it is done. That properties take turns is no news, and what was
// quiet is so until it has found something.
func (r *Report) tellState(p *row) {
	if r.Mode != Plain || r.budget == 0 || p.State == p.told {
		return
	}
	switch {
	case p.State == event.Waiting:
		return
	case p.State == event.Running && p.told != "" && (p.told != event.Quiet || p.Paths <= p.paths):
		return
	case p.State == event.Broken && len(p.blocks) > 0: // the report has said so
		return
	}
	text := string(p.State)
	switch p.State {
	case event.Quiet:
		text = "quiet " + span(p.Quiet) // since something new
	case event.Broken:
		text = p.word()
	}
	if p.Runs > 0 {
		text += fmt.Sprintf(" · %s · %s", words.Round(p.Runs)+" runs", words.Count(p.Paths, "path"))
	}
	p.told, p.paths = p.State, p.Paths
	r.change(p, text)
}

// change writes a line with the time.
func (r *Report) change(p *row, text string) {
	at := words.Right(clock(r.now.Sub(r.started)), 6) + "  "
	name := min(plainName, longestLabel(r.suite.rows))
	r.say("%s\n", at+words.Left(words.Fit(p.label, name), name)+"  "+words.Cut(text, plainWidth-len(at)-2-name))
}

// reasonsMost is how many properties that a change touches are named with the reason,
// without Verbose.
const reasonsMost = 10

// tellChosen says which properties are run because of a change, and which are not:
// all if Verbose, else the first that run, and how many do not.
func (r *Report) tellChosen(p *row, e event.Event) {
	switch {
	case p == nil:
		r.say("%s\n", words.Printable(e.Text))
	case e.Kind == event.Skipped && r.Verbose:
		r.say("    skips %s: %s\n", p.label, words.Printable(oneLine(e.Why)))
	case e.Kind == event.Chosen:
		if r.chosen++; r.chosen <= reasonsMost || r.Verbose {
			r.say("    runs %s: %s\n", p.label, words.Printable(oneLine(e.Why)))
		} else if r.chosen == reasonsMost+1 {
			r.say("    runs others; -v names them\n")
		}
	}
}

// tellFailure shows the report of a failure when it is found. One without a text is
// known. Where properties are run one after the other, plain output has it below the
// line of the property.
func (r *Report) tellFailure(p *row, e event.Event, text string) {
	switch {
	case strings.TrimSpace(text) == "":
	case r.Mode == Plain && r.budget == 0:
		p.later += whole(text)
	case !p.seen(text):
		if r.Mode == Plain {
			r.change(p, p.word())
		}
		r.block(p, text)
		r.heading = p.called()
		r.tellPlaces(p, e)
		r.heading = ""
	}
}

// block writes a report.
func (r *Report) block(p *row, text string) {
	p.blocks = append(p.blocks, flat(text))
	r.detail(p, "%s\n", strings.TrimRight(text, "\n")+map[bool]string{true: "\n"}[r.Mode == Live])
	r.heading = ""
}

// seen reports whether a report was shown, maybe with other words around it and other
// blanks before its lines.
func (p *row) seen(text string) bool {
	text = flat(text)
	return slices.ContainsFunc(p.blocks, func(b string) bool { return strings.Contains(b, text) || strings.Contains(text, b) })
}

func flat(text string) string { return strings.Join(strings.Fields(text), " ") }
