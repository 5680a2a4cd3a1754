// Package task is the interface between experiments and programs under test: a task
// takes an input and returns a verdict.
//
// A workload lists its tasks. Each task is a program with one bug, and one property that
// the bug breaks. An experiment derives the input's type with the declarations that a
// user would make, and runs the property on terms or on values:
//
//	w, err := schema.Derive(t.In, t.Decls())
//	b := schema.NewBuilder(w)
//	verdict := t.Call(b, x)      // x is a term of w, from an engine under study
//	verdict := t.Run(in)         // in is a value, from another generator
//	t.Check(tb, allele.Seed(7))  // through the public API, as users do
package task

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/allele-go/allele"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// Verdict is the result of a property for one input.
type Verdict int

// An input is discarded if it does not meet the property's precondition.
const (
	Passed Verdict = iota
	Failed
	Discarded
)

func (v Verdict) String() string {
	return [...]string{"passed", "failed", "discarded"}[v]
}

// Holds returns the verdict on an input that meets the precondition.
func Holds(ok bool) Verdict {
	if ok {
		return Passed
	}
	return Failed
}

// Task is a bug to be found.
type Task struct {
	Name    string
	In      reflect.Type // type of the input
	Declare []Declaration

	// Run runs the property on a value of type In.
	Run func(in any) Verdict
	// Call builds the value of the term x and runs the property on it. Unlike Run, it
	// does not convert the value to an interface.
	Call func(b *schema.Builder, x term.Term) Verdict
	// Check runs the property as a test would, with the task's declarations.
	Check func(tb testing.TB, opts ...allele.Option)
}

// Of returns a task for a property.
func Of[In any](name string, property func(In) Verdict, declare ...Declaration) Task {
	t := Task{Name: name, In: reflect.TypeFor[In](), Declare: declare}
	t.Run = func(in any) Verdict { return property(in.(In)) }
	t.Call = func(b *schema.Builder, x term.Term) Verdict {
		var in In
		if !b.Build(x, unsafe.Pointer(&in)) {
			return Discarded
		}
		return property(in)
	}
	t.Check = func(tb testing.TB, opts ...allele.Option) {
		tb.Helper()
		allele.Check(tb, func(t *allele.T, in In) {
			verdict := property(in)
			t.Assume(verdict != Discarded)
			if verdict == Failed {
				t.Error(name)
			}
		}, append(t.Options(), opts...)...)
	}
	return t
}

// Decls returns the task's declarations for schema.Derive.
func (t Task) Decls() []schema.Decl { return Decls(t.Declare...) }

// Decls returns declarations for schema.Derive.
func Decls(declare ...Declaration) (decls []schema.Decl) {
	for _, d := range declare {
		decls = append(decls, d.decl)
	}
	return decls
}

// Options returns the task's declarations for allele.Check.
func (t Task) Options() []allele.Option {
	var opts []allele.Option
	for _, d := range t.Declare {
		opts = append(opts, d.option)
	}
	return opts
}

// Declaration is a declaration about the input, as a user would make it. It is stored
// in two forms, because code outside the library cannot read an option.
type Declaration struct {
	option allele.Option
	decl   schema.Decl
}

// Variants corresponds to [allele.Variants].
func Variants[I any](vs ...I) Declaration {
	return Declaration{allele.Variants(vs...), schema.Decl{
		Type: reflect.TypeFor[I](), What: schema.VariantsOf(vs...), Tier: schema.Local,
	}}
}

// number is what [allele.Range] accepts, as far as workloads need it.
type number interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// Range corresponds to [allele.Range].
func Range[V number](lo, hi V) Declaration {
	return Declaration{allele.Range(lo, hi), schema.Decl{
		Type: reflect.TypeFor[V](), What: schema.Range{Lo: reflect.ValueOf(lo), Hi: reflect.ValueOf(hi)}, Tier: schema.Local,
	}}
}

// Property is a property of a program whose faults have type F.
type Property[F fmt.Stringer] struct {
	Name  string
	Under func(fault F) Task
}

// PropertyOf returns a Property. Its tasks are named workload/fault/property.
func PropertyOf[F fmt.Stringer, In any](workload, name string, judge func(F, In) Verdict, declare ...Declaration) Property[F] {
	return Property[F]{name, func(fault F) Task {
		judgeOne := func(in In) Verdict { return judge(fault, in) }
		return Of(workload+"/"+fault.String()+"/"+name, judgeOne, declare...)
	}}
}

// Row lists the properties that a fault breaks, separated by spaces.
type Row[F fmt.Stringer] struct {
	Fault F
	Shown string
}

// Table returns the tasks of a program, row by row.
func Table[F fmt.Stringer](properties []Property[F], rows []Row[F]) []Task {
	var tasks []Task
	for _, row := range rows {
		for _, name := range strings.Fields(row.Shown) {
			i := slices.IndexFunc(properties, func(p Property[F]) bool { return p.Name == name })
			if i < 0 {
				panic("task: no property " + name)
			}
			tasks = append(tasks, properties[i].Under(row.Fault))
		}
	}
	return tasks
}
