//go:build go1.25

package chart

import (
	"fmt"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/proc/dist"
	"github.com/allele-go/allele/internal/words"
)

// Style describes how to draw on a terminal.
type Style struct {
	Columns int    // width of the terminal; 0 means 80
	Colour  bool   // use colours; they show nothing that the text does not show
	All     bool   // show all types and ways, however many
	Command string // arguments of allele dist, for the suggested steps
}

// The width of lines is from columnsLeast to columnsMost. A narrower terminal wraps
// them. In wider lines the bars of a view would be too far from its name.
const (
	columnsUsual = 80
	columnsLeast = 64
	columnsMost  = 140
	nameLeast    = len("depth in nodes")
	nameMost     = 28
	digits       = 7 // a number of six characters, and a space
	gap          = 1 // between views
	barLeast     = 4
)

// Text draws a distribution as text.
func Text(d dist.Dist, s Style) string {
	if s.Columns == 0 {
		s.Columns = columnsUsual
	}
	s.Columns = min(max(s.Columns, columnsLeast), columnsMost)
	d = predicted(d)
	p := &printer{Style: s, dist: d}
	shown, fixed, more := tables(d, s.All)
	p.layout(shown)
	p.head()
	if len(shown) > 0 {
		p.line("")
		p.para("", "Numbers are averages per input. Bars show what was seen; each view has its own scale.", "")
	}
	for _, t := range shown {
		p.table(t)
	}
	p.others(len(shown), fixed, more)
	p.histogram("size in nodes", func(v dist.View) []dist.Bin { return v.Sizes }, p.means)
	p.histogram("depth in nodes", func(v dist.View) []dist.Bin { return v.Depths }, nil)
	if len(shown) > 0 {
		p.worst()
	}
	p.end(len(shown) > 0)
	return p.b.String()
}

// printer writes lines that are at most Columns wide.
type printer struct {
	Style
	dist dist.Dist
	b    strings.Builder
	name int // width of the names, in columns
	view int // width of a view, in columns, without the gap before it
}

// layout decides the widths: the names of ways get the columns that they need, and the
// views share the rest.
func (p *printer) layout(shown []table) {
	longest := nameLeast
	for _, t := range shown {
		for _, w := range t.Ways {
			longest = max(longest, 2+words.Width(label(w)))
		}
	}
	views := len(p.dist.Views)
	room := p.Columns - views*(gap+2*digits+1+barLeast)
	p.name = max(nameLeast, min(longest, nameMost, room))
	p.view = (p.Columns-p.name)/views - gap
}

func (p *printer) line(s string) { p.b.WriteString(strings.TrimRight(s, " ") + "\n") }

// para wraps a text into lines. Each begins with a margin, and the first line has the
// mark in the margin.
func (p *printer) para(mark, text, margin string) {
	now, empty := words.Left(mark, words.Width(margin)), true
	for _, word := range strings.Fields(text) {
		switch {
		case empty:
			now += word
		case words.Width(now)+1+words.Width(word) > p.Columns:
			p.line(now)
			now = margin + word
		default:
			now += " " + word
		}
		empty = false
	}
	p.line(now)
}

func (p *printer) paint(colour, s string) string {
	if !p.Colour || s == "" {
		return s
	}
	return "\x1b[" + colour + "m" + s + "\x1b[0m"
}

const (
	bold  = "1"
	faint = "2"
)

// head writes the title and describes the views.
func (p *printer) head() {
	d := p.dist
	p.line(words.Cut(fmt.Sprintf("%s · %d × %s · %s",
		words.Printable(d.Property), len(d.Views), words.Count(d.Wanted, "input"), words.Printable(d.Type)), p.Columns))
	p.line("")
	for _, v := range d.Views {
		p.para(words.Left(words.Printable(v.Name), len(dist.Declared)), words.Printable(v.How), blank(2+len(dist.Declared)))
	}
}

func blank(n int) string { return strings.Repeat(" ", max(0, n)) }

// titles writes the line above a table: its title and the names of the views.
func (p *printer) titles(of string) {
	line := p.paint(bold, words.Left(words.Fit(of, p.name), p.name))
	for _, v := range p.dist.Views {
		line += blank(gap) + words.Left(words.Right(words.Cut(words.Printable(v.Name), 2*digits), 2*digits), p.view)
	}
	p.line(line)
}

// columns writes the line that labels the numbers of each view.
func (p *printer) columns() {
	head := blank(p.name)
	for _, v := range p.dist.Views {
		predict := ""
		if v.Exact {
			predict = "predict"
		}
		head += blank(gap) + words.Left(words.Right(predict, digits)+words.Right("seen", digits), p.view)
	}
	p.line(p.paint(faint, strings.TrimRight(head, " ")))
}

