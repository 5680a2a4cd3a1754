//go:build go1.25

package verdict

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/words"
)

// Tally counts discarded runs, labels and seeds, in addition to what the engine counts.
type Tally struct {
	rejects map[property.Reject]*int
	// lastN is the count of last, the most recent reject. The same reject often follows, and
	// a lookup in the map would take five times as long as a discard by Given.
	last   property.Reject
	lastN  *int
	labels map[property.Label]int
	saved  saved
	seeded int
	cases  int // how many of the seeded are stored cases; the others are examples
	fields int // how many of the cases are made by fields, and so are no inputs of the search
	lost   int // seeds that were discarded
	known  map[property.Known]int
}

// NewTally makes an empty Tally.
func NewTally() *Tally {
	return &Tally{rejects: map[property.Reject]*int{}, labels: map[property.Label]int{}, known: map[property.Known]int{}}
}

// Reject counts a run that was discarded.
func (t *Tally) Reject(r property.Reject) {
	if t.lastN == nil || t.last != r {
		if t.rejects[r] == nil {
			t.rejects[r] = new(int)
		}
		t.last, t.lastN = r, t.rejects[r]
	}
	*t.lastN++
	if r.Known.Issue != "" {
		t.known[r.Known]++
	}
}

// Label counts the labels of a run that passed.
func (t *Tally) Label(all []property.Label) {
	for _, l := range all {
		t.labels[l]++
	}
}

// Seed counts an example or a stored case that passed. rich is true if it is not trivial.
func (t *Tally) Seed(s property.Seed, rich bool) {
	t.seeded++
	if s.File != "" {
		t.cases++
	}
	if s.ByFields() {
		t.fields++
	}
	t.saved.count(s, rich)
}

// LostSeed counts a seed that was discarded.
func (t *Tally) LostSeed(s property.Seed, o property.Outcome) {
	t.lost++
	t.saved.lost(s)
	if k := o.Rejected.Known; k.Issue != "" {
		t.known[k]++
	}
}

// failed returns notes about the known bugs that runs have shown.
func (t *Tally) failed() (notes []string) {
	for k, n := range t.known {
		if k.Failed {
			notes = append(notes, fmt.Sprintf("known: %s: %s about it failed", k.Issue, words.Count(n, "run")))
		}
	}
	slices.Sort(notes)
	return notes
}

// fixed returns notes about the known bugs that no run has shown.
func (t *Tally) fixed() (notes []string) {
	for k, n := range t.known {
		if !k.Failed && t.known[property.Known{Issue: k.Issue, Failed: true}] == 0 {
			notes = append(notes, fmt.Sprintf("known: %s: no failure in %s about it; if the bug is fixed, remove t.Known",
				k.Issue, words.Count(n, "run")))
		}
	}
	slices.Sort(notes)
	return notes
}

// seeds returns how many examples and stored cases passed, or "" if none did.
func (t *Tally) seeds() string {
	var parts []string
	if n := t.seeded - t.cases; n > 0 {
		parts = append(parts, words.Count(n, "example"))
	}
	if t.cases > 0 {
		parts = append(parts, words.Count(t.cases, "stored case"))
	}
	return strings.Join(parts, " and ")
}

// Seeded returns how many seeds passed that the engine has counted too.
func (t *Tally) Seeded() int { return t.seeded - t.fields }

// saved counts the stored cases with the verdict passed. A search has saved them because
// fresh inputs hardly ever pass, and together they reach what the search reached. As long
// as they pass, the Check is not vacuous, however few other inputs pass.
type saved struct{ passed, rich, discarded int }

func (s *saved) count(x property.Seed, rich bool) {
	if x.Saved {
		s.passed++
		if rich {
			s.rich++
		}
	}
}

func (s *saved) lost(x property.Seed) {
	if x.Saved {
		s.discarded++
	}
}

// enough reports whether the saved cases still make the Check worthwhile. If most of them
// are discarded, the property has changed since they were saved, and they are not enough.
func (s *saved) enough() bool { return s.rich > 0 && s.passed > s.discarded }

// cause is what discarded inputs: an assumption, a builder or a known bug. done says what it did.
type cause struct{ text, done string }

// counts returns how many inputs each cause discarded, and the sum. A function may build values of two
// types, T and *T; it is counted once.
func (t *Tally) counts(p *property.Property) (counts map[cause]int, total int) {
	counts = map[cause]int{}
	for r, n := range t.rejects {
		c := cause{p.Rejected(r), "discarded"}
		switch {
		case r.Known.Failed:
			c.done = "failed"
		case r.Known.Issue != "":
			c.done = "did not fail"
		}
		counts[c] += *n
		total += *n
	}
	return counts, total
}

// rejectsShown bounds the list of assumptions.
const rejectsShown = 8

// Rejects returns a list of causes and how many inputs each discarded, most first.
func (t *Tally) Rejects(p *property.Property) string {
	var b strings.Builder
	counts, _ := t.counts(p)
	causes := slices.SortedFunc(maps.Keys(counts), func(x, y cause) int {
		return cmp.Or(counts[y]-counts[x], strings.Compare(x.text, y.text), strings.Compare(x.done, y.done))
	})
	w := tabwriter.NewWriter(&b, 0, 0, 3, ' ', 0)
	for i, c := range causes {
		if i == rejectsShown {
			fmt.Fprintf(w, "    and %d more\n", len(causes)-i)
			break
		}
		fmt.Fprintf(w, "    %s\t%s %s\n", strings.ReplaceAll(c.text, "   ", "\t"), c.done, words.Group(counts[c]))
	}
	w.Flush()
	return b.String()
}
