//go:build go1.25

package report

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/words"
)

// printSummary ends the table and writes the summary. For a single property without a
// budget there is no summary: the line of the property contains everything.
func (r *Report) printSummary(e event.Ended) {
	r.end()
	if r.budget == 0 && len(r.suite.rows) < 2 {
		return
	}
	width := plainWidth
	if r.Mode == Live {
		width, _ = r.size()
	}
	r.say("\n%s\n", r.total(e))
	for _, line := range append(r.lines(width), r.next(width)...) {
		r.say("%s\n", line)
	}
}

// keyWidth is the width of the column before the names and the commands.
const keyWidth = 11

// total returns the first line of the summary. The time is last, since nothing else in the
// line depends on the machine.
func (v *view) total(e event.Ended) string {
	runs, failures := 0, 0
	for _, p := range v.suite.rows {
		runs += p.Counts.Runs
		failures += p.failures()
	}
	parts := []string{words.Properties(len(v.suite.rows))}
	if n := cmp.Or(e.Workers, v.workers); n > 0 {
		parts = append(parts, words.Count(n, "worker"))
	}
	if failures = max(failures, e.Failures); failures > 0 {
		parts = append(parts, v.paint(red, words.Count(failures, "failure")))
	}
	if runs = cmp.Or(e.Runs, runs); runs == 1 {
		parts = append(parts, "1 run")
	} else {
		parts = append(parts, words.Round(runs)+" runs")
	}
	return strings.Join(append(parts, short(cmp.Or(e.Seconds, v.now.Sub(v.started).Seconds()))), " · ")
}

// result is the result of a property in the summary. The values are in the order of importance.
type result int

const (
	failed result = iota
	crashed
	flaky
	vacuous
	stopped
	quiet
	exhausted
	ok
	untried
	leftOut
)

var resultNames = []string{"FAILED", "CRASHED", "FLAKY", "VACUOUS", "STOPPED", "quiet", "exhausted", "ok", "not tried", "skipped"}

func (s result) colour() string {
	switch {
	case s < stopped:
		return red
	case s < exhausted:
		return yellow
	case s < untried:
		return green
	}
	return faint
}

// problems maps verdicts other than passed to results.
var problems = map[event.Verdict]result{
	event.Failed: failed, event.Crashed: crashed, event.Unstable: flaky, event.Vacuous: vacuous, event.Aborted: stopped,
}

func (p *row) result() result {
	problem, wrong := problems[p.wrong()]
	switch {
	case p.State == skipped:
		return leftOut
	case wrong:
		return problem
	case p.Counts.Runs == 0 && p.end == nil:
		return untried
	case p.State == event.Exhausted:
		return exhausted
	case p.quiet:
		return quiet
	}
	return ok
}

// lines returns a line for each property with its result. Properties that were not run
// share one line.
func (v *view) lines(width int) (lines []string) {
	rows := slices.Clone(v.suite.rows)
	slices.SortStableFunc(rows, func(a, b *row) int { return cmp.Compare(a.result(), b.result()) })
	name := longestLabel(slices.DeleteFunc(slices.Clone(rows), func(p *row) bool { return p.result() >= untried }))
	name = min(name, (width-keyWidth)/2)
	labels := v.suite.labels(name)
	for _, p := range rows {
		if s := p.result(); s < untried {
			lines = append(lines, v.paint(s.colour(), words.Left(resultNames[s], keyWidth))+
				words.Left(labels[p], name)+"  "+p.detail(s, width-keyWidth-name-2))
		}
	}
	for _, s := range []result{untried, leftOut} {
		if some := of(rows, s); len(some) > 0 {
			text := words.Properties(len(some))
			if why := some[0].why; why != "" && !slices.ContainsFunc(some, func(p *row) bool { return p.why != why }) {
				if len(some) > 1 {
					why = strings.Replace(why, "nothing it reaches", "nothing they reach", 1)
				}
				text += ": " + words.Printable(oneLine(why))
			}
			lines = append(lines, v.paint(faint, words.Left(resultNames[s], keyWidth)+words.Cut(text, width-keyWidth)))
		}
	}
	return lines
}

func of(rows []*row, s result) []*row {
	return slices.DeleteFunc(slices.Clone(rows), func(p *row) bool { return p.result() != s })
}

