// Package speed measures the cost of a run, without the cost of the property itself.
package speed

import (
	"errors"
	"flag"
	"fmt"
	"reflect"
	"testing"
	"testing/quick"
	"unsafe"

	"pgregory.net/rapid"

	"github.com/allele-go/allele"
	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/eval/workload"
	"github.com/allele-go/allele/eval/workload/peers"
	"github.com/allele-go/allele/eval/workload/task"
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// Experiment makes three comparisons of costs: a run of a trivial property in allele and in
// other libraries, a discarded run and a passed run, and building a value from a term and
// with handwritten code. All subjects take turns in one process. The experiment fails if a
// ratio exceeds its bound.
var Experiment = lab.Experiment{Name: "speed", Doc: "cost of a run, of a discard, of building a value: ratios in one process", Run: run}

func run(cfg lab.Config) (*lab.Result, error) {
	rounds := 15
	if cfg.Quick {
		rounds = 3
	}
	res := &lab.Result{Seeds: []uint64{1}, Summary: map[string]any{"rounds": rounds}}
	if flag.Lookup("test.v") == nil {
		testing.Init() // rapid reads the flags of go test
		flag.CommandLine.Parse(nil)
	}
	cfg.Logf("runs")
	runs := lab.Interleave(rounds, runSubjects()...)
	cfg.Logf("values")
	builds, err := buildSubjects()
	if err != nil {
		return nil, err
	}
	values := lab.Interleave(rounds, builds...)
	cfg.Logf("distinct inputs")
	counts, err := countSubjects()
	if err != nil {
		return nil, err
	}
	checks := lab.Interleave(rounds, counts...)
	compare := func(what string, a, b lab.Timing) {
		res.Rows = append(res.Rows, lab.Row{lab.Col("what", what), lab.Col("cpu ns", a.NsPerOp),
			lab.Col("against", b.Name), lab.Col("its cpu ns", b.NsPerOp), lab.Col("ratio", a.Over(b)), lab.Col("n", a.N)})
	}
	compare("a run of a property that does nothing", runs[0], runs[1])
	compare("the same", runs[0], runs[2])
	compare("an input discarded by Given", runs[4], runs[3])
	compare("an input discarded by Assume", runs[5], runs[3])
	compare("building a tree of 15 nodes", values[0], values[1])
	compare("building a syntax tree of 20 nodes", values[2], values[3])
	compare("building a struct of 40 fields, with lists and maps", values[4], values[5])
	claims := []claim{
		{"times faster than rapid", runs[1].Over(runs[0]), 5, atLeast, false},
		{"times faster than testing/quick", runs[2].Over(runs[0]), 1, atLeast, false},
		{"discard by Given / passed run", runs[4].Over(runs[3]), 1, atMost, false},
		{"*Tree of 15: built / by hand", values[0].Over(values[1]), 1.5, atMost, false},
		{"Expr of 20: built / by hand", values[2].Over(values[3]), 1.5, atMost, false},
		{"Pod: built / by hand", values[4].Over(values[5]), 2, atMost, false},
		{"counting distinct inputs, cpu us for a Check of 1,000 runs", more(checks[0], checks[1]) / 1e3, 20, atMost, true},
		{"counting distinct inputs, share of a trivial run at 1,000,000",
			more(checks[2], checks[3]) / 1e6 / runs[0].NsPerOp, 0.03, atMost, true},
	}
	res.Summary["discard by Assume / passed run"] = runs[5].Over(runs[3])
	res.Summary["discard by Assume, cpu ns more than by Given"] = runs[5].NsPerOp - runs[4].NsPerOp
	res.Summary["generation, cpu ns per node of *Tree"] = values[6].NsPerOp
	var broken []error
	for _, c := range claims {
		res.Summary[c.what] = c.ratio
		if !c.holds(cfg.Quick) {
			broken = append(broken, fmt.Errorf("%s: %.2f, want %v", c.what, c.ratio, c.bound))
		}
	}
	return res, errors.Join(broken...)
}

// more returns how much more a costs than b, in ns: the median over the rounds.
func more(a, b lab.Timing) float64 {
	var all []float64
	for i := range a.Rounds {
		all = append(all, a.Rounds[i]-b.Rounds[i])
	}
	return max(lab.Median(all), 1) // less than nothing is noise
}

// countSubjects returns subjects whose operation is a whole search, of 1,000 and of 1,000,000
// runs that pass, with and without counting distinct inputs.
func countSubjects() (subjects []lab.Subject, err error) {
	w, err := schema.Derive(reflect.TypeFor[int](), nil)
	if err != nil {
		return nil, err
	}
	for _, tests := range []int{1_000, 1_000_000} {
		for _, uncounted := range []bool{false, true} {
			subjects = append(subjects, lab.Subject{Name: fmt.Sprintf("%d runs, uncounted: %v", tests, uncounted), Run: func(n int) {
				for range n {
					e := engine.New(engine.Config{World: w, Seed: 1, Size: 20, Tests: tests, Runs: 10 * tests})
					if uncounted { // as many are known as are counted
						e.Distinct = engine.DistinctMax
					}
					for _, ok := e.Next(); ok; _, ok = e.Next() {
						e.Done(engine.Passed, trace.Run{})
					}
				}
			}})
		}
	}
	return subjects, nil
}

// claim is a ratio with its bound.
type claim struct {
	what  string
	ratio float64
	bound float64
	sense sense
	// small is true of a difference between two nearly equal times. Three rounds on a busy
	// machine cannot measure it: a quick run reports it and does not check it.
	small bool
}

type sense int

const (
	atLeast sense = 1
	atMost  sense = -1
)

// slack is the factor by which a quick run may miss a bound: with three rounds on a
// busy machine, ratios are not more precise.
const slack = 1.6

func (c claim) holds(quick bool) bool {
	r := c.ratio / c.bound
	if c.sense == atMost {
		r = 1 / r
	}
	if quick {
		r *= slack
	}
	return r >= 1 || quick && c.small
}

// runSubjects returns subjects that run a property which takes an int and does nothing.
// The first three run it in three libraries. The others run it in allele: the runs of one
// pass, and the runs of two are discarded, by Given and by Assume.
func runSubjects() []lab.Subject {
	pass := func(t *allele.T, in int) {}
	never := func(in int) bool { return false }
	return []lab.Subject{
		{Name: "allele.Check, int", Run: check(pass)},
		{Name: "rapid.Check", Run: func(n int) {
			flag.Set("rapid.checks", fmt.Sprint(n))
			lab.Test("TestRapid", func(t testing.TB) { rapid.Check(t, func(t *rapid.T) { rapid.Int().Draw(t, "in") }) })
		}},
		{Name: "testing/quick", Run: func(n int) {
			quick.Check(func(in int) bool { return true }, &quick.Config{MaxCount: n})
		}},
		{Name: "a run that passes", Run: check(pass)},
		{Name: "discarded by Given", Run: discarding(pass, allele.Given(never))},
		{Name: "discarded by Assume", Run: discarding(func(t *allele.T, in int) { t.Assume(false) })},
	}
}

// check returns a function that makes n runs of a property.
func check(prop func(t *allele.T, in int), opts ...allele.Option) func(n int) {
	return func(n int) {
		lab.Test("TestAllele", func(t testing.TB) {
			allele.Check(t, prop, append(opts, allele.Tests(n), allele.AllowVacuous())...)
		})
	}
}

// discarding returns a function that makes n runs that are discarded. Discarded runs do
// not count towards Tests, but a Check gives up after ten times as many runs as Tests
// says. So a tenth of n is enough.
func discarding(prop func(t *allele.T, in int), opts ...allele.Option) func(n int) {
	made := check(prop, opts...)
	return func(n int) { made(n/10 + 1) }
}

// buildSubjects returns two subjects for each type: one builds the value of a term, the
// other makes the same value with handwritten code. The last subject generates terms.
func buildSubjects() ([]lab.Subject, error) {
	tree, err := termOf[*workload.Tree](15)
	if err != nil {
		return nil, err
	}
	expr, err := termOf[peers.Expr](20, peers.Forms())
	if err != nil {
		return nil, err
	}
	pod, err := termOf[workload.Pod](30)
	if err != nil {
		return nil, err
	}
	gens, err := schema.Derive(reflect.TypeFor[*workload.Tree](), nil)
	if err != nil {
		return nil, err
	}
	g := gen.New(gens)
	if got := handPod(&reader{t: pod.t}); !reflect.DeepEqual(got, *build[workload.Pod](pod)) {
		return nil, fmt.Errorf("the handwritten code makes a different Pod: %+v", got)
	}
	return []lab.Subject{
		{Name: "*Tree of 15, built", Run: builder[*workload.Tree](tree)},
		{Name: "code written by hand", Run: func(n int) {
			for range n {
				at := 0
				sink = handTree(tree.t, &at)
			}
		}},
		{Name: "Expr of 20, built", Run: builder[peers.Expr](expr)},
		{Name: "code written by hand", Run: func(n int) {
			for range n {
				at := 0
				sink = handExpr(expr.t, &at)
			}
		}},
		{Name: "Pod, built", Run: builder[workload.Pod](pod)},
		{Name: "code written by hand", Run: func(n int) {
			for range n {
				sink = handPod(&reader{t: pod.t})
			}
		}},
		{Name: "generation, per node of *Tree", Run: func(n int) {
			for run := uint64(0); n > 0; run++ {
				n -= len(g.Term(rng.At(1, run), 20))
			}
		}},
	}, nil
}

var sink any

type sample struct {
	w *schema.World
	t term.Term
}

// termOf returns a term with exactly the given number of cells, which are the nodes of a
// value.
func termOf[T any](cells int, declare ...task.Declaration) (sample, error) {
	w, err := schema.Derive(reflect.TypeFor[T](), task.Decls(declare...))
	if err != nil {
		return sample{}, err
	}
	g := gen.New(w)
	for run := range uint64(1_000_000) {
		if t := g.Term(rng.At(2, run), 2*cells); w.Cells(t) == cells {
			return sample{w, t.Clone()}, nil
		}
	}
	return sample{}, fmt.Errorf("no term of %v with %d nodes", reflect.TypeFor[T](), cells)
}

func build[T any](s sample) *T {
	v := new(T)
	schema.NewBuilder(s.w).Build(s.t, unsafe.Pointer(v))
	return v
}

func builder[T any](s sample) func(n int) {
	b := schema.NewBuilder(s.w)
	return func(n int) {
		for range n {
			var v T
			b.Build(s.t, unsafe.Pointer(&v))
			sink = v
		}
	}
}
