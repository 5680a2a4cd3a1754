//go:build go1.25

package allele

import (
	"testing"
)

type (
	figure interface{ figure() }
	dot    struct{ Name string }
	line   struct{ From, To figure }
	ring   struct{ In figure }
)

func (dot) figure()   {}
func (*line) figure() {}
func (ring) figure()  {}

// Options about constructors change how often they are generated, for one property.
func TestDistributionOptions(t *testing.T) {
	variants := Variants[figure](dot{}, &line{}, ring{})
	count := func(opts ...Option) (dots, lines, ofDots, named int) {
		r := record(t, "TestX", func(t testing.TB) {
			Check(t, func(t *T, in figure) {
				switch in := in.(type) {
				case dot:
					dots++
					if in.Name == "origin" {
						named++
					}
				case *line:
					lines++
					if in.From == (dot{"origin"}) && in.To != nil {
						ofDots++
					}
				}
			}, append(opts, variants, Tests(1000))...)
		})
		if r.Failed() {
			t.Fatal(r.text())
		}
		return dots, lines, ofDots, named
	}
	if _, lines, _, _ := count(Only[figure]("*dot")); lines > 0 {
		t.Errorf("%d lines", lines)
	}
	if _, lines, _, _ := count(Without[figure]("line")); lines > 0 {
		t.Errorf("%d lines", lines)
	}
	_, half, _, _ := count(Ignore{Builders: true, Patterns: true})
	if _, most, _, _ := count(Weight[figure]("line", 9)); most < half*3/2 {
		t.Errorf("%d lines, %d without a weight", most, half)
	}
	_, _, before, _ := count()
	if _, _, after, _ := count(Pattern[figure]("p#1", &line{From: dot{"origin"}})); after < 50 || after < 10*before {
		t.Errorf("%d of the pattern, %d without it", after, before)
	}
	if dots, _, _, named := count(Only[figure]("dot"), Field[dot]("Name", Likely("origin"))); named < dots/3 || named > dots*2/3 {
		t.Errorf("%d of %d have the name", named, dots)
	}
	if dots, _, _, named := count(Only[figure]("dot"), Likely("origin")); named < dots*8/10 {
		t.Errorf("%d of %d have the name", named, dots)
	}
}

// A requested distribution is generated, on average.
func TestTuned(t *testing.T) {
	for _, c := range []struct {
		what               string
		opts               []Option
		dots, lines, rings float64
	}{
		{"uniform", []Option{Distribution{}}, 10, 10, 10}, // dots are one more than lines
		{"proportions", []Option{Distribution{Proportions: map[string]float64{"dot": 1, "ring": 3}}}, 10, 9, 30},
		{"a size", []Option{Distribution{MeanSize: 9}}, 3.3, 2.3, 3.3},
		{"a cost", []Option{Distribution{Cost: func(e map[string]float64) float64 { return (e["figure.line"] - 4) * (e["figure.line"] - 4) }}}, 5, 4, -1},
		// Computed by hand: at each of levels 0 to 2 a ring or a dot with equal odds, and a dot at the last level.
		{"a depth", []Option{Distribution{Depth: 3, Untuned: true}, Weight[figure]("line", 0), Weight[figure]("dot", 1), Weight[figure]("ring", 1)}, 1, 0, 0.875},
		{"uniform without rings", []Option{Distribution{}, Without[figure]("ring")}, 10.5, 9.5, 0},
	} {
		t.Run(c.what, func(t *testing.T) {
			var n [3]float64
			const runs = 20_000
			r := record(t, "TestX", func(t testing.TB) {
				Check(t, func(t *T, in figure) { countFigures(in, &n) }, append(c.opts, Variants[figure](dot{}, &line{}, ring{}), Tests(runs))...)
			})
			for i, want := range []float64{c.dots, c.lines, c.rings} {
				if got := n[i] / runs; want >= 0 && (got < want*0.9-0.3 || got > want*1.1+0.3) || r.Failed() {
					t.Errorf("constructor %d: %.2f on average, want %.2f\n%s", i, got, want, r.text())
				}
			}
		})
	}
}

func countFigures(f figure, n *[3]float64) {
	switch f := f.(type) {
	case dot:
		n[0]++
	case *line:
		n[1]++
		countFigures(f.From, n)
		countFigures(f.To, n)
	case ring:
		n[2]++
		countFigures(f.In, n)
	}
}

type nested []nested

