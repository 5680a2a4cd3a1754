package lab

import (
	"bytes"
	"fmt"
	"html"
	"math"
)

// Lines is a plot of values over time: panels below each other with a common time
// axis, each with its own scale starting at 0, and moments that are marked in all
// panels.
type Lines struct {
	Title, Axis string
	Panels      []Panel
	Moments     []Moment
}

// Panel is a group of lines that share a scale.
type Panel struct {
	Name string // what is measured, with its unit
	Of   []Line
}

// Line is a series of values To at the times At. A NaN interrupts the line. Within has
// the half-width of each value's error bar, or is nil.
type Line struct {
	Name   string
	At, To []float64
	Within []float64
}

// Moment is an event at a point in time.
type Moment struct {
	Name string
	At   float64
}

// Dimensions of the plot, in pixels.
const (
	linesWidth  = 960
	linesLeft   = 70
	linesRight  = 760 // right end of the axis; names are to the right of it
	linesTop    = 74
	linesPanel  = 170 // height of a panel
	linesGap    = 44  // space between panels, for the name of the lower panel
	linesFoot   = 56
	linesStepsX = 10 // approximate number of labels on an axis
	linesStepsY = 4
)

// SVG draws the plot.
func (l Lines) SVG() []byte {
	var out bytes.Buffer
	bottom := linesTop + len(l.Panels)*(linesPanel+linesGap) - linesGap
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" `+
		`font-family="Helvetica, Arial, sans-serif" font-size="13" fill="#222">`+"\n",
		linesWidth, bottom+linesFoot, linesWidth, bottom+linesFoot)
	fmt.Fprintf(&out, `<rect width="100%%" height="100%%" fill="#fff"/><text x="%d" y="28" font-size="16">%s</text>`+"\n",
		linesLeft, html.EscapeString(l.Title))
	last := l.last()
	x := func(at float64) float64 { return linesLeft + (linesRight-linesLeft)*at/last }
	for i, p := range l.Panels {
		p.draw(&out, x, linesTop+i*(linesPanel+linesGap), last)
	}
	for v := 0.0; v <= last; v += step(last, linesStepsX) {
		fmt.Fprintf(&out, `<text x="%.1f" y="%d" text-anchor="middle">%s</text>`+"\n", x(v), bottom+20, short(v))
	}
	for _, m := range l.Moments {
		fmt.Fprintf(&out, `<path d="M%.1f %dV%d" stroke="#888" stroke-dasharray="4 3"/>`+
			`<text x="%.1f" y="%d" text-anchor="middle" fill="#555">%s</text>`+"\n",
			x(m.At), linesTop-8, bottom, x(m.At), linesTop-14, html.EscapeString(m.Name))
	}
	fmt.Fprintf(&out, `<text x="%d" y="%d" text-anchor="middle">%s</text>`+"\n</svg>\n",
		(linesLeft+linesRight)/2, bottom+44, html.EscapeString(l.Axis))
	return out.Bytes()
}

// last returns the end of the time axis.
func (l Lines) last() float64 {
	last := 0.0
	for _, p := range l.Panels {
		for _, line := range p.Of {
			for _, at := range line.At {
				last = max(last, at)
			}
		}
	}
	if last == 0 {
		return 1 // an empty plot; avoid a division by zero
	}
	return last
}

// most returns the upper end of a panel's scale. It is not below any value, and is itself
// one of the labels.
func (p Panel) most() float64 {
	most := 0.0
	for _, line := range p.Of {
		for i, v := range line.To {
			if line.Within != nil {
				v += line.Within[i]
			}
			if v > most { // false for NaN
				most = v
			}
		}
	}
	by := step(most, linesStepsY)
	return by * max(1, math.Ceil(most/by))
}

// step returns a round number that divides the length into about the given number of
// parts.
func step(length float64, parts int) float64 {
	if length <= 0 {
		return 1
	}
	rough := length / float64(parts)
	size := math.Pow(10, math.Floor(math.Log10(rough)))
	for _, by := range []float64{1, 2, 5} {
		if by*size >= rough {
			return by * size
		}
	}
	return 10 * size
}

func (p Panel) draw(out *bytes.Buffer, x func(float64) float64, top int, last float64) {
	if len(p.Of) > len(colours) {
		panic("lab: more lines than colours")
	}
	most := p.most()
	y := func(v float64) float64 { return float64(top) + linesPanel*(1-v/most) }
	by := step(most, linesStepsY)
	for i := range 1 + int(math.Round(most/by)) {
		v := by * float64(i)
		fmt.Fprintf(out, `<path d="M%d %.1fH%d" stroke="#e4e4e4"/><text x="%d" y="%.1f" text-anchor="end">%s</text>`+"\n",
			linesLeft, y(v), linesRight, linesLeft-8, y(v)+4, short(v))
	}
	for v := 0.0; v <= last; v += step(last, linesStepsX) {
		fmt.Fprintf(out, `<path d="M%.1f %dV%d" stroke="#e4e4e4"/>`, x(v), top, top+linesPanel)
	}
	fmt.Fprintf(out, `<text x="%d" y="%d" font-weight="bold">%s</text>`+"\n", linesLeft, top-8, html.EscapeString(p.Name))
	for i, line := range p.Of {
		fmt.Fprintf(out, `<path fill="none" stroke="%s" stroke-width="1.6" stroke-dasharray="%s" d="%s"/>`+"\n",
			colours[i], dashes[i], line.path(x, y))
		if line.Within != nil {
			fmt.Fprintf(out, `<path stroke="%s" stroke-width="1.2" d="%s"/>`+"\n", colours[i], line.bars(x, y))
		}
		at := top + 14 + i*nameStep
		fmt.Fprintf(out, `<path d="M%d %dH%d" stroke="%s" stroke-width="2" stroke-dasharray="%s"/><text x="%d" y="%d">%s</text>`+"\n",
			linesRight+12, at-4, linesRight+40, colours[i], dashes[i], linesRight+46, at, html.EscapeString(line.Name))
	}
}

func (l Line) path(x, y func(float64) float64) string {
	var b bytes.Buffer
	letter := "M"
	for i, at := range l.At {
		if math.IsNaN(l.To[i]) {
			letter = "M"
			continue
		}
		fmt.Fprintf(&b, "%s%.1f %.1f", letter, x(at), y(l.To[i]))
		letter = "L"
	}
	return b.String()
}

// barWidth is half the width of the short lines at the ends of an error bar.
const barWidth = 3

func (l Line) bars(x, y func(float64) float64) string {
	var b bytes.Buffer
	for i, at := range l.At {
		if math.IsNaN(l.To[i]) {
			continue
		}
		low, high := y(l.To[i]-l.Within[i]), y(l.To[i]+l.Within[i])
		fmt.Fprintf(&b, "M%.1f %.1fH%.1fM%.1f %.1fV%.1fM%.1f %.1fH%.1f",
			x(at)-barWidth, low, x(at)+barWidth, x(at), low, high, x(at)-barWidth, high, x(at)+barWidth)
	}
	return b.String()
}