// detail returns a text about a property. Of several texts it chooses the longest that is
// at most room columns wide.
func (p *row) detail(s result, room int) string {
	var texts []string
	switch s {
	case failed, flaky:
		n := max(1, p.Failures)
		texts = []string{words.Count(n, "distinct failure") + ", above", words.Count(n, "failure") + ", above"}
	case crashed:
		texts = []string{words.Printable(oneLine(p.why)), "could not be tried, see above"}
	case vacuous:
		// Without counts of discarded inputs: the report above has those of one process, and
		// these would be the sum of all.
		if p.Counts.Discarded <= p.Counts.Passed {
			texts = []string{words.Printable(oneLine(p.why))}
		}
		texts = append(texts, "hardly anything was checked; its report is above", "hardly anything was checked")
	case stopped:
		if p.why != "" {
			texts = []string{words.Printable(oneLine(p.why)), words.Count(p.Counts.Distinct, "distinct input") + " passed"}
		}
		texts = append(texts, "stopped after "+words.Count(p.Counts.Runs, "run"), "too few runs")
	case exhausted:
		texts = []string{words.Printable(oneLine(p.why)), "all inputs were run"}
	case quiet:
		texts = []string{fmt.Sprintf("no new path for %s; %s", span(p.Quiet), p.reached()), "no new path for " + span(p.Quiet)}
	default:
		texts = p.searched()
	}
	for _, text := range texts {
		if text != "" && words.Width(text) <= room {
			return text
		}
	}
	return words.Cut(cmp.Or(texts[len(texts)-1], texts[0]), room)
}

// searched returns texts about the progress of the search, the longest first. They begin
// with the number of distinct inputs that passed. If every one-step change of most kept
// inputs was run, they contain the number of these inputs.
func (p *row) searched() (texts []string) {
	for _, text := range append(p.kept(), p.reached()) {
		texts = append(texts, p.distinct()+text)
	}
	return append(texts, p.reached())
}

// distinct returns how many distinct inputs passed, as the beginning of a text.
func (p *row) distinct() string {
	switch {
	case p.Counts.Distinct == 0:
		return ""
	case p.Counts.AtLeast:
		return "at least " + words.Group(p.Counts.Distinct) + " distinct, "
	}
	return words.Group(p.Counts.Distinct) + " distinct, "
}

// kept returns texts about the inputs that the search kept.
func (p *row) kept() []string {
	if p.end == nil || p.end.Search.Kept == 0 {
		return nil
	}
	k := p.end.Search
	if 2*k.Whole < k.Kept {
		return []string{fmt.Sprintf("%s, %s kept", p.reached(), words.Count(k.Kept, "input"))}
	}
	share := words.Group(k.Whole) + " of "
	switch {
	case k.Kept == 1:
		share = "its "
	case k.Whole == k.Kept:
		share = "all "
	}
	return []string{
		fmt.Sprintf("%s; every one-step change of %s was run", p.reached(), share+words.Count(k.Kept, "kept input")),
		fmt.Sprintf("%s; %s done", p.reached(), share+words.Count(k.Kept, "kept input")),
		fmt.Sprintf("%s; %s done", p.reached(), share+words.Count(k.Kept, "input"))}
}

func (p *row) reached() string { return words.Count(p.Counts.Paths, "path") }

// next returns lines with the commands to run next. Properties with the same result share
// a command where possible.
func (v *view) next(width int) (lines []string) {
	say := func(key, text string) { lines = append(lines, words.Left(key, keyWidth)+text) }
	run := func(key, command string, rows []*row) {
		for _, text := range v.commands(command, rows, width-keyWidth) {
			say(key, text)
			key = ""
		}
	}
	rows := v.suite.rows
	bad := of(rows, failed)
	traced := slices.DeleteFunc(stored(bad), func(p *row) bool { return !p.traced })
	run("replay", v.Commands.GoTest, slices.DeleteFunc(stored(bad), func(p *row) bool { return p.traced }))
	run("replay", v.Commands.Test, traced)
	v.asTests(say, stored(bad))
	run("run again", v.Commands.Test, slices.DeleteFunc(bad, func(p *row) bool { return len(p.cases) > 0 }))
	run("inspect", v.Commands.Test+"-v ", slices.Concat(of(rows, crashed), of(rows, flaky)))
	run("vacuous", v.Commands.Test+"-for 1m -save ", slices.DeleteFunc(of(rows, vacuous), func(p *row) bool {
		// The same search again would find nothing. The report has another idea.
		return p.end != nil && p.end.Certain || v.budget > 0 && p.Counts.Passed == 0
	}))
	open := len(of(rows, ok)) + len(of(rows, quiet)) + len(of(rows, stopped)) + len(of(rows, untried))
	if v.Default { // without the default budget, an exhausted search could go on
		open += len(of(rows, exhausted))
	}
	if open > 0 && v.Resumes && !v.stopped {
		if v.budget > 0 {
			say("continue", fmt.Sprintf("run the same command with -for %s to search longer", longer(v.budget)))
		} else {
			say("continue", "run the same command with -for 1m, without -tests, to search for a minute")
		}
	}
	if len(of(rows, leftOut)) > 0 {
		say("skipped", "run the same command without -since to run them")
	}
	return lines
}

