// Package tags measures how many inputs satisfy the struct tags of their type.
package tags

import (
	"fmt"
	"reflect"

	"github.com/go-playground/validator/v10"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/schema"
)

// Experiment generates inputs of twenty structs with tags, as a plain test does, and gives them
// to the validator that the tags are written for.
var Experiment = lab.Experiment{
	Name: "tags",
	Doc:  "structs with validate tags: the share of inputs that the validator accepts, without and with the tags",
	Run:  run,
}

var structs = []reflect.Type{
	reflect.TypeFor[address](), reflect.TypeFor[user](), reflect.TypeFor[signup](), reflect.TypeFor[login](),
	reflect.TypeFor[product](), reflect.TypeFor[order](), reflect.TypeFor[server](), reflect.TypeFor[database](),
	reflect.TypeFor[network](), reflect.TypeFor[event](), reflect.TypeFor[payment](), reflect.TypeFor[page](),
	reflect.TypeFor[location](), reflect.TypeFor[release](), reflect.TypeFor[contact](), reflect.TypeFor[job](),
	reflect.TypeFor[survey](), reflect.TypeFor[token](), reflect.TypeFor[profile](), reflect.TypeFor[team](),
}

// most is how many of the structs must have at least half of their inputs accepted.
const most = 17

func run(cfg lab.Config) (*lab.Result, error) {
	inputs := 1000
	if cfg.Quick {
		inputs = 200
	}
	seeds := cfg.SeedsOr(lab.Default[int]{Full: 1, Quick: 1})
	res := &lab.Result{Seeds: seeds, Summary: map[string]any{}}
	half := 0
	for _, t := range structs {
		var before, after sample
		for _, seed := range seeds {
			for _, arm := range []struct {
				sum   *sample
				decls []schema.Decl
			}{{&before, []schema.Decl{{What: schema.Ignore{Tags: true}, Tier: schema.Local}}}, {&after, nil}} {
				s, err := draw(t, arm.decls, seed, inputs)
				if err != nil {
					return nil, fmt.Errorf("%v: %w", t, err)
				}
				arm.sum.add(s)
			}
		}
		if 2*after.accepted >= after.all {
			half++
		}
		res.Rows = append(res.Rows, lab.Row{
			lab.Col("struct", t.Name()),
			lab.Col("fields", t.NumField()),
			lab.Col("without tags %", before.percent()),
			lab.Col("with tags %", after.percent()),
			lab.Col("distinct", after.distinct),
			lab.Col("unused tags", after.unused),
		})
	}
	res.Summary["structs"], res.Summary["half accepted"] = len(structs), half
	if half < most {
		return res, fmt.Errorf("the validator accepts half of the inputs of only %d structs, want %d", half, most)
	}
	return res, nil
}

// sample counts inputs of a type.
type sample struct {
	all, accepted int
	distinct      int // of those that are accepted
	wrong         int // inputs about which allele and the validator disagree
	unused        int // notes about tags that are not used
}

func (s *sample) add(more sample) {
	s.all, s.accepted, s.distinct, s.wrong = s.all+more.all, s.accepted+more.accepted, s.distinct+more.distinct, s.wrong+more.wrong
	s.unused = more.unused
}

func (s *sample) percent() float64 { return float64(s.accepted*1000/s.all) / 10 }

// draw generates inputs of a type as a plain test does, and counts those that the validator
// accepts.
func draw(t reflect.Type, decls []schema.Decl, seed uint64, inputs int) (s sample, err error) {
	w, err := schema.Derive(t, decls)
	if err != nil {
		return s, err
	}
	check := []*validator.Validate{validator.New(), validator.New()}
	check[1].SetTagName("binding")
	e := engine.New(engine.Config{World: w, Seed: seed, Size: 20, Tests: inputs, Runs: inputs})
	seen := map[string]bool{}
	for {
		x, ok := e.Next()
		if !ok {
			break
		}
		v, built := w.Value(x)
		if !built {
			return s, fmt.Errorf("an input of %v is not built", t)
		}
		accepted := true
		for _, c := range check {
			accepted = accepted && c.Struct(v.Interface()) == nil
		}
		if s.all++; accepted {
			s.accepted++
			seen[fmt.Sprintf("%+v", v)] = true
		}
		if w.Tagged() && accepted != w.Inside(x) {
			s.wrong++
		}
		e.Done(engine.Passed, trace.Run{})
	}
	s.distinct, s.unused = len(seen), len(w.Notes)
	return s, nil
}
