//go:build go1.25

package chart

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"slices"

	"github.com/allele-go/allele/internal/proc/dist"
	"github.com/allele-go/allele/internal/words"
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{"number": number, "share": shareText}).Parse(pageText))

// Page draws a distribution as one HTML file. The page needs no other file and no
// script, and follows the light or dark setting of the reader's system. Everything that
// a bar shows is in the page as text too.
func Page(d dist.Dist) ([]byte, error) {
	d = predicted(d)
	shown, fixed, more := tables(d, false)
	d.Property, d.Type = words.Printable(d.Property), words.Printable(d.Type)
	p := page{Dist: d, Inputs: words.Group(d.Wanted), Notes: notes(d, len(shown) > 0), More: more}
	if len(fixed) > 0 {
		p.Fixed = some(fixed)
	}
	for _, t := range shown {
		p.Tables = append(p.Tables, pageTableOf(t, len(d.Views)))
	}
	for i, v := range d.Views {
		p.Worst = append(p.Worst, worstText(d, i))
		p.Means = append(p.Means, v.Cells)
	}
	if len(shown) == 0 {
		p.Worst = nil
	}
	p.Histograms = []pageHistogram{
		pageHistogramOf("Size", "nodes", d.Views, func(v dist.View) []dist.Bin { return v.Sizes }),
		pageHistogramOf("Depth", "nodes inside each other", d.Views, func(v dist.View) []dist.Bin { return v.Depths }),
	}
	var b bytes.Buffer
	err := pageTemplate.Execute(&b, p)
	return b.Bytes(), err
}

// page is the data for the template page.html.
type page struct {
	dist.Dist
	Inputs     string
	Tables     []pageTable
	Fixed      string
	More       int
	Means      []dist.Pair
	Worst      []string
	Histograms []pageHistogram
	Notes      []string
}

type pageTable struct {
	Name  string
	Rows  []pageRow
	More  int
	Rest  []dist.Pair
	Alike bool // all views are drawn on one scale
}

type pageRow struct {
	Label, Kind string
	Cells       []pageCell
}

// pageCell contains the numbers of one way in one view, and the lengths of their bars
// in percent of the longest bar.
type pageCell struct {
	dist.Pair
	PredictedWidth, SeenWidth float64
}

// alikeMost decides whether all views are drawn on one scale: the longest bar of a view
// may be at most alikeMost times the longest bar of another.
const alikeMost = 5

// beyondMost limits how much a prediction that is too high stretches the scale. It
// counts as at most beyondMost times what was seen, and its bar ends at the edge.
// Otherwise the other bars would be too short to see.
const beyondMost = 3

func pageTableOf(t table, views int) pageTable {
	out := pageTable{Name: words.Printable(t.Name), More: len(t.more), Rest: rest(t.more, views)}
	most := make([]float64, views)
	for _, w := range t.Ways {
		for i, c := range w.Counts {
			most[i] = max(most[i], c.Seen, min(c.Predicted, beyondMost*c.Seen))
		}
	}
	if longest := slices.Max(most); longest <= alikeMost*slices.Min(most) {
		out.Alike = true
		for i := range most {
			most[i] = longest
		}
	}
	for _, w := range t.Ways {
		row := pageRow{Label: label(w), Kind: w.Kind}
		for i, c := range w.Counts {
			row.Cells = append(row.Cells, pageCell{c, width(c.Predicted, most[i]), width(c.Seen, most[i])})
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

// width returns the length of a bar for x in percent of the bar for most, with one
// decimal. It is at least 0.5 if x is above zero, so that the bar is visible, and at
// most 100.
func width(x, most float64) float64 {
	if x <= 0 || most <= 0 {
		return 0
	}
	return float64(int(10*max(0.5, min(100, 100*x/most)))) / 10
}

func worstText(d dist.Dist, view int) string {
	if !d.Views[view].Exact {
		return "not predicted"
	}
	w, found := worst(d, view)
	if !found {
		return "nothing is generated often enough to judge"
	}
	c := w.Counts[view]
	return fmt.Sprintf("%s: %s predicted, %s seen, %s", words.Printable(w.Name), number(c.Predicted), number(c.Seen), percent(c))
}

// The size of the drawing of a histogram, in units of its SVG viewBox.
const (
	plotWidth, plotHeight = 300, 120
)

type pageHistogram struct {
	Title, Unit string
	Ranges      []string
	Shares      [][]float64 // Shares[r][v] is the share of the inputs of view v that are in range r
	Plots       []plot
}

type plot struct {
	View, Alt string
	Top       string  // the share of the highest bar
	TopAt     float64 // where Top is written: the middle of that bar
	Bars      []plotBar
}

type plotBar struct {
	X, Y, Width, Height float64
	Middle              float64
	Label, Title        string
}

func pageHistogramOf(title, unit string, views []dist.View, of func(dist.View) []dist.Bin) pageHistogram {
	h := gather(views, of)
	out := pageHistogram{Title: title, Unit: unit}
	for i, r := range h.ranges {
		out.Ranges = append(out.Ranges, r.String())
		var row []float64
		for _, share := range h.shares {
			row = append(row, share[i])
		}
		out.Shares = append(out.Shares, row)
	}
	for i, v := range views {
		out.Plots = append(out.Plots, plotOf(v.Name, title, h.ranges, h.shares[i]))
	}
	return out
}

func plotOf(view, title string, ranges []span, shares []float64) plot {
	most := slices.Max(shares)
	step := float64(plotWidth) / float64(len(shares))
	wide := min(0.8*step, 60) // the limit keeps bars narrow if there are only a few
	p := plot{View: view}
	for i, share := range shares {
		x, height := float64(i)*step+0.1*step, plotHeight*width(share, most)/100
		p.Bars = append(p.Bars, plotBar{X: round(x), Y: round(plotHeight - height), Width: round(wide), Height: round(height),
			Middle: round(x + wide/2), Label: ranges[i].String(), Title: ranges[i].String() + ": " + shareText(share)})
	}
	top := slices.Index(shares, most)
	p.Top, p.TopAt = shareText(most), p.Bars[top].Middle
	p.Alt = fmt.Sprintf("%s of inputs, %s: most often %v, in %s of them", title, view, ranges[top], p.Top)
	return p
}

func round(x float64) float64 { return float64(int(10*x+0.5)) / 10 }
