package mu2

import (
	"fmt"
	"maps"
	"slices"

	"github.com/allele-go/allele/eval/lab"
)

// report makes the rows of all tables, target by target, and the summary.
func (s *study) report(res *lab.Result) {
	most := 0
	var sum contest
	tables := map[string][]lab.Row{}
	add := func(table string, row lab.Row) { tables[table] = append(tables[table], row) }
	for _, t := range s.targets {
		time, trials := s.contest(t, false), s.contest(t, true)
		most = max(most, len(time.guided))
		if len(time.guided) > 0 {
			add("time", time.row("time", t))
			add("trials", trials.row("trials", t))
			add("coverage", s.covered(t))
			add("oracle", s.oracle(t))
			sum.add(time)
		}
		if row := s.halves(t); row != nil {
			add("split", row)
		}
		for _, row := range s.speed(t) {
			add("speed", row)
		}
		res.Samples = append(res.Samples, s.paces(t)...)
	}
	for _, table := range []string{"time", "trials", "coverage", "oracle", "split", "speed"} {
		res.Rows = append(res.Rows, tables[table]...)
	}
	for i := range most {
		res.Seeds = append(res.Seeds, firstSeed+uint64(i))
	}
	res.Summary["killed by any"], res.Summary["only faults, any"], res.Summary["only coverage, any"] = sum.killed, sum.only[0], sum.only[2]
}

// contest compares what two arms kill: the arm faults and the arm coverage, or the arm coverage cut at
// the same number of runs.
type contest struct {
	guided, plain []judged // one for each seed
	runs          [2][]float64
	killed        int    // by any trial
	executed      int    // by any trial
	only          [4]int // faults any, faults all, coverage any, coverage all
}

func (c *contest) add(d contest) {
	c.killed += d.killed
	for i := range c.only {
		c.only[i] += d.only[i]
	}
}

// seeds returns the seeds of a target for which all arms have an outcome.
func (s *study) seeds(t target, arms ...arm) (seeds []uint64) {
	for k := range s.outcomes {
		complete := k.target == t.name && k.arm == arms[0]
		for _, a := range arms {
			_, known := s.outcomes[key{t.name, a, k.seed}]
			complete = complete && known
		}
		if complete {
			seeds = append(seeds, k.seed)
		}
	}
	slices.Sort(seeds)
	return seeds
}

func (s *study) contest(t target, trials bool) (c contest) {
	for _, seed := range s.seeds(t, faults, coverage) {
		f, o := s.outcomes[key{t.name, faults, seed}], s.outcomes[key{t.name, coverage, seed}]
		other, runs := o.All, o.Runs
		if trials {
			if o.Cut == nil {
				continue
			}
			other, runs = *o.Cut, min(o.Runs, o.CutAt)
		}
		c.guided, c.plain = append(c.guided, f.All), append(c.plain, other)
		c.runs[0], c.runs[1] = append(c.runs[0], float64(f.Runs)), append(c.runs[1], float64(runs))
	}
	c.compare()
	return c
}

// compare counts the faults that only one arm kills: in any of its trials and never in the other
// arm, or in all of its trials and never in the other arm.
func (c *contest) compare() {
	executed := map[int]bool{}
	for _, j := range slices.Concat(c.guided, c.plain) {
		for _, f := range j.Executed {
			executed[f] = true
		}
	}
	c.executed = len(executed)
	anyGuided, allGuided := unite(c.guided)
	anyPlain, allPlain := unite(c.plain)
	both := maps.Clone(anyGuided)
	maps.Copy(both, anyPlain)
	c.killed = len(both)
	c.only = [4]int{without(anyGuided, anyPlain), without(allGuided, anyPlain), without(anyPlain, anyGuided), without(allPlain, anyGuided)}
}

