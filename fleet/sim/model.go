package sim

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"time"
)

// Model says when agents find paths. A run takes path i with probability exp(-i/Fold)/First. So
// the number of different paths after x runs of all agents is about Fold*ln(1+x/First): the fleet finds them at a
// constant rate until First runs are made, and then at a rate of Fold/t, however many agents there are.
// More agents come to the same paths earlier, and find the easy ones many times.
type Model struct {
	Fold  float64 // paths that are found while the number of runs grows by a factor of e; 25
	First float64 // runs until the rate begins to fall; 100,000
	Rate  float64 // runs of an agent in a second; 40,000: eight workers with 5,000 each
}

func (m Model) orDefault() Model {
	if m == (Model{}) {
		return Model{Fold: 25, First: 1e5, Rate: 4e4}
	}
	return m
}

// Paths is how many paths the agents find in a time, on average.
func (m Model) Paths(agents int, t time.Duration) float64 {
	return m.Fold * math.Log1p(float64(agents)*m.Rate*t.Seconds()/m.First)
}

// event is that an agent finds a path itself.
type event struct {
	at          time.Duration
	agent, path int
}

// rare is how many folds of paths are tried beyond the expected ones: the others are found with a probability below 1 %.
const rare = 5

// schedule returns what all agents find, in the order of time.
func (m Model) schedule(c Config) (events []event) {
	most := int(m.Paths(c.Agents, c.Time) + rare*m.Fold)
	for a := range c.Agents {
		r := rand.New(rand.NewPCG(c.Seed, uint64(a)))
		begin := c.Ramp.Seconds() * float64(a) / float64(max(1, c.Agents))
		for path := range most {
			at := begin + r.ExpFloat64()*m.First/m.Rate*math.Exp(float64(path)/m.Fold)
			if at < c.Time.Seconds() {
				events = append(events, event{time.Duration(at * float64(time.Second)), a, path})
			}
		}
	}
	slices.SortFunc(events, func(a, b event) int { return cmp.Compare(a.at, b.at) })
	return events
}

// paths is how many different paths are found.
func paths(events []event) int {
	seen := map[int]bool{}
	for _, e := range events {
		seen[e.path] = true
	}
	return len(seen)
}
