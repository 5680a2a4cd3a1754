//go:build go1.25

package verdict

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/check/property"
)

// labelsShown bounds the values shown of one label.
const labelsShown = 20

// writeLabels writes, for the name of each label, the share of each value. If there are
// too many values, it writes the most frequent ones. Numbers are written in their order,
// other values by frequency.
func (t *Tally) writeLabels(b *strings.Builder) {
	byName := map[string][]property.Label{}
	total := map[string]int{}
	for l, n := range t.labels {
		byName[l.Name] = append(byName[l.Name], l)
		total[l.Name] += n
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		ls := byName[name]
		share := func(n int) float64 { return 100 * float64(n) / float64(total[name]) }
		slices.SortFunc(ls, func(x, y property.Label) int {
			return cmp.Or(t.labels[y]-t.labels[x], strings.Compare(x.Value, y.Value))
		})
		shown := ls[:min(labelsShown, len(ls))]
		sortNumbers(shown)
		fmt.Fprintf(b, "    %s\n", name)
		rest := total[name]
		for _, l := range shown {
			fmt.Fprintf(b, "        %5.1f %%  %s\n", share(t.labels[l]), l.Value)
			rest -= t.labels[l]
		}
		if len(ls) > len(shown) {
			fmt.Fprintf(b, "        %5.1f %%  %d more values\n", share(rest), len(ls)-len(shown))
		}
	}
}

// sortNumbers sorts labels by their values if all of them are numbers, or all durations.
func sortNumbers(ls []property.Label) {
	for _, parse := range []func(string) (float64, error){number, duration} {
		if slices.ContainsFunc(ls, func(l property.Label) bool { _, err := parse(l.Value); return err != nil }) {
			continue
		}
		slices.SortStableFunc(ls, func(x, y property.Label) int {
			a, _ := parse(x.Value)
			b, _ := parse(y.Value)
			return cmp.Compare(a, b)
		})
		return
	}
}

// number reads a number. Numbers that are too large for a float64 are read as infinite.
func number(s string) (float64, error) {
	x, err := strconv.ParseFloat(s, 64)
	if e, ok := err.(*strconv.NumError); ok && e.Err == strconv.ErrRange {
		err = nil
	}
	return x, err
}

func duration(s string) (float64, error) {
	d, err := time.ParseDuration(s)
	return float64(d), err
}
