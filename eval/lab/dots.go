package lab

import (
	"bytes"
	"fmt"
	"html"
	"math"
	"slices"
)

// Dots is a plot of ratios: a horizontal band for each row, with a mark for each
// series, on a logarithmic axis. Marks differ in shape as well as in colour.
type Dots struct {
	Title, Axis string
	Rows        []string // from top to bottom; the last row is the mean, and has a line above it
	Series      []Series
}

// Series is a column of values, one for each row.
type Series struct {
	Name   string
	Values []float64
}

// Dimensions of the plot, in pixels.
const (
	dotsWidth  = 900
	dotsLeft   = 190 // start of the axis; names of rows are to the left of it
	dotsRight  = 870
	dotsTop    = 84 // top of the first band
	dotsBand   = 34
	dotsSpread = 4.5 // vertical distance between two series in a band
	dotsFoot   = 56
	legendGap  = 42  // space between two names of the legend, including a mark
	letter     = 6.9 // approximate width of a letter
)

// ticks are the numbers that an axis of ratios can show. An axis shows those in its
// range.
var ticks = []float64{0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 7, 10, 20, 50, 100}

// marks are the shapes of the series in SVG, drawn around the origin. Colours are those
// of Okabe and Ito, which people with any kind of colour vision can distinguish.
var marks = []string{
	`<circle r="4" fill="#fff" stroke="#888" stroke-width="1.6"/>`,
	`<circle r="5" fill="#d55e00"/>`,
	`<path d="M0-5.5L5.5 0L0 5.5L-5.5 0Z" fill="#e69f00"/>`,
	`<path d="M0-5.5L5.2 4.2H-5.2Z" fill="#0072b2"/>`,
	`<rect x="-4" y="-4" width="8" height="8" fill="#009e73"/>`,
	`<path d="M-4-4L4 4M4-4L-4 4" stroke="#cc79a7" stroke-width="2.4"/>`,
}

// SVG draws the plot. All rows must have a value in all series.
func (d Dots) SVG() []byte {
	if len(d.Series) > len(marks) {
		panic("lab: more series than kinds of marks")
	}
	var out bytes.Buffer
	bottom := dotsTop + dotsBand*len(d.Rows)
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" `+
		`font-family="Helvetica, Arial, sans-serif" font-size="13" fill="#222">`+"\n",
		dotsWidth, bottom+dotsFoot, dotsWidth, bottom+dotsFoot)
	fmt.Fprintf(&out, `<rect width="100%%" height="100%%" fill="#fff"/>`+"\n")
	fmt.Fprintf(&out, `<text x="20" y="28" font-size="17" font-weight="bold">%s</text>`+"\n", html.EscapeString(d.Title))
	at := 30.0
	for i, s := range d.Series {
		fmt.Fprintf(&out, `<g transform="translate(%.0f 56)">%s<text x="11" y="4.5">%s</text></g>`+"\n",
			at, marks[i], html.EscapeString(s.Name))
		at += letter*float64(len(s.Name)) + legendGap
	}
	x := d.scale()
	d.axis(&out, x, bottom)
	for i, row := range d.Rows {
		d.band(&out, x, i, row)
	}
	out.WriteString("</svg>\n")
	return out.Bytes()
}

// scale returns a function that maps values to pixels. The axis has room on both
// sides and always includes 1.
func (d Dots) scale() func(float64) float64 {
	low, high := 1.0, 1.0
	for _, s := range d.Series {
		low, high = min(low, slices.Min(s.Values)), max(high, slices.Max(s.Values))
	}
	from, to := math.Log(low*0.95), math.Log(high*1.05)
	return func(v float64) float64 {
		return dotsLeft + (dotsRight-dotsLeft)*(math.Log(v)-from)/(to-from)
	}
}

// tickGap is the minimal distance between two numbers below the axis.
const tickGap = 30

func (d Dots) axis(out *bytes.Buffer, x func(float64) float64, bottom int) {
	last := math.Inf(-1)
	for _, tick := range ticks {
		at := x(tick)
		if at < dotsLeft || at > dotsRight || at-last < tickGap {
			continue
		}
		last = at
		colour := "#e4e4e4"
		if tick == 1 {
			colour = "#888"
		}
		fmt.Fprintf(out, `<path d="M%.1f %dV%d" stroke="%s"/><text x="%.1f" y="%d" text-anchor="middle" fill="#555">%v</text>`+"\n",
			at, dotsTop, bottom, colour, at, bottom+19, tick)
	}
	fmt.Fprintf(out, `<text x="%d" y="%d" text-anchor="middle" fill="#555">%s</text>`+"\n",
		(dotsLeft+dotsRight)/2, bottom+41, html.EscapeString(d.Axis))
}

// band draws one row. Each series is drawn a little below the previous one, because
// many values are close together.
func (d Dots) band(out *bytes.Buffer, x func(float64) float64, i int, row string) {
	top := dotsTop + i*dotsBand
	weight := "normal"
	if i == len(d.Rows)-1 {
		weight = "bold"
		fmt.Fprintf(out, `<path d="M16 %dH%d" stroke="#888"/>`+"\n", top, dotsRight)
	}
	if i%2 == 0 {
		fmt.Fprintf(out, `<rect x="16" y="%d" width="%d" height="%d" fill="#000" fill-opacity="0.035"/>`+"\n", top, dotsRight-16, dotsBand)
	}
	fmt.Fprintf(out, `<text x="24" y="%d" font-weight="%s">%s</text>`+"\n", top+dotsBand/2+5, weight, html.EscapeString(row))
	for k := len(d.Series) - 1; k >= 0; k-- { // draw the first series last, on top
		y := float64(top) + dotsBand/2 + (float64(k)-float64(len(d.Series)-1)/2)*dotsSpread
		fmt.Fprintf(out, `<g transform="translate(%.1f %.1f)">%s</g>`+"\n", x(d.Series[k].Values[i]), y, marks[k])
	}
}
