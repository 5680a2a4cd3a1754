package realbugs

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/allele-go/allele/eval/lab"
	tool "github.com/allele-go/allele/eval/trial"
)

// study is one run of the experiment. The outcome of each search is kept in the cache, and an interrupted experiment
// goes on. The flag -only selects rows.
type study struct {
	lab.Config
	name     string
	title    string // of the plot
	rows     []row
	arms     []arm
	budget   lab.Default[time.Duration]
	trials   []trial
	outcomes map[group][]outcome
	versions map[group]string
}

// group identifies the trials that differ only in their seeds.
type group struct {
	row string
	arm arm
}

func (tr trial) group() group { return group{tr.name, tr.Arm} }

func (s *study) run() error {
	s.Logf("building the command")
	cores := runtime.NumCPU()
	if s.Quick {
		cores = 1 // each row has one search
	}
	m, err := prepare(s.name, cores)
	if err != nil {
		return err
	}
	defer m.close()
	s.versions, s.outcomes = map[group]string{}, map[group][]outcome{}
	for _, r := range s.rows {
		s.Logf("building %s", r.name)
		if err := m.prepare(r, s.arms); err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		if s.Quick {
			continue // it uses the command only, and no earlier outcome
		}
		if err := m.build(r, s.arms); err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		for _, a := range s.arms {
			if !r.has(a) {
				continue
			}
			if s.versions[group{r.name, a}], err = m.version(r, a); err != nil {
				return fmt.Errorf("%s: %w", r.name, err)
			}
		}
	}
	return s.work(m)
}

// work makes the trials that have no outcome yet, one on each core at a time.
func (s *study) work(m *module) error {
	found, todo := make([]*outcome, len(s.trials)), []int{}
	for i, tr := range s.trials {
		if o, ok := lab.Recall[outcome](m.part(tr, s.versions[tr.group()])); ok && !s.Quick {
			found[i] = &o
		} else {
			todo = append(todo, i)
		}
	}
	if err := s.warm(m, todo); err != nil {
		return err
	}
	var mu sync.Mutex
	var errs []error
	left := tool.OnCores(todo, func(i, core int) {
		tr := s.trials[i]
		mu.Lock()
		skip := tr.Arm != guided && s.isHopeless(tr.group(), found)
		mu.Unlock()
		if skip {
			return
		}
		o, err := m.run(tr, core)
		if err == nil {
			err = lab.Keep(m.part(tr, s.versions[tr.group()]), o)
		}
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", tr, err))
			s.Logf("%s: %v", tr, err)
			return
		}
		found[i] = &o
		s.Logf("%s: %s", tr, o)
	})
	if left > 0 {
		s.Logf("interrupted: %d searches are left out; run the experiment again to make them", left)
	}
	for i, o := range found {
		if o != nil {
			g := s.trials[i].group()
			s.outcomes[g] = append(s.outcomes[g], *o)
		}
	}
	return errors.Join(errs...)
}

// warm builds what the command needs for the trials.
func (s *study) warm(m *module, todo []int) error {
	done := map[string]bool{}
	for _, i := range todo {
		tr := s.trials[i]
		if tr.Arm != guided || done[tr.name] {
			continue
		}
		done[tr.name] = true
		s.Logf("building %s with probes", tr.name)
		for core := range m.cores {
			if err := m.warm(tr.row, core); err != nil {
				return fmt.Errorf("%s: %w", tr.name, err)
			}
		}
	}
	return nil
}

// isHopeless reports whether a tool has found nothing in its first searches of a row.
func (s *study) isHopeless(g group, found []*outcome) bool {
	misses := 0
	for i, o := range found {
		if o == nil || s.trials[i].group() != g {
			continue
		}
		if o.found() {
			return false
		}
		misses++
	}
	return misses >= hopeless
}

func (m *module) part(tr trial, version string) string {
	return filepath.Join(m.dir, "parts", fmt.Sprintf("%s-%s-%d-%v-%s.json", tr.name, tr.Arm, tr.Seed, tr.Budget, version))
}

// report makes a row for each bug and arm, the summary and the plot.
func (s *study) report(res *lab.Result) {
	var seeds []uint64
	for _, tr := range s.trials {
		seeds = append(seeds, tr.Seed)
	}
	slices.Sort(seeds)
	res.Seeds = slices.Compact(seeds)
	res.Summary["first seed"], res.Summary["cpu s of a search"] = firstSeed, s.BudgetOr(s.budget).Seconds()
	for _, r := range s.rows {
		for _, a := range s.arms {
			if all := s.outcomes[group{r.name, a}]; len(all) > 0 {
				res.Rows = append(res.Rows, s.line(r, a, all))
			}
		}
	}
	for _, a := range s.arms {
		s.total(res, a)
	}
	res.Plot = s.plot()
}

func (s *study) line(r row, a arm, all []outcome) lab.Row {
	cap := s.BudgetOr(s.budget).Seconds()
	var runs, cpu, needRuns, rate []float64
	found := 0
	for _, o := range all {
		if o.found() {
			found++
		}
		runs, cpu = append(runs, float64(o.spent())), append(cpu, min(o.time(), cap))
		needRuns = append(needRuns, lab.Needed(o.found(), float64(o.spent()), never))
		rate = append(rate, float64(o.Runs)/max(o.CPU, 0.01))
	}
	line := lab.Row{lab.Col("bug", strings.TrimSpace(r.module.String()+" "+r.bug)), lab.Col("row", r.name),
		lab.Col("arm", string(a)), lab.Col("found", found), lab.Col("of", len(all)),
		lab.Col("runs p50", lab.Median(runs)), lab.Col("runs p95", lab.Quantile(runs, 0.95)),
		lab.Col("cpu s p50", lab.Median(cpu)), lab.Col("cpu s p95", lab.Quantile(cpu, 0.95)), lab.Col("runs/cpu s", lab.Median(rate))}
	if base := s.outcomes[group{r.name, guided}]; a != guided && len(base) > 0 {
		var needed []float64
		for _, o := range base {
			needed = append(needed, lab.Needed(o.found(), float64(o.spent()), never))
		}
		line = append(line, lab.Col("a12 runs", lab.A12(needRuns, needed)))
	}
	return line
}

// never is more runs than a search makes.
const never = 1e12

// total counts the rows on which all searches of an arm found the bug, and those on which at least nine of ten did.
func (s *study) total(res *lab.Result, a arm) {
	every, most, some, of := 0, 0, 0, 0
	for _, r := range s.rows {
		all := s.outcomes[group{r.name, a}]
		if len(all) == 0 {
			continue
		}
		of++
		n := 0
		for _, o := range all {
			if o.found() {
				n++
			}
		}
		if n == len(all) {
			every++
		}
		if 10*n >= 9*len(all) {
			most++
		}
		if n > 0 {
			some++
		}
	}
	if of > 0 {
		res.Summary["rows found by "+string(a)] = fmt.Sprintf("%d of %d; in nine of ten searches %d, in all searches %d",
			some, of, most, every)
	}
}

// plot shows how many searches of each arm have found their bug after so many runs.
func (s *study) plot() []byte {
	c := lab.Curves{Title: s.title, Axis: "runs", Max: 1e6}
	for _, a := range s.arms {
		curve := lab.Curve{Name: string(a)}
		for _, r := range s.rows {
			for _, o := range s.outcomes[group{r.name, a}] {
				curve.Of++
				if o.found() {
					curve.At = append(curve.At, float64(o.First))
				}
			}
		}
		slices.Sort(curve.At)
		if curve.Of > 0 {
			c.Series = append(c.Series, curve)
		}
	}
	return c.SVG()
}
