package allele

import (
	"fmt"

	"github.com/allele-go/allele/internal/property"
	"github.com/allele-go/allele/internal/value/weight"
)

// A property may want a distribution that can be predicted: how often each
// constructor is in an input, on average. Then constructors are chosen by odds
// that are worked out when the Check starts, down to a depth, instead of by how
// much of a size is left.

// Depth is how deep inputs are that are made by choosing constructors by their
// weights, see [Weight], and nothing else. Without it sizes decide.
type Depth int

func (n Depth) apply(s *property.Settings) {
	if n < 1 {
		s.Errs = append(s.Errs, fmt.Errorf("Depth(%d): want at least one level", int(n)))
	}
	v := max(1, int(n))
	s.Depth = &v
}

// Uniform wants all constructors equally often, each as often as inputs are deep,
// which is half of the [Size]. Where a type does not allow it, as a tree that has
// one leaf more than nodes, it is as close as can be. `allele dist` shows what
// comes of it.
func Uniform() Option { return tuned(func(*weight.Goal) {}) }

// Weighted wants constructors in proportion, by their names as `allele dist` shows
// them; those that are not mentioned may be as frequent as they like.
//
//	allele.Weighted(map[string]float64{"Html.Join": 3, "Html.Text": 1})
func Weighted(weights map[string]float64) Option {
	for name, w := range weights {
		if !(w > 0 && w <= 1e6) {
			return mistake("Weighted: %q: %v; want a weight above 0; Without leaves a constructor out", name, w)
		}
	}
	if len(weights) == 0 {
		return mistake("Weighted: name at least one constructor, or use Uniform")
	}
	return tuned(func(g *weight.Goal) { g.Weights = weights })
}

// MeanSize wants inputs of so many nodes on average, with constructors as
// [Uniform], or [Weighted], wants them.
func MeanSize(nodes float64) Option {
	if !(nodes > 0 && nodes <= 1e4) {
		return mistake("MeanSize(%v): want a size above 0, up to 10000", nodes)
	}
	return tuned(func(g *weight.Goal) { g.Cells = nodes })
}

// Cost wants what makes f least. It is called many times with what is expected
// in an input on average, by name.
func Cost(f func(expected map[string]float64) float64) Option {
	if f == nil {
		return mistake("Cost: the function is nil")
	}
	return tuned(func(g *weight.Goal) { g.Cost = f })
}

func tuned(set func(*weight.Goal)) Option {
	return optionFunc(func(o *property.Settings) {
		g := weight.Goal{}
		if o.Goal != nil {
			g = *o.Goal
		}
		set(&g)
		o.Goal = &g
	})
}
