//go:build go1.25

package finding

import (
	"fmt"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/value/term"
)

// Shrinking accepts inputs that are stopped at the step limit. The result is the smallest of
// them that was run without the limit and did not end, or the first input.
func TestEndless(t *testing.T) {
	cut := func(loop string) property.Outcome {
		return property.Outcome{Verdict: engine.Failed, Cut: &property.Cut{After: "9 steps", Loop: loop, Waited: time.Second}}
	}
	for _, c := range []struct {
		name string
		ends string // of each accepted input: x does not end, o is in another loop, . ends
		want string // number of the result, and of the inputs that were run
	}{
		{"nothing smaller was accepted", "", "0 []"},
		{"the smallest does not end", "xxx", "3 [3]"},
		{"the smallest ends", "xx.", "2 [3 1 2]"},
		{"only the first input does not end", "...", "0 [3 1]"},
		{"one is in another loop", "xo", "1 [2 1]"},
		{"not all are tried", "xxxxxxx.........................", "4 [32 16 8 4]"},
	} {
		var s smaller
		for i := range c.ends {
			s.accepted = append(s.accepted, smaller{term: term.Term{{X: uint64(i + 1)}}, outcome: cut("a.F")})
		}
		var ran []uint64
		f := &Finding{Term: term.Term{{}}, Outcome: cut("a.F")}
		got := (&Handler{}).endless(f, s, func(x term.Term) property.Outcome {
			n := x[0].X
			ran = append(ran, n)
			switch c.ends[n-1] {
			case 'x':
				return cut("a.F")
			case 'o':
				return cut("a.G")
			}
			return property.Outcome{}
		})
		n := uint64(0)
		if got.term != nil {
			n = got.term[0].X
		}
		if got := fmt.Sprint(n, " ", ran); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
