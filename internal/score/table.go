//go:build go1.25

package score

import (
	"cmp"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/words"
)

// row is a row of the table of functions.
type row struct {
	file, name string
	counts     Summary
}

// rowsMax is how many functions are in the table without -all.
const rowsMax = 20

// columns are the columns of the table, with what they count.
var columns = []struct {
	title string
	of    func(Summary) int
}{
	{"faults", func(s Summary) int { return s.Faults }},
	{"killed", func(s Summary) int { return s.Killed }},
	{"survived", func(s Summary) int { return s.Survived }},
	{"never infected", func(s Summary) int { return s.NotInfected }},
	{"never reached", func(s Summary) int { return s.NotReached }},
}

// table prints the counts of each file and function with survivors: where the gaps are.
func (t *text) table() {
	files, functions := rowsOf(t.report)
	shown := functions
	if !t.All && len(shown) > rowsMax {
		shown = slices.SortedStableFunc(slices.Values(shown), func(a, b row) int { return b.counts.Alive() - a.counts.Alive() })[:rowsMax]
	}
	width := 0
	for _, r := range shown {
		width = max(width, words.Width(r.name)+2)
	}
	for _, r := range files {
		width = max(width, words.Width(words.Printable(t.relative(r.file))))
	}
	used := 0
	for _, c := range columns {
		used += 2 + len(c.title)
	}
	width = max(len("where"), min(width, t.Columns-used))
	head := words.Left("where", width)
	for _, c := range columns {
		head += "  " + c.title
	}
	t.line("\n%s", t.paint(faint, head))
	for _, f := range files {
		if inside := slices.DeleteFunc(slices.Clone(shown), func(r row) bool { return r.file != f.file }); len(inside) > 0 {
			t.row(words.Printable(t.relative(f.file)), bold, width, f.counts)
			slices.SortStableFunc(inside, func(a, b row) int { return b.counts.Alive() - a.counts.Alive() })
			for _, r := range inside {
				t.row("  "+r.name, "", width, r.counts)
			}
		}
	}
	if more := len(functions) - len(shown); more > 0 {
		t.line("and %s; -all prints all of them", words.Count(more, "more function"))
	}
}

// row prints a row. A name that is too long has a line of its own.
func (t *text) row(name, colour string, width int, s Summary) {
	if words.Width(name) > width {
		t.line("%s", t.paint(colour, name))
		name = ""
	}
	line := ""
	for _, c := range columns {
		n := words.Group(c.of(s))
		if n == "0" {
			n = "·"
		}
		line += "  " + words.Right(n, len(c.title))
	}
	t.line("%s%s%s", t.paint(colour, name), strings.Repeat(" ", width-words.Width(name)), line)
}

// rowsOf returns the files and the functions that have survivors, with their counts, by package
// and name.
func rowsOf(report Report) (files, functions []row) {
	type key struct{ file, name string }
	counts := map[key]*Summary{}
	var order []key
	add := func(k key, r Result) {
		if counts[k] == nil {
			counts[k] = &Summary{KilledBy: map[string]int{}}
			order = append(order, k)
		}
		counts[k].add([]Result{r})
	}
	for i := range report.Packages {
		p := &report.Packages[i]
		for j, r := range p.Results {
			f := p.Faults[j]
			add(key{f.File, ""}, r)
			add(key{f.File, cmp.Or(words.Printable(f.Func), "the package")}, r)
		}
	}
	for _, k := range order {
		r := row{k.file, k.name, *counts[k]}
		switch {
		case r.counts.Alive() == 0:
		case r.name == "":
			files = append(files, r)
		default:
			functions = append(functions, r)
		}
	}
	return files, functions
}
