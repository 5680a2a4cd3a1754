//go:build go1.25

package worker

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/check/plain"
	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/proc/dist"
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/weight"
	"github.com/allele-go/allele/internal/words"
)

// Bounds of countDist, whose comment says what a view is.
const (
	distInputs    = 10_000    // the number of inputs for each view, by default
	distInputsMax = 1_000_000 // more inputs do not make the numbers more exact
	// distUnits bounds the total length of the terms that are generated for a view, which
	// then takes about half a second. With even odds, terms may be megabytes long; a
	// hundred of such terms are as good a sample as ten thousand.
	distUnits = 1 << 24
)

// countDist generates inputs and writes to a file how often each constructor was
// generated. It runs no input. It generates inputs in up to three ways, called views: as
// the property declares them, with even odds, and with tuned odds.
func countDist(p *property.Property) {
	p.TB.Helper()
	inputs := p.Job.Text.Inputs
	if inputs == 0 {
		inputs = distInputs
	}
	c := &counter{p, p.Settings}
	if p.Job.Text.Uniform {
		c.settings.Goal = nil
	}
	d, err := c.distribution(min(max(1, inputs), distInputsMax))
	if err == nil {
		var data []byte
		if data, err = dist.Encode(d); err == nil {
			err = os.WriteFile(p.Job.Text.To, append(data, '\n'), 0o666)
		}
	}
	answer(p, err)
}

// counter counts constructors in generated inputs of a property.
type counter struct {
	*property.Property
	settings property.Settings
}

// distribution generates n inputs for each view and counts their constructors.
func (c *counter) distribution(n int) (dist.Dist, error) {
	depth := c.settings.Levels(c.Config.Size)
	pkg, external := strings.CutSuffix(c.Place.Pkg, "_test")
	d := dist.Dist{Package: clip(pkg), External: external, Property: clip(c.Name), Type: clip(c.World.Root.Type.String()),
		Seed: c.Config.Seed, Size: c.Config.Size, Depth: depth, Wanted: n, Goal: clip(goalText(c.settings.Goal)), Notes: c.distNotes()}
	d.Maps = slices.ContainsFunc(c.World.Schemas, func(s *schema.Schema) bool { return s.Kind == schema.Map })
	deep := ", at most " + words.Count(depth, "level") + " deep"
	split := fmt.Sprintf("as the Check declares: sizes from 1 to %d are split among fields", c.Config.Size)
	views := []dist.View{{Name: dist.Declared, How: split},
		{Name: dist.Even, How: "equal odds for all constructors of a type" + deep, Exact: true},
		{Name: dist.Tuned, How: d.Goal + deep, Exact: true}}
	worlds := []*schema.World{c.World, nil, nil}
	for i := range worlds[1:] {
		w, err := schema.Derive(c.World.Root.Type, c.settings.Decls)
		if err != nil {
			return d, err
		}
		worlds[i+1], w.Depth = w, depth
	}
	evenOdds(worlds[1])
	if c.settings.Goal != nil {
		views[0].How, views[0].Exact = "as the Check declares: "+d.Goal+deep, true
		worlds, views = worlds[:2], views[:2]
	} else {
		if c.settings.Depth != nil {
			views[0].How, views[0].Exact = "as the Check declares: constructors by their weights"+deep, true
		}
		gen.Trial(worlds[2])
		if err := property.Tune(worlds[2], property.Settings{Goal: &weight.Goal{}, Depth: c.settings.Depth}, c.Config.Size); err != nil {
			return d, err
		}
	}
	all := make([]survey, len(worlds))
	for i, w := range worlds {
		all[i] = c.survey(w, &views[i], n)
	}
	tuned := worlds[len(worlds)-1]
	if c.settings.Goal != nil {
		tuned = worlds[0]
	}
	d.Views, d.Types = views, c.types(tuned, all)
	return d, nil
}

// evenOdds gives all constructors of a type the same odds, except builders that refuse all
// arguments: no search calls them.
func evenOdds(w *schema.World) {
	for _, s := range w.Schemas {
		s.Odds = nil
	}
	gen.Trial(w)
	for _, s := range w.Schemas {
		for k, odds := range s.Odds {
			if odds > 0 {
				s.Odds[k] = 1
			}
		}
	}
}

// survey holds the counts of one view. The first index of tally is the schema, the second
// the constructor or pattern.
type survey struct {
	expected *weight.Expected
	tally    [][]int
	inputs   int
}

func (s *survey) pair(schema, way int) dist.Pair {
	return dist.Pair{Predicted: s.expected.Counts[schema][way], Seen: float64(s.tally[schema][way]) / float64(s.inputs)}
}

