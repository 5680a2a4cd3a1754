// Package suite measures what a campaign gains by giving more time to the properties
// whose searches have recently found more that is new. The real command runs twelve
// properties in the same total time, once with its own distribution of time and once with
// equal shares: each property in a campaign of its own.
//
// Three properties have hard bugs, four have easy bugs, and five have none. The time is
// short, so that an equal share is not enough for the hard bugs. The experiment counts
// how many of the seven bugs are found. Campaigns with the two distributions alternate.
package suite

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/allele-go/allele/eval/hard"
	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/eval/scratch"
	"github.com/allele-go/allele/internal/proc/event"
)

// Experiment counts the bugs that are found.
var Experiment = lab.Experiment{
	Name: "suite",
	Doc:  "twelve properties and one budget: bugs found if time goes where it pays, and with equal shares",
	Run:  run,
}

const firstSeed = 5001

// ways are the two distributions of time.
var ways = []struct {
	name string
	run  func(m *scratch.Module, budget time.Duration, seed uint64) (trial, error)
}{{"where it pays", together}, {"evenly", apart}}

// workers is how many properties are searched at the same time.
const workers = 2

var (
	hardOnes = []string{"TestBST8", "TestRBHard", "TestExprHard"}
	easyOnes = []string{"TestBST4", "TestSorted", "TestRBEasy", "TestExprEasy"}
	holding  = []string{"TestBSTHolds", "TestExprHolds", "TestMedian", "TestWords", "TestBytes"}
)

// Bugs returns the names of the tests that have a bug.
func Bugs() []string { return slices.Concat(hardOnes, easyOnes) }

func run(cfg lab.Config) (*lab.Result, error) {
	m, err := Module()
	if err != nil {
		return nil, err
	}
	defer m.Close()
	if _, err := m.Allele("-tests", "1"); err != nil { // builds the test
		return nil, err
	}
	budget := cfg.BudgetOr(lab.Default[time.Duration]{Full: 8 * time.Second, Quick: 3 * time.Second})
	res := &lab.Result{Summary: map[string]any{"seconds": budget.Seconds(), "workers": workers}}
	for _, s := range cfg.SeedsOr(lab.Default[int]{Full: 10, Quick: 1}) {
		res.Seeds = append(res.Seeds, firstSeed-1+s)
	}
	trials := make([][]trial, len(ways))
	for _, seed := range res.Seeds {
		for i, w := range ways {
			cfg.Logf("seed %d, %s", seed, w.name)
			t, err := w.run(m, budget, seed)
			if err != nil {
				return nil, err
			}
			if n := len(hardOnes) + len(easyOnes) + len(holding); len(t.took) != n {
				return nil, fmt.Errorf("%d of %d properties finished", len(t.took), n)
			}
			trials[i] = append(trials[i], t)
		}
	}
	for i, w := range ways {
		res.Rows = append(res.Rows, row(w.name, trials[i]))
	}
	res.Summary["A12 of bugs found"] = lab.A12(bugs(trials[0]), bugs(trials[1]))
	return res, nil
}

// trial is one campaign.
type trial struct {
	found []string           // properties whose bug was found
	took  map[string]float64 // property -> seconds
}

func bugs(trials []trial) (n []float64) {
	for _, t := range trials {
		n = append(n, float64(len(t.found)))
	}
	return n
}

func row(name string, trials []trial) lab.Row {
	count := func(of []string) (n int) {
		for _, t := range trials {
			for _, p := range t.found {
				if slices.Contains(of, p) {
					n++
				}
			}
		}
		return n
	}
	least, hardTime := 1e9, []float64{}
	for _, t := range trials {
		for p, s := range t.took {
			least = min(least, s)
			if slices.Contains(hardOnes, p) {
				hardTime = append(hardTime, s)
			}
		}
	}
	return lab.Row{lab.Col("time is shared", name), lab.Col("n", len(trials)),
		lab.Col("bugs", fmt.Sprintf("%d of %d", count(hardOnes)+count(easyOnes), len(trials)*(len(hardOnes)+len(easyOnes)))),
		lab.Col("hard ones", fmt.Sprintf("%d of %d", count(hardOnes), len(trials)*len(hardOnes))),
		lab.Col("a campaign p50", lab.Median(bugs(trials))),
		lab.Col("seconds of a hard one p50", lab.Median(hardTime)), lab.Col("least of any", least)}
}

