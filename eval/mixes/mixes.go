// Package mixes compares ways of generating inputs in an unguided search, to find out
// which way is the best default.
//
// The programs are those of eval/workload/peers, as files of a fresh module. So the
// command finds the same facts in their source as it finds for a user. Each way of
// generating is a set of options of one Check.
package mixes

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/allele-go/allele/eval/hard"
	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/eval/scratch"
)

// Experiment has a row for each program and way.
var Experiment = lab.Experiment{
	Name: "mixes",
	Doc:  "ways of generating inputs, without guidance: valid share, non-trivial valid share, runs until the bug is found",
	Run:  run,
}

const firstSeed = 5001 // smaller seeds were used for tuning

const none = `allele.Ignore{Builders: true, Patterns: true, Constants: true}`

// ways lists the compared ways of generating inputs. The cost function of the way "even odds"
// is constant, so the odds stay even.
var ways = []struct{ name, id, options string }{
	{"even odds", "Even", `allele.Distribution{Cost: func(map[string]float64) float64 { return 0 }}, ` + none},
	{"size split", "Split", none},
	{"tuned to uniform", "Tuned", `allele.Distribution{}, ` + none},
	{"size split, facts", "SplitFacts", ``},
	{"tuned, facts", "TunedFacts", `allele.Distribution{}`},
}

// programs lists the tasks. The field large is a Go expression that is true if a valid
// input is not trivial.
var programs = []struct{ name, in, run, large, options string }{
	{"bst4", "TreeKey", "BST4(in)", "in.Tree.size() >= 4", "keys"},
	{"rbeasy", "RBKey", "RBEasy(in)", "count(in.Tree) >= 4", "keys"},
	{"rbhard", "RBKey", "RBHard(in)", "count(in.Tree) >= 4", "keys"},
	{"expreasy", "Expr", "ExprEasy(in)", "depth(in) >= 3", "keys, names"},
	{"exprhard", "Expr", "ExprHard(in)", "depth(in) >= 3", "keys, names"},
}

const head = `package scratch

import (
	"fmt"
	"testing"

	"github.com/allele-go/allele"
)

var (
	keys  = allele.Range(-10, 10)
	names = allele.Range(Name(0), Name(10))
)

func count(t *RB) int {
	if t == nil {
		return 0
	}
	return 1 + count(t.L) + count(t.R)
}

func depth(e Expr) int {
	switch e := e.(type) {
	case Add:
		return 1 + max(depth(e.L), depth(e.R))
	case Mul:
		return 1 + max(depth(e.L), depth(e.R))
	case If:
		return 1 + max(depth(e.C), depth(e.T), depth(e.E))
	case Let:
		return 1 + max(depth(e.E), depth(e.B))
	}
	return 0
}
`

const share = `
func Test%[1]s(t *testing.T) {
	all, valid, large := 0, 0, 0
	allele.Check(t, func(t *allele.T, in %[2]s) {
		all++
		if %[3]s != Discarded {
			valid++
			if %[4]s {
				large++
			}
		}
	}, %[5]s)
	fmt.Printf("SHARE %%d %%d %%d\n", all, valid, large)
}
`

// find is a test that can find the bug. It passes invalid inputs instead of discarding
// them, so that every way has the same number of runs.
const find = `
func Test%[1]s(t *testing.T) {
	allele.Check(t, func(t *allele.T, in %[2]s) {
		if %[3]s == Failed {
			t.Error("does not hold")
		}
	}, %[4]s)
}
`

func source() string {
	var b strings.Builder
	b.WriteString(head)
	for _, p := range programs {
		for _, w := range ways {
			options := strings.TrimSuffix(p.options+", "+w.options, ", ")
			fmt.Fprintf(&b, share, "Share"+p.name+w.id, p.in, p.run, p.large, options)
			fmt.Fprintf(&b, find, "Find"+p.name+w.id, p.in, p.run, options)
		}
	}
	return b.String()
}

func run(cfg lab.Config) (*lab.Result, error) {
	files, err := hard.Sources()
	if err != nil {
		return nil, err
	}
	files["hard_test.go"] = source()
	m, err := scratch.New(files)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	res := &lab.Result{Summary: map[string]any{}}
	for _, s := range cfg.SeedsOr(lab.Default[int]{Full: 20, Quick: 1}) {
		res.Seeds = append(res.Seeds, firstSeed-1+s)
	}
	inputs, tests, all := 100_000, 100_000, programs
	if cfg.Quick {
		inputs, tests, all = 2_000, 2_000, programs[1:2]
	}
	res.Summary["inputs for shares"], res.Summary["runs at most"] = inputs, tests
	for _, p := range all {
		var base []float64
		for _, w := range ways {
			cfg.Logf("%s, %s", p.name, w.name)
			row, runs, err := trial(m, p.name, w.name, w.id, inputs, tests, res.Seeds)
			if err != nil {
				return nil, err
			}
			if w.id == "Split" {
				base = runs
			}
			a12 := any("")
			if base != nil && w.id != "Split" {
				a12 = lab.A12(runs, base) // below a half: this way needs fewer runs than the way "size split"
			}
			res.Rows = append(res.Rows, append(row, lab.Col("A12 over size split", a12)))
		}
	}
	return res, nil
}

var shareLine = regexp.MustCompile(`(?m)^SHARE ([0-9]+) ([0-9]+) ([0-9]+)$`)

func trial(m *scratch.Module, program, way, id string, inputs, tests int, seeds []uint64) (lab.Row, []float64, error) {
	common := []string{"-strategy", "random", "-fresh"}
	r, err := m.Test(append(common, "-run", "^TestShare"+program+id+"$", "-tests", fmt.Sprint(inputs), "-seed", fmt.Sprint(seeds[0]))...)
	if err != nil {
		return nil, nil, err
	}
	n := shareLine.FindStringSubmatch(r.Text)
	if n == nil {
		return nil, nil, fmt.Errorf("no shares in\n%s", r.Text)
	}
	var counts [3]float64
	for i := range counts {
		counts[i], _ = strconv.ParseFloat(n[i+1], 64) // only digits match
	}
	found := 0
	var runs []float64
	for _, seed := range seeds {
		r, err := m.Test(append(common, "-run", "^TestFind"+program+id+"$", "-tests", fmt.Sprint(tests), "-seed", fmt.Sprint(seed))...)
		if err != nil {
			return nil, nil, err
		}
		n, ok := needs(r, tests)
		if runs = append(runs, n); ok {
			found++
		}
	}
	row := lab.Row{lab.Col("program", program), lab.Col("way", way),
		lab.Col("valid %", 100*counts[1]/counts[0]), lab.Col("non-trivial valid %", 100*counts[2]/counts[0]),
		lab.Col("seeds", len(seeds)), lab.Col("found", found),
		lab.Col("runs p50", capped(lab.Median(runs), tests)), lab.Col("runs p95", capped(lab.Quantile(runs, 0.95), tests))}
	return row, runs, nil
}

// needs returns how many runs a search needed, and whether it found the bug in at most tests
// runs. If it did not, it counts as worse than any search that did. A search whose inputs are
// refused by builders makes more runs than tests.
func needs(r scratch.Run, tests int) (runs float64, found bool) {
	if !r.Failed || r.Runs > tests {
		return float64(tests + 1), false
	}
	return float64(r.Runs), true
}

// capped returns a number of runs as a figure. If the number exceeds tests, the search
// found nothing, and capped returns "none".
func capped(runs float64, tests int) any {
	if runs > float64(tests) {
		return "none"
	}
	return runs
}
