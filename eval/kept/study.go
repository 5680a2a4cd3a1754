package kept

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/allele-go/allele/eval/lab"
)

// study is one run of the experiment. The outcome of each trial is kept in the cache, and an
// interrupted experiment goes on. The flag -only selects subjects.
type study struct {
	lab.Config
	name     string
	subjects []subject
	trials   []trial
	outcomes map[group][]outcome
}

// group identifies the trials that differ only in their seeds.
type group struct {
	subject string
	arm     arm
}

func (s *study) run() error {
	s.Logf("building the command")
	m, err := prepare(s.name)
	if err != nil {
		return err
	}
	defer m.close()
	versions := map[string]string{}
	for _, x := range s.subjects {
		s.Logf("writing and building a property of %s", x.Module)
		if versions[x.name], err = m.write(x); err != nil {
			return fmt.Errorf("%s: %w", x.name, err)
		}
	}
	s.outcomes = map[group][]outcome{}
	warm := map[string]bool{}
	var errs []error
	for _, tr := range s.trials {
		part := m.part(tr, versions[tr.name])
		o, known := lab.Recall[outcome](part)
		if !known || s.Quick {
			if !warm[tr.name] {
				s.Logf("building %s with probes", tr.name)
				if err := m.warm(tr.subject); err != nil {
					return errors.Join(append(errs, fmt.Errorf("%s: %w", tr.name, err))...)
				}
				warm[tr.name] = true
			}
			if o, err = m.run(tr); err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", tr, err))
				s.Logf("%s: %v", tr, err)
				continue
			}
			if err := lab.Keep(part, o); err != nil {
				s.Logf("  the outcome is not kept: %v", err)
			}
		}
		s.note(tr, o)
		g := group{tr.name, tr.Arm}
		s.outcomes[g] = append(s.outcomes[g], o)
	}
	return errors.Join(errs...)
}

// note logs an outcome.
func (s *study) note(tr trial, o outcome) {
	end := ""
	switch {
	case o.Found > 0:
		end = fmt.Sprintf(", found in run %d", o.Found)
	case tr.bug.name != "":
		end = ", not found"
	}
	s.Logf("%s: %d of %d runs are kept (%.1f %%), %d features, %d blocks, %d failures, %.0f s%s",
		tr, o.Kept, o.Runs, 100*o.share(), o.Features, o.Blocks, o.Failures, o.CPU, end)
}

func (m *module) part(tr trial, version string) string {
	name := fmt.Sprintf("%s-%s-%d-%d-%s.json", tr.name, tr.Arm, tr.Seed, tr.Passes, version)
	return filepath.Join(m.dir, "parts", name)
}

// report makes a row for each subject and arm, and the summary.
func (s *study) report(res *lab.Result) {
	most := 0
	worst := 0.0
	for _, x := range s.subjects {
		for _, a := range []arm{before, now} {
			all := s.outcomes[group{x.name, a}]
			if len(all) == 0 {
				continue
			}
			most = max(most, len(all))
			f := summarise(all, x.bug.name != "")
			res.Rows = append(res.Rows, f.row(x, a))
			if a == now && x.bug.name == "" {
				worst = max(worst, lab.Quantile(f.share, 1))
			}
		}
	}
	for i := range most {
		res.Seeds = append(res.Seeds, firstSeed+uint64(i))
	}
	res.Summary["largest share kept now"] = worst
	res.Summary["runs of a search for a share"] = fmt.Sprintf("about %d", shareRuns)
	res.Summary["runs of a search for a bug"] = fmt.Sprintf("at most %d", bugRuns)
}

// figures has a value for each trial. Runs and CPU time are those up to the bug. If it is not
// found in bugRuns runs, the runs are bugRuns, and the CPU time is that of the whole search.
type figures struct {
	found, failures                    int
	share, features, blocks, runs, cpu []float64
}

func summarise(all []outcome, bug bool) (f figures) {
	for _, o := range all {
		runs := o.Runs
		switch {
		case bug && o.Found > 0 && o.Found <= bugRuns:
			f.found++
			runs = o.Found
		case bug:
			runs = bugRuns
		}
		f.failures += o.Failures
		f.share, f.runs, f.cpu = append(f.share, o.share()), append(f.runs, float64(runs)), append(f.cpu, o.CPU)
		f.features, f.blocks = append(f.features, float64(o.Features)), append(f.blocks, float64(o.Blocks))
	}
	return f
}

func (f figures) row(x subject, a arm) lab.Row {
	row := lab.Row{lab.Col("module", x.Module.String()), lab.Col("bug", x.bug.name), lab.Col("arm", string(a)),
		lab.Col("searches", len(f.runs))}
	if x.bug.name != "" {
		return append(row, lab.Col("found", f.found), lab.Col("runs p50", lab.Median(f.runs)),
			lab.Col("runs max", lab.Quantile(f.runs, 1)), lab.Col("cpu s p50", lab.Median(f.cpu)))
	}
	return append(row, lab.Col("runs p50", lab.Median(f.runs)),
		lab.Col("kept share p50", lab.Median(f.share)), lab.Col("kept share max", lab.Quantile(f.share, 1)),
		lab.Col("features p50", lab.Median(f.features)), lab.Col("blocks p50", lab.Median(f.blocks)),
		lab.Col("failures", f.failures), lab.Col("cpu s p50", lab.Median(f.cpu)))
}