// survey generates inputs as a search generates fresh ones: sizes cycle from 1 to the
// largest. The size matters only for views that split it among fields.
func (c *counter) survey(w *schema.World, v *dist.View, n int) survey {
	size := max(1, c.Config.Size)
	g := gen.New(w)
	g.Reach = size
	s := survey{expected: weight.Predict(w, c.settings.Levels(size)), tally: g.Observe()}
	var sizes, depths dist.Histogram
	cells, units := 0, 0
	for ; s.inputs < n && units < distUnits; s.inputs++ {
		t := g.Term(rng.At(c.Config.Seed, uint64(s.inputs)), 1+s.inputs%size)
		here := w.Cells(t)
		sizes.Add(here)
		depths.Add(w.Nesting(t))
		cells, units = cells+here, units+len(t)
		if len(t) > gen.DepthUnits {
			v.Cut++
		}
	}
	v.Inputs, v.Sizes, v.Depths = s.inputs, sizes.Bins(), depths.Bins()
	v.Cells = dist.Pair{Predicted: s.expected.Cells, Seen: float64(cells) / float64(s.inputs)}
	return s
}

// types lists the counts of all views side by side. It leaves out types that no view
// generates, such as the schema of declared values.
func (c *counter) types(tuned *schema.World, all []survey) []dist.Type {
	plan, out, weights := weight.NewPlan(tuned), []dist.Type{}, tuned.WeightNames()
	for i, title := range weight.Titles(tuned) {
		if title == "" {
			continue
		}
		s, met := tuned.Schemas[i], false
		t := dist.Type{Name: clip(title)}
		if weights[i] != nil {
			t.Go, t.Imports = c.typeExpr(tuned, s.Type)
		}
		odds := plan.Odds(s, false)
		for k := s.First(); k < s.Ways(); k++ {
			way := wayOf(s, k, title)
			way.Odds, way.Value = min(max(0, odds[k]), 1), c.valueText(tuned, s, k)
			if weights[i] != nil && len(weights[i][k]) <= dist.TextMax {
				way.Weight = weights[i][k]
			}
			for j := range all {
				p := all[j].pair(i, k)
				met = met || p.Seen > 0 || p.Predicted > 0
				way.Counts = append(way.Counts, p)
			}
			t.Ways = append(t.Ways, way)
		}
		if met {
			out = append(out, t)
		}
	}
	return out
}

// valueMax bounds the text of a declared value, in bytes.
const valueMax = 40

// valueText returns a value that was declared with Values, as Go source, or "" if way k of a
// type is not such a value.
func (c *counter) valueText(w *schema.World, s *schema.Schema, k int) string {
	if k >= len(s.Ctors) || s.Ctors[k].Value == nil {
		return ""
	}
	text := strings.Join(strings.Fields(codec.Print(w, s.Ctors[k].Value, c.Place.Style()).Expr), " ")
	return words.Bounded(text, valueMax)
}

// typeExpr returns a type as Go source for the package under test, and the imports that the
// source needs. It returns nothing if the text is too long, because a shortened type would
// mean something else.
func (c *counter) typeExpr(w *schema.World, t reflect.Type) (string, map[string]string) {
	text, imports := codec.TypeText(w, t, c.Place.Style())
	for path, name := range imports {
		if max(len(path), len(name)) > dist.TextMax {
			return "", nil
		}
	}
	if len(text) > dist.TextMax {
		return "", nil
	}
	return text, imports
}

func wayOf(s *schema.Schema, k int, title string) dist.Way {
	label := weight.WayName(s, k)
	w := dist.Way{Label: clip(label), Kind: dist.Constructor}
	if label != "" {
		w.Name = clip(title + "." + label)
	}
	switch {
	case k >= s.Plain():
		w.Kind = dist.Pattern
	case len(s.Ctors) == 0:
		w.Kind = dist.Plain
	case s.Ctors[k].Call:
		w.Kind = dist.Functions
	case s.Ctors[k].Func != nil:
		w.Kind = dist.Builder
	}
	return w
}

// distNotes lists notes about the type. One of them says if the type has so few values that a
// search tries each of them once instead of generating inputs.
func (c *counter) distNotes() (notes []string) {
	if engine.New(plain.EngineConfig(c.Property)).Whole() {
		notes = append(notes, fmt.Sprintf("the type has only %s values; a search simply tries each of them once",
			words.Group(int(c.World.Root.Count))))
	}
	for _, n := range c.World.Notes {
		notes = append(notes, clip(n))
	}
	return notes
}

// goalText returns a goal as an allele.Distribution literal, without maps and functions.
func goalText(g *weight.Goal) string {
	var parts []string
	if g != nil && g.Weights != nil {
		parts = append(parts, "Proportions: ...")
	}
	if g != nil && g.Cells > 0 {
		parts = append(parts, fmt.Sprintf("MeanSize: %v", g.Cells))
	}
	if g != nil && g.Cost != nil {
		parts = append(parts, "Cost: ...")
	}
	return "allele.Distribution{" + strings.Join(parts, ", ") + "}"
}

// clip shortens a text to the limit of package dist.
func clip(s string) string { return words.Bounded(s, dist.TextMax-len("...")) }
