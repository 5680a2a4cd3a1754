//go:build go1.25

// Package weigh decides which weights a file of declarations gives to the constructors of a type.
//
//	data, err := weigh.Dist(p, property, job.Text{Inputs: 1, Uniform: true})
//	answer, err := dist.Decode(data)
//	scales.Add(property.Name, answer)
//	scales.Chosen()                   // weights of each type, as package facts writes them
//
// Weights are the odds that allele.Distribution{} computes, as Go code that a person can
// read and change. Only the test binary of a property contains the types of its inputs,
// so this binary computes the odds.
package weigh

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/proc/dist"
	"github.com/allele-go/allele/internal/source/facts"
	"github.com/allele-go/allele/internal/words"
)

// Scales collects the weights of the types of a package.
type Scales struct {
	all  []*scale
	Left []string // types whose constructors cannot all be named
}

// scale is the weights of one type, as one property computes them.
type scale struct {
	facts.Weights
	property string
	depth    int
}

// Add adds the weights of a property. In the answer of the test binary, the functions
// that return an interface are listed as a separate type, after the interface. In the
// weights these functions are constructors of the interface. The odds of each function
// are the odds that any function is called, times the odds of this function among the
// functions.
func (s *Scales) Add(property string, answer dist.Dist) {
	var own []*scale
	calls := map[string]float64{} // by type, the odds that one of its functions is called
	for _, t := range answer.Types {
		odds, inner := calls[t.Go]
		if !inner {
			odds = 1
		}
		ways := slices.Clone(t.Ways)
		if i := slices.IndexFunc(ways, func(w dist.Way) bool { return w.Kind == dist.Functions }); i >= 0 && t.Go != "" {
			calls[t.Go] = ways[i].Odds
			ways = slices.Delete(ways, i, i+1)
		}
		named := func(w dist.Way) bool { return w.Weight != "" }
		switch {
		case len(t.Ways) < 2 && !inner || t.Go == "" && !slices.ContainsFunc(ways, named):
			continue
		case t.Go == "" || !all(ways, named):
			if name := strings.SplitN(t.Name, "#", 2)[0]; !slices.Contains(s.Left, name) {
				s.Left = append(s.Left, name)
			}
			continue
		}
		at := slices.IndexFunc(own, func(o *scale) bool { return o.Type == t.Go })
		if at < 0 {
			at = len(own)
			own = append(own, &scale{facts.Weights{Type: t.Go, Imports: t.Imports, External: answer.External}, property, answer.Depth})
		}
		own[at].take(ways, odds)
	}
	s.all = append(s.all, own...)
}

func all(ways []dist.Way, is func(dist.Way) bool) bool {
	return !slices.ContainsFunc(ways, func(w dist.Way) bool { return !is(w) })
}

// take adds the constructors that the scale does not contain yet. A type that is declared
// differently in different places occurs more than once in an answer, but has only one
// set of weights: the first occurrence counts.
func (s *scale) take(ways []dist.Way, odds float64) {
	for _, w := range ways {
		if !slices.ContainsFunc(s.Ways, func(old facts.Way) bool { return old.Name == w.Weight }) {
			s.Ways = append(s.Ways, facts.Way{Name: w.Weight, Odds: odds * w.Odds})
		}
	}
}

// Chosen returns the weights of each type, sorted by name. If properties compute
// different weights for a type, the property with the most constructors of this type
// counts, and of several such properties the first.
func (s *Scales) Chosen() (c facts.Chosen) {
	slices.SortStableFunc(s.all, func(a, b *scale) int { return strings.Compare(a.Type, b.Type) })
	var first *scale
	for i := 0; i < len(s.all); {
		end := i + 1
		for end < len(s.all) && s.all[end].Type == s.all[i].Type {
			end++
		}
		best := widest(s.all[i:end])
		if first == nil || best.property < first.property {
			first = best
		}
		c.All = append(c.All, best.Weights)
		i = end
	}
	if first != nil {
		c.About = []string{
			"With these weights all constructors of a type are generated equally often, or as nearly",
			"as the type allows. To choose by weight alone, give a Check the option",
			fmt.Sprintf("allele.Distribution{Depth: %d, Untuned: true}. Without this option, a constructor is chosen", first.depth),
			"by weight among those that fit the size that is left. To see how often each is generated:",
			"go tool allele dist " + first.property,
		}
	}
	return c
}

// oddsNear is the largest difference between odds that count as equal.
const oddsNear = 0.005

// widest returns the scale with the most constructors. All the scales belong to one type.
// In the field From of the result, widest records which property computed the scale.
func widest(of []*scale) *scale {
	best := of[0]
	for _, s := range of[1:] {
		if len(s.Ways) > len(best.Ways) {
			best = s
		}
	}
	var others []string
	for _, s := range of {
		if !s.near(best) {
			others = append(others, s.property)
		}
	}
	best.From = fmt.Sprintf("%s, to a depth of %d", best.property, best.depth)
	switch len(others) {
	case 0:
	case 1:
		best.From += "; " + others[0] + " alone would have other weights"
	default:
		best.From += fmt.Sprintf("; %s and %s more would have other weights", others[0], words.Group(len(others)-1))
	}
	return best
}

func (s *scale) near(other *scale) bool {
	return slices.EqualFunc(s.Ways, other.Ways, func(a, b facts.Way) bool {
		return a.Name == b.Name && math.Abs(a.Odds-b.Odds) <= oddsNear
	})
}
