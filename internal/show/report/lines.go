//go:build go1.25

package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/words"
)

// print writes the text of an event, which is shown in addition to the table.
func (r *Report) print(p *row, e event.Event) {
	switch b := e.Body.(type) {
	case event.Started:
		text := words.Printable(b.Text)
		r.started, r.budget, r.workers = e.Time, b.Budget, b.Workers
		r.say("%s %s\n", text, words.Right(short(b.Seconds), 71-words.Width(text)))
	case event.Omitted:
		r.say("%s\n", words.Printable(b.Text))
	case event.Stopped:
		r.stopped = true
		r.say("%s\n", words.Printable(b.Text))
	case event.Note:
		r.warn("%s: %s", cmp.Or(p.called(), "note"), words.Printable(b.Text))
	case event.Died:
		r.printDeath(p, b)
	case event.Unconfirmed:
		r.warn("%s: the input passes in another process: another program killed the process, or earlier runs left state behind; "+
			"the search goes on", p.called())
	case event.Saved:
		r.detail(p, "    %s\n", words.Printable(b.Text))
	case event.Repeated:
		if r.Verbose && b.Inputs > 0 {
			r.detail(p, "    again on several cores: ran %s that start goroutines, %s in all\n",
				words.Count(b.Inputs, "input"), words.Count(b.Runs, "time"))
		}
	case event.Chosen:
		r.printChosen(p, b.Why)
	case event.Skipped:
		r.printSkipped(p, b.Why)
	case event.Progress:
		r.printState(p)
	case event.Found:
		r.printFailure(p, b, words.Printable(b.Text))
	case event.Finished:
		r.printFinished(p, b)
	case event.Ended:
		r.printSummary(b)
	}
}

func (r *Report) printDeath(p *row, e event.Died) {
	text := words.Printable(e.Text)
	if e.Run == 0 {
		r.warn("%s: its process exited (%s) outside of a run", p.called(), text)
		return
	}
	r.warn("%s: its process exited in run %s (%s); confirming the input", p.called(), words.Group(e.Run), text)
}

// called returns the label of the property, or "" if there is none.
func (p *row) called() string {
	if p == nil {
		return ""
	}
	return p.label
}

// short formats seconds with one decimal.
func short(seconds float64) string {
	if seconds >= 60 {
		return span(seconds)
	}
	return time.Duration(seconds * float64(time.Second)).Round(100 * time.Millisecond).String()
}

// detail writes a text about a property. Above a table, detail first writes the name of
// the property, unless the previous text was about the same property.
func (r *Report) detail(p *row, format string, args ...any) {
	if name := p.called(); r.Mode == Live && !r.over && name != "" && name != r.heading {
		r.heading = name
		r.say("%s\n", strings.TrimSpace(name+"  "+r.paint(colourOf(p), p.word())))
	}
	r.say(format, args...)
}

// The columns of a plain line, for output of unknown width.
const (
	plainWidth = defaultColumns
	plainName  = 36
)

func plainLine(p *row, state string) string {
	line := fmt.Sprintf("%s %9s %7s %7s %7s", words.Left(words.Fit(p.label, plainName), plainName), "-", "-", "-", "-")
	if p.Counts.Runs > 0 || p.end != nil && p.verdict != event.Crashed {
		line = fmt.Sprintf("%s %9s %7s %7s %7s", words.Left(words.Fit(p.label, plainName), plainName), whenLarge(p.Counts.Runs),
			words.Brief(float64(p.Counts.Runs)/max(p.Seconds, 0.001)),
			fmt.Sprintf("%d %%", 100*p.Counts.Passed/max(1, p.Counts.Passed+p.Counts.Discarded)), whenLarge(p.Counts.Paths))
	}
	return line + "  " + state
}

// whenLarge formats a number, rounded if it is too long for its column.
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

