//go:build go1.25

package score

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/words"
)

// Report returns the report that a File was made of, as far as it is in the file.
func (f File) Report() (r Report) {
	for _, x := range f.Packages {
		p := Package{Path: x.Path, Keys: map[int]string{}}
		index := map[string]int{}
		for i, m := range x.Suite {
			p.Members = append(p.Members, &Member{Kind: m.Kind, Name: m.Name, left: m.Left})
			index[m.Name] = i + 1
		}
		for _, y := range x.Faults {
			v := y.Fate
			p.Faults, p.Keys[y.Fault.ID] = append(p.Faults, y.Fault), y.Key
			p.Results = append(p.Results, Result{Member: index[v.Member] - 1, Unsure: v.Unsure, Verdict: fate.Verdict{Fault: y.Fault.ID,
				Kind: v.Verdict, By: v.By, Detail: v.Detail, Test: v.Test, Input: v.Input, Tests: v.Tests, Runs: v.Runs}})
		}
		r.Packages = append(r.Packages, p)
	}
	return r
}

// Named is a fault of a report that a key names.
type Named struct {
	Package *Package
	Index   int // in Package.Faults
}

// KeyMin is how many digits of a key are enough if no other key begins with them.
const KeyMin = 4

// Find returns the faults whose key is a text or begins with it.
func (r Report) Find(key string) (some []Named) {
	for i := range r.Packages {
		p := &r.Packages[i]
		for j, f := range p.Faults {
			if k := p.key(f); k == key || len(key) >= KeyMin && strings.HasPrefix(k, key) {
				some = append(some, Named{p, j})
			}
		}
	}
	return some
}

// Text returns all that is known about a fault, and what to do about it.
func (n Named) Text(style Style) string {
	style.All = true
	t := newText(Report{Packages: []Package{*n.Package}}, style)
	t.one = true
	s := t.survivor(n.Package, n.Index)
	if s.result.Alive() {
		t.group(group{all: []survivor{s}})
		showInput(t, s)
		whatToWrite(t, s)
		return t.String()
	}
	t.line("%s  %s", t.paint(bold, fmt.Sprintf("%s:%d", words.Printable(t.relative(s.fault.File)), s.line())),
		t.paint(faint, cmp.Or(words.Printable(s.fault.Func), "the package")))
	t.WriteString(t.signed("-", red, s.change.Old) + t.signed("+", green, s.change.New))
	t.indented(n.Package.key(s.fault) + " " + s.fault.Operator + " · " + n.Package.Why(n.Index))
	showInput(t, s)
	return t.String()
}

// showInput prints the input that shows a change, as Go.
func showInput(t *text, s survivor) {
	if s.result.Input == "" {
		return
	}
	t.line("\n%s", t.paint(bold, "an input that shows it"))
	for line := range strings.SplitSeq(s.result.Input, "\n") {
		t.line("    %s", words.Printable(strings.ReplaceAll(line, "\t", "    ")))
	}
}

// whatToWrite prints what a test must do that kills a fault.
func whatToWrite(t *text, s survivor) {
	t.line("\n%s", t.paint(bold, "what to write"))
	say := func(format string, args ...any) {
		for _, line := range wrap(fmt.Sprintf(format, args...), t.Columns-2) {
			t.line("  %s", line)
		}
	}
	f := s.fault
	function := cmp.Or(words.Printable(f.Func), "the package")
	var m *Member
	if s.result.Member >= 0 {
		m = s.of.Members[s.result.Member]
	}
	survived := s.result.Kind == fate.Survived
	switch {
	case survived && m != nil && m.Kind == Property:
		say("%s runs the changed code and passes. Check more of what %s returns or changes, or record it with t.Observe: "+
			"a run that observes something else kills the fault.", m.title(), function)
	case survived:
		say("%s runs the changed code and passes. Check more of what %s returns or changes.",
			cmp.Or(words.Printable(s.result.Test), "A test"), function)
	case s.result.Kind == fate.NotInfected:
		say("The code runs, but the change never makes a difference. %s", when(f.Operator))
	default:
		say("No test runs this line. Write one that does, and checks what %s returns or changes.", function)
	}
	if !survived && t.Source != nil {
		if src, err := t.Source(f.File); err == nil {
			for line := range strings.Lines(sketch(src, f)) {
				t.line("    %s", words.Printable(strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "\t", "    ")))
			}
		}
	}
	key := s.of.key(f)
	say("To try a test against the change, run go test after:")
	t.line("    %sapply %s", t.Score, key)
	say("If no test needs to notice the change, write beside the line:")
	t.line("    //allele:ignore %s REASON", f.Operator)
}

// when says which inputs make a difference.
func when(operator string) string {
	switch operator {
	case "boundary":
		return "It does if both sides of the comparison are equal: add a test with such values."
	case "logic":
		return "It does if exactly one of the two operands is true: add a test where that is so."
	}
	return "Add a test with values for which the lines above compute different results, or accept the fault if there are none."
}
