//go:build go1.25

package allele

import (
	"fmt"

	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/value/weight"
)

// Distribution makes the distribution of inputs predictable: constructors are chosen by fixed
// odds, down to a fixed depth. Without a Distribution, the choice depends on how much of the
// input's [Size] is left. The odds are computed when the Check starts, so that the expected
// count of each constructor in an input is as close to the wanted count as the type allows.
// The zero Distribution asks for all constructors equally often. `allele dist` shows the
// predicted counts and the counts in generated inputs.
//
//	allele.Distribution{}                                           // uniform
//	allele.Distribution{MeanSize: 30}                               // uniform, 30 nodes on average
//	allele.Distribution{Proportions: map[string]float64{"Html.Join": 3, "Html.Text": 1}}
type Distribution struct {
	// Proportions are the wanted relative frequencies of constructors, by their names as
	// `allele dist` prints them. Constructors that are not listed may have any
	// frequency. Nil means that all constructors are wanted equally often.
	Proportions map[string]float64
	// MeanSize is the wanted average number of nodes of an input, at most 10000. 0 means
	// that the size follows from the depth: a constructor whose proportion is 1 is wanted
	// Depth times in an input.
	MeanSize float64
	// Cost replaces Proportions and MeanSize: the odds are tuned to minimise it. It is
	// called many times with the expected count of each constructor in an input, by the
	// name of the constructor.
	Cost func(expected map[string]float64) float64
	// Depth is the number of levels of the deepest inputs. 0 means half of the [Size].
	Depth int
	// Untuned uses the weights declared with [Weight] as odds, without tuning them. It
	// cannot be combined with Proportions, MeanSize or Cost.
	Untuned bool
}

func (d Distribution) apply(s *property.Settings) {
	if err := d.check(); err != nil {
		s.Errs = append(s.Errs, fmt.Errorf("Distribution: %w", err))
		return
	}
	s.Depth, s.Goal = nil, &weight.Goal{Weights: d.Proportions, Cells: d.MeanSize, Cost: d.Cost}
	if d.Depth > 0 {
		s.Depth = &d.Depth
	}
	if d.Untuned {
		s.Goal = nil
	}
}

func (d Distribution) check() error {
	for name, w := range d.Proportions {
		if !(w > 0 && w <= 1e6) {
			return fmt.Errorf("the proportion of %q is %v, want a number above 0, at most a million; "+
				"to exclude a constructor, use Without", name, w)
		}
	}
	switch {
	case d.Proportions != nil && len(d.Proportions) == 0:
		return fmt.Errorf("Proportions is empty; name at least one constructor, or leave it nil for all")
	case !(d.MeanSize >= 0 && d.MeanSize <= 1e4):
		return fmt.Errorf("MeanSize is %v, want a size from 0 to 10000", d.MeanSize)
	case d.Depth < 0:
		return fmt.Errorf("Depth is %d, want at least one level, or 0 for half of the Size", d.Depth)
	case d.Cost != nil && (d.Proportions != nil || d.MeanSize > 0):
		return fmt.Errorf("Cost replaces Proportions and MeanSize; set one or the other")
	case d.Untuned && (d.Proportions != nil || d.MeanSize > 0 || d.Cost != nil):
		return fmt.Errorf("Untuned chooses by Weight alone; it excludes Proportions, MeanSize and Cost")
	case d.Untuned && d.Depth == 0:
		return fmt.Errorf("Untuned needs a Depth")
	}
	return nil
}
