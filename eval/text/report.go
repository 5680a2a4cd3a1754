package text

import (
	"fmt"
	"math"
	"slices"

	"github.com/allele-go/allele/eval/lab"
)

// report makes a row for each target, start and arm, and the summary.
func (s *study) report(res *lab.Result) {
	for _, from := range []start{nothing, seeded} {
		for _, t := range s.targets {
			for _, a := range s.arms {
				if all := s.outcomes[group(t.name, from, a)]; len(all) > 0 {
					res.Rows = append(res.Rows, s.row(t, from, a, all))
				}
			}
		}
		for _, a := range s.arms {
			s.total(res, from, a)
		}
		if !s.first {
			s.compareBlocks(res, from)
		}
	}
	s.compareCosts(res)
	ended, left := 0, 0
	for _, all := range s.outcomes {
		for _, o := range all {
			left += o.Left
			if o.Ended != "" {
				ended++
			}
		}
	}
	res.Summary["searches that ended by themselves"], res.Summary["inputs not recorded"] = ended, left
}

func (s *study) row(t target, from start, a arm, all []outcome) lab.Row {
	f := s.summarise(all)
	row := lab.Row{lab.Col("start", string(from)), lab.Col("target", t.name), lab.Col("arm", string(a)),
		lab.Col("found", f.found), lab.Col("of", len(all)),
		lab.Col("runs p50", lab.Median(f.runs)), lab.Col("runs p95", lab.Quantile(f.runs, 0.95)),
		lab.Col("cpu s p50", lab.Median(f.cpu)), lab.Col("cpu s p95", lab.Quantile(f.cpu, 0.95))}
	if !s.first {
		row = append(row, lab.Col("runs/cpu s", lab.Median(f.rate)), lab.Col("valid share", lab.Median(f.valid)),
			lab.Col("distinct valid p50", lab.Median(f.distinct)),
			lab.Col("blocks p50", lab.Median(f.blocks)), lab.Col("blocks of", all[0].BlocksAll))
	}
	if other := s.outcomes[group(t.name, from, native)]; a != native && len(other) > 0 {
		base := s.summarise(other)
		row = append(row, lab.Col("a12 runs", lab.A12(base.needRuns, f.needRuns)), lab.Col("a12 cpu", lab.A12(base.needCPU, f.needCPU)))
	}
	return row
}

// figures has a value for each trial. The runs and the CPU time are those up to the first valid
// input, or all of them if there is none.
type figures struct {
	found                                    int
	runs, cpu, rate, valid, distinct, blocks []float64
	needRuns, needCPU                        []float64 // the same runs and CPU time, see lab.Needed
}

func (s *study) summarise(all []outcome) (f figures) {
	cap := s.BudgetOr(budget).Seconds()
	for _, o := range all {
		// A search is stopped a little later than at its budget, and may find something in that time.
		found := o.FirstRun > 0 && o.FirstCPU <= cap
		runs, cpu := float64(o.Runs), min(o.CPU, cap)
		if found {
			f.found++
			runs, cpu = float64(o.FirstRun), o.FirstCPU
		}
		f.runs, f.cpu = append(f.runs, runs), append(f.cpu, cpu)
		f.needRuns, f.needCPU = append(f.needRuns, lab.Needed(found, runs, math.Inf(1))), append(f.needCPU, lab.Needed(found, cpu, cap))
		if o.First {
			continue // the other figures are those of whole searches
		}
		f.rate = append(f.rate, float64(o.Runs)/max(o.CPU, 1e-3))
		f.valid = append(f.valid, float64(o.Valid)/float64(max(1, o.Runs)))
		f.distinct, f.blocks = append(f.distinct, float64(o.DistinctValid)), append(f.blocks, float64(o.Blocks))
	}
	return f
}

// total counts the searches of an arm that found something.
func (s *study) total(res *lab.Result, from start, a arm) {
	found, of, every, targets := 0, 0, 0, 0
	for _, t := range s.targets {
		if !t.has(a.kind()) {
			continue
		}
		targets++
		all := s.outcomes[group(t.name, from, a)]
		f := s.summarise(all)
		if found, of = found+f.found, of+len(all); f.found == len(all) && len(all) > 0 {
			every++
		}
	}
	if of > 0 {
		res.Summary[fmt.Sprintf("found, from %s, %s", from, a)] = fmt.Sprintf("%d of %d, on %d of %d targets in every trial",
			found, of, every, targets)
	}
}

// compareBlocks compares the blocks that guided and native searches reach, by the medians of
// each target.
func (s *study) compareBlocks(res *lab.Result, from start) {
	var ratios []float64
	least := ""
	for _, t := range s.targets {
		ours, theirs := s.outcomes[group(t.name, from, now)], s.outcomes[group(t.name, from, native)]
		if len(ours) == 0 || len(theirs) == 0 {
			continue
		}
		r := lab.Median(s.summarise(ours).blocks) / max(1, lab.Median(s.summarise(theirs).blocks))
		if len(ratios) == 0 || r < slices.Min(ratios) {
			least = fmt.Sprintf("%.2f (%s)", r, t.name)
		}
		ratios = append(ratios, r)
	}
	if len(ratios) > 0 {
		key := fmt.Sprintf("blocks, now to native, from %s", from)
		res.Summary[key] = fmt.Sprintf("geometric mean %.2f, least %s", lab.Geomean(ratios), least)
	}
}

// fewRuns is a number of runs below which the number decides, because CPU time is measured in
// steps of 10 ms.
const fewRuns = 1000

// compareCosts compares the cost of the first valid input from nothing, where native fuzzing
// finds one in most trials.
func (s *study) compareCosts(res *lab.Result) {
	tenth, compared := 0, 0
	for _, t := range s.targets {
		ours, theirs := s.outcomes[group(t.name, nothing, now)], s.outcomes[group(t.name, nothing, native)]
		if len(ours) == 0 || len(theirs) == 0 {
			continue
		}
		f, n := s.summarise(ours), s.summarise(theirs)
		if 2*n.found <= len(theirs) {
			continue
		}
		compared++
		switch runs := lab.Median(f.runs); {
		case runs < fewRuns && lab.Median(n.runs) < fewRuns:
			if runs <= lab.Median(n.runs) {
				tenth++
			}
		case lab.Median(f.cpu) <= lab.Median(n.cpu)/10:
			tenth++
		}
	}
	if compared > 0 {
		res.Summary["at most a tenth of native's CPU time"] = fmt.Sprintf(
			"%d of %d targets where native finds one (by runs if both need less than %d)", tenth, compared, fewRuns)
	}
}
