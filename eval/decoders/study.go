package decoders

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/eval/trial"
)

// study is one run of the experiment. A full run takes more than an hour, so the outcome of each trial is kept in the
// cache, and an interrupted experiment goes on.
type study struct {
	lab.Config
	name     string
	targets  []target
	trials   []search
	outcomes map[string][]outcome // by group
	errs     []error
}

// group identifies the trials that are repetitions of each other.
func group(target string, a arm, base int) string { return fmt.Sprintf("%s %s %d", target, a, base) }

func (tr search) group() string { return group(tr.name, tr.arm, tr.Base) }

func (s *study) add(tr search) {
	s.trials = append(s.trials, tr)
	if !slices.ContainsFunc(s.targets, func(t target) bool { return t.name == tr.name }) {
		s.targets = append(s.targets, tr.target)
	}
}

// programs is what each target needs for its trials.
var programs = []string{"blind", "replay", "native_test", "property_test"}

func (s *study) run() error {
	s.Logf("writing the module")
	m, err := prepare(s.targets, programs, s.name)
	if err != nil {
		return err
	}
	defer m.close()
	build := programs
	if s.Quick {
		build = []string{"blind", "replay"}
	}
	for _, t := range s.targets {
		s.Logf("building %s", t.name)
		if err := m.build(t, build); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	found := map[int]outcome{} // by index of the trial
	var todo []int
	parts := map[int]string{}
	for i, tr := range s.trials {
		if s.Quick {
			todo = append(todo, i)
			continue
		}
		v, err := m.version(tr)
		if err != nil {
			return err
		}
		name := fmt.Sprintf("%s-%s-%d-%d-%v-%s.json", tr.name, tr.arm, tr.Base, tr.Seed, s.BudgetOr(budget), v)
		parts[i] = filepath.Join(m.dir, "parts", name)
		if o, ok := lab.Recall[outcome](parts[i]); ok {
			found[i] = o
		} else {
			todo = append(todo, i)
		}
	}
	if err := s.warm(m, todo); err != nil {
		return err
	}
	s.work(m, todo, parts, found)
	s.outcomes = map[string][]outcome{}
	for i, tr := range s.trials {
		if o, ok := found[i]; ok {
			s.outcomes[tr.group()] = append(s.outcomes[tr.group()], o)
		}
	}
	return errors.Join(s.errs...)
}

// warm builds what the command needs for the trials.
func (s *study) warm(m *module, todo []int) error {
	var done []string
	for _, i := range todo {
		tr := s.trials[i]
		if tr.arm.strategy() == "" || slices.Contains(done, tr.name+tr.test()) {
			continue
		}
		done = append(done, tr.name+tr.test())
		s.Logf("building %s with probes", tr.name)
		if err := m.warm(tr); err != nil {
			return fmt.Errorf("%s: %w", tr.name, err)
		}
	}
	return nil
}

// work runs trials, one on each core at a time.
func (s *study) work(m *module, todo []int, parts map[int]string, found map[int]outcome) {
	var mu sync.Mutex
	left := trial.OnCores(todo, func(i, core int) {
		tr := s.trials[i]
		o, err := m.run(tr, s.BudgetOr(budget), core)
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			s.errs = append(s.errs, fmt.Errorf("%s: %w", tr, err))
			s.Logf("%s: %v", tr, err)
			return
		}
		s.Logf("%s: %d runs in %.1f s, %d distinct, %d accepted, %d statements, %d paths", tr, o.Runs, o.CPU, o.Distinct, o.Accepted,
			at(o.Statements, o.Runs), at(o.Paths, o.Runs))
		found[i] = o
		if s.Quick {
			return
		}
		if err := lab.Keep(parts[i], o); err != nil {
			s.Logf("  the outcome is not kept: %v", err)
		}
	})
	if left > 0 {
		s.Logf("interrupted: %d trials are left out; run the experiment again to make them", left)
	}
}
