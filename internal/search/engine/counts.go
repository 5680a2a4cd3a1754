//go:build go1.25

package engine

// Counts counts the runs so far by their outcome: it decides when a search has made enough of them.
type Counts struct {
	Runs      int
	Passed    int
	Discarded int
	Distinct  int // different terms that passed, at least: see Inputs.AtLeast
	Replayed  int // terms of earlier searches that passed again; they are not runs of this search
	Rich      int // passed terms that are not trivial, with those replayed
	Largest   int // cells of the largest term that passed
	LeftOut   int // terms that were generated and not run, or not run to their end
}

// A search whose passed runs all had the same term goes on until sameMin runs have passed,
// however few were requested: only then is it unlikely to be chance.
const sameMin = 20

// same reports whether the search may have seen one term only by chance.
func (n *Counts) same(c *Config) bool { return n.Distinct == 1 && c.Tests > 1 && n.Passed < sameMin }

// A search that has made all its runs is close if the terms that passed are between two
// thirds and three halves of a tenth of the requested ones, where a Check becomes vacuous.
// Unless Experiment.Exact is set, it makes up to closeTimes as many runs, so that its verdict
// depends less on the seed.
const closeTimes = 4

func (n *Counts) close(c *Config) bool {
	if c.Experiment.Exact {
		return false
	}
	border := c.Tests * n.Runs / (10 * c.Runs)
	return n.Runs < closeTimes*c.Runs && 3*n.Passed >= 2*border && 2*n.Passed <= 3*border && border >= closeMin
}

// closeMin is the least border at which more runs are worthwhile: a Check with few tests is
// not meant to be precise.
const closeMin = 10
