package search

import (
	"fmt"
	"strings"

	"github.com/allele-go/allele/eval/worker"
)

// lossMax bounds the cost of a guided search, as a multiple of the cost of a random
// search, on tasks that random searches solve.
const lossMax = 1.5

// compare compares guided with random searches. It counts the tasks that each of them
// solves with every seed. Among the tasks that random searches solve, it counts those on
// which a guided search costs at most lossMax times as much.
func (p plan) compare(all map[string][]worker.Result, summary map[string]any) {
	if len(all[key("random", p.tasks[0])]) == 0 {
		return
	}
	type pair struct{ tasks, guided, random int }
	groups := map[string]*pair{}
	solved, runs, cpu := 0, 0, 0
	var worst []string
	for _, t := range p.tasks {
		name, _, many := strings.Cut(t, "/")
		if !many {
			name = "all"
		}
		if groups[name] == nil {
			groups[name] = &pair{}
		}
		g, r := summarise(all[key("guided", t)]), summarise(all[key("random", t)])
		groups[name].tasks++
		if g.found == g.runs {
			groups[name].guided++
		}
		if r.found < r.runs {
			continue
		}
		groups[name].random++
		solved++
		if g.p50 <= lossMax*r.p50 {
			runs++
		}
		if g.cpu <= lossMax*r.cpu {
			cpu++
		} else {
			worst = append(worst, fmt.Sprintf("%s (%.3g ms to %.3g ms)", t, g.cpu, r.cpu))
		}
	}
	for name, p := range groups {
		summary["solved with every seed, "+name] = fmt.Sprintf("guided %d, random %d of %d", p.guided, p.random, p.tasks)
	}
	summary["guided at most 1.5x random, where random solves"] = fmt.Sprintf(
		"%d of %d by median runs, %d by median CPU time", runs, solved, cpu)
	if len(worst) > 0 {
		summary["more CPU time than that"] = strings.Join(worst, ", ")
	}
}
