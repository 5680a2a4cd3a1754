package decoders

import (
	"bufio"
	stdbytes "bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/eval/trial"
)

// operatorMax is the largest number of an operator of the paper that Go has.
const operatorMax = 16

// operatorBudget is enough for all lists.
var operatorBudget = lab.Default[time.Duration]{Full: 2 * time.Minute, Quick: 2 * time.Minute}

// list is a list of faults in an encoder that encodes one value, as in the paper.
type list struct {
	target
	base    int
	counts  encoded // of the whole list
	slice   encoded // of the list that is filtered by the slice
	cpu     float64
	inputs  [operatorMax + 1]int     // unique files of each operator
	reached [operatorMax + 1][]block // what they reach beyond the encoded value
	weights map[block]int
}

// encoded is what a search reports about its encoder.
type encoded struct {
	Reached, Faults, Sliced, Runs, Made, Same, Refused, Panics, Spent int
	By                                                                []int // runs of each operator
}

func runOperators(cfg lab.Config) (*lab.Result, error) {
	only, err := cfg.Match()
	if err != nil {
		return nil, err
	}
	s := &study{Config: cfg, name: "full"}
	if cfg.Quick {
		s.name = "quick"
	}
	var lists []*list
	for _, t := range targets {
		for base := range 2 {
			if only(t.name) && (!cfg.Quick || t.quick && base == 0) {
				lists = append(lists, &list{target: t, base: base})
				s.add(search{target: t, arm: paper, Base: base})
			}
		}
	}
	m, err := prepare(s.targets, programs, s.name)
	if err != nil {
		return nil, err
	}
	defer m.close()
	for _, t := range s.targets {
		s.Logf("building %s", t.name)
		if err := m.build(t, []string{"replay"}); err != nil {
			return nil, fmt.Errorf("%s: %w", t.name, err)
		}
	}
	var todo []int
	for i := range lists {
		todo = append(todo, i)
	}
	if err := s.warm(m, todo); err != nil {
		return nil, err
	}
	var mu sync.Mutex
	var errs []error
	trial.OnCores(todo, func(i, core int) {
		l := lists[i]
		err := l.make(m, cfg.BudgetOr(operatorBudget), core)
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", l.name, err))
		}
		s.Logf("%s, value %d: %+v, slice %+v", l.name, l.base+1, l.counts, l.slice)
	})
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	res := &lab.Result{Summary: map[string]any{}}
	reportLists(res, lists)
	return res, nil
}

// make makes the inputs of a list, and runs them again.
func (l *list) make(m *module, budget time.Duration, core int) error {
	temp, err := os.MkdirTemp(m.dir, "trial")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	filtered := search{target: l.target, arm: slice, Base: l.base, Seed: firstSeed}
	if _, _, l.slice, err = counted(m, filtered, budget, core, temp); err != nil {
		return err
	}
	log := filepath.Join(temp, "faults")
	whole := search{target: l.target, arm: paper, Base: l.base, Seed: firstSeed}
	inputs, cpu, counts, err := counted(m, whole, budget, core, temp, "-log", log)
	if err != nil {
		return err
	}
	l.counts, l.cpu = counts, cpu
	groups := filepath.Join(temp, "groups")
	if err := writeGroups(log, groups); err != nil {
		return err
	}
	r, err := m.replay(l.target, "replay", temp, inputs, groups)
	if err != nil {
		return err
	}
	l.weights = r.weights
	honest := map[block]bool{}
	for _, b := range r.Groups[0] {
		honest[b] = true
	}
	for g := 1; g <= operatorMax; g++ {
		l.inputs[g] = r.Inputs[g]
		for _, b := range r.Groups[g] {
			if !honest[b] && l.weights[b] > 0 {
				l.reached[g] = append(l.reached[g], b)
			}
		}
	}
	return nil
}

// counted makes a list to its end, and returns the file with its inputs and what the search reports.
func counted(m *module, tr search, budget time.Duration, core int, temp string, flags ...string) (
	log string, cpu float64, e encoded, err error) {
	s := m.search(tr, budget, core, temp)
	s.Cmd.Args = append(s.Cmd.Args[:2:2], append(append([]string{"-json"}, flags...), s.Cmd.Args[2:]...)...)
	done, err := s.Run()
	if err != nil {
		return "", 0, e, err
	}
	if !done.Ended {
		return "", 0, e, fmt.Errorf("the list is not complete after %v", budget)
	}
	text, err := os.ReadFile(filepath.Join(temp, "output"))
	if err != nil {
		return "", 0, e, err
	}
	for lines := bufio.NewScanner(stdbytes.NewReader(text)); lines.Scan(); {
		var line struct {
			Finished struct{ Search struct{ Encoded *encoded } }
		}
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Finished.Search.Encoded != nil {
			e = *line.Finished.Search.Encoded
		}
	}
	if e.Runs == 0 {
		return "", 0, e, fmt.Errorf("no counts in the output\n%s", trial.Tail(string(text)))
	}
	return s.Log(), done.CPU.Seconds(), e, nil
}

