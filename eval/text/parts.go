package text

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"github.com/allele-go/allele/eval/lab"
	tool "github.com/allele-go/allele/eval/trial"
)

// study is one run of an experiment. A full run takes hours, so the outcome of each trial is
// kept in the cache, and an interrupted experiment goes on. The flag -only selects targets.
type study struct {
	lab.Config
	name     string
	targets  []target
	arms     []arm
	first    bool // a search ends with the first valid input, and its inputs are not replayed
	trials   []trial
	outcomes map[string][]outcome // by group
	errs     []error
}

// group identifies the trials that are repetitions of each other.
func group(target string, s start, a arm) string { return fmt.Sprintf("%s %s %s", target, s, a) }

func (s *study) run() error {
	s.Logf("writing and building the module")
	m, err := prepare(s.name, s.targets, s.kinds())
	if err != nil {
		return err
	}
	defer m.close()
	versions := map[string]string{}
	for _, t := range s.targets {
		if err := s.build(m, t, versions); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	found := map[int]outcome{} // by index of the trial
	var todo []int
	for i, tr := range s.trials {
		file := m.part(tr, versions[group(tr.name, "", tr.Arm)])
		if o, ok := lab.Recall[outcome](file); ok && !s.Quick {
			found[i] = o
		} else {
			todo = append(todo, i)
		}
	}
	s.work(m, versions, todo, found)
	s.outcomes = map[string][]outcome{}
	for i, tr := range s.trials {
		if o, ok := found[i]; ok {
			g := group(tr.name, tr.Start, tr.Arm)
			s.outcomes[g] = append(s.outcomes[g], o)
		}
	}
	return errors.Join(s.errs...)
}

// build builds the tests of a target, and notes the versions.
func (s *study) build(m *module, t target, versions map[string]string) error {
	s.Logf("building %s", t.name)
	for _, kind := range s.kinds() {
		if !t.has(kind) {
			continue
		}
		if err := m.build(t, kind); err != nil {
			return err
		}
	}
	for _, a := range s.arms {
		if !t.has(a.kind()) {
			continue
		}
		v, err := m.version(t, a)
		if err != nil {
			return err
		}
		versions[group(t.name, "", a)] = v
	}
	return nil
}

// work runs trials, one on each core at a time. After an interrupt it starts no more.
func (s *study) work(m *module, versions map[string]string, todo []int, found map[int]outcome) {
	if err := s.warm(m, todo); err != nil {
		s.errs = append(s.errs, err)
		return
	}
	var mu sync.Mutex
	left := tool.OnCores(todo, func(i, core int) {
		tr := s.trials[i]
		o, err := m.run(tr, core)
		mu.Lock()
		defer mu.Unlock()
		s.note(tr, o, err)
		if err != nil {
			return
		}
		found[i] = o
		if err := lab.Keep(m.part(tr, versions[group(tr.name, "", tr.Arm)]), o); err != nil {
			s.Logf("  the outcome is not kept: %v", err)
		}
	})
	if left > 0 {
		s.Logf("interrupted: %d trials are left out; run the experiment again to make them", left)
	}
}

// note logs an outcome.
func (s *study) note(tr trial, o outcome, err error) {
	switch {
	case err != nil:
		s.errs = append(s.errs, fmt.Errorf("%s: %w", tr, err))
		s.Logf("%s: %v", tr, err)
	case o.Ended != "":
		s.Logf("%s: ended by itself after %d runs\n%s", tr, o.Runs, o.Ended)
	case tr.First:
		s.Logf("%s: %d runs in %.1f s, first valid in run %d", tr, o.Runs, o.CPU, o.FirstRun)
	default:
		s.Logf("%s: %d runs in %.1f s, first valid in run %d after %.2f s, %d distinct valid, %d of %d blocks",
			tr, o.Runs, o.CPU, o.FirstRun, o.FirstCPU, o.DistinctValid, o.Blocks, o.BlocksAll)
	}
}

// warm builds what the command needs for the trials.
func (s *study) warm(m *module, todo []int) error {
	var done []string
	for _, i := range todo {
		tr := s.trials[i]
		pkg := m.pkg(tr.target, tr.Arm.kind())
		if !tr.Arm.guided() || slices.Contains(done, pkg) {
			continue
		}
		done = append(done, pkg)
		s.Logf("building %s with probes", pkg)
		if err := m.warm(tr.target, tr.Arm); err != nil {
			return fmt.Errorf("%s: %w", pkg, err)
		}
	}
	return nil
}

func (m *module) part(tr trial, version string) string {
	name := fmt.Sprintf("%s-%s-%s-%d-%v-%s.json", tr.name, tr.Start, tr.Arm, tr.Seed, tr.Budget, version)
	if tr.First {
		name = "first-" + name
	}
	return filepath.Join(m.dir, "parts", name)
}
