//go:build go1.25

package score

import (
	"cmp"
	"maps"
	"slices"

	"github.com/allele-go/allele/internal/words"
)

// add adds what another member or package has used again.
func (r *Reused) add(other Reused) {
	r.Verdicts += other.Verdicts
	for why, n := range other.Again {
		if r.Again == nil {
			r.Again = map[string]int{}
		}
		r.Again[why] += n
	}
}

// any reports whether there were earlier verdicts.
func (r Reused) any() bool { return r.Verdicts > 0 || len(r.Again) > 0 }

// Reused returns what all members of a package have used again.
func (p *Package) Reused() (r Reused) {
	for _, m := range p.Members {
		r.add(m.reused)
	}
	return r
}

// reused prints how many verdicts of an earlier program were used again.
func reused(t *text) {
	var r Reused
	for i := range t.report.Packages {
		r.add(t.report.Packages[i].Reused())
	}
	if !r.any() {
		return
	}
	all := r.Verdicts
	for _, n := range r.Again {
		all += n
	}
	text := words.Group(r.Verdicts) + " of " + words.Count(all, "verdict") + " from the last run"
	if all > r.Verdicts {
		most := slices.MaxFunc(slices.Sorted(maps.Keys(r.Again)), func(a, b string) int { return cmp.Compare(r.Again[a], r.Again[b]) })
		text += "; judged again: " + words.Group(all-r.Verdicts)
		if n := r.Again[most]; n < all-r.Verdicts {
			text += ", most because"
		} else {
			text += ", because"
		}
		text += " " + words.Printable(most)
	}
	t.labelled("reused", text)
}
