//go:build go1.25

package score

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/words"
)

// why says why a fault is alive.
func (s survivor) why() (why string) {
	var m *Member
	if s.result.Member >= 0 {
		m = s.of.Members[s.result.Member]
	}
	switch s.result.Kind {
	case fate.Survived:
		why = "survived: " + passed(m, s.result) + " passed with this change"
	case fate.NotInfected:
		why = "never infected: " + reach(m, s.result) + ", but the change never made a difference here"
	default:
		why = "never reached by any input or test"
	}
	if s.faults > 1 {
		why += ": " + words.Count(s.faults, "fault")
		if s.last > s.line() {
			why += fmt.Sprintf(", lines %d to %d", s.line(), s.last)
		}
	}
	if s.result.Unsure != "" && s.result.Kind != fate.NotReached {
		why += " (no verdict of " + firstLine(s.result.Unsure) + ")"
	}
	if u := s.fault.Edit.Unlikely; u != "" {
		why += "; hardly any test would notice it: " + firstLine(u)
	}
	return why
}

// flat writes an input in one line. Of a struct without a name, only the fields matter.
func flat(input string) string {
	if strings.HasPrefix(input, "struct {") {
		if i := strings.Index(input, "\n}{"); i >= 0 {
			input = input[i+2:]
		}
	}
	input = regexp.MustCompile(`\{\n\s*`).ReplaceAllString(input, "{")
	input = regexp.MustCompile(`,?\n\s*\}`).ReplaceAllString(input, "}")
	return oneLine(regexp.MustCompile(`\s*\n\s*`).ReplaceAllString(input, " "))
}

// passed says what ran with a fault and passed: 12 inputs of TestInsert.
func passed(m *Member, r Result) string {
	test := words.Printable(r.Test)
	if m != nil && m.Kind == Property {
		text := "inputs of " + m.title()
		if r.Runs > 0 {
			text = words.Count(r.Runs, "input") + " of " + m.title()
		}
		if r.Input == "" && test != "" {
			text += ", for example " + test + ","
		}
		return text + also(r)
	}
	switch {
	case test == "" && r.Runs == 0:
		return "tests" + also(r)
	case test == "":
		return words.Count(r.Runs, "test") + also(r)
	case r.Runs > 1:
		return test + " and " + words.Count(r.Runs-1, "other test") + also(r)
	}
	return test + also(r)
}

// reach says what reaches a place: 12 inputs of TestInsert reach this place.
func reach(m *Member, r Result) string {
	what, verb := "input", "reach"
	if m == nil || m.Kind == Tests {
		what = "test"
	}
	if r.Tests == 1 && r.Others == 0 {
		verb = "reaches"
	}
	text := what + "s"
	if r.Tests > 0 {
		text = words.Count(r.Tests, what)
	}
	if what == "input" {
		text += " of " + m.title()
	}
	return text + also(r) + " " + verb + " this place"
}

func also(r Result) string {
	switch r.Others {
	case 0:
		return ""
	case 1:
		return " and another part of the suite"
	}
	return fmt.Sprintf(" and %d other parts of the suite", r.Others)
}

// Why says in a line what became of a fault, with an index in Faults, and what shows it.
func (p *Package) Why(i int) string {
	r := p.Results[i]
	if r.Alive() {
		return survivor{fault: p.Faults[i], result: r, of: p, faults: 1}.why()
	}
	v := r.Verdict
	v.Test, v.Detail = words.Printable(v.Test), firstLine(v.Detail)
	if r.Member >= 0 {
		v.Test = strings.Trim(p.Members[r.Member].title()+", "+v.Test, ", ")
	}
	return v.String()
}

// title names a member.
func (m *Member) title() string {
	if m.Kind == Tests {
		return "the ordinary tests of " + words.Printable(words.PackageName(m.Name))
	}
	return words.Printable(m.Name)
}
