//go:build go1.25

// Package allele tests properties of Go code on inputs that it generates.
//
// A property is an ordinary function over ordinary Go types. Check derives a
// generator from the types, runs the property on a thousand inputs, shrinks
// the first input that fails and prints that input as Go code:
//
//	func TestInsertKeepsOrder(t *testing.T) {
//		allele.Check(t, func(t *allele.T, in struct {
//			Tree *Tree
//			Key  int
//		}) {
//			t.Assume(in.Tree.Ordered())
//			if got := in.Tree.Insert(in.Key); !got.Ordered() {
//				t.Errorf("insert broke the order: %v", got)
//			}
//		})
//	}
//
// Structs, pointers, slices, maps, recursive and generic types need no generator.
// Unexported fields are filled too if the type is in the module under test. Options declare
// what Go's types cannot express: which types an interface may hold ([Variants]), which
// values a type may have ([Values], [Range]), which functions build a value ([Builder]). For
// code with state, the input is a list of calls of the methods of a type ([Steps]).
//
// A counterexample is stored in testdata/allele and run first by every later test. A
// property that discards nearly all of its inputs fails as vacuous, because it has checked
// almost nothing.
package allele

import (
	"fmt"
	"os"
	"reflect"
	"testing"
	"unsafe"

	"github.com/allele-go/allele/internal/check/plain"
	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/search/watch"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// Check runs a property on many inputs, and fails t if the property fails on one of them.
// For a property of several inputs, make In a struct with a field for each. The struct may
// be unnamed.
//
// If the compiler reports "implicit function instantiation requires go1.18 or later", the go
// line of go.mod is older than that. Then begin the test file with this line, and an empty one:
//
//	//go:build go1.18
func Check[In any](t testing.TB, prop func(t *T, in In), opts ...Option) {
	t.Helper()
	if prop == nil {
		t.Errorf("allele: the property is nil")
		return
	}
	p, r, err := prepare(t, reflect.TypeFor[In](), reflect.ValueOf(prop).Pointer(), opts)
	if err != nil {
		t.Errorf("allele: %v", err)
		return
	}
	pres, err := preconditions[In](p.Settings.Given)
	if err != nil {
		t.Errorf("allele: %v", err)
		return
	}
	r.make = func() func(*schema.Builder, *T, term.Term) { return caller(prop, pres) }
	r.call = r.make()
	r.direct = func(t *T, in reflect.Value) { guarded(prop, pres, t, in.Interface().(In)) }
	r.equal = func(x, y term.Term) bool { return equal[In](p.World, x, y) }
	p.Runner = &renewing{r}
	if !replayed(p, r) {
		plain.Do(p)
	}
}

// currentJob returns the job that the allele command has set for this process. In plain go
// test it is the zero job. Tests replace this variable.
var currentJob = job.Current

// prepare returns the property of a Check, and the runner for the property.
func prepare(t testing.TB, in reflect.Type, prop uintptr, opts []Option) (*property.Property, *runner, error) {
	j, err := currentJob()
	if err != nil {
		return nil, nil, fmt.Errorf("%w; the allele command sets this variable: update the command, or unset the variable", err)
	}
	if _, inside := t.(*T); inside {
		return nil, nil, property.ErrInside
	}
	settings := gather(opts)
	settings.Func = prop
	p, err := property.New(t, in, j, settings, func(s property.Settings, name string) (property.Config, error) {
		return configure(s, name, j)
	})
	if err != nil {
		return nil, nil, err
	}
	r := &runner{TB: t, world: p.World, outer: &outer{endings: p.Endings},
		limits: limits{stop: p.Stop(), pace: p.Pace, deadline: &p.Deadline, timeout: property.RunTimeout(p)}}
	r.observer.compares, r.observer.abandoned = p.Settings.Compare, make(chan watch.Run, 1)
	r.newBuilder()
	p.Runner = r
	return p, r, nil
}

// newBuilder gives the runner a builder of its own.
func (r *runner) newBuilder() {
	r.build = schema.NewBuilder(r.world)
	r.build.Single = os.Getenv("ALLELE_CHUNKS") == "off"
}

func preconditions[In any](given []property.Given) ([]func(In) bool, error) {
	var pres []func(In) bool
	for _, g := range given {
		pre, ok := g.Pre.(func(In) bool)
		if !ok {
			return nil, fmt.Errorf("Given takes %v, but the property takes %v", g.In, reflect.TypeFor[In]())
		}
		pres = append(pres, pre)
	}
	return pres, nil
}

// caller returns the function that makes a run: it builds the input from a term, tests the
// preconditions and calls the property.
func caller[In any](prop func(*T, In), pres []func(In) bool) func(*schema.Builder, *T, term.Term) {
	var none In
	in := new(In) // the property gets a copy, so all runs can share one variable
	return func(b *schema.Builder, t *T, x term.Term) {
		*in = none
		if !b.Build(x, unsafe.Pointer(in)) {
			t.state.Or(discarded)
			return
		}
		if b.Encodes() {
			hook.Forget() // the search is guided by the decoder
		}
		if len(pres) == 0 {
			prop(t, *in)
			return
		}
		guarded(prop, pres, t, *in)
	}
}

// equal reports whether two terms stand for equal values.
func equal[In any](w *schema.World, x, y term.Term) bool {
	var a, b In
	build := schema.NewBuilder(w)
	return build.Build(x, unsafe.Pointer(&a)) && build.Build(y, unsafe.Pointer(&b)) && reflect.DeepEqual(a, b)
}

// guarded calls the property unless a precondition is false.
func guarded[In any](prop func(*T, In), pres []func(In) bool, t *T, in In) {
	for i, pre := range pres {
		if !pre(in) {
			t.given = int16(i + 1)
			t.state.Or(discarded)
			return
		}
	}
	prop(t, in)
}
