//go:build go1.25

package gen_test

import (
	"reflect"
	"testing"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
)

type (
	statement  interface{ statement() }
	block      struct{ Of []statement }
	assignment struct{ To, From expression }
	choice     struct {
		If         expression
		Then, Else statement
	}
	expression interface{ expression() }
	number     struct{ N int }
	sum        struct{ L, R expression }
)

func (block) statement()      {}
func (assignment) statement() {}
func (choice) statement()     {}
func (number) expression()    {}
func (sum) expression()       {}

// A list of n elements that share a budget has mostly elements of the smallest constructors. If some lists are short, the
// large constructors come more often. Long lists still come, and so do empty ones.
func TestFew(t *testing.T) {
	w, err := schema.Derive(reflect.TypeFor[[]statement](), []schema.Decl{
		{Type: reflect.TypeFor[statement](), What: schema.VariantsOf[statement](block{}, assignment{}, choice{})},
		{Type: reflect.TypeFor[expression](), What: schema.VariantsOf[expression](number{}, sum{})},
	})
	if err != nil {
		t.Fatal(err)
	}
	share := func(few int) (large float64, longest, empty int) {
		g, all := gen.New(w), 0
		g.Few = few
		var program []statement
		b := schema.NewBuilder(w)
		for run := range uint64(2000) {
			b.Build(g.Term(rng.At(1, run), 1+int(run%20)), reflect.ValueOf(&program).UnsafePointer())
			longest = max(longest, len(program))
			if len(program) == 0 {
				empty++
			}
			for _, s := range program {
				all++
				switch s.(type) {
				case assignment, choice:
					large++
				}
			}
		}
		return large / float64(all), longest, empty
	}
	before, _, _ := share(0)
	after, longest, empty := share(32)
	t.Logf("share of large constructors: %.3f, %.3f with short lists; at most %d elements, %d empty", before, after, longest, empty)
	if after < 1.5*before || longest < 10 || empty < 50 {
		t.Errorf("share of large constructors: %.3f, %.3f with short lists; at most %d elements, %d empty", before, after, longest, empty)
	}
}