// Mistakes in declarations are reported.
func TestDeclareMistakes(t *testing.T) {
	for _, c := range []struct {
		what string
		opt  Option
		want string
	}{
		{"Likely structs", Likely(dot{}), "Likely[allele.dot]: want numbers, strings or errors"},
		{"Likely nothing", Likely[int](), "Likely[int]: list at least one value"},
		{"Field of no struct", Field[int]("X", Likely(1)), `Field[int]("X"): want a struct`},
		{"Field that is not there", Field[dot]("X", Likely(1)), `Field[allele.dot]("X"): the struct has no such field`},
		{"Field with nothing", Field[dot]("Name"), "want options that declare something about its type"},
		{"Field with a seed", Field[dot]("Name", Seed(1)), "want options that declare something about its type"},
		{"From of no struct", Field[dot]("Name", From[int]("X")), `From[int]("X"): want a struct`},
		{"From of a pointer", Field[dot]("Name", From[*dot]("Name")), "want the struct: From[allele.dot]"},
		{"From a field that is not there", Field[dot]("Name", From[dot]("X")), `From[allele.dot]("X"): the struct has no such field`},
		{"From an embedded struct", Field[dot]("Name", From[struct{ dot }]("Name")), `the field is that of an embedded struct: want From[allele.dot]("Name")`},
		{"From of a list of itself", Field[struct{ L nested }]("L", From[dot]("Name")), "no such field"},
		{"From of what is no field", From[dot]("Name"), `From[allele.dot]("Name"): use it as an option of allele.Field`},
		{"From what is not in the input", Field[dot]("Name", From[tree]("K")), `From[allele.tree]("K"): the input has no allele.tree that is made by its fields`},
		{"Pattern of nothing", Pattern("p", dot{}), `Pattern[allele.dot]("p"): want a name, and a shape`},
		{"Pattern of a field that is not there", Pattern[figure]("p", &line{From: dot{}}, "From.Colour"), `Pattern[allele.figure]("p"): the value has no field From.Colour`},
		{"Ignore nothing", Ignore{}, "Ignore{}: set Builders, Patterns, Constants or Tags"},
		{"Only nothing", Only[figure](), "Only[allele.figure]: name at least one"},
		{"Only what is not there", Only[figure]("circle"), "Only[allele.figure]: no constructor is named circle; the type has dot, line"},
		{"Only of a struct", Only[dot]("x"), "Only[allele.dot]: it is neither an interface nor made by functions"},
		{"Field of a pointer", Field[*dot]("Name", Likely("x")), "want the struct: Field[allele.dot]"},
		{"Depth below zero", Distribution{Depth: -1}, "Distribution: Depth is -1, want at least one level"},
		{"Untuned without a depth", Distribution{Untuned: true}, "Distribution: Untuned needs a Depth"},
		{"Untuned with a size", Distribution{Untuned: true, Depth: 3, MeanSize: 4}, "Distribution: Untuned chooses by Weight alone"},
		{"a partial Builder of no function", Builder(3, Partial{}), "Builder: want a function, got int"},
		{"a small argument below 0", Builder(newPile, Partial{Small: []int{-1}}), "Builder(allele.newPile): Small lists argument -1, but the arguments are numbered from 0 to 0"},
		{"a small argument that is missing", Builder(newPile, Partial{Small: []int{1}}), "Small lists argument 1, but the arguments are numbered from 0 to 0"},
		{"Without nothing", Without[figure](), "Without[allele.figure]: name at least one"},
		{"Without builders of what is not there", Without[*tree]("leaf"), "Without[*allele.tree]: no field has type *allele.tree; the fields are "},
		{"Without all", Without[figure]("dot", "line"), "Only and Without exclude every constructor of allele.figure; the type has dot, line"},
		{"no proportions", Distribution{Proportions: map[string]float64{}}, "Distribution: Proportions is empty"},
		{"a proportion below zero", Distribution{Proportions: map[string]float64{"dot": -1}}, `Distribution: the proportion of "dot" is -1`},
		{"a proportion of no constructor", Distribution{Proportions: map[string]float64{"circle": 1}}, "cannot generate the requested distribution: "},
		{"MeanSize below zero", Distribution{MeanSize: -1}, "Distribution: MeanSize is -1"},
		{"Cost and MeanSize", Distribution{MeanSize: 3, Cost: func(map[string]float64) float64 { return 0 }}, "Distribution: Cost replaces Proportions and MeanSize"},
		{"a Cost that panics", Distribution{Cost: func(e map[string]float64) float64 { panic("no such name") }},
			"cannot generate the requested distribution: Distribution.Cost panicked: no such name (declare_test.go:"},
		{"Weight below zero", Weight[figure]("dot", -1), "want a name, and a weight from 0"},
	} {
		t.Run(c.what, func(t *testing.T) {
			record(t, "TestX", func(t testing.TB) {
				Check(t, func(t *T, in struct {
					F figure
					D dot
				}) {
				}, Variants[figure](dot{}, &line{}), c.opt)
			}).has(t, "allele: ", c.want)
		})
	}
}