// unite returns the faults that any of some trials kill, and those that all of them kill.
func unite(list []judged) (some, all map[int]bool) {
	some, all = map[int]bool{}, map[int]bool{}
	for i, j := range list {
		dead := j.dead()
		maps.Copy(some, dead)
		if i == 0 {
			all = dead
			continue
		}
		maps.DeleteFunc(all, func(f int, _ bool) bool { return !dead[f] })
	}
	return some, all
}

func without(a, b map[int]bool) (n int) {
	for f := range a {
		if !b[f] {
			n++
		}
	}
	return n
}

// kills returns the number of kills of each trial, and score its share of the faults with a verdict.
func kills(list []judged, odd bool) (n []float64) {
	for _, j := range list {
		n = append(n, float64(j.count(odd)))
	}
	return n
}

func score(list []judged) float64 {
	var shares []float64
	for _, j := range list {
		shares = append(shares, float64(j.count(false))/float64(max(1, j.Faults-j.Unsure)))
	}
	return lab.Median(shares)
}

func (c contest) row(table string, t target) lab.Row {
	row := lab.Row{lab.Col("table", table), lab.Col("target", t.name), lab.Col("seeds", len(c.guided))}
	if len(c.guided) == 0 {
		return row
	}
	g, p := kills(c.guided, false), kills(c.plain, false)
	return append(row, lab.Col("faults", c.guided[0].Faults), lab.Col("executed", c.executed), lab.Col("killed by any", c.killed),
		lab.Col("only faults any", c.only[0]), lab.Col("only faults all", c.only[1]),
		lab.Col("only coverage any", c.only[2]), lab.Col("only coverage all", c.only[3]),
		lab.Col("killed faults p50", lab.Median(g)), lab.Col("killed coverage p50", lab.Median(p)), lab.Col("a12", lab.A12(g, p)),
		lab.Col("score faults", score(c.guided)), lab.Col("score coverage", score(c.plain)),
		lab.Col("runs faults p50", lab.Median(c.runs[0])), lab.Col("runs coverage p50", lab.Median(c.runs[1])))
}

// covered compares what the arms reach, relative to the mean of the arm coverage: blocks that runs
// reach, and faults whose places saved inputs reach.
func (s *study) covered(t target) lab.Row {
	var b, e [3][]float64 // faults, coverage, coverage cut
	for _, seed := range s.seeds(t, faults, coverage) {
		for i, a := range []arm{faults, coverage} {
			o := s.outcomes[key{t.name, a, seed}]
			b[i], e[i] = append(b[i], float64(o.Blocks)), append(e[i], float64(len(o.All.Executed)))
			if o.Cut != nil {
				e[2] = append(e[2], float64(len(o.Cut.Executed)))
			}
		}
	}
	row := lab.Row{lab.Col("table", "coverage"), lab.Col("target", t.name), lab.Col("seeds", len(b[0]))}
	blocks, _ := lab.Mean95(b[1])
	places, _ := lab.Mean95(e[1])
	row = append(row, lab.Col("blocks coverage", blocks), lab.Col("blocks faults", normal(b[0], blocks)),
		lab.Col("places coverage", places), lab.Col("places faults", normal(e[0], places)))
	if len(e[2]) > 0 {
		row = append(row, lab.Col("places coverage cut", normal(e[2], places)))
	}
	return row
}

// normal returns a mean relative to another mean, with its 95 % confidence interval.
func normal(xs []float64, to float64) string {
	if to == 0 {
		return ""
	}
	mean, within := lab.Mean95(xs)
	return fmt.Sprintf("%.3f ± %.3f", mean/to, within/to)
}

