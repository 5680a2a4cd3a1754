// Package supervision measures what it costs to be prepared for a run that crashes its
// process. The cost has three parts: every input is recorded before its run, new inputs
// are saved, and the process is watched.
//
// The same search runs alternately with and without supervision, with the same test
// binary, seed and number of runs. The property takes about ten microseconds. The cost is
// the CPU time of the search process and of the process that watches it.
package supervision

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"time"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/eval/scratch"
	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/job"
)

// Experiment reports ratios. Each ratio compares two searches of one round.
var Experiment = lab.Experiment{Name: "supervision", Doc: "CPU time of a supervised search relative to an unsupervised one", Run: run}

// Code is the source of a property, TestSorted, that takes about ten microseconds and
// holds.
const Code = `package scratch

import (
	"testing"

	"github.com/allele-go/allele"
)

func TestSorted(t *testing.T) {
	allele.Check(t, func(t *allele.T, in []int) {
		ys := append([]int(nil), in...)
		for round := range 6 {
			for i := range ys {
				ys[i] ^= round
			}
			for i := range ys {
				for j := range i {
					if ys[j] > ys[i] {
						ys[j], ys[i] = ys[i], ys[j]
					}
				}
			}
		}
		for i := 1; i < len(ys); i++ {
			if ys[i-1] > ys[i] {
				t.Error("not sorted")
			}
		}
	})
}
`

// ways are the kinds of supervision.
var ways = []struct {
	name       string
	slot, keep bool
	env        []string
	fewer      int // a slow kind has fewer runs: their number is divided by this
}{
	{name: "alone"},
	{name: "cases in shared memory", slot: true},
	{name: "and what is new kept", slot: true, keep: true},
	{name: "cases in a plain file", slot: true, env: []string{"ALLELE_SHARED=off"}, fewer: 10},
}

func run(cfg lab.Config) (*lab.Result, error) {
	rounds, tests := 6, 1_000_000
	if cfg.Quick {
		rounds, tests = 2, 20_000
	}
	m, err := scratch.New(map[string]string{"sorted_test.go": Code})
	if err != nil {
		return nil, err
	}
	defer m.Close()
	w, err := prepare(m, tests)
	if err != nil {
		return nil, err
	}
	spent := make([][]float64, len(ways))
	for round := range rounds {
		cfg.Logf("round %d", round+1)
		for i := range ways {
			s, err := w.spend(i, round)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", ways[i].name, err)
			}
			spent[i] = append(spent[i], s/float64(w.runs(i)))
		}
	}
	res := &lab.Result{Summary: map[string]any{"rounds": rounds, "runs in a round": tests}}
	for i, way := range ways {
		ratios := make([]float64, rounds)
		for r := range ratios {
			ratios[r] = spent[i][r] / spent[0][r]
		}
		res.Rows = append(res.Rows, lab.Row{lab.Col("search", way.name), lab.Col("cpu us a run", 1e6*lab.Median(spent[i])),
			lab.Col("ratio p50", lab.Median(ratios)), lab.Col("least", lab.Quantile(ratios, 0)), lab.Col("most", lab.Quantile(ratios, 1))})
	}
	return res, nil
}

// worker is the test binary that the command built.
type worker struct {
	tests       int
	binary, dir string
	sites       int
}

var sitesOf = regexp.MustCompile(`"sites":([0-9]+)`)

// prepare lets the command build the test, and reads from its output how it runs the
// test.
func prepare(m *scratch.Module, tests int) (*worker, error) {
	out, err := m.Command("test", "-x", "-operands=off", "-tests", "1", ".").CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("allele test: %w\n%s", err, out)
	}
	binaries, err := filepath.Glob(filepath.Join(m.Cache(), "allele", "scratch-*", "bin", "scratch.test"))
	sites := sitesOf.FindSubmatch(out)
	if err != nil || len(binaries) != 1 || sites == nil {
		return nil, fmt.Errorf("found %d binaries, want 1, and the number of sites %q in:\n%s", len(binaries), sites, out)
	}
	n, err := strconv.Atoi(string(sites[1]))
	return &worker{tests: tests, binary: binaries[0], dir: m.Dir(), sites: n}, err
}

// runs returns the number of runs of a search.
func (w *worker) runs(way int) int { return w.tests / max(1, ways[way].fewer) }

// spend runs the search with the given kind of supervision, and returns the CPU
// seconds of both processes.
func (w *worker) spend(way, round int) (float64, error) {
	temp, err := os.MkdirTemp("", "allele-eval-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(temp)
	env := append([]string{"GOMAXPROCS=1", "GODEBUG=asyncpreemptoff=1"}, ways[way].env...)
	seed := uint64(5001 + round)
	j := &job.Job{
		Mode:     job.Search,
		Property: "TestSorted",
		Program:  job.Program{Sites: w.sites},
		Search:   job.Params{Seed: &seed, Tests: w.runs(way), Fresh: true},
	}
	if ways[way].keep {
		j.Corpus, j.Program.Hash = temp, "x"
	}
	before := lab.CPUWithChildren()
	if !ways[way].slot {
		cmd := exec.Command(w.binary, "-test.run=^TestSorted$", "-test.timeout=0")
		cmd.Dir, cmd.Env = w.dir, append(append(os.Environ(), env...), job.Variable+"="+j.Encode())
		if out, err := cmd.CombinedOutput(); err != nil {
			return 0, fmt.Errorf("%w\n%s", err, out)
		}
		return (lab.CPUWithChildren() - before).Seconds(), nil
	}
	slot, err := proc.NewSlot(filepath.Join(temp, proc.SlotName(1)))
	if err != nil {
		return 0, err
	}
	defer slot.Remove()
	p, err := proc.Start(proc.Config{
		Path: w.binary, Args: []string{"-test.run=^TestSorted$", "-test.timeout=0"}, Dir: w.dir, Env: env,
		Job: j, Slot: slot, Hang: 10 * time.Second,
	})
	if err != nil {
		return 0, err
	}
	if d := p.Wait(); d.Kind != proc.Ended || d.Code != 0 {
		return 0, fmt.Errorf("%s\n%s%s%s", d.Text, d.Out, d.Err, d.Stack)
	}
	return (lab.CPUWithChildren() - before).Seconds(), nil
}
