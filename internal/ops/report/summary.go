package report

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/words"
)

// tellEnd ends the table and sums up. One property that was run alone has said all
// there is in its line.
func (r *Report) tellEnd(e event.Event) {
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

// keyWidth is what stands before the names, and before the commands below them.
const keyWidth = 11

// total is the first line of the summary. The time is last, since nothing else in it
// depends on the machine.
func (v *view) total(e event.Event) string {
	runs, failures := 0, 0
	for _, p := range v.suite.rows {
		runs += p.Runs
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

// standing is how a property stands in the end, in the order of importance.
type standing int

const (
	failed standing = iota
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

var standings = []string{"FAILED", "CRASHED", "FLAKY", "VACUOUS", "STOPPED", "quiet", "exhausted", "ok", "not tried", "skipped"}

func (s standing) colour() string {
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

// troubles is how a property stands that something is wrong with.
var troubles = map[event.Verdict]standing{
	event.Failed: failed, event.Crashed: crashed, event.Unstable: flaky, event.Vacuous: vacuous, event.Aborted: stopped,
}

func (p *row) standing() standing {
	trouble, wrong := troubles[p.wrong()]
	switch {
	case p.State == skipped:
		return leftOut
	case wrong:
		return trouble
	case p.Runs == 0 && !p.ended:
		return untried
	case p.State == event.Exhausted:
		return exhausted
	case p.quiet:
		return quiet
	}
	return ok
}

// lines say how each property stands. Of those that were not run there is one line.
func (v *view) lines(width int) (lines []string) {
	rows := slices.Clone(v.suite.rows)
	slices.SortStableFunc(rows, func(a, b *row) int { return cmp.Compare(a.standing(), b.standing()) })
	name := longestLabel(slices.DeleteFunc(slices.Clone(rows), func(p *row) bool { return p.standing() >= untried }))
	name = min(name, (width-keyWidth)/2)
	labels := v.suite.labels(name)
	for _, p := range rows {
		if s := p.standing(); s < untried {
			lines = append(lines, v.paint(s.colour(), words.Left(standings[s], keyWidth))+
				words.Left(labels[p], name)+"  "+p.detail(s, width-keyWidth-name-2))
		}
	}
	for _, s := range []standing{untried, leftOut} {
		if some := of(rows, s); len(some) > 0 {
			text := words.Properties(len(some))
			if why := some[0].why; why != "" && !slices.ContainsFunc(some, func(p *row) bool { return p.why != why }) {
				text += ": " + words.Printable(oneLine(why))
			}
			lines = append(lines, v.paint(faint, words.Left(standings[s], keyWidth)+words.Cut(text, width-keyWidth)))
		}
	}
	return lines
}

func of(rows []*row, s standing) []*row {
	return slices.DeleteFunc(slices.Clone(rows), func(p *row) bool { return p.standing() != s })
}

// detail is what is said of a property in the room there is, the longest that fits.
func (p *row) detail(s standing, room int) string {
	var ways []string
	switch s {
	case failed, flaky:
		n := max(1, p.Failures)
		ways = []string{words.Count(n, "distinct failure") + ", above", words.Count(n, "failure") + ", above"}
	case crashed:
		ways = []string{words.Printable(oneLine(p.Crash)), "could not be tried, see above"}
	case vacuous:
		ways = []string{fmt.Sprintf("%s of %s were discarded", words.Round(p.Discarded), inputs(p.Passed+p.Discarded)),
			"hardly anything was checked"}
	case stopped:
		ways = []string{"stopped after " + words.Count(p.Runs, "run"), "too few runs"}
	case exhausted:
		ways = []string{words.Printable(oneLine(p.why)), "all inputs were run"}
	case quiet:
		ways = []string{fmt.Sprintf("no new path for %s; %s", span(p.Quiet), p.reached()), "no new path for " + span(p.Quiet)}
	default:
		ways = p.searched()
	}
	for _, way := range ways {
		if way != "" && words.Width(way) <= room {
			return way
		}
	}
	return words.Cut(cmp.Or(ways[len(ways)-1], ways[0]), room)
}

// searched is how far the search got: a certificate, if most of what was kept has one.
func (p *row) searched() []string {
	k := p.Search
	switch {
	case k == nil || k.Kept == 0:
		return []string{p.reached()}
	case 2*k.Whole < k.Kept:
		return []string{fmt.Sprintf("%s, %s kept", p.reached(), words.Count(k.Kept, "input")), p.reached()}
	}
	share := words.Group(k.Whole) + " of "
	switch {
	case k.Kept == 1:
		share = "its "
	case k.Whole == k.Kept:
		share = "all "
	}
	return []string{
		fmt.Sprintf("%s; every change of one step of %s was run", p.reached(), share+words.Count(k.Kept, "kept input")),
		fmt.Sprintf("%s; %s done", p.reached(), share+words.Count(k.Kept, "kept input")),
		fmt.Sprintf("%s; %s done", p.reached(), share+words.Count(k.Kept, "input")),
		p.reached()}
}

func (p *row) reached() string { return words.Count(p.Paths, "path") }

func inputs(n int) string {
	if n == 1 {
		return "1 input"
	}
	return words.Round(n) + " inputs"
}

// next is what to run now, once for each standing that asks for something.
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
	run("replay", "go test ", slices.DeleteFunc(stored(bad), func(p *row) bool { return p.traced }))
	run("replay", "go tool allele test ", traced)
	if some := stored(bad); len(some) > 0 {
		say("as test", "go tool allele show "+v.Flags+"-test "+shown(some[0].cases[0]))
	}
	run("run again", "go tool allele test ", slices.DeleteFunc(bad, func(p *row) bool { return len(p.cases) > 0 }))
	run("look into", "go tool allele test -v ", slices.Concat(of(rows, crashed), of(rows, flaky)))
	run("vacuous", "go tool allele test -for 1m -save ", of(rows, vacuous))
	if open := len(of(rows, ok)) + len(of(rows, quiet)) + len(of(rows, stopped)) + len(of(rows, untried)); open > 0 && v.Resumes {
		if v.budget > 0 {
			say("go on", "the same command goes on from here; a longer -for takes it further")
		} else {
			say("go on", "the same command with -for 1m goes on from here, for a minute")
		}
	}
	if len(of(rows, leftOut)) > 0 {
		say("skipped", "the same command without -since runs them")
	}
	return lines
}

// commandsMost is how many commands are written out that are alike.
const commandsMost = 3

// commands run a command on some properties: all at once if that fits, and otherwise
// one by one.
func (v *view) commands(command string, rows []*row, width int) (lines []string) {
	if len(rows) == 0 {
		return nil
	}
	if all := command + v.only(rows); len(rows) == 1 || words.Width(all) <= width {
		return []string{all}
	}
	for _, p := range rows[:min(commandsMost, len(rows))] {
		lines = append(lines, command+v.only([]*row{p}))
	}
	if more := len(rows) - commandsMost; more > 0 {
		lines = append(lines, fmt.Sprintf("and so for %s more", words.Group(more)))
	}
	return lines
}

// stored are those with a case in a file.
func stored(rows []*row) []*row {
	return slices.DeleteFunc(slices.Clone(rows), func(p *row) bool { return len(p.cases) == 0 })
}

// only is the arguments that choose these properties.
func (v *view) only(rows []*row) string {
	var tests, pkgs []string
	for _, p := range rows {
		test, _, _ := strings.Cut(cmp.Or(p.test, p.name), "/")
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
	return v.Flags + "-run '^" + words.Printable(pattern) + "$' " + strings.Join(pkgs, " ")
}

// shown is a file or package in a command, with quotes if a shell needs them.
func shown(s string) string {
	if strings.ContainsFunc(s, func(c rune) bool {
		return !strings.ContainsRune("/._-+@:,=~", c) && !(c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z')
	}) {
		return "'" + words.Printable(strings.ReplaceAll(oneLine(s), "'", `'\''`)) + "'"
	}
	return s
}