// together runs one campaign.
func together(m *scratch.Module, budget time.Duration, seed uint64) (t trial, err error) {
	if err := os.RemoveAll(m.Dir() + "/testdata"); err != nil {
		return t, err
	}
	return one(m, "-for", budget.String(), "-workers", fmt.Sprint(workers), "-seed", fmt.Sprint(seed))
}

// apart runs a campaign for each property, with an equal share of the time. As many run at the same time as one
// campaign has workers.
func apart(m *scratch.Module, budget time.Duration, seed uint64) (all trial, err error) {
	if err := os.RemoveAll(m.Dir() + "/testdata"); err != nil {
		return all, err
	}
	properties := slices.Concat(hardOnes, easyOnes, holding)
	share := budget * workers / time.Duration(len(properties))
	trials, errs := make([]trial, len(properties)), make([]error, len(properties))
	var wg sync.WaitGroup
	for first := range workers {
		wg.Go(func() {
			for i := first; i < len(properties); i += workers {
				trials[i], errs[i] = one(m, "-run", "^"+properties[i]+"$", "-for", share.String(), "-workers", "1",
					"-seed", fmt.Sprint(seed))
			}
		})
	}
	wg.Wait()
	all.took = map[string]float64{}
	for _, t := range trials {
		all.found = append(all.found, t.found...)
		maps.Copy(all.took, t.took)
	}
	return all, errors.Join(errs...)
}

// one runs a campaign and reads its events.
func one(m *scratch.Module, args ...string) (t trial, err error) {
	cmd := m.Command(append([]string{"test", "-json"}, append(args, ".")...)...)
	out, err := cmd.Output()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() > 1 {
		return t, fmt.Errorf("allele test: %w\n%s", err, out)
	}
	t.took = map[string]float64{}
	for e, err := range event.Read(bytes.NewReader(out)) {
		if err != nil {
			return t, err
		}
		end, ok := e.Body.(event.Finished)
		if !ok {
			continue
		}
		t.took[e.Property] = end.Seconds
		if end.Verdict == event.Failed {
			t.found = append(t.found, e.Property)
			if slices.Contains(holding, e.Property) {
				return t, fmt.Errorf("%s failed, but it has no bug", e.Property)
			}
		}
	}
	return t, nil
}

// Module makes a module with the three hard programs and nine others.
func Module() (*scratch.Module, error) {
	files, err := hard.Sources("list.go", "holds.go")
	if err != nil {
		return nil, err
	}
	files["suite_test.go"] = tests
	return scratch.New(files)
}

const tests = `package scratch

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele"
)

var exprs = []allele.Option{keys, allele.Range(Name(0), Name(10)), allele.Variants[Expr](Num{}, Bool{}, Add{}, Mul{}, If{}, Let{}, Var{})}

func TestBST4(t *testing.T) {
	allele.Check(t, func(t *allele.T, in TreeKey) { judge(t, BST4(in)) }, keys)
}

func TestSorted(t *testing.T) {
	allele.Check(t, func(t *allele.T, in ListKey) { judge(t, Sorted(in)) }, keys)
}

func TestRBEasy(t *testing.T) {
	allele.Check(t, func(t *allele.T, in RBKey) { judge(t, RBEasy(in)) }, keys)
}

func TestExprEasy(t *testing.T) {
	allele.Check(t, func(t *allele.T, in Expr) { judge(t, ExprEasy(in)) }, exprs...)
}

func TestBSTHolds(t *testing.T) {
	allele.Check(t, func(t *allele.T, in TreeKey) { judge(t, BSTCorrect(in)) }, keys)
}

func TestExprHolds(t *testing.T) {
	allele.Check(t, func(t *allele.T, in Expr) { judge(t, ExprCorrect(in)) }, exprs...)
}

func TestMedian(t *testing.T) {
	allele.Check(t, func(t *allele.T, in []int16) {
		t.Assume(len(in) > 0)
		s := slices.Sorted(slices.Values(in))
		if m := s[len(s)/2]; m < s[0] || m > s[len(s)-1] {
			t.Error("not between")
		}
	})
}

func TestWords(t *testing.T) {
	allele.Check(t, func(t *allele.T, in string) {
		for _, w := range strings.Fields(in) {
			if w == "" || !strings.Contains(in, w) {
				t.Error("no word")
			}
		}
	})
}

func TestBytes(t *testing.T) {
	allele.Check(t, func(t *allele.T, in struct{ A, B []byte }) {
		if bytes.Compare(in.A, in.B) != -bytes.Compare(in.B, in.A) {
			t.Error("no order")
		}
	})
}
`
