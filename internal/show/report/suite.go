//go:build go1.25

package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/words"
)

// suite is the state of the properties of a campaign, in the order of their first events.
type suite struct {
	rows  []*row
	known map[key]*row
	names map[string]string // package -> its short name
}

type key struct{ pkg, name string }

// row is the state of a property.
type row struct {
	key
	label string // short name for people
	test  string // the Go test that contains it
	event.Progress
	verdict event.Verdict   // so far; "" if there is none
	end     *event.Finished // its result; nil until it has finished
	quiet   bool            // it was quiet when it last ran
	why     string          // reason for its verdict, or why it was skipped
	traced  bool            // only the command can replay its finding
	cases   []string        // files of stored cases that failed
	blocks  []string        // failure reports that were already shown
	later   []string        // failure reports to show when the property has ended
	shown   event.State     // state in the last plain line
	paths   int             // number of paths in the last plain line
}

// skipped is the state of a property with a Skipped event. No Progress event has this state.
const skipped event.State = "skipped"

// update adds an event, and returns the row of its property, if it has one.
func (s *suite) update(e event.Event) *row {
	if e.Property == "" {
		return nil
	}
	p := s.row(e)
	switch b := e.Body.(type) {
	case event.Listed:
		p.test = cmp.Or(b.Test, p.test)
	case event.Progress:
		p.progress(b)
	case event.Found:
		p.Failures = max(p.Failures, b.Failures, 1)
		if p.verdict != event.Failed {
			p.verdict = b.Verdict
		}
		p.stored(b.Case)
		p.traced = p.traced || b.Traced
	case event.Skipped:
		p.State, p.why = skipped, b.Why
	case event.Finished:
		p.finish(b)
	}
	return p
}

// stored adds the file of a stored case, if there is one.
func (p *row) stored(file string) {
	if file != "" && !slices.Contains(p.cases, file) {
		p.cases = append(p.cases, file)
	}
}

// row returns the row of the event's property, and creates it if necessary.
func (s *suite) row(e event.Event) *row {
	k := key{e.Package, e.Property}
	p := s.known[k]
	if p == nil {
		p = &row{key: k, Progress: event.Progress{State: event.Waiting}}
		if s.known == nil {
			s.known = map[key]*row{}
		}
		s.known[k] = p
		s.rows = append(s.rows, p)
		s.label(p)
	}
	return p
}

// label names a new row. If its package is new, the others may need longer names, which
// tell the packages apart. Rows are created before anything is shown of them.
func (s *suite) label(p *row) {
	rows := []*row{p}
	if s.names[p.pkg] == "" {
		s.names = words.PackageNames(append(slices.Collect(maps.Keys(s.names)), p.pkg))
		rows = s.rows
	}
	for _, p := range rows {
		p.label = words.Printable(oneLine(s.names[p.pkg] + "." + p.name))
	}
}

// progress replaces how far the property is. It keeps what the event does not have.
func (p *row) progress(e event.Progress) {
	e.Failures, e.State = max(e.Failures, p.Failures), cmp.Or(e.State, p.State)
	switch e.State {
	case event.Running, event.Quiet, event.Exhausted:
		p.quiet = e.State == event.Quiet
	}
	p.Progress = e
}

// finish sets the result of the property.
func (p *row) finish(e event.Finished) {
	last := event.Progress{Counts: e.Counts, Seconds: e.Seconds, Failures: e.Failures, Quiet: p.Quiet}
	if e.Exhausted {
		last.State = event.Exhausted
	}
	p.progress(last)
	p.end, p.verdict, p.why = &e, e.Verdict, e.Why
}

// wrong returns the verdict of a property that has not passed, and "" for one that has
// passed or has no verdict yet.
func (p *row) wrong() event.Verdict {
	switch {
	case p.Failures > 1 && p.end == nil:
		return cmp.Or(p.verdict, event.Failed)
	case p.verdict == "" && (p.Failures > 0 || p.State == event.Broken):
		return event.Failed
	case p.verdict == event.Passed:
		return ""
	}
	return p.verdict
}

// state returns the state of a property for the table: in capitals the verdict of a
// property that has not passed, and "" for a property that runs without failures.
func (p *row) state() string {
	switch {
	case p.wrong() != "":
		return strings.ToUpper(string(p.wrong()))
	case p.State == event.Exhausted:
		return string(event.Exhausted)
	case p.end != nil:
		return "ok"
	case p.State == event.Running:
		return ""
	}
	return string(p.State)
}

// word returns the state with the number of failures, if there are several.
func (p *row) word() string {
	if p.Failures > 1 && (p.verdict == event.Failed || p.verdict == event.Unstable || p.end == nil) {
		return p.state() + " " + words.Group(p.Failures)
	}
	return p.state()
}

// bad reports whether the property has a verdict other than passed and stopped.
func (p *row) bad() bool { return p.wrong() != "" && p.wrong() != event.Aborted }

// interesting divides the properties: shown has the most interesting ones, at most room
// of them, and others has the rest. Failed properties come first, then running ones, then
// those that found something most recently. Both results keep the order of the suite, so
// that rows do not jump.
func (s *suite) interesting(room int) (shown, others []*row) {
	if len(s.rows) <= room {
		return s.rows, nil
	}
	ranked := slices.Clone(s.rows)
	slices.SortStableFunc(ranked, func(a, b *row) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(a.Quiet, b.Quiet))
	})
	in := map[*row]bool{}
	for _, p := range ranked[:max(0, room)] {
		in[p] = true
	}
	for _, p := range s.rows {
		if in[p] {
			shown = append(shown, p)
		} else {
			others = append(others, p)
		}
	}
	return shown, others
}

func (p *row) rank() int {
	switch {
	case p.bad():
		return 0
	case p.end != nil || p.State == event.Exhausted:
		return 3
	case p.State == event.Running || p.State == event.Shrinking:
		return 1
	case p.Counts.Runs > 0:
		return 2
	case p.State == skipped:
		return 5
	}
	return 4
}

// states returns how many properties are in each state, the most frequent state first,
// such as "9 waiting, 3 exhausted".
func states(rows []*row) string {
	var names []string
	count := map[string]int{}
	for _, p := range rows {
		name := cmp.Or(p.state(), string(event.Running))
		if count[name]++; count[name] == 1 {
			names = append(names, name)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return count[b] - count[a] })
	for i, name := range names {
		names[i] = words.Group(count[name]) + " " + name
	}
	return strings.Join(names, ", ")
}

// labels returns the labels of all properties, each shortened to the given number of
// columns. It includes properties that are not shown, so that a label does not change
// when another property becomes visible.
func (s *suite) labels(columns int) map[*row]string {
	var all []string
	for _, p := range s.rows {
		all = append(all, p.label)
	}
	fitted := map[*row]string{}
	for i, label := range words.FitAll(all, columns) {
		fitted[s.rows[i]] = label
	}
	return fitted
}

func longestLabel(rows []*row) (columns int) {
	for _, p := range rows {
		columns = max(columns, words.Width(p.label))
	}
	return columns
}

func oneLine(s string) string { return strings.NewReplacer("\n", " ", "\t", " ").Replace(s) }
