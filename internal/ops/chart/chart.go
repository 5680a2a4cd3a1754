// Package chart draws how the inputs of a property are distributed: as text for a
// terminal, and as a page for a browser.
//
//	chart.Text(d, chart.Style{Columns: 80})  // tables and bars, nothing wider
//	chart.Page(d)                            // one HTML file, needs nothing else
//
// Both show the same, in the same order: how often each constructor comes, then how
// large and how deep inputs are. Views stand side by side, because what somebody
// wants to know is how they differ. Bars are drawn for what was seen, each view on
// its own scale, as even odds may give a hundred times what tuned ones do; the
// numbers beside them can be compared.
package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/ops/dist"
	"github.com/allele-go/allele/internal/ops/words"
)

// What is shown without Style.All.
const (
	waysMost  = 20
	typesMost = 12
)

// table is a type as it is shown: its ways, the most frequent ones if there are too
// many for a table, and how many others there are.
type table struct {
	dist.Type
	more []dist.Way
}

// tables are the types that have something to choose, and the names of the others.
func tables(d dist.Dist, all bool) (shown []table, fixed []string, more int) {
	for _, t := range d.Types {
		if len(t.Ways) < 2 {
			fixed = append(fixed, words.Printable(only(t)))
			continue
		}
		if len(shown) == typesMost && !all {
			more++
			continue
		}
		one := table{Type: t}
		if !all && len(t.Ways) > waysMost+1 {
			one.Ways = slices.Clone(t.Ways)
			slices.SortStableFunc(one.Ways, func(a, b dist.Way) int { return order(frequency(b) - frequency(a)) })
			one.Ways, one.more = one.Ways[:waysMost], one.Ways[waysMost:]
		}
		shown = append(shown, one)
	}
	return shown, fixed, more
}

// only names a type that has one way, by that if it is a function.
func only(t dist.Type) string {
	if len(t.Ways) == 1 && t.Ways[0].Kind == dist.Builder {
		return t.Ways[0].Label
	}
	return t.Name
}

// frequency is how often a way comes in the view where it comes most often.
func frequency(w dist.Way) float64 {
	most := 0.0
	for _, c := range w.Counts {
		most = max(most, c.Seen)
	}
	return most
}

func order(x float64) int {
	switch {
	case x < 0:
		return -1
	case x > 0:
		return 1
	}
	return 0
}

// rest is the sum of ways that are not shown.
func rest(ways []dist.Way, views int) []dist.Pair {
	sum := make([]dist.Pair, views)
	for _, w := range ways {
		for i, c := range w.Counts {
			sum[i].Predicted += c.Predicted
			sum[i].Seen += c.Seen
		}
	}
	return sum
}

// label is what a way is called in the table of its type.
func label(w dist.Way) string {
	switch w.Kind {
	case dist.Functions:
		return "(functions)"
	case dist.Plain:
		return "(no pattern)"
	}
	return words.Printable(w.Label)
}

// sureCount is how often something must be expected, in all inputs of a view, before
// it is blamed for being off: of a hundred, ten more or less are chance.
const sureCount = 100

// worst is the way of a view that is furthest from its prediction.
func worst(d dist.Dist, view int) (way dist.Way, found bool) {
	off := -1.0
	for _, t := range d.Types {
		for _, w := range t.Ways {
			c := w.Counts[view]
			if n := float64(d.Views[view].Inputs); max(c.Predicted, c.Seen)*n < sureCount || w.Name == "" {
				continue
			}
			if by := math.Abs(c.Off()); by > off {
				way, off = w, by
			}
		}
	}
	return way, off >= 0
}

// percent is how far a prediction is off, in words.
func percent(p dist.Pair) string {
	off := p.Off()
	switch {
	case off >= 9.995:
		return "+" + number(off+1) + "-fold"
	case off == 0:
		return "as predicted"
	case math.Abs(off) < 0.00995:
		return fmt.Sprintf("%+.1f %%", 100*off)
	}
	return fmt.Sprintf("%+.0f %%", 100*off)
}

// number writes an amount in six characters or fewer, three of them digits that matter.
func number(x float64) string {
	switch {
	case x == 0:
		return "0"
	case x < 0.0005:
		return "<0.001"
	case x < 0.9995:
		return fmt.Sprintf("%.3f", x)
	case x < 9.995:
		return fmt.Sprintf("%.2f", x)
	case x < 99.95:
		return fmt.Sprintf("%.1f", x)
	case x < 99_999.5:
		return words.Group(int(math.Round(x)))
	case x < 999e6:
		return words.Brief(x)
	case x < 1e300:
		return strings.Replace(fmt.Sprintf("%.0e", x), "+", "", 1)
	}
	return "huge"
}

// notes are what else a reader should know.
func notes(d dist.Dist, choices bool) (all []string) {
	for _, v := range d.Views {
		if !v.Exact && choices {
			all = append(all, fmt.Sprintf("%s: predictions are for odds alone. "+
				"Where a size is split they do not hold; the table shows by how much.", v.Name))
		}
		if v.Inputs < d.Wanted {
			all = append(all, fmt.Sprintf("%s: inputs are so large that %s of them were enough.", v.Name, words.Group(v.Inputs)))
		}
		if v.Cut > 0 {
			all = append(all, fmt.Sprintf("%s: %s grew too large and had to end, which is not predicted. "+
				"allele.Size(%d) makes inputs less deep.", v.Name, words.Count(v.Cut, "input"), max(2, d.Size/2)))
		}
	}
	kinds := map[string]bool{}
	for _, t := range d.Types {
		for _, w := range t.Ways {
			kinds[w.Kind] = true
		}
	}
	if d.Maps {
		all = append(all, "There are maps. Entries with the same key become one, so inputs hold somewhat less than was predicted "+
			"and counted here, and the predicted mean size is an upper bound.")
	}
	if kinds[dist.Pattern] {
		all = append(all, "A pattern counts as one choice; the constructors inside it are not counted again.")
	}
	if kinds[dist.Builder] {
		all = append(all, "Builders are counted when they are chosen, not called: an input that one refuses is counted too.")
	}
	all = append(all, d.Notes...)
	for i := range all {
		all[i] = words.Printable(all[i])
	}
	return all
}

// step is a command or option to go on with.
type step struct{ word, text string }

// next says what can be done about it.
func next(d dist.Dist, choices bool, command string) []step {
	var steps []step
	switch {
	case !choices:
		return append(steps, step{"page", "go tool allele dist -html dist.html " + command})
	case len(d.Views) > 2:
		steps = append(steps, step{"keep", d.Goal + " as an option of this Check makes inputs as in " + dist.Tuned})
	}
	return append(steps,
		step{"write", "go tool allele facts -write -weights   the tuned odds, as Go"},
		step{"page", "go tool allele dist -html dist.html " + command})
}
