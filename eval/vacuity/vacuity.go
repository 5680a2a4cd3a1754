// Package vacuity measures whether a test that checks nothing can pass unnoticed.
package vacuity

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/allele-go/allele"
	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/eval/workload"
)

// Experiment runs a property of a buggy search tree with default settings, and the
// same property of a correct tree that is built by its own Insert. It fails if the
// first property ever passes, or the second ever fails.
var Experiment = lab.Experiment{
	Name: "vacuity",
	Doc:  "default settings on a buggy search tree: no silent pass; on a correct one: no false alarm",
	Run:  run,
}

type input = struct {
	Tree *workload.Tree
	Key  int
}

func run(cfg lab.Config) (*lab.Result, error) {
	res := &lab.Result{Seeds: cfg.SeedsOr(lab.Default[int]{Full: 20, Quick: 20}), Summary: map[string]any{}}
	buggy, err := trial(res.Seeds, (*workload.Tree).InsertBST4)
	if err != nil {
		return nil, err
	}
	correct, err := trial(res.Seeds, (*workload.Tree).Insert,
		allele.Builder(func() *workload.Tree { return nil }), allele.Builder((*workload.Tree).Insert))
	if err != nil {
		return nil, err
	}
	res.Rows = append(res.Rows, buggy.row("bst4, derived trees"), correct.row("correct insert, built trees"))
	res.Summary["silent passes"] = buggy.passed
	res.Summary["false alarms"] = len(res.Seeds) - correct.passed
	if buggy.passed > 0 || correct.passed < len(res.Seeds) {
		return res, fmt.Errorf("%d silent passes, %d false alarms", buggy.passed, len(res.Seeds)-correct.passed)
	}
	return res, nil
}

type tally struct{ seeds, found, vacuous, passed int }

func (n tally) row(name string) lab.Row {
	return lab.Row{lab.Col("property", name), lab.Col("seeds", n.seeds),
		lab.Col("bug found", n.found), lab.Col("failed as vacuous", n.vacuous), lab.Col("passed", n.passed)}
}

func trial(seeds []uint64, insert func(*workload.Tree, int) *workload.Tree, opts ...allele.Option) (tally, error) {
	n := tally{seeds: len(seeds)}
	for _, seed := range seeds {
		t := lab.Test("TestInsert", func(t testing.TB) {
			allele.Check(t, func(t *allele.T, in input) {
				t.Assume(in.Tree.Ordered())
				if !insert(in.Tree, in.Key).Ordered() {
					t.Error("insert broke the order")
				}
			}, append(opts, allele.Seed(seed))...)
		})
		if err := os.RemoveAll("testdata"); err != nil { // otherwise the stored case would be run first
			return n, err
		}
		switch log := strings.Join(t.Logged, "\n"); {
		case !t.Failed():
			n.passed++
		case strings.Contains(log, "vacuous"):
			n.vacuous++
		default:
			n.found++
		}
	}
	return n, nil
}
