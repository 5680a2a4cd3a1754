//go:build go1.25

package suite

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/proc/scoring"
)

// Verdicts of an earlier program hold if nothing that the tests run has changed. So each run, with a fault and without,
// notes which functions it enters. A function notes its first entry only, so that costs nothing that can be measured.

// funcs returns the names of the functions in sets, and which of them ran since the process started.
func (r *runner) funcs() (names []string, now scoring.Set) {
	for _, g := range hook.Gates {
		for _, name := range g.Names {
			names = append(names, g.Path+" "+name)
		}
	}
	return names, ran()
}

// ran returns which functions ran since they are watched.
func ran() scoring.Set {
	n := 0
	for _, g := range hook.Gates {
		n += len(g.Names)
	}
	set, at := scoring.NewSet(n), 0
	for _, g := range hook.Gates {
		for i := range g.Names {
			if i < len(g.Ran) && g.Ran[i] != 0 {
				set.Add(at + i)
			}
		}
		at += len(g.Names)
	}
	return set
}

// watched does a run while functions are watched, and returns those that ran.
func (r *runner) watched(u unit, c run) (result, scoring.Set) {
	hook.WatchFuncs(true)
	res := r.run(u, c)
	hook.WatchFuncs(false)
	return res, ran()
}

// putRan reports which functions ran only with a fault, if tests ran with it.
func (r *runner) putRan(fault int, beyond map[int]bool, runs int) {
	if runs == 0 {
		return
	}
	var text []string
	for _, i := range slices.Sorted(maps.Keys(beyond)) {
		text = append(text, strconv.Itoa(i))
	}
	r.put(scoring.Line{Event: scoring.Ran, Fault: fault, Detail: strings.Join(text, " ")})
}
