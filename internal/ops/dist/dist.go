// Package dist is what a test binary tells about the inputs of one property: how
// often each constructor comes, and how large inputs are.
//
// The binary knows the types and does the counting; the command knows how to show
// it. Between them goes one JSON object:
//
//	data, err := dist.Encode(d)  // test binary
//	d, err := dist.Decode(data)  // command
//
// The same inputs are made in several ways, called views: as the property declares
// it, with even odds, and with tuned odds. Whatever is counted has a number for each
// of them, in the same order.
package dist

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/bits"
)

// Format is the number of the format that this package writes, and the highest that
// it reads. Fields may be added to a format; one that gets another meaning needs a
// new number.
const Format = 1

// ErrNewer is in the error for a distribution of a newer format.
var ErrNewer = errors.New("written by a newer allele; update the command")

// Dist is how the inputs of a property are distributed.
type Dist struct {
	Format   int      `json:"v"`
	Package  string   `json:"package"`
	External bool     `json:"external,omitempty"` // the property is in its package of external tests
	Property string   `json:"property"`
	Type     string   `json:"type"` // of its inputs
	Seed     uint64   `json:"seed"`
	Size     int      `json:"size"`   // of the largest inputs, where sizes are split
	Depth    int      `json:"depth"`  // in levels, where constructors are chosen by odds
	Wanted   int      `json:"wanted"` // inputs for each view
	Goal     string   `json:"goal"`   // options that the tuned odds follow
	Maps     bool     `json:"maps"`   // there are some, so that predicted sizes are bounds from above
	Notes    []string `json:"notes,omitempty"`
	Views    []View   `json:"views"`
	Types    []Type   `json:"types"`
}

// Names of views. One that has goals of its own has no Tuned: it is Declared.
const (
	Declared = "declared"
	Even     = "even"
	Tuned    = "tuned"
)

// View is one way to make inputs.
type View struct {
	Name   string `json:"name"`
	How    string `json:"how"`    // in words
	Exact  bool   `json:"exact"`  // predictions are of this way; otherwise of odds alone
	Inputs int    `json:"inputs"` // made; fewer than wanted if they are huge
	Cut    int    `json:"cut,omitempty"`
	Cells  Pair   `json:"cells"`  // mean size
	Sizes  []Bin  `json:"sizes"`  // in cells
	Depths []Bin  `json:"depths"` // cells that lie in each other
}

// Pair is what was predicted for an input on average, and what was seen.
type Pair struct {
	Predicted float64 `json:"predicted"`
	Seen      float64 `json:"seen"`
}

// Off is how far a prediction is off: 0.1 if a tenth more was seen.
func (p Pair) Off() float64 {
	if p.Predicted == p.Seen {
		return 0
	}
	return (p.Seen - p.Predicted) / max(p.Predicted, 1e-12)
}

// Type is a type and the ways to begin a value of it.
type Type struct {
	Name string `json:"name"`
	Ways []Way  `json:"ways"`

	// Go is the type as the package of the property writes it, and Imports the
	// packages that it needs, from paths to names. It is empty for a type that has no
	// weights, or that cannot be named there.
	Go      string            `json:"go,omitempty"`
	Imports map[string]string `json:"imports,omitempty"`
}

// Kinds of ways.
const (
	Constructor = "constructor"
	Builder     = "builder"
	Pattern     = "pattern"
	Functions   = "functions" // the step from an interface to the functions that make it
	Plain       = "plain"     // a list or scalar that follows no pattern
)

// Way is a constructor, builder or pattern.
type Way struct {
	Name   string  `json:"name,omitempty"` // "Type.Constructor", as Distribution.Proportions takes it
	Label  string  `json:"label"`          // within its type
	Kind   string  `json:"kind"`
	Weight string  `json:"weight,omitempty"` // name that allele.Weight takes for it, and for nothing else
	Odds   float64 `json:"odds"`             // among the ways of its type, tuned
	Counts []Pair  `json:"counts"`
}

// Bin is how many inputs have a number From to To.
type Bin struct {
	From   int `json:"from"`
	To     int `json:"to"`
	Inputs int `json:"inputs"`
}

// Numbers below binsExact have a bin each; above that, each doubling has binsDouble.
// So whoever wants fewer can put whole bins together.
const (
	binsExact  = 64
	binsDouble = 4
)

// Histogram counts numbers.
type Histogram struct{ bins []Bin }

