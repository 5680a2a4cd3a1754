//go:build go1.25

package score

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/allele-go/allele/internal/site"
)

// sampleMin is how many faults a sample needs at least for a score, if time ends it.
const sampleMin = 10

// Draw keeps some faults of the packages, and returns nil if these are all. Which ones depends on the faults alone, and a
// larger sample contains a smaller one.
func Draw(packages []Package, most int) *Sample {
	order := drawOrder(packages)
	if most >= len(order) {
		return nil
	}
	keep(packages, order[:most])
	return &Sample{Drawn: most, Of: len(order)}
}

// Judged keeps the largest sample all of whose faults were judged before the time was over. It returns nil if it would be
// too small, or if all were judged.
func Judged(packages []Package, of *Sample, over time.Duration) *Sample {
	order := drawOrder(packages)
	open := map[int]bool{}
	for i := range packages {
		for _, r := range packages[i].Results {
			open[r.Fault] = r.Open
		}
	}
	n := slices.IndexFunc(order, func(id int) bool { return open[id] })
	if n < sampleMin {
		return of
	}
	s := &Sample{Drawn: n, Of: len(order), For: over}
	if of != nil {
		s.Of = of.Of
	}
	keep(packages, order[:n])
	return s
}

// keep removes all faults but some from the packages, with their results.
func keep(packages []Package, ids []int) {
	kept := map[int]bool{}
	for _, id := range ids {
		kept[id] = true
	}
	for i := range packages {
		p := &packages[i]
		p.Faults = slices.DeleteFunc(slices.Clone(p.Faults), func(f site.Fault) bool { return !kept[f.ID] })
		p.Results = slices.DeleteFunc(slices.Clone(p.Results), func(r Result) bool { return !kept[r.Fault] })
	}
}

// drawOrder returns the IDs of all faults in the order in which they are drawn.
func drawOrder(packages []Package) (ids []int) {
	var all []site.Fault
	for i := range packages {
		all = append(all, packages[i].Faults...)
	}
	for _, f := range drawn(all) {
		ids = append(ids, f.ID)
	}
	return ids
}

// drawn returns faults in the order in which they are drawn: by a hash of what does not change if code is added
// elsewhere. Equal changes of a function are told apart by their order.
func drawn(faults []site.Fault) []site.Fault {
	faults = slices.Clone(faults)
	slices.SortStableFunc(faults, comparePlaces)
	seen, hash := map[string]int{}, map[int]uint64{}
	for _, f := range faults {
		key := fmt.Sprintf("%q %q %q %q %q %q", f.Package, filepath.Base(f.File), f.Func, f.Operator, f.From, f.To)
		sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", key, seen[key]))
		seen[key]++
		hash[f.ID] = binary.BigEndian.Uint64(sum[:])
	}
	slices.SortStableFunc(faults, func(a, b site.Fault) int { return cmp.Compare(hash[a.ID], hash[b.ID]) })
	return faults
}
