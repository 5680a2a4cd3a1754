// Package hard checks that the real command finds the bugs of the three hard
// programs of eval/workload/peers, in a module such as a user would have.
//
// The programs are the files of that package, without the references to the test harness.
// Each has one test, with the declarations that a user would make. A search has one core
// and 60 seconds. The experiment only checks that the bug is found.
package hard

import (
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"strings"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/eval/scratch"
)

// Experiment fails if a search finds nothing.
var Experiment = lab.Experiment{
	Name: "hard",
	Doc:  "three programs with hard bugs: allele test -for 60s in a fresh module, on one core",
	Run:  run,
}

const (
	firstSeed = 5001 // as in package search: smaller seeds were used for tuning
	timeout   = "60s"
)

// Programs lists the tasks with their tests.
var Programs = []struct{ Name, Test string }{{"bst8", "TestBST8"}, {"rbhard", "TestRBHard"}, {"exprhard", "TestExprHard"}}

func run(cfg lab.Config) (*lab.Result, error) {
	files, err := Sources()
	if err != nil {
		return nil, err
	}
	m, err := scratch.New(files)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	res := &lab.Result{Summary: map[string]any{"time for each": timeout, "on one core": m.Pinned()}}
	for _, s := range cfg.SeedsOr(lab.Default[int]{Full: 5, Quick: 1}) {
		res.Seeds = append(res.Seeds, firstSeed-1+s)
	}
	found := 0
	for _, p := range Programs {
		// The first call builds the test.
		if _, err := m.Test("-run", "^"+p.Test+"$", "-tests", "1"); err != nil {
			return nil, err
		}
		var t trials
		for _, seed := range res.Seeds {
			cfg.Logf("%s, seed %d", p.Name, seed)
			r, err := m.Test("-run", "^"+p.Test+"$", "-for", timeout, "-keep-going=false", "-seed", fmt.Sprint(seed))
			if err != nil {
				return nil, err
			}
			t.add(r)
		}
		res.Rows = append(res.Rows, t.row(p.Name))
		found += t.found
	}
	all := len(Programs) * len(res.Seeds)
	res.Summary["found"] = fmt.Sprintf("%d of %d", found, all)
	if found < all {
		return res, fmt.Errorf("found %d of %d:\n%s", found, all, lab.Text(res.Rows))
	}
	return res, nil
}

// trials has the results of the searches for one bug. For a search that found nothing, it
// has all runs and the whole time of the search.
type trials struct {
	found, largest  int
	runs, cpu, wall []float64
}

func (t *trials) add(r scratch.Run) {
	if r.Failed {
		t.found++
	}
	t.largest = max(t.largest, r.Literals())
	t.runs, t.cpu, t.wall = append(t.runs, float64(r.Runs)), append(t.cpu, r.CPU), append(t.wall, r.Wall)
}

func (t *trials) row(name string) lab.Row {
	row := lab.Row{lab.Col("name", name), lab.Col("seeds", len(t.runs)), lab.Col("found", t.found)}
	for _, c := range []struct {
		name   string
		values []float64
	}{{"runs", t.runs}, {"cpu s", t.cpu}, {"wall s", t.wall}} {
		row = append(row, lab.Col(c.name+" p50", lab.Median(c.values)), lab.Col(c.name+" max", lab.Quantile(c.values, 1)))
	}
	return append(row, lab.Col("largest counterexample", t.largest))
}

// verdict is the text of a file that replaces package task.
const verdict = `package scratch

// Verdict is the result of a property for an input.
type Verdict int

// The verdicts.
const (
	Passed Verdict = iota
	Failed
	Discarded
)

// Holds is the verdict on an input that met the precondition.
func Holds(ok bool) Verdict {
	if ok {
		return Passed
	}
	return Failed
}
`

const tests = `package scratch

import (
	"testing"

	"github.com/allele-go/allele"
)

var keys = allele.Range(-10, 10)

func TestBST8(t *testing.T) {
	allele.Check(t, func(t *allele.T, in TreeKey) { judge(t, BST8(in)) }, keys)
}

func TestRBHard(t *testing.T) {
	allele.Check(t, func(t *allele.T, in RBKey) { judge(t, RBHard(in)) }, keys)
}

func TestExprHard(t *testing.T) {
	allele.Check(t, func(t *allele.T, in Expr) { judge(t, ExprHard(in)) }, keys, allele.Range(Name(0), Name(10)),
		allele.Variants[Expr](Num{}, Bool{}, Add{}, Mul{}, If{}, Let{}, Var{}))
}

func judge(t *allele.T, v Verdict) {
	t.Assume(v != Discarded)
	if v == Failed {
		t.Error("does not hold")
	}
}
`

// peers is the folder of the programs, relative to the folder eval.
const peers = "workload/peers"

// Sources returns the files of the module, including the named additional files of
// package peers.
func Sources(more ...string) (map[string]string, error) {
	files := map[string]string{"verdict.go": verdict, "hard_test.go": tests}
	for _, name := range append([]string{"tree.go", "redblack.go", "expr.go", "optimise.go"}, more...) {
		text, err := os.ReadFile(filepath.Join(filepath.FromSlash(peers), name))
		if err != nil {
			return nil, fmt.Errorf("%w; run it in the folder eval", err)
		}
		if files[name], err = own(string(text)); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return files, nil
}

// own removes the references to the harness from a file of package peers.
func own(text string) (string, error) {
	text = strings.NewReplacer("package peers\n", "package scratch\n",
		`import "github.com/allele-go/allele/eval/workload/task"`, "",
		`"github.com/allele-go/allele/eval/workload/task"`, "", "task.", "").Replace(text)
	out, err := format.Source([]byte(text))
	return string(out), err
}