func (p *printer) table(t table) {
	p.line("")
	if name := words.Printable(t.Name); words.Width(name) > p.name {
		p.line(p.paint(bold, words.Fit(name, p.Columns)))
		p.titles("")
	} else {
		p.titles(name)
	}
	p.columns()
	most := make([]float64, len(p.dist.Views))
	for _, w := range t.Ways {
		for i, c := range w.Counts {
			most[i] = max(most[i], c.Seen)
		}
	}
	for _, w := range t.Ways {
		name := "  " + label(w)
		if words.Width(name) > p.name { // a line of its own, because Proportions needs the whole name
			p.line(name)
			name = ""
		}
		p.row(name, w.Counts, most)
	}
	if len(t.more) > 0 {
		p.row(words.Cut(fmt.Sprintf("  %s more", words.Group(len(t.more))), p.name), rest(t.more, len(most)), nil)
	}
}

// row writes the numbers of all views. If most is not nil, row also draws bars; most
// contains the longest bar of each view.
func (p *printer) row(name string, counts []dist.Pair, most []float64) {
	line := words.Left(name, p.name)
	for i, c := range counts {
		cell := words.Right(number(c.Predicted), digits) + words.Right(number(c.Seen), digits) + " "
		if most != nil {
			cell += bar(c.Seen, most[i], p.view-words.Width(cell))
		}
		line += blank(gap) + words.Left(cell, p.view)
	}
	p.line(line)
}

// eighths are bars that are 0 to 7 eighths of a column long.
var eighths = []string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}

// bar returns a bar for x. A bar for most would fill all columns. If x is above zero,
// the bar is at least an eighth of a column long.
func bar(x, most float64, columns int) string {
	if x <= 0 || most <= 0 || columns <= 0 {
		return ""
	}
	n := max(1, int(x/most*float64(8*columns)+0.5))
	return strings.Repeat("█", n/8) + eighths[n%8]
}

// others writes which types have no table.
func (p *printer) others(shown int, fixed []string, more int) {
	if shown == 0 {
		p.line("")
		p.para("", fmt.Sprintf("There is nothing to choose: no type in %s has more than one constructor, so odds change nothing. "+
			"To give a type several constructors, use Variants, Values, Builder or Pattern.", words.Printable(p.dist.Type)), "")
		return
	}
	if len(fixed) > 0 {
		p.line("")
		p.para("", fmt.Sprintf("Types with a single constructor: %s.", some(fixed)), "")
	}
	if p.hidden(more) {
		p.line("")
		p.para("", "-all shows "+p.hiddenText(more), "")
	}
}

func (p *printer) hidden(types int) bool {
	return types > 0 || !p.All && slices.ContainsFunc(p.dist.Types, func(t dist.Type) bool { return len(t.Ways) > waysMost+1 })
}

func (p *printer) hiddenText(types int) string {
	if types > 0 {
		return words.Count(types, "more type") + " and all their constructors; -json has them too"
	}
	return "all constructors; -json has them too"
}

// namesMost is how many names a list in a sentence has at most.
const namesMost = 6

func some(names []string) string {
	short := make([]string, 0, namesMost)
	for _, n := range names[:min(len(names), namesMost)] {
		short = append(short, words.Cut(n, 40))
	}
	text := strings.Join(short, ", ")
	if more := len(names) - len(short); more > 0 {
		text += fmt.Sprintf(" and %s more", words.Group(more))
	}
	return text
}

func (p *printer) histogram(title string, of func(dist.View) []dist.Bin, first func()) {
	h := gather(p.dist.Views, of)
	p.line("")
	if p.titles(title); first != nil {
		first()
	}
	for i, r := range h.ranges {
		line := words.Left(words.Right(r.String(), min(p.name, len("128-255")+2)), p.name)
		for _, share := range h.shares {
			cell := words.Right(shareText(share[i]), digits) + " "
			line += blank(gap) + words.Left(cell+bar(share[i], slices.Max(share), p.view-words.Width(cell)), p.view)
		}
		p.line(line)
	}
}

// shareText returns a share in percent as text.
func shareText(x float64) string {
	switch {
	case x == 0:
		return "-"
	case x < 0.0005:
		return "<0.1 %"
	}
	return fmt.Sprintf("%.1f %%", 100*x)
}

// means writes the mean sizes, above the histogram of sizes.
func (p *printer) means() {
	p.columns()
	var all []dist.Pair
	for _, v := range p.dist.Views {
		all = append(all, v.Cells)
	}
	p.row("  mean", all, nil)
}

// worst writes for each view which way is furthest from its prediction.
func (p *printer) worst() {
	p.line("")
	p.line("furthest from the prediction")
	for i, v := range p.dist.Views {
		if !v.Exact {
			continue
		}
		line := "  " + words.Left(words.Printable(v.Name), len(dist.Declared)+2)
		w, found := worst(p.dist, i)
		if !found {
			p.line(line + "nothing is generated often enough to judge; try a larger -n")
			continue
		}
		c := w.Counts[i]
		text := fmt.Sprintf("%s predicted, %s seen  %s", number(c.Predicted), number(c.Seen), percent(c))
		p.line(line + words.Printable(w.Name) + "  " + text)
	}
}

// end writes the notes and the next steps.
func (p *printer) end(choices bool) {
	if all := notes(p.dist, choices); len(all) > 0 {
		p.line("")
		for _, n := range all {
			p.para("-", n, "  ")
		}
	}
	p.line("")
	for _, s := range next(p.dist, choices, p.Command) {
		p.line(words.Left(s.word, 7) + s.text)
	}
}
