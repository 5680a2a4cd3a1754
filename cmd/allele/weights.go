//go:build go1.25

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/ops/dist"
	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/source/facts"
)

// Weights are the odds that allele.Distribution{} computes, as Go code that a person can
// read and change. Only the test binary of a property contains the types of its inputs,
// so this binary computes the odds.

// addWeights adds weights to files that are about to be written. The weights depend on
// the other declarations in these files. So addWeights first writes the files without
// weights, and then builds the tests that compute the weights; otherwise the next call
// would compute different weights. If there is an error, it restores the old files.
func (c *factLister) addWeights(x *facts.Index, files []factsFile) (err error) {
	for _, f := range files {
		old, readErr := os.ReadFile(f.path)
		switch {
		case readErr != nil && !errors.Is(readErr, fs.ErrNotExist):
			return readErr
		case f.own || f.text == nil && readErr != nil:
			continue
		}
		defer func() {
			switch {
			case err == nil:
			case old == nil:
				os.Remove(f.path)
			default:
				os.WriteFile(f.path, old, 0o666)
			}
		}()
		if f.text == nil {
			err = os.Remove(f.path)
		} else {
			err = os.WriteFile(f.path, f.text, 0o666)
		}
		if err != nil {
			return err
		}
	}
	chosen, err := c.weigh()
	if err != nil {
		return err
	}
	for i := range files {
		f := &files[i]
		found, left, err := x.Weighted(f.pkg, chosen[f.pkg])
		if err != nil && !errors.Is(err, facts.ErrNothing) {
			return err
		}
		if f.fill(found); len(left) > 0 && filepath.Base(f.path) == facts.DeclarationsFile {
			c.leftOut(f.pkg, left)
		}
	}
	return nil
}

// leftOut prints which types have no weights, and what to do about it.
func (c *factLister) leftOut(pkg string, types []string) {
	fmt.Fprintf(c.stderr, "%s: no weights for %s that cannot be named in %s, or whose constructors share a name: %s; "+
		"use the option allele.Distribution{} of a Check instead, which needs no names\n",
		pkg, count(len(types), "type"), facts.DeclarationsFile, printable(strings.Join(types, ", ")))
}

// weigh builds the tests and computes the weights of every property, one package after
// the other.
func (c *factLister) weigh() (map[string]facts.Chosen, error) {
	if err := c.build(); err != nil {
		return nil, err
	}
	chosen := map[string]facts.Chosen{}
	for _, t := range c.overlay.Tests {
		props, err := c.list(t)
		if err != nil {
			fmt.Fprintf(c.stderr, "allele facts: cannot list the properties of %v\n", err)
		}
		var scales scales
		for _, p := range props {
			data, err := c.askDist(p, job.Text{Inputs: 1, Uniform: true})
			var answer dist.Dist
			if err == nil {
				answer, err = dist.Decode(data)
			}
			if err != nil {
				fmt.Fprintf(c.stderr, "allele facts: skipped a property: %v\n", err)
				continue
			}
			scales.add(p.Name, answer)
		}
		if chosen[t.Path] = scales.chosen(); len(scales.left) > 0 {
			c.leftOut(t.Path, scales.left)
		}
	}
	return chosen, nil
}

// scales collects the weights of the types of a package.
type scales struct {
	all  []*scale
	left []string // types whose constructors cannot all be named
}

// scale is the weights of one type, as one property computes them.
type scale struct {
	facts.Weights
	property string
	depth    int
}

// add adds the weights of a property. In the answer of the test binary, the functions
// that return an interface are listed as a separate type, after the interface. In the
// weights these functions are constructors of the interface. The odds of each function
// are the odds that any function is called, times the odds of this function among the
// functions.
func (s *scales) add(property string, answer dist.Dist) {
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
			if name := strings.SplitN(t.Name, "#", 2)[0]; !slices.Contains(s.left, name) {
				s.left = append(s.left, name)
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

// chosen returns the weights of each type, sorted by name. If properties compute
// different weights for a type, the property with the most constructors of this type
// counts, and of several such properties the first.
func (s *scales) chosen() (c facts.Chosen) {
	slices.SortStableFunc(s.all, func(a, b *scale) int { return strings.Compare(a.Type, b.Type) })
	var first *scale
	for i := 0; i < len(s.all); {
		end := i + 1
		for end < len(s.all) && s.all[end].Type == s.all[i].Type {
			end++
		}
		best := choose(s.all[i:end])
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

// choose returns the scale with the most constructors. All the scales belong to one type.
// In the field From of the result, choose records which property computed the scale.
func choose(of []*scale) *scale {
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
		best.From += fmt.Sprintf("; %s and %s more would have other weights", others[0], group(len(others)-1))
	}
	return best
}

func (s *scale) near(other *scale) bool {
	return slices.EqualFunc(s.Ways, other.Ways, func(a, b facts.Way) bool {
		return a.Name == b.Name && math.Abs(a.Odds-b.Odds) <= oddsNear
	})
}

// weightLine returns the weights of a type as a line of the listing.
func weightLine(w facts.Weights) string {
	var parts []string
	for _, way := range w.Ways {
		parts = append(parts, way.Name+" "+way.Weight())
	}
	return fmt.Sprintf("%s is %s (%s)", w.Type, strings.Join(parts, ", "), w.From)
}