// longer returns a time for -for that is at least twice a budget in seconds.
func longer(budget float64) string {
	for _, next := range []struct {
		text    string
		seconds float64
	}{{"1m", 60}, {"10m", 600}, {"1h", 3600}, {"8h", 8 * 3600}} {
		if next.seconds >= 2*budget {
			return next.text
		}
	}
	return fmt.Sprintf("%.0fh", math.Ceil(2*budget/3600))
}

// testsMax is how many stored cases have a line that prints them as a test.
const testsMax = 8

// asTests writes, for each stored case of some properties, the command that prints it as a
// test.
func (v *view) asTests(say func(key, text string), rows []*row) {
	var cases []string
	for _, p := range rows {
		for _, file := range p.cases {
			cases = append(cases, v.File(p.pkg, file))
		}
	}
	key := "as test"
	for _, file := range cases[:min(testsMax, len(cases))] {
		say(key, v.Commands.Show+"-test "+shown(file))
		key = ""
	}
	if more := len(cases) - testsMax; more > 0 {
		say("", fmt.Sprintf("and the same for %s more", words.Group(more)))
	}
}

// commandsMax is how many commands of the same kind are shown.
const commandsMax = 3

// commands returns lines that run a command on some properties: on all at once if that
// fits, and otherwise one line for each.
func (v *view) commands(command string, rows []*row, width int) (lines []string) {
	if len(rows) == 0 {
		return nil
	}
	only := v.onlyProperties
	if command == v.Commands.GoTest {
		only = v.onlyTests
	}
	if all := command + only(rows); len(rows) == 1 || words.Width(all) <= width {
		return []string{all}
	}
	for _, p := range rows[:min(commandsMax, len(rows))] {
		lines = append(lines, command+only([]*row{p}))
	}
	if more := len(rows) - commandsMax; more > 0 {
		lines = append(lines, fmt.Sprintf("and the same for %s more", words.Group(more)))
	}
	return lines
}

// stored returns the properties that have a stored case.
func stored(rows []*row) []*row {
	return slices.DeleteFunc(slices.Clone(rows), func(p *row) bool { return len(p.cases) == 0 })
}

// onlyTests returns the arguments of go test that select the tests of these properties.
func (v *view) onlyTests(rows []*row) string {
	return v.only(rows, func(p *row) string {
		test, _, _ := strings.Cut(cmp.Or(p.test, p.name), "/")
		return test
	})
}

// onlyProperties returns the arguments of allele test that select these properties.
func (v *view) onlyProperties(rows []*row) string {
	return v.only(rows, func(p *row) string { return p.name })
}

func (v *view) only(rows []*row, name func(*row) string) string {
	var tests, pkgs []string
	for _, p := range rows {
		test := name(p)
		if test = regexp.QuoteMeta(test); !slices.Contains(tests, test) {
			tests = append(tests, test)
		}
		if pkg := shown(v.Where(p.pkg)); !slices.Contains(pkgs, pkg) {
			pkgs = append(pkgs, pkg)
		}
	}
	pattern := strings.Join(tests, "|")
	if len(tests) > 1 {
		pattern = "(" + pattern + ")"
	}
	return "-run '^" + words.Printable(strings.ReplaceAll(pattern, "'", `'\''`)) + "$' " + strings.Join(pkgs, " ")
}

// shown returns a file or package for a command, with quotes if a shell needs them.
func shown(s string) string {
	if strings.ContainsFunc(s, func(c rune) bool {
		return !strings.ContainsRune("/._-+@:,=~", c) && !(c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z')
	}) {
		return "'" + words.Printable(strings.ReplaceAll(oneLine(s), "'", `'\''`)) + "'"
	}
	return s
}
