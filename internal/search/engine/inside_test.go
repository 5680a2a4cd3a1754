//go:build go1.25

package engine

import (
	"reflect"
	"testing"

	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// Most terms of a search satisfy the struct tags of their fields, whatever the search keeps and
// changes, and some do not.
func TestSearchStaysInside(t *testing.T) {
	type person struct {
		Name  string `validate:"required,min=3"`
		Email string `validate:"email"`
		Age   int    `validate:"gte=18,lte=130"`
		Tags  []string
		Land  string              `validate:"required,iso3166_1_alpha2"`
		ID    [16]byte            `validate:"required"`
		Extra any                 `validate:"required"`
		Roles []string            `validate:"unique,min=2,dive,oneof=a b c"`
		Home  struct{ X, Y int8 } `validate:"required"`
	}
	w, err := schema.Derive(reflect.TypeFor[person](), nil)
	if err != nil {
		t.Fatal(err)
	}
	guided := Guided()
	for name, s := range map[string]*Strategy{"guided": &guided, "plain": nil, "picky": nil} {
		const runs = 4000
		e := New(Config{World: w, Seed: 7, Size: 20, Tests: 1 << 20, Runs: runs, Strategy: s, Experiment: Experiment{Exact: true}})
		outside := 0
		for i := 0; ; i++ {
			x, ok := e.Next()
			if !ok {
				break
			}
			if !w.Inside(x) {
				outside++
			}
			// Many terms show something new, so that the search keeps and changes many.
			v := Passed
			if name == "picky" && term.Hash(x)%4 > 0 {
				v = Discarded
			}
			e.Done(v, trace.Run{Symbols: []uint32{uint32(len(x)), uint32(i % 500)}})
		}
		if outside < runs/16 || outside > runs*5/32 {
			t.Errorf("%s: %d of %d terms are outside of the tags", name, outside, runs)
		}
	}
}
