//go:build go1.25

package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/words"
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
	event.Event
	ended  bool        // its Finished event has arrived
	quiet  bool        // it was quiet when it last ran
	why    string      // reason why it is exhausted or was skipped
	traced bool        // only the command can replay its finding
	cases  []string    // files of stored cases that failed
	blocks []string    // failure reports that were already shown
	later  []string    // failure reports to show when the property has ended
	shown  event.State // state in the last plain line
	paths  int         // number of paths in the last plain line
}

// skipped is the state of a property with a Skipped event. No Progress event has this state.
const skipped event.State = "skipped"

// update adds an event, and returns the row of its property, if it has one.
func (s *suite) update(e event.Event) *row {
	if e.Property == "" {
		return nil
	}
	p := s.row(e)
	switch e.Kind {
	case event.Progress:
		p.progress(e)
	case event.Found, event.Flaky:
		p.Failures = max(p.Failures, e.Failures, 1)
		if p.Verdict != event.Failed {
			p.Verdict = map[event.Kind]event.Verdict{event.Found: event.Failed, event.Flaky: event.Unstable}[e.Kind]
		}
		p.stored(e.Case)
		p.traced = p.traced || e.Traced
	case event.Skipped:
		p.State, p.why = skipped, e.Why
	case event.Finished:
		p.progress(e)
		p.ended, p.Verdict, p.why, p.Certain = true, e.Verdict, e.Why, e.Certain
		p.stored(e.Case)
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
		p = &row{key: k}
		p.State = event.Waiting
		if s.known == nil {
			s.known = map[key]*row{}
		}
		s.known[k] = p
		s.rows = append(s.rows, p)
		s.label(p)
	}
	if e.Test != "" {
		p.test = e.Test
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

// progress copies an event into the row. It keeps the verdict and the failures of the row
// if the event has none.
func (p *row) progress(e event.Event) {
	e.Verdict, e.Failures = cmp.Or(e.Verdict, p.Verdict), max(e.Failures, p.Failures)
	e.State = cmp.Or(e.State, p.State)
	if e.Quiet == 0 && e.Kind == event.Finished {
		e.Quiet = p.Quiet
	}
	switch e.State {
	case event.Running, event.Quiet, event.Exhausted:
		p.quiet = e.State == event.Quiet
	}
	p.Event = e
}

// wrong returns the verdict of a property that has not passed, and "" for one that has
// passed or has no verdict yet.
func (p *row) wrong() event.Verdict {
	switch {
	case p.Failures > 1 && !p.ended:
		return cmp.Or(p.Verdict, event.Failed)
	case p.Verdict == "" && (p.Failures > 0 || p.State == event.Broken):
		return event.Failed
	case p.Verdict == event.Passed:
		return ""
	}
	return p.Verdict
}

// state returns the state of a property for the table: in capitals the verdict of a
// property that has not passed, and "" for a property that runs without failures.
func (p *row) state() string {
	switch {
	case p.wrong() != "":
		return strings.ToUpper(string(p.wrong()))
	case p.State == event.Exhausted:
		return string(event.Exhausted)
	case p.ended:
		return "ok"
	case p.State == event.Running:
		return ""
	}
	return string(p.State)
}

// word returns the state with the number of failures, if there are several.
func (p *row) word() string {
	if p.Failures > 1 && (p.Verdict == event.Failed || p.Verdict == event.Unstable || !p.ended) {
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
	case p.ended || p.State == event.Exhausted:
		return 3
	case p.State == event.Running:
		return 1
	case p.Runs > 0:
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
