package papers

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/testkit/zoo"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// The mutants of FuzzChick are terms of the type, do not touch the parent, and are the same from the same streams.
func TestFuzzChickLaws(t *testing.T) {
	for _, a := range zoo.All() {
		w, err := schema.Derive(a.Type, a.Decls)
		if err != nil {
			t.Fatal(err)
		}
		g, c, twin := gen.New(w), newChick(w, 20), newChick(w, 20)
		for run := range uint64(200) {
			parent := g.Term(rng.At(4, run), int(run)%12).Clone()
			before := parent.Clone()
			r, s := rng.New(run), rng.New(run)
			x, y := c.change(parent, &r), twin.change(parent, &s)
			if !term.Equal(x, y) {
				t.Fatalf("%s: two terms from one stream", a.Name)
			}
			if int(x[0].N) != len(x) || x[0].S != w.Root.ID {
				t.Fatalf("%s: a term of %d units has root %+v", a.Name, len(x), x[0])
			}
			w.Value(x) // panics if the term is malformed
			if !term.Equal(parent, before) {
				t.Fatalf("%s: the parent was written to", a.Name)
			}
		}
	}
}

type shrub struct {
	L *shrub
	K int8
	R *shrub
}

// The mutants of FuzzChick for a value, and their frequencies.
func TestFuzzChick(t *testing.T) {
	for _, c := range []struct {
		name  string
		value any
		odds  map[string]float64
	}{
		{"a bool becomes the other constructor", true, map[string]float64{"false": 1}},
		{"a number is zero half the time", int8(5), map[string]float64{"0": 0.5}},
		{"the first element of three is dropped once in five times", []bool{true, false, false}, map[string]float64{"[false false]": 0.2}},
		{"a leaf: three fields to mutate, two to return, nil to become", &shrub{K: 1}, map[string]float64{"<nil>": 0.5}},
		{"one side of a pair", [2]bool{true, false}, map[string]float64{"[false false]": 0.5, "[true true]": 0.5}},
	} {
		w, err := schema.Derive(reflect.TypeOf(c.value), nil)
		if err != nil {
			t.Fatal(err)
		}
		parent, err := w.Read(reflect.ValueOf(c.value))
		if err != nil {
			t.Fatal(err)
		}
		chick, r, met := newChick(w, 100), rng.New(1), map[string]int{}
		const runs = 4000
		for range runs {
			v, _ := w.Value(chick.change(parent, &r))
			met[fmt.Sprint(v)]++
		}
		for text, odds := range c.odds {
			if got := float64(met[text]) / runs; got < odds-0.04 || got > odds+0.04 {
				t.Errorf("%s: %s in %.3f of all, want %.3f", c.name, text, got, odds)
			}
		}
	}
}
