package lab

import (
	"bytes"
	"fmt"
	"html"
	"math"
)

// Curves is a plot of cumulative shares (an inverted survival plot). It shows which share
// of trials has succeeded after how many runs, on a logarithmic axis.
type Curves struct {
	Title, Axis string
	Max         float64 // the largest value of the axis
	Series      []Curve
}

// Curve is one line: the sorted values at which trials succeeded, and the number of
// all trials.
type Curve struct {
	Name string
	At   []float64
	Of   int
}

// Dimensions of the plot, in pixels.
const (
	curvesWidth  = 960
	curvesHeight = 480
	curvesLeft   = 60
	curvesRight  = 690 // right end of the axis; names are to the right of it
	curvesTop    = 50
	curvesBottom = 420
	nameStep     = 17
)

// colours are those of Okabe and Ito. Dashes distinguish the lines where there are no
// colours.
var colours = []string{"#d55e00", "#0072b2", "#009e73", "#e69f00", "#56b4e9", "#cc79a7", "#888888", "#000000", "#7f3c8d", "#80ba5a"}
var dashes = []string{"", "7 3", "2 3", "10 3 2 3", "", "7 3", "2 3", "10 3 2 3", "", "7 3"}

// SVG draws the plot.
func (c Curves) SVG() []byte {
	if len(c.Series) > len(colours) {
		panic("lab: more curves than colours")
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" `+
		`font-family="Helvetica, Arial, sans-serif" font-size="13" fill="#222">`+"\n",
		curvesWidth, curvesHeight, curvesWidth, curvesHeight)
	fmt.Fprintf(&out, `<rect width="100%%" height="100%%" fill="#fff"/><text x="%d" y="26" font-size="16">%s</text>`+"\n",
		curvesLeft, html.EscapeString(c.Title))
	c.grid(&out)
	for i, s := range c.Series {
		fmt.Fprintf(&out, `<path fill="none" stroke="%s" stroke-width="2" stroke-dasharray="%s" d="%s"/>`+"\n",
			colours[i], dashes[i], c.path(s))
		y := curvesTop + 4 + i*nameStep
		fmt.Fprintf(&out, `<line x1="%d" x2="%d" y1="%d" y2="%d" stroke="%s" stroke-width="2" stroke-dasharray="%s"/>`,
			curvesRight+12, curvesRight+40, y-4, y-4, colours[i], dashes[i])
		fmt.Fprintf(&out, `<text x="%d" y="%d">%s %d/%d</text>`+"\n", curvesRight+46, y, html.EscapeString(s.Name), len(s.At), s.Of)
	}
	out.WriteString("</svg>\n")
	return out.Bytes()
}

func (c Curves) x(v float64) float64 {
	return curvesLeft + (curvesRight-curvesLeft)*math.Log10(max(v, 1))/math.Log10(c.Max)
}

func (c Curves) y(share float64) float64 {
	return curvesBottom - (curvesBottom-curvesTop)*share
}

func (c Curves) grid(out *bytes.Buffer) {
	for v := 1.0; v <= c.Max; v *= 10 {
		fmt.Fprintf(out, `<line x1="%.1f" x2="%.1f" y1="%d" y2="%d" stroke="#e4e4e4"/>`+
			`<text x="%.1f" y="%d" text-anchor="middle">%s</text>`+"\n",
			c.x(v), c.x(v), curvesTop, curvesBottom, c.x(v), curvesBottom+20, short(v))
	}
	for share := 0; share <= 100; share += 25 {
		y := c.y(float64(share) / 100)
		fmt.Fprintf(out, `<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#e4e4e4"/>`+
			`<text x="%d" y="%.1f" text-anchor="end">%d %%</text>`+"\n",
			curvesLeft, curvesRight, y, y, curvesLeft-8, y+4, share)
	}
	fmt.Fprintf(out, `<text x="%d" y="%d" text-anchor="middle">%s</text>`+"\n",
		(curvesLeft+curvesRight)/2, curvesBottom+44, html.EscapeString(c.Axis))
}

// path returns an SVG path that goes up one step for each success.
func (c Curves) path(s Curve) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "M%d %d", curvesLeft, curvesBottom)
	for i, v := range s.At {
		fmt.Fprintf(&b, "H%.1fV%.1f", c.x(v), c.y(float64(i+1)/float64(max(1, s.Of))))
	}
	fmt.Fprintf(&b, "H%d", curvesRight)
	return b.String()
}
