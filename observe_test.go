//go:build go1.25

package allele

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/value/term"
)

// observed runs a property that takes a bool, on false and on true, with recording
// switched on.
func observed(t *testing.T, prop func(t *T, in bool), opts ...Option) (r *runner, original, other property.Outcome) {
	t.Helper()
	_, r, original, other = observedBy(t, prop, opts...)
	return r, original, other
}

func observedBy(t *testing.T, prop func(t *T, in bool), opts ...Option) (p *property.Property, r *runner, original, other property.Outcome) {
	t.Helper()
	p, r, err := prepare(t, reflect.TypeFor[bool](), 0, append(opts, Name(t.Name())))
	if err != nil {
		t.Fatal(err)
	}
	r.call = caller(prop, nil)
	r.direct = func(t *T, in reflect.Value) { prop(t, in.Bool()) }
	r.Observe(property.Observing{On: true})
	return p, r, r.value(reflect.ValueOf(false)), r.value(reflect.ValueOf(true))
}

func TestObserve(t *testing.T) {
	type pair struct{ a, b *int }
	one, two := 1, 2
	for _, c := range []struct {
		name string
		prop func(t *T, in bool)
		want string
	}{
		{"nothing", func(t *T, in bool) {}, ""},
		{"equal", func(t *T, in bool) { t.Observe(math.NaN()); t.Observe([]int{1}) }, ""},
		{"first", func(t *T, in bool) { t.Observe(in); t.Observe(1) }, "observed value 1"},
		{"second", func(t *T, in bool) { t.Observe(1); t.Observe(in) }, "observed value 2"},
		{"pointers", func(t *T, in bool) {
			if in {
				t.Observe(pair{&one, &two})
				return
			}
			x, y := 1, 2
			t.Observe(pair{&x, &y})
		}, ""},
		{"fewer", func(t *T, in bool) {
			if t.Observe(1); !in {
				t.Observe(2)
			}
		}, "1 observed values instead of 2"},
		{"labels", func(t *T, in bool) { t.Label("kind", in) }, "label kind"},
		{"one label more", func(t *T, in bool) {
			if in {
				t.Label("kind", 1)
			}
		}, "1 labels instead of 0"},
		{"changed later", func(t *T, in bool) {
			list := []bool{true}
			t.Observe(list)
			list[0] = in
		}, ""},
		{"many", func(t *T, in bool) {
			for i := range 5000 {
				t.Observe(in && i == 4000)
			}
		}, "observed value 1000"},
		{"before a failure", func(t *T, in bool) { t.Observe(in); t.Fatal() }, "observed value 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, original, other := observed(t, c.prop)
			if got, err := r.Differs(original.Shown, other.Shown); got != c.want || err != nil {
				t.Errorf("got %q, %v, want %q", got, err, c.want)
			}
		})
	}
}

type parity int

func (p parity) String() string { return "parity" }

func TestCompare(t *testing.T) {
	type tree struct{ keys []int }
	modulo := func(a, b int) bool { return a%10 == b%10 }
	number := func(in bool) int {
		if in {
			return 13
		}
		return 3
	}
	for _, c := range []struct {
		name string
		prop func(t *T, in bool)
		opt  Option
		want string
	}{
		{"equal", func(t *T, in bool) { t.Observe(number(in)) }, Compare(modulo), ""},
		{"another type", func(t *T, in bool) { t.Observe(int64(number(in))) }, Compare(modulo), "observed value 1"},
		{"inside", func(t *T, in bool) { t.Observe([]int{number(in)}) }, Compare(modulo), "observed value 1"},
		{"stricter", func(t *T, in bool) { t.Observe(1) }, Compare(func(a, b int) bool { return false }), "observed value 1"},
		{"interface", func(t *T, in bool) { t.Observe(parity(number(in))) },
			Compare(func(a, b interface{ String() string }) bool { return a.String() == b.String() }), ""},
		{"original first", func(t *T, in bool) { t.Observe(number(in)) }, Compare(func(a, b int) bool { return a == 3 && b == 13 }), ""},
		{"a copy", func(t *T, in bool) {
			x := &tree{keys: []int{1}}
			t.Observe(x)
			x.keys[0] = number(in)
		}, Compare(func(a, b *tree) bool { return a.keys[0] == 1 && b.keys[0] == 1 }), ""},
		{"nil", func(t *T, in bool) { t.Observe(nil) }, Compare(modulo), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, original, other := observed(t, c.prop, c.opt)
			if got, err := r.Differs(original.Shown, other.Shown); got != c.want || err != nil {
				t.Errorf("got %q, %v, want %q", got, err, c.want)
			}
		})
	}
}

func TestComparePanics(t *testing.T) {
	r, original, other := observed(t, func(t *T, in bool) { t.Observe(1) }, Compare(func(a, b int) bool { panic("no order") }))
	what, err := r.Differs(original.Shown, other.Shown)
	if err == nil || what != "" || !strings.Contains(err.Error(), "allele.Compare: the function panicked: no order") {
		t.Errorf("got %q, %v", what, err)
	}
}

func TestCompareWithoutFunction(t *testing.T) {
	r := record(t, "TestX", func(t testing.TB) { Check(t, func(t *T, in bool) {}, Compare[int](nil)) })
	if !strings.Contains(r.text(), "Compare: the function is nil") {
		t.Errorf("got %s", r.text())
	}
}

// Without a comparison Observe must not even look at its argument.
func TestObserveIsOff(t *testing.T) {
	allocs := -1.0
	record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in bool) {
			v := any([]int{1, 2, 3})
			allocs = testing.AllocsPerRun(100, func() { t.Observe(v) })
		})
	})
	if allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

// A source that runs one term many times gets what the runs have shown.
func TestObserveInSeries(t *testing.T) {
	p, r, _, _ := observedBy(t, func(t *T, in bool) { t.Observe(in); t.Label("in", in) })
	x, err := p.World.Read(reflect.ValueOf(true))
	if err != nil {
		t.Fatal(err)
	}
	s := &threeRuns{term: x}
	r.Many(s)
	if len(s.shown.Observed) != 1 || len(s.shown.Labels) != 1 {
		t.Errorf("got %v", s.shown)
	}
}

type threeRuns struct {
	property.Source
	term  term.Term
	runs  int
	shown property.Shown
}

func (c *threeRuns) Next() (term.Term, bool) { return c.term, c.runs < 3 }

func (c *threeRuns) Done(r *property.Run) bool {
	c.runs++
	c.shown = r.Shown
	return r.Verdict == engine.Passed
}
