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
	for _, line := range r.lines(width) {
		r.say("%s\n", line)
	}
	for _, line := range r.next() {
		r.say("%s\n", line)
	}
}

// total is the first line of the summary. The time is last, since nothing else in it
// depends on the machine.
func (r *Report) total(e event.Event) string {
	runs, failures := 0, 0
	for _, p := range r.suite.rows {
		runs += p.Runs
		failures += p.failures()
	}
	parts := []string{words.Properties(len(r.suite.rows))}
	if n := cmp.Or(e.Workers, r.workers); n > 0 {
		parts = append(parts, words.Count(n, "worker"))
	}
	if failures = max(failures, e.Failures); failures > 0 {
		parts = append(parts, r.paint(red, words.Count(failures, "failure")))
	}
	if runs = cmp.Or(e.Runs, runs); runs == 1 {
		parts = append(parts, "1 run")
	} else {
		parts = append(parts, words.Round(runs)+" runs")
	}
	return strings.Join(append(parts, short(cmp.Or(e.Seconds, r.now.Sub(r.started).Seconds()))), " · ")
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

func (p *row) standing() standing {
	word, _, _ := strings.Cut(p.word(), " ")
	switch i := slices.Index(standings, word); {
	case p.State == skipped:
		return leftOut
	case i >= 0 && standing(i) < quiet:
		return standing(i)
	case p.Runs == 0 && !p.ended:
		return untried
	case p.State == "exhausted":
		return exhausted
	case p.quiet:
		return quiet
	}
	return ok
}

// lines say how each property stands. Of those that were not run there is one line.
func (r *Report) lines(width int) (lines []string) {
	const wordWidth = 11
	rows := slices.Clone(r.suite.rows)
	slices.SortStableFunc(rows, func(a, b *row) int { return cmp.Compare(a.standing(), b.standing()) })
	name := 0
	for _, p := range rows {
		if p.standing() < untried {
			name = max(name, words.Width(p.label))
		}
	}
	name = min(name, (width-wordWidth)/2)
	say := func(s standing, colour, label, text string) {
		lines = append(lines, r.paint(colour, words.Left(standings[s], wordWidth))+words.Left(words.Fit(label, name), name)+"  "+text)
	}
	for _, p := range rows {
		if s := p.standing(); s < untried {
			say(s, colourOf(p), p.label, p.detail(s, width-wordWidth-name-2))
		}
	}
	for _, s := range []standing{untried, leftOut} {
		if some := of(rows, s); len(some) > 0 {
			text := words.Properties(len(some))
			if why := some[0].why; why != "" && !slices.ContainsFunc(some, func(p *row) bool { return p.why != why }) {
				text += ": " + words.Printable(oneLine(why))
			}
			lines = append(lines, r.paint(faint, words.Left(standings[s], wordWidth)+words.Cut(text, width-wordWidth)))
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
		ways = []string{fmt.Sprintf("%s, above", words.Count(n, "distinct failure"))}
	case crashed:
		ways = []string{words.Printable(oneLine(p.Death)), "its process could not be kept alive"}
	case vacuous:
		ways = []string{fmt.Sprintf("%s of %s were discarded", words.Round(p.Discarded), inputs(p.Passed+p.Discarded)), "hardly anything was checked"}
	case stopped:
		ways = []string{fmt.Sprintf("%s runs are too few to say anything", words.Round(p.Runs)), "too few runs"}
	case exhausted:
		ways = []string{words.Printable(oneLine(p.why)), "all inputs were run"}
	case quiet:
		ways = []string{fmt.Sprintf("no new path for %s; %s", span(p.Quiet), p.reached()), "no new path for " + span(p.Quiet)}
	default:
		ways = []string{p.reached()}
		if k := p.Search; k != nil && k.Kept > 0 && k.Whole > 0 {
			ways = []string{
				fmt.Sprintf("%s; every change of one step of %s of %s kept inputs was run", p.reached(), words.Group(k.Whole), words.Group(k.Kept)),
				fmt.Sprintf("%s; %s of %s kept inputs done", p.reached(), words.Group(k.Whole), words.Group(k.Kept)),
				p.reached()}
		}
	}
	for _, way := range ways {
		if way != "" && words.Width(way) <= room {
			return way
		}
	}
	return words.Cut(cmp.Or(ways[len(ways)-1], ways[0]), room)
}

func (p *row) reached() string { return words.Count(p.Paths, "path") }

func inputs(n int) string {
	if n == 1 {
		return "1 input"
	}
	return words.Round(n) + " inputs"
}

// next is what to run now, once for each standing that asks for something.
func (r *Report) next() (lines []string) {
	say := func(key, text string) { lines = append(lines, words.Left(key, 9)+text) }
	rows := r.suite.rows
	if bad := of(rows, failed); len(bad) > 0 {
		if stored := stored(bad); len(stored) > 0 {
			say("replay", "go test "+r.only(bad))
			say("as test", "go tool allele show "+r.Flags+"-test "+shown(stored[0].cases[0]))
		} else {
			say("replay", "go tool allele test "+r.only(bad))
		}
	}
	if bad := slices.Concat(of(rows, crashed), of(rows, flaky)); len(bad) > 0 {
		say("look", "go tool allele test -v "+r.only(bad))
	}
	if bad := of(rows, vacuous); len(bad) > 0 {
		say("vacuous", "go tool allele test -for 1m -save "+r.only(bad))
	}
	if !r.Resumes {
		return lines
	}
	switch open := len(of(rows, ok)) + len(of(rows, quiet)) + len(of(rows, stopped)) + len(of(rows, untried)); {
	case open > 0 && r.budget > 0:
		say("go on", "the same command goes on from here, with a longer -for for longer")
	case open > 0:
		say("go on", "the same command with -for 1m goes on from here, for a minute")
	}
	if len(of(rows, leftOut)) > 0 {
		say("skipped", "the same command without -since runs them")
	}
	return lines
}

// stored are those with a case in a file.
func stored(rows []*row) []*row {
	return slices.DeleteFunc(slices.Clone(rows), func(p *row) bool { return len(p.cases) == 0 })
}

// only is the arguments that choose these properties.
func (r *Report) only(rows []*row) string {
	var tests, pkgs []string
	for _, p := range rows {
		test, _, _ := strings.Cut(cmp.Or(p.test, p.name), "/")
		if test = regexp.QuoteMeta(test); !slices.Contains(tests, test) {
			tests = append(tests, test)
		}
		if pkg := shown(r.Where(p.pkg)); !slices.Contains(pkgs, pkg) {
			pkgs = append(pkgs, pkg)
		}
	}
	pattern := strings.Join(tests, "|")
	if len(tests) > 1 {
		pattern = "(" + pattern + ")"
	}
	return r.Flags + "-run '^" + words.Printable(pattern) + "$' " + strings.Join(pkgs, " ")
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