// writeGroups writes the operator of each run. The first run has the encoded value.
func writeGroups(log, to string) error {
	text, err := os.ReadFile(log)
	if err != nil {
		return err
	}
	var out strings.Builder
	out.WriteString("0\n")
	for line := range strings.Lines(string(text)) {
		var entry struct{ Kind string }
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			return err
		}
		number, _, _ := strings.Cut(entry.Kind, " ")
		fmt.Fprintln(&out, number)
	}
	return lab.WriteFile(to, []byte(out.String()))
}

// reportLists makes the tables 3, 5 and 6 of the paper.
func reportLists(res *lab.Result, lists []*list) {
	var total, runs [operatorMax + 1]int
	all, allRuns := 0, 0
	for _, l := range lists {
		c := l.counts
		res.Rows = append(res.Rows, lab.Row{lab.Col("table", 3), lab.Col("target", l.name), lab.Col("value", l.base+1),
			lab.Col("executed", c.Reached), lab.Col("change a value", c.Faults), lab.Col("slice", l.slice.Sliced),
			lab.Col("reduction %", 100-100*float64(l.slice.Sliced)/float64(max(1, c.Reached))),
			lab.Col("runs", c.Runs), lab.Col("files", c.Made+c.Same), lab.Col("unique", c.Made), lab.Col("cpu s", l.cpu)})
		for g, n := range l.inputs {
			total[g], all = total[g]+n, all+n
		}
		for g, n := range c.By[:min(len(c.By), operatorMax+1)] {
			runs[g], allRuns = runs[g]+n, allRuns+n
		}
	}
	best := subsets(lists)
	for g := 1; g <= operatorMax; g++ {
		res.Rows = append(res.Rows, lab.Row{lab.Col("table", 5), lab.Col("operator", g),
			lab.Col("faults", runs[g]), lab.Col("faults %", 100*float64(runs[g])/float64(max(1, allRuns))), lab.Col("inputs", total[g]),
			lab.Col("inputs %", 100*float64(total[g])/float64(max(1, all))), lab.Col("alone %", 100*best.of[1<<(g-1)])})
	}
	for n := 1; n <= operatorMax; n++ {
		set := best.best[n]
		inputs := 0
		var names []string
		for g := 1; g <= operatorMax; g++ {
			if set>>(g-1)&1 != 0 {
				inputs += total[g]
				names = append(names, fmt.Sprint(g))
			}
		}
		res.Rows = append(res.Rows, lab.Row{lab.Col("table", 6), lab.Col("size", n), lab.Col("best set", strings.Join(names, " ")),
			lab.Col("reached %", 100*best.of[set]), lab.Col("inputs %", 100*float64(inputs)/float64(max(1, all)))})
	}
}

// ranking is what each set of operators reaches, as a share of what all of them reach: the mean over all lists. A set is a number
// whose bit i stands for operator i+1.
type ranking struct {
	of   []float64
	best [operatorMax + 1]int // the best set of each size
}

func subsets(lists []*list) (r ranking) {
	const sets = 1 << operatorMax
	r.of = make([]float64, sets)
	counted := 0
	for _, l := range lists {
		// The operators that reach a block are a set too, and many blocks have the same one.
		by := map[block]int{}
		for g := 1; g <= operatorMax; g++ {
			for _, b := range l.reached[g] {
				by[b] |= 1 << (g - 1)
			}
		}
		weights, all := map[int]int{}, 0
		for b, set := range by {
			weights[set] += l.weights[b]
			all += l.weights[b]
		}
		if all == 0 {
			continue
		}
		counted++
		for set := range sets {
			sum := 0
			for of, w := range weights {
				if of&set != 0 {
					sum += w
				}
			}
			r.of[set] += float64(sum) / float64(all)
		}
	}
	for set := range r.of {
		r.of[set] /= float64(max(1, counted))
		if n := bits.OnesCount(uint(set)); r.of[set] > r.of[r.best[n]] || r.best[n] == 0 {
			r.best[n] = set
		}
	}
	return r
}
