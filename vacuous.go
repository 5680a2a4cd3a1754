package allele

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"
)

// A Check is vacuous if fewer than a tenth of the tests it wanted passed, or if
// fewer than one in twenty of those that passed was more than trivial.
const (
	passedShare = 10
	richShare   = 20
)

// vacuous says why the Check has checked almost nothing, or nothing if it has.
func (c *check) vacuous() string {
	n := c.engine.Counts
	switch {
	case c.config.tests == 0 || n.Runs == 0 && n.Passed > 0:
		return ""
	case len(c.world.Hollow) > 0:
		return c.vacuity("vacuous: " + c.world.Hollow[0])
	case c.saved.enough(), c.job.Search.Save && c.worthSaving():
		return "" // these are checked by every run
	case n.Passed == 0 || !c.engine.All() && c.few():
		return c.vacuity(fmt.Sprintf("vacuous: %s of %s inputs were discarded; %s", number(n.Discarded), number(n.Runs), c.ran()))
	case !c.engine.All() && c.engine.CanBeRich() && n.Passed >= richShare && n.Rich*richShare < n.Passed:
		return c.vacuity(fmt.Sprintf("vacuous: %s inputs passed, but %s of them had 3 nodes or more", number(n.Passed), onlyOf(n.Rich)))
	}
	return ""
}

// saved is what came of the stored cases that say they passed: a search has saved
// them because fresh inputs hardly ever pass, and together they reach what it has
// reached. As long as they do, the Check is worth something however few others pass.
type saved struct{ passed, rich, discarded int }

func (s *saved) count(x seed, rich bool) {
	if x.saved {
		s.passed++
		if rich {
			s.rich++
		}
	}
}

func (s *saved) lost(x seed) {
	if x.saved {
		s.discarded++
	}
}

// enough reports whether the saved cases are as good as they were. If most of them
// are discarded the property has changed, and they do not say much any more.
func (s *saved) enough() bool { return s.rich > 0 && s.passed > s.discarded }

// worthSaving reports whether inputs have passed that are more than trivial.
func (c *check) worthSaving() bool {
	return c.engine.Rich > 0 || c.engine.Passed > 0 && !c.engine.CanBeRich()
}

func onlyOf(n int) string {
	if n == 0 {
		return "none"
	}
	return "only " + number(n)
}

// few reports whether too few runs passed. If time ended the search, the wanted
// number means nothing, so the share of all runs is judged instead.
func (c *check) few() bool {
	n := c.engine.Counts
	if c.config.runs == 0 || n.Runs < c.config.runs {
		return n.Passed*passedShare*runsPerTest < n.Runs
	}
	return n.Passed*passedShare < c.config.tests
}

// ran tells how large the inputs were that passed.
func (c *check) ran() string {
	n := c.engine.Counts
	if n.Passed == 0 {
		return "none ran"
	}
	s := fmt.Sprintf("the %s that ran", number(n.Passed))
	if n.Passed == 1 {
		s = "the 1 that ran"
	}
	if !c.engine.CanBeRich() {
		return s + " passed"
	}
	return s + fmt.Sprintf(" had at most %s", count(n.Largest, "node"))
}

func (c *check) vacuity(first string) string {
	var b strings.Builder
	b.WriteString(first + "\n")
	c.writeRejects(&b)
	for _, note := range c.world.Notes {
		fmt.Fprintf(&b, "    note: %s\n", note)
	}
	look, longer := "Let allele look for inputs that pass:", ""
	switch {
	case c.watch != nil && c.worthSaving():
		look = "Save inputs that pass:"
	case c.watch != nil:
		look, longer = "Let it look longer for inputs that pass:", "-for 1m "
	}
	fmt.Fprintf(&b, "This test has checked almost nothing. %s\n    go tool allele test %s-run %s %s-save %s\n",
		look, c.place.flags(), c.propertyPattern(), longer, strings.TrimSuffix(c.place.pkg, "_test"))
	b.WriteString("or let functions of yours make them, with allele.Builder:\n" +
		"    go doc github.com/allele-go/allele.Builder\n" +
		"or accept it: add allele.AllowVacuous()")
	return b.String()
}

// rejectsShown bounds the list of assumptions.
const rejectsShown = 8

// writeRejects lists which assumption discarded how many inputs, most first.
func (c *check) writeRejects(b *strings.Builder) {
	keys := slices.Collect(maps.Keys(c.rejects))
	slices.SortFunc(keys, func(x, y reject) int {
		if d := *c.rejects[y] - *c.rejects[x]; d != 0 {
			return d
		}
		return strings.Compare(c.rejected(x), c.rejected(y))
	})
	w := tabwriter.NewWriter(b, 0, 0, 3, ' ', 0)
	for i, k := range keys {
		if i == rejectsShown {
			fmt.Fprintf(w, "    and %d more\n", len(keys)-i)
			break
		}
		fmt.Fprintf(w, "    %s\tdiscarded %s\n", strings.ReplaceAll(c.rejected(k), "   ", "\t"), number(*c.rejects[k]))
	}
	w.Flush()
}

