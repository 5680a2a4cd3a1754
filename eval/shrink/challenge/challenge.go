// Package challenge contains a public set of properties that is used to compare
// shrinkers. The properties are written as a user would write them.
//
//	for _, c := range challenge.All() {
//		trial := c.Run(seed, shrink.RunsMax)
//		trial.Reached // whether the result is accepted as fully shrunk
//	}
//
// The experiment shrink publishes a table of the results.
package challenge

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/search/shrink"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// Challenge is a property that fails, and what its counterexamples should
// shrink to.
type Challenge struct {
	Name string

	root     reflect.Type
	decls    []schema.Decl
	fails    func(value unsafe.Pointer) bool // reports whether the assumptions are true and the property is false
	smallest func(value unsafe.Pointer) bool
}

// spec is a challenge with its input type as a type parameter.
type spec[In any] struct {
	name     string
	decls    []schema.Decl
	assume   func(In) bool // nil accepts every input
	holds    func(In) bool
	smallest func(In) bool // reports whether an input is accepted as fully shrunk
}

func (s spec[In]) challenge() Challenge {
	return Challenge{
		Name:  s.name,
		root:  reflect.TypeFor[In](),
		decls: s.decls,
		fails: func(p unsafe.Pointer) bool {
			in := *(*In)(p)
			return (s.assume == nil || s.assume(in)) && !s.holds(in)
		},
		smallest: func(p unsafe.Pointer) bool { return s.smallest(*(*In)(p)) },
	}
}

// Trial is one failure found by random search, and the result of shrinking it.
type Trial struct {
	Found        bool
	Reached      bool   // the result is an accepted smallest form
	Runs         int    // runs of the property while shrinking
	Before       int    // number of nodes before shrinking
	First, Least string // the counterexample as found and as shrunk
}

const (
	// testsMax is the maximum number of random inputs that are tried to find a failure.
	testsMax = 200_000
	// sizeMax is the largest size of a default run; sizes cycle from 1 to sizeMax.
	sizeMax = 20
)

// Run searches for a failing input at random, with the given seed, and shrinks it.
func (c Challenge) Run(seed uint64, runsMax int) Trial {
	w, err := schema.Derive(c.root, c.decls)
	if err != nil {
		panic(fmt.Sprintf("challenge: %s: %v", c.Name, err))
	}
	b := schema.NewBuilder(w)
	build := func(t term.Term) reflect.Value {
		v := reflect.New(c.root)
		b.Build(t, v.UnsafePointer())
		return v
	}
	fails := func(t term.Term) bool { return c.fails(build(t).UnsafePointer()) }
	first, found := find(w, seed, fails)
	if !found {
		return Trial{}
	}
	least, runs := shrink.Minimise(shrink.Config{World: w, Fails: fails, RunsMax: runsMax}, first)
	v := build(least)
	return Trial{
		Found: true, Reached: c.smallest(v.UnsafePointer()), Runs: runs, Before: nodes(first),
		First: show(build(first).Elem()), Least: show(v.Elem()),
	}
}

func find(w *schema.World, seed uint64, fails func(term.Term) bool) (t term.Term, found bool) {
	g := gen.New(w)
	for run := range uint64(testsMax) {
		t := g.Term(rng.At(seed, run), 1+int(run)%sizeMax)
		if fails(t) {
			return t.Clone(), true
		}
	}
	return nil, false
}

func nodes(t term.Term) (n int) {
	for range t.Nodes() {
		n++
	}
	return n
}

func limit[V any](lo, hi V) schema.Decl {
	return schema.Decl{Type: reflect.TypeFor[V](), What: schema.Range{Lo: reflect.ValueOf(lo), Hi: reflect.ValueOf(hi)}, Tier: schema.Local}
}

func variants[I any](vs ...I) schema.Decl {
	return schema.Decl{Type: reflect.TypeFor[I](), What: schema.VariantsOf(vs...), Tier: schema.Local}
}
