package lab

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
)

var dots = Dots{Title: "Cost", Axis: "times <plain>", Rows: []string{"json", "a & b"},
	Series: []Series{{"one", []float64{1, 1.5}}, {"two", []float64{2, 4}}}}

func TestDots(t *testing.T) {
	svg := string(dots.SVG())
	for dec := xml.NewDecoder(strings.NewReader(svg)); ; {
		if _, err := dec.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("not XML: %v\n%s", err, svg)
		}
	}
	for _, text := range []string{">Cost<", ">times &lt;plain&gt;<", ">json<", ">a &amp; b<", ">one<", ">two<", ">1.5<", ">4<"} {
		if !strings.Contains(svg, text) {
			t.Errorf("no %s in\n%s", text, svg)
		}
	}
	if strings.Contains(svg, ">10<") {
		t.Error("a tick beyond the axis is shown")
	}
	// Two marks in the legend, four in the bands.
	if got := len(regexp.MustCompile(`<g transform`).FindAllString(svg, -1)); got != 6 {
		t.Errorf("%d marks", got)
	}
}

// Equal ratios are equally far apart.
func TestDotsScale(t *testing.T) {
	x := dots.scale()
	if a, b := x(2)-x(1), x(4)-x(2); a-b > 1e-9 || b-a > 1e-9 {
		t.Errorf("from 1 to 2 it is %v, from 2 to 4 %v", a, b)
	}
	if x(1) < dotsLeft || x(4) > dotsRight {
		t.Errorf("1 lies at %v and 4 at %v", x(1), x(4))
	}
}

func TestGeomean(t *testing.T) {
	if got := Geomean([]float64{0.5, 2, 8}); got < 1.9999 || got > 2.0001 {
		t.Errorf("mean %v", got)
	}
}

func TestCPUWithChildren(t *testing.T) {
	if own, all := CPU(), CPUWithChildren(); all < own {
		t.Errorf("%v with children is less than %v", all, own)
	}
}
