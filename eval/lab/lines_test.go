package lab

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
)

func TestLines(t *testing.T) {
	svg := string(Lines{Title: "Memory", Axis: "minutes & more",
		Panels: []Panel{
			{"MB", []Line{{"all <of them>", []float64{0, 5, 10, 20}, []float64{10, math.NaN(), 30, 80}, nil}, {"one", []float64{0, 20}, []float64{0, 0}, nil}}},
			{"nothing", []Line{{"idle", []float64{0, 20}, []float64{0, 0}, nil}}},
		},
		Moments: []Moment{{"killed", 10}}}.SVG())
	for dec := xml.NewDecoder(strings.NewReader(svg)); ; {
		if _, err := dec.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("not XML: %v\n%s", err, svg)
		}
	}
	for _, text := range []string{">Memory<", ">minutes &amp; more<", ">all &lt;of them&gt;<", ">one<", ">killed<", ">nothing<",
		">80<", `d="M70.0 222.8M415.0 180.2L760.0 74.0"`, `d="M415.0 66V458"`} {
		if !strings.Contains(svg, text) {
			t.Errorf("no %s in\n%s", text, svg)
		}
	}
	if strings.Contains(svg, "NaN") {
		t.Error("NaN is drawn")
	}
}

// Error bars are drawn at their values, with ends, and the scale has room for them.
func TestLinesBars(t *testing.T) {
	line := Line{"paths", []float64{0, 5, 10}, []float64{20, math.NaN(), 80}, []float64{0, 0, 20}}
	svg := string(Lines{Panels: []Panel{{"a", []Line{line}}}}.SVG())
	if bars := `d="M67.0 210.0H73.0M70.0 210.0V210.0M67.0 210.0H73.0M757.0 142.0H763.0M760.0 142.0V74.0M757.0 74.0H763.0"`; !strings.Contains(svg, bars) {
		t.Errorf("no %s in\n%s", bars, svg)
	}
	line.Within = nil
	if svg := string(Lines{Panels: []Panel{{"a", []Line{line}}}}.SVG()); strings.Contains(svg, "M67.0") {
		t.Error("bars are drawn for a line without them")
	}
}

// An empty plot is valid.
func TestLinesEmpty(t *testing.T) {
	svg := string(Lines{Panels: []Panel{{"MB", nil}}}.SVG())
	if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
		t.Error(svg)
	}
}

func TestStep(t *testing.T) {
	for _, c := range []struct {
		length float64
		parts  int
		want   float64
	}{
		{100, 10, 10}, {60, 10, 10}, {24, 10, 5}, {24, 4, 10}, {3600, 10, 500}, {0.5, 4, 0.2}, {0, 4, 1},
	} {
		if got := step(c.length, c.parts); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%v in %d parts: steps of %v, want %v", c.length, c.parts, got, c.want)
		}
	}
}
