//go:build go1.25

package engine

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/allele-go/allele/internal/value/schema"
)

// A schedule that cannot be followed is found when the search is made, and not when it is first asked.
func TestSchedulesAreChecked(t *testing.T) {
	w, err := schema.Derive(reflect.TypeFor[[]int](), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name            string
		opening, search Schedule
		added           string // the name of the way of an experiment
		want            any
	}{
		{"as guided", Guided().Opening, Guided().Search.Schedule, "", nil},
		{"no such way", Guided().Opening, Schedule{only("havok")}, "", "engine: no way for this schedule is called havok"},
		{"no such way to fall back on", nil, Schedule{{{Way: "havoc", Sides: 1, Else: "frish"}, {Way: "fresh", Sides: Rest}}},
			"", "engine: no way for this schedule is called frish"},
		{"a way that needs a log opens", Schedule{only("climb")}, Schedule{only("fresh")}, "", "engine: no way for this schedule is called climb"},
		{"a way after the rest", nil, Schedule{{{Way: "fresh", Sides: Rest}, {Way: "havoc", Sides: 2}}},
			"", "engine: no sides of the die are left for the way havoc"},
		{"a way of an experiment", nil, Schedule{only("mine")}, "mine", nil},
		{"an experiment with a name of the table", nil, Schedule{only("fresh")}, "havoc", "engine: there is a way called havoc already"},
	} {
		func() {
			defer func() {
				if got := recover(); fmt.Sprint(got) != fmt.Sprint(c.want) {
					t.Errorf("%s: %v, want %v", c.name, got, c.want)
				}
			}()
			s := Guided()
			one := *s.Search
			one.Schedule, s.Opening, s.Search = c.search, c.opening, &one
			conf := Config{World: w, Seed: 1, Size: 10, Tests: 1, Strategy: &s}
			if c.added != "" {
				conf.Experiment.Ways = map[string]func(Corpus) Way{c.added: func(Corpus) Way { return new(again) }}
			}
			New(conf)
		}()
	}
}