// printState writes a plain line when a property has changed its state. Only campaigns
// with a budget need that: without a budget properties are run one after the other, and
// each gets a line when it is done. With the default budget they are done soon, unless an input is
// shrunk. Turns are not reported: a property that waits gets no
// line, and a quiet property gets its next line only after it has found something new.
func (r *Report) printState(p *row) {
	if p.shown == event.Shrinking && p.State != event.Shrinking {
		p.shown = event.Running // the next failure that is shrunk gets a line, too
	}
	if r.Mode != Plain || p.State == p.shown || (r.budget == 0 || r.Default) && p.State != event.Shrinking {
		return
	}
	switch {
	case p.State == event.Waiting:
		return
	case p.State == event.Running && p.shown != "" && (p.shown != event.Quiet || p.Counts.Paths <= p.paths):
		return
	case p.State == event.Broken && len(p.blocks) > 0: // the report of the failure was shown
		return
	}
	text := string(p.State)
	switch p.State {
	case event.Quiet:
		text = "quiet " + span(p.Quiet) // time since something new was found
	case event.Replaying:
		text = "runs its saved inputs again"
	case event.Shrinking:
		text = "shrinks a failure"
	case event.Broken:
		text = p.word()
	}
	if p.Counts.Runs > 0 {
		text += fmt.Sprintf(" · %s · %s", words.Round(p.Counts.Runs)+" runs", words.Count(p.Counts.Paths, "path"))
	}
	p.shown, p.paths = p.State, p.Counts.Paths
	r.change(p, text)
}

// change writes a line with the time, the property and a text.
func (r *Report) change(p *row, text string) {
	at := words.Right(clock(r.now.Sub(r.started)), 6) + "  "
	name := min(plainName, longestLabel(r.suite.rows))
	r.say("%s\n", at+words.Left(words.Fit(p.label, name), name)+"  "+words.Cut(text, plainWidth-len(at)-2-name))
}

// Without Verbose, at most reasonsMax of the properties that -since has chosen are
// listed.
const reasonsMax = 10

// printChosen lists a property that -since has chosen, unless there are many and Verbose is off.
func (r *Report) printChosen(p *row, why string) {
	if r.chosen++; r.chosen <= reasonsMax || r.Verbose {
		r.say("    runs %s: %s\n", p.called(), words.Printable(oneLine(why)))
	} else if r.chosen == reasonsMax+1 {
		r.say("    runs others; -v lists them\n")
	}
}

// printSkipped prints how many properties -since has skipped. If Verbose, it lists them, too.
func (r *Report) printSkipped(p *row, why string) {
	switch {
	case p == nil:
		r.say("%s\n", words.Printable(why))
	case r.Verbose:
		r.say("    skips %s: %s\n", p.label, words.Printable(oneLine(why)))
	}
}

// printFailure shows the report of a failure when it is found. A known failure has no
// text. Where properties are run one after the other, plain output shows the report below
// the line of the property.
func (r *Report) printFailure(p *row, e event.Found, text string) {
	switch {
	case strings.TrimSpace(text) == "":
	case r.Mode == Plain && r.budget == 0:
		p.later = append(p.later, text)
	case !p.seen(text):
		if r.Mode == Plain {
			r.change(p, p.word())
		}
		r.block(p, text, p.framed(text))
		r.heading = p.called()
		r.printPlaces(p, e.Places)
		r.heading = ""
	}
}

// framed returns a failure report as go test shows it. A search that goes on after a
// failure reports only what happened; a test that ends has printed the rest.
func (p *row) framed(text string) string {
	if strings.HasPrefix(text, " ") || strings.HasPrefix(text, "---") || strings.HasPrefix(text, "===") {
		return text
	}
	var b strings.Builder
	b.WriteString("--- FAIL: " + words.Printable(oneLine(p.name)) + "\n")
	for line := range strings.Lines(text) {
		if line != "\n" {
			b.WriteString("    ")
		}
		b.WriteString(line)
	}
	return b.String()
}

// block writes a failure report in the form shown, and stores it for seen.
func (r *Report) block(p *row, text, shown string) {
	p.blocks = append(p.blocks, flat(text))
	r.detail(p, "%s\n", strings.TrimRight(shown, "\n")+map[bool]string{true: "\n"}[r.Mode == Live])
	r.heading = ""
}

// seen reports whether a failure report was already shown, perhaps with other text around
// it or with another indentation.
func (p *row) seen(text string) bool {
	text = flat(text)
	return slices.ContainsFunc(p.blocks, func(b string) bool { return strings.Contains(b, text) || strings.Contains(text, b) })
}

func flat(text string) string { return strings.Join(strings.Fields(text), " ") }
