//go:build go1.25

package score

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/words"
)

// Style is how a report is printed.
type Style struct {
	Columns  int // width of the terminal; 0 means 80
	Colour   bool
	All      bool // all survivors, and not only the first
	Verbose  bool // the reasons of declined places, and the members of the suite
	Relative func(file string) string
	Source   func(file string) ([]byte, error)
	Where    func(pkg string) string // the argument that selects a package in a command
	Test     string                  // the beginning of an allele test command; ends with a space
}

const (
	columnsDefault = 80
	columnsMin     = 40
	labelWidth     = 12
)

// Text returns a report for people: the numbers, the faults that are alive, and what to do
// about them. It ends with a newline.
func Text(r Report, style Style) string {
	t := &text{Style: style, report: r, sources: map[string][]string{}}
	if t.Columns == 0 {
		t.Columns = columnsDefault
	}
	t.Columns = max(t.Columns, columnsMin)
	t.numbers()
	for i := range r.Packages {
		p := &r.Packages[i]
		if p.Err != nil {
			t.labelled("not judged", words.Printable(p.Path+": "+strings.TrimSpace(p.Err.Error())))
		}
	}
	t.survivors()
	return t.String()
}

// text is a report while it is printed.
type text struct {
	Style
	strings.Builder
	report  Report
	sources map[string][]string // file -> its lines
}

func (t *text) line(format string, args ...any) { fmt.Fprintf(t, format+"\n", args...) }

// numbers prints the score and what it consists of.
func (t *text) numbers() {
	s := t.report.Summary()
	if s.Faults == 0 {
		t.none()
		return
	}
	t.headline(s)
	if s.Killed > 0 {
		var by []string
		for _, k := range killers {
			if n := s.KilledBy[k]; n > 0 {
				by = append(by, k+" "+words.Group(n))
			}
		}
		t.labelled("killed by", strings.Join(by, " · "))
	}
	if n := s.KilledBy[fate.ByBudget]; n > 0 {
		t.labelled("score", fmt.Sprintf("%s; %s without the %s that only a step budget killed",
			s.Score, s.NoBudget, words.Count(n, "fault")))
	} else if s.Score != nil {
		t.labelled("score", s.Score.String())
	}
	if open := s.Why[NotJudged]; s.NoVerdict > open {
		t.labelled("no verdict", counted(s.Why, NotJudged))
	}
	t.declined()
	t.leftOut()
	t.empty()
	if t.Verbose {
		t.members()
	}
	if open := s.Why[NotJudged]; open > 0 {
		t.labelled("interrupted", fmt.Sprintf("%s of %s judged; run the same command to judge the rest",
			words.Group(s.Faults-open), words.Count(s.Faults, "fault")))
	}
}

// none explains why there are no faults.
func (t *text) none() {
	if t.report.Since != "" {
		t.line("no faults on lines that have changed since %s; to judge all faults, leave -since out", words.Printable(t.report.Since))
		return
	}
	t.line("no faults: these packages have no code that allele can make faulty")
	t.declined()
}

// headline prints the counts, and at its right end the score if there is room.
func (t *text) headline(s Summary) {
	open := s.Why[NotJudged]
	parts := []string{words.Count(s.Faults, "fault"), words.Group(s.Killed) + " killed"}
	for _, p := range []struct {
		n    int
		what string
	}{{s.Survived, "survived"}, {s.NotInfected, "never infected"}, {s.NotReached, "never reached"},
		{s.NoVerdict - open, "no verdict"}, {open, NotJudged}} {
		if p.n > 0 {
			parts = append(parts, words.Group(p.n)+" "+p.what)
		}
	}
	score := s.Score.whole()
	if s.NotReached > 0 && s.OfReached != nil {
		score += fmt.Sprintf(" (%s of reached)", s.OfReached.whole())
	}
	if s.Score == nil {
		score = "no score"
	}
	if open > 0 {
		score = "no score yet"
	}
	line := ""
	for _, part := range parts {
		if line != "" && words.Width(line+" · "+part) > t.Columns {
			t.line("%s", line)
			line = part
			continue
		}
		line = strings.TrimPrefix(line+" · "+part, " · ")
	}
	used, width := words.Width(line), words.Width(score)+2
	if used+width > t.Columns {
		t.line("%s", line)
		line, used = "", 0
	}
	t.line("%s%s", line, t.paint(bold, words.Right(score, max(width, min(t.Columns, rightMost)-used))))
}

