//go:build go1.25

// Package dist defines what a test binary reports about the inputs of one property: how
// often each constructor is generated, and how large inputs are. A constructor is one of
// the alternatives for a value of a type, such as a variant of an interface.
//
// The test binary contains the types, so it does the counting. The allele command shows
// the result. The binary passes the result to the command as one JSON object:
//
//	data, err := dist.Encode(d)  // test binary
//	d, err := dist.Decode(data)  // command
//
// Inputs are generated with several settings, called views: as the property declares,
// with even odds, and with tuned odds. Everything is counted once for each view, and
// all lists of counts are in the order of the views.
package dist

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/bits"
)

// Format is the number of the format that this package writes, and the highest
// that it reads. Fields may be added to a format; a field that changes its
// meaning needs a new number.
const Format = 1

// ErrNewer is wrapped by the error that Decode returns for an unknown format.
var ErrNewer = errors.New("written by a newer allele; update the command")

// Dist describes how the inputs of a property are distributed.
type Dist struct {
	Format   int      `json:"v"`
	Package  string   `json:"package"`
	External bool     `json:"external,omitempty"` // the property is in a package of external tests
	Property string   `json:"property"`
	Type     string   `json:"type"` // type of the inputs
	Seed     uint64   `json:"seed"`
	Size     int      `json:"size"`   // size of the largest inputs, if sizes are split among fields
	Depth    int      `json:"depth"`  // levels of the deepest inputs, if constructors are chosen by odds
	Wanted   int      `json:"wanted"` // number of inputs requested for each view
	Goal     string   `json:"goal"`   // options that describe the tuned odds
	Maps     bool     `json:"maps"`   // inputs contain maps, so predicted sizes are upper bounds
	Notes    []string `json:"notes,omitempty"`
	Views    []View   `json:"views"`
	Types    []Type   `json:"types"`
}

// Names of views. If a property has a goal for its odds among its options, its view
// Declared is tuned for that goal, and there is no view Tuned.
const (
	Declared = "declared"
	Even     = "even"
	Tuned    = "tuned"
)

// View is one setting for generating inputs.
type View struct {
	Name   string `json:"name"`
	How    string `json:"how"`           // description of the setting
	Exact  bool   `json:"exact"`         // predictions hold for this setting; otherwise they take only odds into account
	Inputs int    `json:"inputs"`        // number generated; fewer than wanted if inputs are huge
	Cut    int    `json:"cut,omitempty"` // number of inputs that stopped growing at the size limit
	Cells  Pair   `json:"cells"`         // mean size in nodes
	Sizes  []Bin  `json:"sizes"`         // histogram of sizes in nodes
	Depths []Bin  `json:"depths"`        // histogram of depths: how many nodes are inside each other
}

// Pair is a predicted average per input and the average that was seen.
type Pair struct {
	Predicted float64 `json:"predicted"`
	Seen      float64 `json:"seen"`
}

// Off returns the relative error of a prediction: 0.1 if 10 % more was seen than
// predicted.
func (p Pair) Off() float64 {
	if p.Predicted == p.Seen {
		return 0
	}
	return (p.Seen - p.Predicted) / max(p.Predicted, 1e-12)
}

// Type is a type with the ways to generate its values: constructors, builders and
// patterns.
type Type struct {
	Name string `json:"name"`
	Ways []Way  `json:"ways"`

	// Go is the type as Go source in the property's package. Imports maps the import
	// paths that this source needs to package names. Go is empty if the type has no
	// weights or cannot be named in that package.
	Go      string            `json:"go,omitempty"`
	Imports map[string]string `json:"imports,omitempty"`
}

// Kinds of Way.
const (
	Constructor = "constructor"
	Builder     = "builder"
	Pattern     = "pattern"
	Functions   = "functions" // the choice to call one of the functions that return the interface
	Plain       = "plain"     // a list or scalar that follows no pattern
)

// Way is one way to generate a value of a type: a constructor, builder or pattern.
type Way struct {
	Name   string  `json:"name,omitempty"`  // "Type.Constructor", as Distribution.Proportions takes it
	Label  string  `json:"label"`           // name within its type
	Value  string  `json:"value,omitempty"` // Go source of a value that was declared with Values
	Kind   string  `json:"kind"`
	Weight string  `json:"weight,omitempty"` // its unique name, as allele.Weight takes it
	Odds   float64 `json:"odds"`             // tuned odds within its type
	Counts []Pair  `json:"counts"`           // one for each view
}

// Bin is the number of inputs whose size or depth is at least From and at most To.
type Bin struct {
	From   int `json:"from"`
	To     int `json:"to"`
	Inputs int `json:"inputs"`
}

// Each value below binsExact has its own bin. Above it, each doubling (64 to 127, 128
// to 255 and so on) is divided into binsDouble bins. So bins can be merged into larger
// ranges, and no bin has to be split.
const (
	binsExact  = 64
	binsDouble = 4
)

// Histogram counts sizes or depths.
type Histogram struct{ bins []Bin }

// Add counts a value that is not negative.
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

// Bins returns the bins that are not empty, in order.
func (h *Histogram) Bins() []Bin {
	some := []Bin{}
	for _, b := range h.bins {
		if b.Inputs > 0 {
			some = append(some, b)
		}
	}
	return some
}

// Limits on what Decode accepts. Only generated code has names longer than TextMax; the
// test binary truncates or omits them.
const (
	ViewsMax = 4
	TextMax  = 500
	BytesMax = 64 << 20 // a thousand bytes for each type: there are at most 65,536 types
)

// Encode returns a distribution as JSON.
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

// finite returns the pair with values that JSON can represent. A prediction may be
// infinite: with odds that let inputs grow, the prediction for a thousand levels
// exceeds a float64.
func (p Pair) finite() Pair {
	if !(p.Predicted <= math.MaxFloat64) {
		p.Predicted = math.MaxFloat64
	}
	return p
}

// Decode reads a distribution. The data may come from anywhere, so Decode rejects a
// distribution that cannot be shown.
func Decode(data []byte) (d Dist, err error) {
	if len(data) > BytesMax {
		return Dist{}, fmt.Errorf("the distribution has %d bytes; the limit is %d", len(data), BytesMax)
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
			return fmt.Errorf("view %q: it has %d inputs of mean size %v; want at least 1 input, and no negative size",
				v.Name, v.Inputs, v.Cells.Seen)
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
			texts = append(texts, w.Name, w.Label, w.Value, w.Kind, w.Weight)
			if len(w.Counts) != len(d.Views) || w.Odds < 0 || w.Odds > 1 {
				return fmt.Errorf("%q: it has %d counts and odds of %v; want %d counts, and odds from 0 to 1",
					w.Label, len(w.Counts), w.Odds, len(d.Views))
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
			return fmt.Errorf("a text has %d bytes; the limit is %d", len(text), TextMax)
		}
	}
	return nil
}

func (p Pair) bad() bool { return p.Predicted < 0 || p.Seen < 0 }

// badBins reports whether bins are out of order, or do not add up to the number of
// inputs.
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