// rejected names an assumption: its place and its text.
func (c *check) rejected(r reject) string {
	switch {
	case r.given > 0:
		return describe(c.settings.given[r.given-1].site)
	case r.pc == 0:
		return "a builder refused its arguments"
	}
	f, _ := runtime.CallersFrames([]uintptr{r.pc}).Next()
	return describe(fmt.Sprintf("%s:%d", f.File, f.Line))
}

// describe shows a place in source with the line that stands there, if the
// file can be read.
func describe(site string) string {
	colon := strings.LastIndexByte(site, ':')
	short := filepath.Base(site[:colon]) + site[colon:]
	line, _ := strconv.Atoi(site[colon+1:])
	data, err := os.ReadFile(site[:colon])
	if err != nil {
		return short
	}
	lines := strings.Split(string(data), "\n")
	if line < 1 || line > len(lines) {
		return short
	}
	const width = 48
	text := strings.TrimSpace(lines[line-1])
	// The end of the property may stand before a Given, all of a short property
	// before an Assume.
	for _, call := range []string{"Given(", "t.Assume(", "t.Skip"} {
		if at := strings.Index(text, call); at > 0 {
			text = balanced(text[at:])
			break
		}
	}
	if r := []rune(text); len(r) > width {
		text = string(r[:width-3]) + "..."
	}
	return short + "   " + text
}

// balanced cuts a text behind the bracket that closes its first one.
func balanced(s string) string {
	depth := 0
	for i, c := range s {
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return s[:i+1]
			}
		}
	}
	return s
}

// passed tells what a Check did, for those who asked; that it was vacuous and
// allowed to be, it tells everyone.
func (c *check) passed(vacuous string) {
	c.t.Helper()
	accepted := ""
	if vacuous != "" {
		first, _, _ := strings.Cut(vacuous, "\n")
		accepted = first + "; accepted by AllowVacuous"
	}
	switch {
	case c.chatty():
		c.tell(strings.TrimRight(c.summary()+"    "+accepted, " \n"))
	case accepted != "":
		c.t.Log(accepted)
	}
}

// summary is what a Check did, line by line.
func (c *check) summary() string {
	n := c.engine.Counts
	all := ""
	if c.engine.All() {
		all = "; that is every input there is"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s passed, %s discarded, seed %d%s\n", c.name, number(n.Passed), number(n.Discarded), c.config.seed, all)
	c.writeRejects(&b)
	c.writeLabels(&b)
	for _, note := range c.world.Notes {
		fmt.Fprintf(&b, "    note: %s\n", note)
	}
	return b.String()
}

// chatty reports whether someone wants to hear. Outside a test binary, where a
// Check may run as well, there is no -v to ask for.
func (c *check) chatty() bool {
	return c.config.verbose || testing.Testing() && testing.Verbose()
}

func (c *check) say(format string, args ...any) {
	c.t.Helper()
	if c.chatty() {
		c.tell(fmt.Sprintf(format, args...))
	}
}

// tell logs what someone asked to hear. The log of a test that passes is shown
// with -v only; who asked with -allele.v gets it all the same.
func (c *check) tell(text string) {
	c.t.Helper()
	c.t.Log(text)
	if c.config.verbose && !(testing.Testing() && testing.Verbose()) {
		fmt.Println(text)
	}
}

// labelsShown bounds the values shown of one label.
const labelsShown = 20

// writeLabels shows, for every label, the share of each of its values.
func (c *check) writeLabels(b *strings.Builder) {
	byName := map[string][]label{}
	total := map[string]int{}
	for l, n := range c.labels {
		byName[l.name] = append(byName[l.name], l)
		total[l.name] += n
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		ls := byName[name]
		numeric := !slices.ContainsFunc(ls, func(l label) bool { _, err := strconv.Atoi(l.value); return err != nil })
		slices.SortFunc(ls, func(x, y label) int {
			if numeric {
				a, _ := strconv.Atoi(x.value)
				b, _ := strconv.Atoi(y.value)
				return a - b
			}
			if d := c.labels[y] - c.labels[x]; d != 0 {
				return d
			}
			return strings.Compare(x.value, y.value)
		})
		fmt.Fprintf(b, "    %s\n", name)
		for i, l := range ls {
			if i == labelsShown {
				fmt.Fprintf(b, "        and %d more values\n", len(ls)-i)
				break
			}
			fmt.Fprintf(b, "        %5.1f %%  %s\n", 100*float64(c.labels[l])/float64(total[name]), l.value)
		}
	}
}

// number groups digits: 12,345.
func number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// count is a number of things: 1 node, 2 nodes.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return number(n) + " " + thing + "s"
}
