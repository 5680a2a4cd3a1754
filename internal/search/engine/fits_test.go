//go:build go1.25

package engine

import (
	"reflect"
	"slices"
	"testing"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/slot"
	"github.com/allele-go/allele/internal/value/term"
)

// A program declares functions and calls them. No call fits a declaration by chance.
type (
	program struct {
		Decls []decl
		Calls []call
		By    map[string]string
	}
	decl struct {
		Name   ident
		Params int8
	}
	call struct {
		Name string
		Args uint16
		Deep bool
	}
	ident string
)

func programs(t *testing.T) *schema.World {
	t.Helper()
	w, err := schema.Derive(reflect.TypeFor[program](), nil)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func read(t *testing.T, w *schema.World, v any) term.Term {
	t.Helper()
	u, err := w.Read(reflect.ValueOf(v))
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func write(t *testing.T, w *schema.World, u term.Term) program {
	t.Helper()
	v, ok := w.Value(u)
	if !ok {
		t.Fatal("the term has no value")
	}
	return v.Interface().(program)
}

var two = program{
	Decls: []decl{{"f", 1}, {"g", -2}},
	Calls: []call{{"x", 300, true}},
	By:    map[string]string{"k": "v"},
}

// A pair of fields has credit while enough of its copies are good, and only then values are repaired.
func TestRepair(t *testing.T) {
	w := programs(t)
	f := newFits(w)
	u := read(t, w, two)
	all := slices.Clone(f.slots.Slots(u))
	fit := fieldPair{to: all[4].Field, from: all[0].Field}
	r := rng.New(1)
	try := func() (repairs int) {
		for range 100 {
			got, did := f.repair(u, howFresh, &r)
			p := write(t, w, got)
			if name := p.Calls[0].Name; (did == repaired) != (name == "f" || name == "g") {
				t.Fatalf("%v: the call is %s", did, name)
			}
			if did == repaired {
				repairs++
			}
		}
		return repairs
	}
	for n := range creditGood {
		if got := try(); got > 0 {
			t.Errorf("repaired after %d good copies", n)
		}
		f.add(fit, true)
	}
	if n := try(); n < 20 || n > 80 {
		t.Errorf("%d of 100 repaired, want about half before anything is known", n)
	}
	for range 50 {
		f.did(&origin{how: howFresh, repair: leftAlone}, false)
		f.did(&origin{how: howFresh, repair: repaired}, true)
	}
	if n := try(); n < 95 {
		t.Errorf("%d of 100 repaired, want nearly all: repaired terms do better", n)
	}
	for range creditGood * creditRare {
		f.add(fit, false)
	}
	if n := try(); n > 0 {
		t.Errorf("%d repaired without credit", n)
	}
	good := two
	good.Calls = []call{{"g", 1, false}}
	u = read(t, w, good)
	for range creditGood * creditRare {
		f.add(fit, true)
	}
	if _, did := f.repair(u, howFresh, &r); did != unrepaired {
		t.Error("a name that fits was replaced")
	}
}

// The number of pairs is bounded.
func TestFieldPairsAreBounded(t *testing.T) {
	f := newFits(programs(t))
	for i := range uint64(3 * pairsMax) {
		f.add(fieldPair{slot.Field(i), slot.Field(i + 1)}, true)
	}
	if len(f.pairs) > pairsMax {
		t.Errorf("%d pairs, want at most %d", len(f.pairs), pairsMax)
	}
}

// accepts reports whether all calls, of which there must be one, name a declaration. Its path shows how many do.
func (t *tracer) accepts(p program) bool {
	t.hit(1)
	if len(p.Calls) == 0 {
		t.hit(2)
		return false
	}
	for _, c := range p.Calls {
		if !slices.ContainsFunc(p.Decls, func(d decl) bool { return string(d.Name) == c.Name && len(c.Name) > 2 }) {
			t.hit(3)
			return false
		}
		t.hit(4)
	}
	return true
}

// Without a declaration, the search learns that calls take their names from declarations.
func TestNamesThatFit(t *testing.T) {
	w := programs(t)
	// shareOf returns the share of fresh programs that pass.
	shareOf := func(s Strategy, seed uint64) float64 {
		const most = 5000
		e := New(Config{World: w, Seed: seed, Size: 10, Tests: most, Runs: most, Strategy: &s})
		var tr tracer
		for x, ok := e.Next(); ok; x, ok = e.Next() {
			v, ok := w.Value(x)
			if !ok {
				t.Fatal("the term has no value")
			}
			tr.path = tr.path[:0]
			verdict := Discarded
			if tr.accepts(v.Interface().(program)) {
				verdict = Passed
			}
			e.Done(verdict, trace.Run{Symbols: tr.path, Hits: int64(len(tr.path))})
		}
		for _, k := range e.Report().Kinds {
			if k.Kind == hows[howFresh] {
				return float64(k.Passed) / float64(k.Tried)
			}
		}
		t.Fatal("no fresh programs")
		return 0
	}
	without := Guided()
	one := *without.Search
	one.Schedule = slices.Clone(one.Schedule)
	for i, stage := range one.Schedule {
		one.Schedule[i] = slices.DeleteFunc(slices.Clone(stage), func(s Share) bool { return s.Way == "copies" })
	}
	without.Search = &one
	var with, none float64
	for seed := range uint64(10) {
		a, b := shareOf(Guided(), seed), shareOf(without, seed)
		t.Logf("seed %d: %.4f of the fresh programs pass, %.4f without copies", seed, a, b)
		with, none = with+a/10, none+b/10
	}
	if with < 3*none {
		t.Errorf("%.4f of the fresh programs pass, and %.4f without copies; want three times as many", with, none)
	}
}
