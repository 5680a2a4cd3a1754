//go:build go1.25

package score

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/site"
)

// keySize is how many hexadecimal digits a key has. Two of ten thousand faults have the same
// key with a probability of one in a hundred; commands that take a key then list both.
const keySize = 8

// Keys returns the key of each of all faults of a build, by ID. A key names a fault for people: in
// reports, and in commands that they type. It is made of the package, the function, the operator,
// and the text before and after. Of faults that are equal in all of these, it is the first, the
// second, and so on. So a key stays the same when lines move, when the layout changes, and when
// other functions change.
func Keys(all []site.Fault) map[int]string {
	keys, equal := map[int]string{}, map[string]int{}
	for _, f := range slices.SortedStableFunc(slices.Values(all), comparePlaces) {
		flat := func(src string) string { return strings.Join(strings.Fields(src), " ") }
		id := Key(f.Package, f.Func, f.Operator, flat(f.From), flat(f.To))
		equal[id]++
		keys[f.ID] = fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, id, equal[id])))[:keySize]
	}
	return keys
}

// Key returns a hash of some texts, in this order. No other list of texts has the same one.
func Key(texts ...string) string {
	h := sha256.New()
	for _, t := range texts {
		fmt.Fprintf(h, "%d:%s", len(t), t)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:16])
}

// comparePlaces orders faults by their places in the source.
func comparePlaces(a, b site.Fault) int {
	return cmp.Or(cmp.Compare(a.File, b.File), a.Line-b.Line, a.Col-b.Col, a.Site-b.Site, a.Variant-b.Variant, a.ID-b.ID)
}
