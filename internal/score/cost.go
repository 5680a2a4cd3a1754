//go:build go1.25

package score

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/allele-go/allele/internal/fate"
)

// cost is what a test costs, and what it is good for.
type cost struct {
	test   string
	cpu    time.Duration
	killed int // faults that no cheaper test kills
}

const (
	// costsFrom is the CPU time of all tests from which some are named.
	costsFrom = 10 * time.Second
	// costsMax is how many tests are named, and costMin the share of all time in percent from which one is.
	costsMax = 3
	costMin  = 10
)

// spend adds to the CPU time of a test.
func (m *Member) spend(test string, cpu time.Duration) {
	if m.spent == nil {
		m.spent = map[string]time.Duration{}
	}
	m.spent[test] += cpu
}

// costs returns the tests that take most, and the time of all. A test that kills a fault is the cheapest one that does,
// because the cheapest run first.
func (r *Report) costs() (list []cost, all time.Duration) {
	for i := range r.Packages {
		p := &r.Packages[i]
		for j, m := range p.Members {
			if m.Kind != Tests {
				continue
			}
			for _, test := range slices.Sorted(maps.Keys(m.spent)) {
				c := cost{test: test, cpu: m.spent[test]}
				for _, res := range p.Results {
					if res.Member == j && res.Kind == fate.Killed && res.Test == test {
						c.killed++
					}
				}
				all += c.cpu
				list = append(list, c)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b cost) int { return cmp.Compare(b.cpu, a.cpu) })
	list = slices.DeleteFunc(list, func(c cost) bool { return c.cpu*100 < all*costMin })
	return list[:min(len(list), costsMax)], all
}
