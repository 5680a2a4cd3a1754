//go:build go1.25

// Package chart draws how the inputs of a property are distributed: as text for a
// terminal, and as a page for a browser.
//
//	chart.Text(d, chart.Style{Columns: 80})  // tables and bars, at most 80 columns wide
//	chart.Page(d)                            // one HTML file that needs no other files
//
// Both show the same, in the same order: how often each constructor is generated, then
// how large and how deep inputs are. Views (settings for generating inputs; see package
// dist) are side by side, because readers want to see how they differ. Bars show what was seen. Each view has its own scale, because
// inputs with even odds may be a hundred times as large as inputs with tuned odds. To
// compare views, read the numbers beside the bars.
package chart

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/proc/dist"
	"github.com/allele-go/allele/internal/words"
)

// Limits on what is shown without Style.All.
const (
	waysMost  = 20
	typesMost = 12
)

// table is a type as it is shown, with its ways (constructors, builders and patterns).
// If there are too many ways, the most frequent ones are shown and the others are in
// more.
type table struct {
	dist.Type
	more []dist.Way
}

// tables returns the types with more than one way (shown), the names of the types with
// a single way (fixed), and the number of types that are left out (more).
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

// only returns the name of a type that has a single way, or the label of the way if it
// is a builder function.
func only(t dist.Type) string {
	if len(t.Ways) == 1 && t.Ways[0].Kind == dist.Builder {
		return t.Ways[0].Label
	}
	return t.Name
}

// frequency returns how often a way is generated in the view where it is most
// frequent.
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

// rest returns, for each view, the sum of the counts of all given ways.
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

// label returns the name of a way in the table of its type.
func label(w dist.Way) string {
	switch w.Kind {
	case dist.Functions:
		return "(functions)"
	case dist.Plain:
		return "(no pattern)"
	}
	if w.Value != "" {
		return words.Printable(w.Label + " = " + w.Value)
	}
	return words.Printable(w.Label)
}

// sureCount is the number of times that a way must be predicted or seen, in all inputs
// of a view together, before its error is judged. With a hundred, an error of ten
// percent may still be chance.
const sureCount = 100

// worst returns the way whose count in a view is furthest from the prediction.
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

// percent returns a text for the relative error of a prediction, such as "+12 %".
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

// unknown stands for the prediction of a view that is not predicted. It is shown as nothing.
const unknown = -1

// predicted returns a distribution without the predictions for views that are not exact:
// these predictions take only odds into account, and may be wrong by a factor of a hundred.
func predicted(d dist.Dist) dist.Dist {
	d.Views, d.Types = slices.Clone(d.Views), slices.Clone(d.Types)
	for i := range d.Types {
		t := &d.Types[i]
		t.Ways = slices.Clone(t.Ways)
		for k := range t.Ways {
			t.Ways[k].Counts = slices.Clone(t.Ways[k].Counts)
		}
	}
	for v := range d.Views {
		if d.Views[v].Exact {
			continue
		}
		d.Views[v].Cells.Predicted = unknown
		for _, t := range d.Types {
			for _, w := range t.Ways {
				w.Counts[v].Predicted = unknown
			}
		}
	}
	return d
}

// number returns an amount as text of at most six characters, with three significant
// digits.
func number(x float64) string {
	switch {
	case x < 0:
		return ""
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

// notes returns remarks about the distribution.
func notes(d dist.Dist, choices bool) (all []string) {
	for _, v := range d.Views {
		if !v.Exact && choices {
			all = append(all, fmt.Sprintf("%s: there is no prediction, because each value splits its size among its fields.", v.Name))
		}
		if v.Inputs < d.Wanted {
			all = append(all, fmt.Sprintf("%s: inputs are so large that only %s were generated.", v.Name, words.Group(v.Inputs)))
		}
		if v.Cut > 0 {
			all = append(all, fmt.Sprintf("%s: %s stopped growing at the size limit, which the prediction ignores. "+
				"With allele.Size(%d) inputs are less deep, and fewer reach the limit.",
				v.Name, words.Count(v.Cut, "input"), max(2, d.Size/2)))
		}
	}
	kinds := map[string]bool{}
	for _, t := range d.Types {
		for _, w := range t.Ways {
			kinds[w.Kind] = true
		}
	}
	if d.Maps {
		all = append(all, "Inputs contain maps. Map entries with equal keys are merged after counting, so real inputs are somewhat "+
			"smaller than the numbers here, and the predicted mean size is an upper bound.")
	}
	if kinds[dist.Pattern] {
		all = append(all, "A pattern counts as one choice; the constructors inside it are not counted again.")
	}
	if kinds[dist.Builder] {
		all = append(all, "Builders are counted when they are chosen, not when they are called: "+
			"inputs that a builder rejects are counted too.")
	}
	all = append(all, d.Notes...)
	for i := range all {
		all[i] = words.Printable(all[i])
	}
	return all
}

// step is a command or option that the user may try next.
type step struct{ word, text string }

// next returns the steps that are suggested below the chart.
func next(d dist.Dist, choices bool, command string) []step {
	page := step{"page", "go tool allele dist -html dist.html " + command}
	write := step{"write", "go tool allele facts -write -weights   the tuned odds, as Go"}
	if !choices {
		return []step{page}
	}
	if len(d.Views) < 3 { // the Check is tuned
		return []step{write, page}
	}
	if rare, ok := helped(d); ok {
		return []step{{"try", fmt.Sprintf("%s in this Check, for more of %s", d.Goal, words.Printable(rare.Name))}, write, page}
	}
	return []step{page}
}

// Tuned odds are suggested only if the inputs that were generated with them are better: a
// constructor is rare among those of its type as the Check declares, its share is at least
// doubled by the odds, and the inputs are not smaller.
const (
	rareShare  = 4   // rare is less than one in rareShare of an even share
	sizeShrink = 0.9 // the mean size may be a tenth smaller
)

// helped returns the rarest constructor that tuned odds help.
func helped(d dist.Dist) (rare dist.Way, ok bool) {
	declared, tuned := view(d, dist.Declared), view(d, dist.Tuned)
	if declared < 0 || tuned < 0 || d.Views[tuned].Cells.Seen < sizeShrink*d.Views[declared].Cells.Seen {
		return rare, false
	}
	least := 1.0 / rareShare
	for _, t := range d.Types {
		sums := rest(t.Ways, len(d.Views))
		for _, w := range t.Ways {
			share := func(view int) float64 {
				return w.Counts[view].Seen * float64(len(t.Ways)) / max(sums[view].Seen, 1e-12)
			}
			if now := share(declared); w.Name != "" && now < least && share(tuned) >= 2*max(now, 1e-6) {
				rare, least, ok = w, now, true
			}
		}
	}
	return rare, ok
}

// view returns the index of a view, or -1.
func view(d dist.Dist, name string) int {
	return slices.IndexFunc(d.Views, func(v dist.View) bool { return v.Name == name })
}
