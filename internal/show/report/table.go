//go:build go1.25

package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/words"
)

// column is one of the numbers of a property, to the right of its name.
type column struct {
	title string
	width int
	worth int // columns with the lowest worth are left out first if the table is too wide
	value func(p *row) string
}

var columns = []column{
	{"runs", 6, 5, func(p *row) string { return words.Round(p.Counts.Runs) }},
	{"/s", 7, 2, func(p *row) string { return words.Brief(float64(p.Counts.Runs) / max(p.Seconds, 0.001)) }},
	{"passed", 8, 3, share},
	{"paths", 8, 4, func(p *row) string { return words.Round(p.Counts.Paths) }},
	{"last new", 10, 1, ago},
}

const (
	nameMin    = 16 // columns; shorter names would be useless
	stateWidth = 11 // two spaces and the longest state, exhausted
)

func share(p *row) string {
	if p.Counts.Passed+p.Counts.Discarded == 0 {
		return "-"
	}
	return fmt.Sprintf("%d %%", 100*p.Counts.Passed/(p.Counts.Passed+p.Counts.Discarded))
}

// ago returns the time since something new was found.
func ago(p *row) string {
	switch {
	case p.Quiet >= 1:
		return span(p.Quiet)
	case p.end != nil:
		return "-" // unknown
	}
	return "now"
}

// span formats a duration in a few characters: 4s, 2m10s, 3h05m.
func span(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", d/time.Minute, d%time.Minute/time.Second)
	}
	return fmt.Sprintf("%dh%02dm", d/time.Hour, d%time.Hour/time.Minute)
}

// clock formats a duration like a clock: 0:34, 1:02:03.
func clock(d time.Duration) string {
	s := int(max(0, d) / time.Second)
	if s < 3600 {
		return fmt.Sprintf("%d:%02d", s/60, s%60)
	}
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}

// table returns the lines of some properties, with a line of titles above.
func (v *view) table(rows []*row, width int) []string {
	name, shown := layout(rows, width)
	head := words.Left(words.Cut("property", name), name)
	for _, c := range shown {
		head += words.Right(c.title, c.width)
	}
	lines := []string{v.paint(faint, strings.TrimRight(head, " "))}
	labels := v.suite.labels(name)
	for _, p := range rows {
		lines = append(lines, v.line(p, words.Left(labels[p], name), shown))
	}
	return lines
}

// layout returns the width of the names, and the columns that fit beside them.
func layout(rows []*row, width int) (name int, shown []column) {
	longest := max(len("property"), longestLabel(rows))
	for worth := 0; ; worth++ {
		name, shown = width-stateWidth, shown[:0]
		for _, c := range columns {
			if c.worth > worth {
				name -= c.width
				shown = append(shown, c)
			}
		}
		if name >= min(longest, nameMin) || len(shown) == 0 {
			return max(1, min(name, longest)), shown
		}
	}
}

func (v *view) line(p *row, line string, shown []column) string {
	for _, c := range shown {
		value := "-"
		if p.Counts.Runs > 0 {
			value = c.value(p)
		}
		line += words.Right(value, c.width)
	}
	word := p.word()
	if p.Counts.Runs == 0 && !p.bad() && word != "" {
		return v.paint(faint, line+"  "+word) // it has not run yet
	}
	if word == "" {
		return line
	}
	return line + "  " + v.paint(colourOf(p), word)
}

// frame returns the lines that are redrawn, for a terminal of this size: the table, with
// the most interesting rows if not all fit, and the status of the campaign.
func (v *view) frame(width, height int) []string {
	status := v.status(width)
	room := height - 3 // three lines are for the titles, the status and the cursor
	if room < 1 {
		return []string{status}[:min(1, height-1)]
	}
	rows, others := v.suite.interesting(room)
	if len(others) > 0 && room > 1 {
		rows, others = v.suite.interesting(room - 1)
	}
	lines := v.table(rows, width)
	if len(others) > 0 && room > 1 {
		lines = append(lines, v.paint(faint, words.Cut(fmt.Sprintf("and %d more: %s", len(others), states(others)), width)))
	}
	return append(lines, status)
}

// status returns the progress of the campaign as one line. Parts at its end are left out
// if the terminal is too narrow.
func (v *view) status(width int) string {
	text := clock(v.now.Sub(v.started))
	if v.budget > 0 {
		text += " of " + clock(time.Duration(v.budget*float64(time.Second)))
	}
	text = words.Cut(text, width)
	ended, failures, shrinks := 0, 0, ""
	for _, p := range v.suite.rows {
		failures += p.failures()
		if p.end != nil || p.State == skipped {
			ended++
		} else if p.State == event.Shrinking && shrinks == "" {
			shrinks = "shrinks a failure of " + p.label
		}
	}
	var parts []string
	if v.budget == 0 && len(v.suite.rows) > 1 {
		parts = append(parts, fmt.Sprintf("%d of %s done", ended, words.Properties(len(v.suite.rows))))
	}
	if v.workers > 0 {
		parts = append(parts, words.Count(v.workers, "worker"))
	}
	if failures > 0 {
		parts = append(parts, v.paint(red, words.Count(failures, "failure")))
	}
	if shrinks != "" {
		parts = append(parts, shrinks)
	}
	for _, part := range append(parts, "ctrl-c to stop and keep everything") {
		if words.Width(unpainted(text+" · "+part)) > width {
			break
		}
		text += " · " + part
	}
	return text
}

// failures returns the number of failures of a property. A bad verdict without a failing
// input counts as one.
func (p *row) failures() int {
	if p.Failures == 0 && p.bad() {
		return 1
	}
	return p.Failures
}