// Add counts a number that is not negative.
func (h *Histogram) Add(n int) {
	at, bin := n, Bin{From: n, To: n}
	if n >= binsExact {
		doubling := bits.Len(uint(n)) - bits.Len(uint(binsExact))
		width := binsExact << doubling / binsDouble
		part := n/width - binsDouble
		at = binsExact + doubling*binsDouble + part
		bin.From = n / width * width
		bin.To = bin.From + width - 1
	}
	for at >= len(h.bins) {
		h.bins = append(h.bins, Bin{})
	}
	bin.Inputs = h.bins[at].Inputs + 1
	h.bins[at] = bin
}

// Bins are those that are not empty, in order.
func (h *Histogram) Bins() []Bin {
	some := []Bin{}
	for _, b := range h.bins {
		if b.Inputs > 0 {
			some = append(some, b)
		}
	}
	return some
}

// Bounds of what is read. A name is longer than this only in generated code, and is cut.
const (
	ViewsMax = 4
	TextMax  = 500
	BytesMax = 64 << 20 // 65,536 types is all there can be; this is a thousand bytes for each
)

// Encode writes a distribution.
func Encode(d Dist) ([]byte, error) {
	d.Format = Format
	for i := range d.Views {
		d.Views[i].Cells = d.Views[i].Cells.finite()
	}
	for _, t := range d.Types {
		for _, w := range t.Ways {
			for i := range w.Counts {
				w.Counts[i] = w.Counts[i].finite()
			}
		}
	}
	return json.MarshalIndent(d, "", "\t")
}

// finite is the pair as JSON can have it: with odds that let terms grow, a thousand
// levels are more than a float64 holds.
func (p Pair) finite() Pair {
	if !(p.Predicted <= math.MaxFloat64) {
		p.Predicted = math.MaxFloat64
	}
	return p
}

// Decode reads a distribution that may come from anybody, and refuses one that
// cannot be shown.
func Decode(data []byte) (d Dist, err error) {
	if len(data) > BytesMax {
		return Dist{}, fmt.Errorf("distribution of %d bytes; at most %d are read", len(data), BytesMax)
	}
	var head struct {
		Format int `json:"v"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return Dist{}, fmt.Errorf("distribution: %w", err)
	}
	if head.Format != Format {
		return Dist{}, fmt.Errorf("distribution format %d: %w", head.Format, ErrNewer)
	}
	if err := json.Unmarshal(data, &d); err != nil {
		return Dist{}, fmt.Errorf("distribution: %w", err)
	}
	if err := d.check(); err != nil {
		return Dist{}, fmt.Errorf("distribution: %w", err)
	}
	return d, nil
}

func (d *Dist) check() error {
	if len(d.Views) == 0 || len(d.Views) > ViewsMax {
		return fmt.Errorf("%d views; want 1 to %d", len(d.Views), ViewsMax)
	}
	texts := append([]string{d.Package, d.Property, d.Type, d.Goal}, d.Notes...)
	for _, v := range d.Views {
		texts = append(texts, v.Name, v.How)
		if v.Inputs <= 0 || v.Cells.bad() {
			return fmt.Errorf("view %q: it has %d inputs of mean size %v", v.Name, v.Inputs, v.Cells.Seen)
		}
		if badBins(v.Sizes, v.Inputs) || badBins(v.Depths, v.Inputs) {
			return fmt.Errorf("view %q: its histograms do not add up to %d inputs", v.Name, v.Inputs)
		}
	}
	for _, t := range d.Types {
		texts = append(texts, t.Name, t.Go)
		for path, name := range t.Imports {
			texts = append(texts, path, name)
		}
		for _, w := range t.Ways {
			texts = append(texts, w.Name, w.Label, w.Kind, w.Weight)
			if len(w.Counts) != len(d.Views) || w.Odds < 0 || w.Odds > 1 {
				return fmt.Errorf("%q: it has %d counts and odds of %v; want %d, and 0 to 1", w.Label, len(w.Counts), w.Odds, len(d.Views))
			}
			for _, p := range w.Counts {
				if p.bad() {
					return fmt.Errorf("%q: a count is negative", w.Label)
				}
			}
		}
	}
	for _, text := range texts {
		if len(text) > TextMax {
			return fmt.Errorf("a text of %d bytes; want at most %d", len(text), TextMax)
		}
	}
	return nil
}

func (p Pair) bad() bool { return p.Predicted < 0 || p.Seen < 0 }

// badBins reports whether bins are not in order, or do not add up.
func badBins(bins []Bin, inputs int) bool {
	next, left := 0, inputs
	for _, b := range bins {
		if b.From < next || b.To < b.From || b.To >= math.MaxInt32 || b.Inputs <= 0 || b.Inputs > left {
			return true
		}
		next, left = b.To+1, left-b.Inputs
	}
	return left != 0
}
