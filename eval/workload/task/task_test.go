package task_test

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/allele-go/allele"
	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/eval/workload/task"
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
)

type shape interface{ sides() int }

type (
	square  struct{ W int }
	polygon struct{ N int }
)

func (square) sides() int    { return 4 }
func (p polygon) sides() int { return p.N }

type input struct {
	Shape shape
	Limit int
}

// few has a precondition. It holds for squares and fails for some polygons.
var few = task.Of("few", func(in input) task.Verdict {
	if in.Limit < 4 {
		return task.Discarded
	}
	return task.Holds(in.Shape.sides() <= in.Limit)
}, task.Variants[shape](square{}, polygon{}), task.Range(0, 9))

func TestRunJudgesValues(t *testing.T) {
	for _, row := range []struct {
		in   input
		want string
	}{
		{input{square{1}, 3}, "discarded"},
		{input{square{1}, 4}, "passed"},
		{input{polygon{6}, 5}, "failed"},
	} {
		if got := few.Run(row.in).String(); got != row.want {
			t.Errorf("%+v: %s, want %s", row.in, got, row.want)
		}
	}
}

// A term has the same verdict as its value, and both forms of the declarations have the
// same effect.
func TestCallJudgesTerms(t *testing.T) {
	w, err := schema.Derive(few.In, few.Decls())
	if err != nil {
		t.Fatal(err)
	}
	g, b := gen.New(w), schema.NewBuilder(w)
	seen := map[task.Verdict]int{}
	for run := range uint64(1000) {
		x := g.Term(rng.At(1, run), 10)
		v := reflect.New(few.In)
		b.Build(x, v.UnsafePointer())
		in := v.Elem().Interface().(input)
		if in.Limit < 0 || in.Limit > 9 || in.Shape == nil {
			t.Fatalf("not as declared: %+v", in)
		}
		got := few.Call(b, x)
		if want := few.Run(in); got != want {
			t.Fatalf("%+v: the term %v, the value %v", in, got, want)
		}
		seen[got]++
	}
	if len(seen) != 3 {
		t.Errorf("verdicts: %v", seen)
	}
}

func TestCheckIsAnOrdinaryTest(t *testing.T) {
	t.Cleanup(func() { os.RemoveAll("testdata") }) // where the failing case is stored
	inner := lab.Test("TestFew", func(tb testing.TB) { few.Check(tb, allele.Seed(1)) })
	if log := strings.Join(inner.Logged, "\n"); !inner.Failed() || !strings.Contains(log, "polygon") {
		t.Errorf("failed: %v, logged:\n%s", inner.Failed(), log)
	}
}