// rightMost is where the score ends in a wide terminal.
const rightMost = 100

// declined prints how many places could not be made faulty.
func (t *text) declined() {
	n := 0
	for _, k := range t.report.Declined {
		n += k
	}
	switch {
	case n == 0:
	case t.Verbose:
		t.labelled("declined", fmt.Sprintf("%s without faults: %s", words.Count(n, "place"), counted(t.report.Declined, "")))
	default:
		t.labelled("declined", words.Count(n, "place")+" without faults; -v prints the reasons")
	}
}

// leftOut prints which tests did not take part. Tests with properties are not among them:
// those are members of their own.
func (t *text) leftOut() {
	left := map[string]string{} // with -of, tests are members of several packages
	for i := range t.report.Packages {
		for _, m := range t.report.Packages[i].Members {
			for name, why := range m.left {
				if m.Kind == Tests {
					name = words.PackageName(m.Name) + "." + name
				}
				left[words.Printable(name)] = firstLine(why)
			}
		}
	}
	why, names := map[string]int{}, slices.Sorted(maps.Keys(left))
	for i, name := range names {
		why[left[name]]++
		names[i] += ": " + left[name]
	}
	switch {
	case len(names) == 0:
	case t.Verbose || len(names) <= namesMax:
		t.labelled("left out", strings.Join(names, " · "))
	default:
		t.labelled("left out", words.Count(len(names), "test")+": "+counted(why, "")+"; -v prints their names")
	}
}

// namesMax is how many tests that are left out are printed without -v.
const namesMax = 3

// empty prints which properties have no saved inputs yet.
func (t *text) empty() {
	for i := range t.report.Packages {
		p := &t.report.Packages[i]
		for _, m := range p.Members {
			if m.empty && m.Kind == Property && !m.Searched {
				t.labelled("generated", m.title()+" has no saved inputs yet, so inputs were generated; better ones are found by:")
				t.line("%s%s%s", strings.Repeat(" ", labelWidth), t.Test, t.where(p.Path))
			}
		}
	}
}

// members prints how many faults each member has killed.
func (t *text) members() {
	label := "suite"
	var paths []string
	for i := range t.report.Packages {
		paths = append(paths, t.report.Packages[i].Path)
	}
	names := words.PackageNames(paths)
	for i := range t.report.Packages {
		p := &t.report.Packages[i]
		killed := make([]int, len(p.Members))
		for _, r := range p.Results {
			if r.Member >= 0 && r.Kind == fate.Killed {
				killed[r.Member]++
			}
		}
		for j, m := range p.Members {
			name := m.title()
			if m.Kind == Property && len(names) > 1 {
				name = words.Printable(names[p.Path]) + "." + name
			}
			t.labelled(label, fmt.Sprintf("%s killed %s", name, words.Count(killed[j], "fault")))
			label = ""
		}
	}
}

// title names a member.
func (m *Member) title() string {
	if m.Kind == Tests {
		return "the ordinary tests of " + words.Printable(words.PackageName(m.Name))
	}
	return words.Printable(m.Name)
}

// counted lists reasons with their numbers, the most frequent first.
func counted(why map[string]int, without string) string {
	keys := slices.SortedFunc(maps.Keys(why), func(a, b string) int { return cmp.Or(why[b]-why[a], cmp.Compare(a, b)) })
	var parts []string
	for _, k := range keys {
		if k != without {
			parts = append(parts, fmt.Sprintf("%s (%s)", cmp.Or(words.Printable(k), "no reason given"), words.Group(why[k])))
		}
	}
	return strings.Join(parts, " · ")
}

// labelled prints a text behind a label, and wraps it.
func (t *text) labelled(label, s string) {
	for i, line := range wrap(s, t.Columns-labelWidth) {
		if i > 0 {
			label = ""
		}
		t.line("%s%s", t.paint(faint, words.Left(label, labelWidth)), line)
	}
}

// wrap splits a text into lines of at most so many columns, if it has no longer words.
func wrap(s string, columns int) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(s) {
		switch {
		case line == "":
			line = word
		case words.Width(line)+1+words.Width(word) <= columns:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	return append(lines, line)
}

// The colours. They add no information to the words.
const (
	bold   = "1"
	faint  = "2"
	red    = "31;1"
	yellow = "33"
)

func (t *text) paint(colour, s string) string {
	if !t.Colour || s == "" || colour == "" {
		return s
	}
	return "\x1b[" + colour + "m" + s + "\x1b[0m"
}
