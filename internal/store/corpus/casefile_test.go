//go:build go1.25

package corpus

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/store/casefile"
)

// A saved input is the same after a round trip through a file, whatever its texts are.
func TestEntriesSurvive(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, 0))
	word := func() string {
		words := []string{"", "a", "// test b", "\n", " ", "\"", "\\", "x\r\ny", "世", "\u2028", "// allele case 9", "\t", "passed", "`"}
		var b strings.Builder
		for range r.IntN(4) {
			b.WriteString(words[r.IntN(len(words))])
		}
		return b.String()
	}
	for n := range 20_000 {
		e := Entry{Input: word() + "1" + word(), Verdict: event.Verdict(word()), Trace: r.Uint64(), Parent: word(), How: word(), Why: word(),
			Run: r.IntN(9) - 1, Binary: word(), Spawned: r.IntN(2) == 0}
		pkg, property := word(), word()
		f, err := casefile.Parse(e.File(pkg, property).Bytes())
		if err != nil {
			t.Fatalf("seed %d, %d: %v: %v", seed, n, err, e)
		}
		gotPkg, gotProperty := casefile.Owner(f, "some/where/x.case")
		if got := FromFile(f); got != e || gotPkg != pkg || gotProperty != property {
			t.Fatalf("seed %d, %d: %s %s %#v, want %s %s %#v", seed, n, gotPkg, gotProperty, got, pkg, property, e)
		}
	}
}
