package etna_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/eval/workload/etna"
	"github.com/allele-go/allele/eval/workload/etna/bst"
	"github.com/allele-go/allele/eval/workload/etna/rbt"
	"github.com/allele-go/allele/eval/workload/etna/stlc"
	"github.com/allele-go/allele/eval/workload/task"
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
)

// builders make valid inputs: trees by correct insertions and deletions, terms by a
// generator that makes only well-typed terms.
var builders = []any{
	func(ops []op) (t *bst.Tree) {
		for _, o := range ops {
			t = bst.Correct.Insert(t, o.Key, o.Value)
		}
		return t
	},
	func(ops []op) (t *rbt.Tree) {
		for _, o := range ops {
			if o.Delete && o.Value { // in a quarter of the cases; otherwise trees would stay small
				t, _ = rbt.Correct.Delete(t, o.Key)
			} else {
				t = rbt.Correct.Insert(t, o.Key, o.Value)
			}
		}
		return t
	},
	func(seed uint64) stlc.Expr {
		r := rand.New(rand.NewPCG(seed, 0))
		return exprOf(r, typ(r, 3), nil, 8)
	},
}

type op struct {
	Key           int
	Value, Delete bool
}

func typ(r *rand.Rand, depthLeft int) stlc.Type {
	if depthLeft == 0 || r.IntN(2) == 0 {
		return stlc.TBool{}
	}
	return stlc.TFun{From: typ(r, depthLeft-1), To: typ(r, depthLeft-1)}
}

// exprOf makes a term of a type. The variables have the types in scope, outermost
// first.
func exprOf(r *rand.Rand, t stlc.Type, scope []stlc.Type, size int) stlc.Expr {
	if size > 0 && r.IntN(2) == 0 {
		from := typ(r, 2)
		return stlc.App{F: exprOf(r, stlc.TFun{From: from, To: t}, scope, size/2), X: exprOf(r, from, scope, size/2)}
	}
	var vars []stlc.Expr
	for i, v := range scope {
		if v == t {
			vars = append(vars, stlc.Var{I: len(scope) - 1 - i})
		}
	}
	if len(vars) > 0 && r.IntN(2) == 0 {
		return vars[r.IntN(len(vars))]
	}
	if f, ok := t.(stlc.TFun); ok {
		return stlc.Abs{T: f.From, E: exprOf(r, f.To, append(slices.Clone(scope), f.From), max(0, size-1))}
	}
	return stlc.Bool{B: r.IntN(2) == 0}
}

// runs runs the property on up to n valid inputs, until one fails.
func runs(t *testing.T, task task.Task, n int) (count [3]int) {
	decls := task.Decls()
	for _, f := range builders {
		m, err := schema.NewFunc(f)
		if err != nil {
			t.Fatal(err)
		}
		decls = slices.DeleteFunc(decls, func(d schema.Decl) bool { return d.Type == m.Result }) // variants
		decls = append(decls, schema.Decl{Type: m.Result, What: m})
	}
	for i := range decls {
		decls[i].Tier = schema.Global // no input contains all the declared types
	}
	w, err := schema.Derive(task.In, decls)
	if err != nil {
		t.Fatalf("%s: %v", task.Name, err)
	}
	g, b := gen.New(w), schema.NewBuilder(w)
	for run := range uint64(n) {
		verdict := task.Call(b, g.Term(rng.At(1, run), 1+int(run%60)))
		if count[verdict]++; verdict == failed {
			break
		}
	}
	return count
}

const passed, failed, discarded = task.Passed, task.Failed, task.Discarded

// The correct programs satisfy all properties for every valid input.
func TestCorrectPrograms(t *testing.T) {
	var tasks []task.Task
	for _, p := range bst.Properties() {
		tasks = append(tasks, p.Under(bst.Correct))
	}
	for _, p := range rbt.Properties() {
		tasks = append(tasks, p.Under(rbt.Correct))
	}
	for _, p := range stlc.Properties() {
		tasks = append(tasks, p.Under(stlc.Correct))
	}
	for _, task := range tasks {
		const n = 5000
		if count := runs(t, task, n); count[passed] < n {
			t.Errorf("%s: %d passed, %d failed, %d discarded", task.Name, count[passed], count[failed], count[discarded])
		}
	}
}

// Every task can be solved: there is a valid input that fails.
func TestEveryTaskCanBeSolved(t *testing.T) {
	const n = 300_000
	for _, task := range etna.Tasks() {
		count := runs(t, task, n)
		if count[failed] == 0 {
			t.Errorf("%s: no failure in %d runs", task.Name, n)
		} else {
			t.Logf("%s: run %d", task.Name, count[passed]+1)
		}
	}
}

// The numbers of tasks are the published ones, and every input can be derived.
func TestTasks(t *testing.T) {
	per := map[string]int{}
	faults := map[string]bool{}
	for _, task := range etna.Tasks() {
		if _, err := schema.Derive(task.In, task.Decls()); err != nil {
			t.Errorf("%s: %v", task.Name, err)
		}
		part := strings.Split(task.Name, "/")
		per[part[0]]++
		faults[part[0]+"/"+part[1]] = true
	}
	if got := fmt.Sprint(per); got != "map[bst:53 rbt:58 stlc:20]" || len(faults) != 8+15+10 {
		t.Errorf("%s, %d faults", got, len(faults))
	}
}