// oracle shows how many kills need the comparison of runs: their share in the arm faults, and what
// the same inputs kill without it.
func (s *study) oracle(t target) lab.Row {
	var share, with, alone []float64
	by := map[string]int{}
	for _, seed := range s.seeds(t, faults) {
		o := s.outcomes[key{t.name, faults, seed}]
		share = append(share, o.All.difference())
		for kind, list := range o.All.Killed {
			by[kind] += len(list)
		}
		if o.Plain != nil {
			with, alone = append(with, float64(o.All.count(false))), append(alone, float64(o.Plain.crashed()))
		}
	}
	row := lab.Row{lab.Col("table", "oracle"), lab.Col("target", t.name), lab.Col("seeds", len(share)),
		lab.Col("by difference", normal(share, 1))}
	for _, kind := range []string{"property", "panic", "budget"} {
		row = append(row, lab.Col("by "+kind, float64(by[kind])/float64(max(1, len(share)))))
	}
	if len(with) > 0 {
		row = append(row, lab.Col("killed p50", lab.Median(with)), lab.Col("killed without p50", lab.Median(alone)),
			lab.Col("more", lab.Median(with)/max(1, lab.Median(alone))-1))
	}
	return row
}

// halves compares the arms on the faults that did not guide the arm split. In a sample all faults have
// even numbers, so there are none to compare.
func (s *study) halves(t target) lab.Row {
	if t.every%2 == 0 && t.every > 0 {
		return nil
	}
	seeds := s.seeds(t, split, coverage, faults)
	if len(seeds) == 0 {
		return nil
	}
	lists := map[arm][]judged{}
	for _, seed := range seeds {
		for _, a := range []arm{split, coverage, faults} {
			lists[a] = append(lists[a], s.outcomes[key{t.name, a, seed}].All)
		}
	}
	row := lab.Row{lab.Col("table", "split"), lab.Col("target", t.name), lab.Col("seeds", len(seeds))}
	other := func(a arm) []float64 { return kills(lists[a], true) }
	for _, a := range []arm{split, coverage, faults} {
		row = append(row, lab.Col("other half "+string(a)+" p50", lab.Median(other(a))))
	}
	var own [2][]float64
	for i, a := range []arm{split, coverage} {
		for k, n := range kills(lists[a], false) {
			own[i] = append(own[i], n-other(a)[k])
		}
	}
	return append(row, lab.Col("guiding half split p50", lab.Median(own[0])), lab.Col("guiding half coverage p50", lab.Median(own[1])),
		lab.Col("a12 other half", lab.A12(other(split), other(coverage))), lab.Col("a12 guiding half", lab.A12(own[0], own[1])))
}

// speed compares the runs per second of the arms, in the searches that all arms have made.
func (s *study) speed(t target) (rows []lab.Row) {
	arms := []arm{coverage, faults, infection, execution, unpruned}
	seeds := s.seeds(t, arms...)
	if len(seeds) == 0 {
		return nil
	}
	rate := map[arm][]float64{}
	for _, a := range arms {
		var killed []float64
		for _, seed := range seeds {
			o := s.outcomes[key{t.name, a, seed}]
			rate[a] = append(rate[a], float64(o.Runs)/o.CPU)
			killed = append(killed, float64(len(o.Kills)))
		}
		mean, within := lab.Mean95(rate[a])
		base, _ := lab.Mean95(rate[coverage])
		rows = append(rows, lab.Row{lab.Col("table", "speed"), lab.Col("target", t.name), lab.Col("arm", string(a)),
			lab.Col("seeds", len(seeds)), lab.Col("runs/cpu s", mean), lab.Col("within", within),
			lab.Col("cost of a run", base/mean), lab.Col("killed in search p50", lab.Median(killed))})
	}
	return rows
}

// paces returns the CPU time over the runs of the first seed, for a plot.
func (s *study) paces(t target) (rows []lab.Row) {
	for _, a := range []arm{coverage, faults, infection, execution, unpruned} {
		for _, p := range s.outcomes[key{t.name, a, firstSeed}].Pace {
			row := lab.Row{lab.Col("target", t.name), lab.Col("arm", string(a)), lab.Col("run", p.Run), lab.Col("cpu s", p.CPU)}
			rows = append(rows, row)
		}
	}
	return rows
}
