package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/words"
)

// suite is what is known of the properties of a campaign, in the order they were
// first heard of.
type suite struct {
	rows  []*row
	known map[key]*row
}

type key struct{ pkg, name string }

// row is what is known of a property.
type row struct {
	key
	label string // what people call it
	test  string // the Go test it is in
	event.Event
	ended  bool        // its Finished has come
	quiet  bool        // when it last ran, nothing new had come for long
	why    string      // it is exhausted, or was skipped
	traced bool        // what it found is for the command to replay
	cases  []string    // files of what failed
	blocks []string    // reports of failures that were shown
	later  string      // a report that is shown when it ends
	told   event.State // that plain lines have told
	paths  int         // by then
}

// skipped is a state that no Progress tells.
const skipped event.State = "skipped"

// hear takes in an event, and gives the row it is about, if any.
func (s *suite) hear(e event.Event) *row {
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
		p.ended, p.Verdict, p.why = true, e.Verdict, e.Why
		p.stored(e.Case)
	}
	return p
}

// stored notes the file of what failed, if there is one.
func (p *row) stored(file string) {
	if file != "" && !slices.Contains(p.cases, file) {
		p.cases = append(p.cases, file)
	}
}

// row is that of the event's property.
func (s *suite) row(e event.Event) *row {
	k := key{e.Package, e.Property}
	p := s.known[k]
	if p == nil {
		p = &row{key: k, label: words.Printable(oneLine(e.Package[strings.LastIndexByte(e.Package, '/')+1:] + "." + e.Property))}
		p.State = event.Waiting
		if s.known == nil {
			s.known = map[key]*row{}
		}
		s.known[k] = p
		s.rows = append(s.rows, p)
	}
	if e.Test != "" {
		p.test = e.Test
	}
	return p
}

// progress takes the numbers of an event. A verdict and failures stay: who tells of
// numbers may not know of them.
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

// wrong is the verdict of a property that something is wrong with, and empty of others.
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

// state is the state of a property as the table has it; none while all is well and it
// runs. Capitals are for what is wrong.
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

// word is the state with the number of failures, if there are several.
func (p *row) word() string {
	if p.Failures > 1 && (p.Verdict == event.Failed || p.Verdict == event.Unstable || !p.ended) {
		return p.state() + " " + words.Group(p.Failures)
	}
	return p.state()
}

// bad reports whether something is wrong with the property.
func (p *row) bad() bool { return p.wrong() != "" && p.wrong() != event.Aborted }

// interesting are as many properties as there is room for, the most interesting ones:
// what failed, what runs, then what found something last. They stay in their order,
// so that rows do not jump; others are the rest.
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

// states counts what properties are in, in the order of words first met: 9 waiting, 3
// exhausted.
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

// labels are those of all properties in so many columns, whichever of them are shown:
// a name does not change because another one has come in sight.
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
