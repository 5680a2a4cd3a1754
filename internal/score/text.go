//go:build go1.25

package score

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/words"
)

// Text returns a report for people: the numbers, the faults that are alive, and what to do
// about them. It ends with a newline.
func Text(r Report, style Style) string {
	t := newText(r, style)
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
	t.sampled(s)
	reused(t)
	if open := s.Why[NotJudged]; s.NoVerdict > open {
		t.labelled("no verdict", counted(s.Why, NotJudged))
	}
	accepted(t)
	t.declined()
	t.leftOut()
	slow(t)
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
	n, since := t.report.Summary().Accepted, words.Printable(t.report.Since)
	switch {
	case n > 0:
		t.line("no faults are left to judge: %s accepted with comments in the source", faultsAre(n))
	case since != "":
		t.line("no faults on lines that have changed since %s; to judge all faults, leave -since out", since)
		return
	default:
		t.line("no faults: these packages have no code that allele can make faulty")
	}
	accepted(t)
	t.declined()
}

// sampled prints that the score is that of a sample.
func (t *text) sampled(sum Summary) {
	s := sum.of(t.report.Sample)
	if s == nil {
		return
	}
	text := fmt.Sprintf("%s of %s, drawn by a hash of each", words.Group(s.Drawn), words.Count(s.Of, "fault"))
	if s.For > 0 {
		text += fmt.Sprintf("; -for %v ended before more were judged, and the same command goes on from here", s.For)
	}
	if s.Low != nil {
		text += fmt.Sprintf("; 95 %% interval of the score of all faults: %v to %v", s.Low, s.High)
	}
	t.labelled("sample", text)
}

// headline prints the counts, and at its right end the score if there is room.
func (t *text) headline(s Summary) {
	open := s.Why[NotJudged]
	parts := []string{words.Count(s.Faults, "fault"), words.Group(s.Killed) + " killed"}
	for _, p := range []struct {
		n    int
		what string
	}{{s.Survived, "survived"}, {s.NotInfected, "never infected"}, {s.NotReached, "never reached"},
		{s.NoVerdict - open, "no verdict"}, {open, NotJudged}, {s.Accepted, "accepted"}} {
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

// accepted prints the directives that have no effect, and with -v the faults that the others accept.
func accepted(t *text) {
	for i, d := range t.report.Stale {
		label := ""
		if i == 0 {
			label = "stale"
		}
		t.labelled(label, words.Printable(d)+" accepts no fault; delete the comment, or move it to the line of the fault")
	}
	if !t.Verbose {
		return
	}
	label := "accepted"
	for i := range t.report.Packages {
		p := &t.report.Packages[i]
		for _, a := range p.Accepted {
			f := a.Fault
			t.labelled(label, fmt.Sprintf("%s:%d %s %s: %s", words.Printable(t.relative(f.File)), f.Line, p.key(f), f.Operator,
				words.Printable(a.Reason)))
			label = ""
		}
	}
}

// slow prints which tests have cost most, if the run was slow.
func slow(t *text) {
	if !t.report.Slow {
		return
	}
	list, all := t.report.costs()
	if all < costsFrom {
		return // the machine was busy, or building took long
	}
	label := "slow tests"
	for _, c := range list {
		t.labelled(label, fmt.Sprintf("%s took %s of %s of CPU time, and killed %s that no cheaper test kills; without it: -skip '^%s$'",
			words.Printable(c.test), span(c.cpu), span(all), words.Count(c.killed, "fault"), words.Printable(regexp.QuoteMeta(c.test))))
		label = ""
	}
}

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
	var names, where []string
	for i := range t.report.Packages {
		p := &t.report.Packages[i]
		for _, m := range p.Members {
			if m.empty && m.Kind == Property && !m.Searched {
				names = append(names, m.title())
				where = append(where, t.where(p.Path))
			}
		}
	}
	if where = slices.Compact(where); len(names) == 0 {
		return
	}
	who, have, them := words.Properties(len(names)), "have", "them"
	if len(names) <= namesMax {
		who = strings.Join(names, ", ")
	}
	if len(names) == 1 {
		have, them = "has", "it"
	}
	t.labelled("unsearched", who+" "+have+" no saved inputs yet, so only the inputs of go test have judged "+them+
		"; better ones are found by:")
	if len(where) > packagesMax {
		where = []string{"./..."}
	}
	t.line("%s%s%s", strings.Repeat(" ", labelWidth), t.Test, strings.Join(where, " "))
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
