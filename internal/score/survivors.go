//go:build go1.25

package score

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/score/diff"
	"github.com/allele-go/allele/internal/words"
)

// shownMax is how many groups are printed without -all.
const shownMax = 20

// survivors prints the faults that are alive, the most likely gaps in the tests first, then where
// the others are, and then what to do about them.
func (t *text) survivors() {
	all := t.alive()
	if len(all) == 0 {
		return
	}
	groups := ranked(all)
	shown := groups
	if !t.All && len(groups) > shownMax {
		shown = shown[:shownMax]
	}
	for _, g := range shown {
		t.line("")
		t.group(g)
	}
	rest := 0
	for _, g := range groups[len(shown):] {
		rest += g.faults()
	}
	if rest > 0 {
		t.line("\nand %s; -all prints all of them", words.Count(rest, "more fault"))
	}
	t.table()
	t.advice(all)
}

// alive returns the survivors, by package and place.
func (t *text) alive() (all []survivor) {
	for i := range t.report.Packages {
		p := &t.report.Packages[i]
		unreached := map[string]int{} // function -> its index in all
		for j, r := range p.Results {
			if !r.Alive() {
				continue
			}
			s := t.survivor(p, j)
			if r.Kind == fate.NotReached && !t.All {
				function := s.fault.File + "\x00" + s.fault.Func
				if at, ok := unreached[function]; ok {
					all[at].faults++
					all[at].last = max(all[at].last, s.last)
					continue
				}
				unreached[function] = len(all)
			}
			all = append(all, s)
		}
	}
	return all
}

// survivor returns the fault of a package with an index.
func (t *text) survivor(p *Package, i int) survivor {
	s := survivor{fault: p.Faults[i], result: p.Results[i], of: p, faults: 1}
	s.change, s.exact = t.change(s)
	s.last = s.line()
	return s
}

// change returns the lines that a fault changes. It returns false if the file is not the one that
// was judged; then the lines are those of the change alone.
func (t *text) change(s survivor) (c diff.Change, ok bool) {
	f, read := t.sources[s.fault.File]
	if !read && t.Source != nil {
		if data, err := t.Source(s.fault.File); err == nil {
			f = diff.Read(data)
		}
		t.sources[s.fault.File] = f
	}
	if f != nil {
		if c, ok = f.Change(s.fault.Edit); ok {
			return c, true
		}
	}
	if c.Old = diff.Text(s.fault.From); s.fault.To != deleted {
		c.New = diff.Text(s.fault.To)
	}
	return c, false
}

// deleted is what To of a fault is if a statement is deleted.
const deleted = "(deleted)"

const (
	signWidth = 4 // in front of a line of a change
	whyWidth  = 6 // and of the text below it
	// changesMax is how many changes of a line are printed. If that many survive, the line does not
	// matter to the tests, and the other changes say the same.
	changesMax = 4
	// linesMax is how many lines of a change are printed. A statement that is deleted may be
	// a function of a hundred lines.
	linesMax = 6
)

// group prints a line of code, its changes, and the verdicts on them.
func (t *text) group(g group) {
	first := g.all[0]
	t.line("%s  %s", t.paint(bold, fmt.Sprintf("%s:%d", words.Printable(t.relative(first.fault.File)), first.line())),
		t.paint(faint, cmp.Or(words.Printable(first.fault.Func), "the package")))
	shown := g.all
	if !t.All && len(shown) > changesMax {
		shown = shown[:changesMax-1]
	}
	last, shows, said := "", "", ""
	for _, s := range shown {
		if s.faults > 1 {
			t.indented(s.why())
			continue
		}
		if old := t.signed("-", "", s.change.Old); old != last { // whatever is painted
			t.WriteString(t.signed("-", red, s.change.Old))
			last = old
		}
		t.WriteString(t.signed("+", green, s.change.New))
		why := s.why()
		if why == said && !t.All {
			why = "the same"
		} else {
			said = why
		}
		t.indented(s.of.key(s.fault) + " " + s.fault.Operator + " · " + why)
		if s.result.Kind == fate.Survived && s.result.Input != "" && s.result.Input != shows && !t.one {
			shows = s.result.Input
			t.line("%s%s", blank(whyWidth), words.Cut("for example "+flat(shows), t.Columns-whyWidth))
		}
	}
	if rest := len(g.all) - len(shown); rest > 0 {
		t.indented("and " + words.Count(rest, "more change") + " of this line; -all prints all of them")
	}
}

// signed returns lines behind a sign.
func (t *text) signed(sign, colour string, lines []diff.Line) string {
	most := len(lines)
	if !t.All && most > linesMax {
		most = linesMax - 1
	}
	out := ""
	for _, l := range lines[:most] {
		line := ""
		for _, p := range l.Fit(t.Columns - signWidth) {
			if p.Changed {
				line += t.paint(colour, p.Text)
			} else {
				line += p.Text
			}
		}
		out += strings.TrimRight("  "+t.paint(colour, sign)+" "+line, " ") + "\n"
	}
	if most < len(lines) {
		out += fmt.Sprintf("  %s … %s more\n", sign, words.Count(len(lines)-most, "line"))
	}
	return out
}

// indented prints a text below a change.
func (t *text) indented(s string) {
	for _, line := range wrap(s, t.Columns-whyWidth) {
		t.line("%s%s", blank(whyWidth), line)
	}
}
