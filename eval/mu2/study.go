package mu2

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/allele-go/allele/eval/lab"
)

// study is one run of the experiment. The outcome of each trial is kept in the cache, and an
// interrupted experiment goes on. The flag -only selects targets.
type study struct {
	lab.Config
	name     string
	targets  []target
	budget   time.Duration
	trials   []trial
	versions map[string]string

	mu       sync.Mutex
	left     []trial
	busy     map[string]bool // targets whose files are in use
	outcomes map[key]outcome
	errs     []error
}

// key identifies a trial.
type key struct {
	target string
	arm    arm
	seed   uint64
}

// run makes all trials, one on each core. Trials of one target share files, so they take turns.
func (s *study) run() error {
	s.Logf("building the command")
	m, err := prepare(s.name)
	if err != nil {
		return err
	}
	defer m.close()
	s.versions, s.outcomes, s.busy = map[string]string{}, map[key]outcome{}, map[string]bool{}
	for _, t := range s.targets {
		if s.versions[t.name], err = m.write(t); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	s.left = s.trials
	var all sync.WaitGroup
	for core := range min(runtime.NumCPU(), len(s.targets)) {
		all.Go(func() {
			for {
				tr, ok := s.take()
				if !ok {
					return
				}
				s.one(m, tr, core)
			}
		})
	}
	all.Wait()
	return errors.Join(s.errs...)
}

// take returns the next trial whose target is not in use. If there is none now, the target of
// another core is the only one left, and that core makes its trials.
func (s *study) take() (trial, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, tr := range s.left {
		if !s.busy[tr.name] {
			s.busy[tr.name] = true
			s.left = append(s.left[:i:i], s.left[i+1:]...)
			return tr, true
		}
	}
	return trial{}, false
}

// one makes a trial, or reads its outcome.
func (s *study) one(m *module, tr trial, core int) {
	part := m.part(tr, s.versions[tr.name])
	o, known := lab.Recall[outcome](part)
	var err error
	if !known || s.Quick {
		if o, err = s.trial(m, tr, core); err == nil {
			err = lab.Keep(part, o)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy[tr.name] = false
	if err != nil {
		s.errs = append(s.errs, fmt.Errorf("%s: %w", tr, err))
		s.Logf("%s: %v", tr, err)
		return
	}
	s.outcomes[key{tr.name, tr.Arm, tr.Seed}] = o
	s.Logf("%s: %d runs in %.1f s, %d saved, %d of %d faults killed, %d executed", tr, o.Runs, o.CPU, o.Saved,
		o.All.count(false), o.All.Faults, len(o.All.Executed))
}

// trial searches, and judges all faults with what the search has saved.
func (s *study) trial(m *module, tr trial, core int) (outcome, error) {
	o, inputs, err := m.search(tr, core)
	if err != nil || tr.Arm.onlySpeed() {
		return o, err
	}
	if o.All, err = m.rejudge(tr.target, inputs); err != nil {
		return o, err
	}
	figures := tr.Seed < firstSeed+figureSeeds
	switch {
	case tr.Arm == faults && figures:
		plain, err := m.rejudge(tr.target, inputs, observeOff)
		if err != nil {
			return o, err
		}
		o.Plain = &plain
	case tr.Arm == coverage:
		s.mu.Lock()
		other, known := s.outcomes[key{tr.name, faults, tr.Seed}]
		s.mu.Unlock()
		if !known {
			return o, errors.New("the other arm has no outcome, so its number of runs is not known")
		}
		some, err := m.rejudge(tr.target, cut(inputs, other.Runs))
		if err != nil {
			return o, err
		}
		o.Cut, o.CutAt = &some, other.Runs
	}
	return o, nil
}

// observeOff makes the properties observe nothing.
const observeOff = "OBSERVE=off"
