//go:build go1.25

package score

import (
	"cmp"
	"slices"

	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/score/diff"
	"github.com/allele-go/allele/internal/site"
)

// survivor is a fault that is alive, or all faults of a function that is never reached.
type survivor struct {
	fault  site.Fault
	result Result
	of     *Package
	change diff.Change
	exact  bool // the file is the one that was judged
	faults int  // how many faults it stands for
	last   int  // the last line of these
}

// line returns the first line that the fault changes.
func (s survivor) line() int {
	if s.exact {
		return s.change.Line
	}
	return s.fault.Line
}

// group is the survivors of a line of code, or of a function that is never reached.
type group struct{ all []survivor }

func (g group) faults() (n int) {
	for _, s := range g.all {
		n += s.faults
	}
	return n
}

// ranked makes groups of survivors, and sorts them: what a reader should see first is first.
func ranked(all []survivor) (groups []group) {
	type place struct {
		file string
		line int
		many bool
	}
	at := map[place]int{}
	for _, s := range all {
		p := place{s.fault.File, s.line(), s.faults > 1}
		i, ok := at[p]
		if !ok {
			i = len(groups)
			at[p] = i
			groups = append(groups, group{})
		}
		groups[i].all = append(groups[i].all, s)
	}
	for _, g := range groups {
		slices.SortStableFunc(g.all, func(a, b survivor) int { return slices.Compare(a.weight(), b.weight()) })
	}
	slices.SortStableFunc(groups, func(a, b group) int {
		return cmp.Or(slices.Compare(a.weight(), b.weight()), comparePlaces(a.all[0].fault, b.all[0].fault))
	})
	return groups
}

// weight says how likely a survivor is a gap in the tests. Survivors are compared by the first number
// in which they differ, and the smaller one is shown first:
//
//  1. A change that hardly any test would notice, for the reason in the fault, is last.
//  2. A change that tests saw and accepted is a gap where somebody already tests. A function that
//     nothing runs is a gap, too. A change that never made a difference is often none that any
//     input shows.
//  3. A result or a statement that does not matter says more about the tests than a number that
//     is one larger.
//  4. The more tests run the place, the more tests could have noticed the change.
func (s survivor) weight() []int {
	unlikely := 0
	if s.fault.Edit.Unlikely != "" {
		unlikely = 1
	}
	return []int{unlikely, urgency[s.result.Kind], suspicion[s.fault.Operator], -max(s.result.Runs, s.result.Tests)}
}

// weight is that of the first survivor. Before the tests are counted, more changes of one line
// count more than one: then the line does not matter at all to the tests.
func (g group) weight() []int { return slices.Insert(g.all[0].weight(), 3, -g.faults()) }

var urgency = map[string]int{fate.Survived: 0, fate.NotReached: 1, fate.NotInfected: 2}

// suspicion orders the operators by how often their survivors turn out to be equivalent to the
// program: see docs/RATIONALE.md.
var suspicion = map[string]int{"delete": 0, "return": 0, "negate": 0, "logic": 0, "invert": 0, "increment": 1, "math": 1,
	"boundary": 2, "constant": 3}
