//go:build go1.25

package finding

import (
	"fmt"
	"slices"
	"testing"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/term"
)

func wayFrom(ids ...uint32) way {
	w := way{}
	for _, id := range ids {
		w[id] = true
	}
	return w
}

// A way is another failure if it has no site of a known one. A way without sites is one only if it is the first.
func TestWays(t *testing.T) {
	var p place
	var got []bool
	for _, ids := range [][]uint32{{1, 2}, {1, 2, 3}, {2}, {2, 3}, {}, {4, 5}, {4}, {6, 5}, {7}} {
		got = append(got, p.add(wayFrom(ids...)))
	}
	if want := []bool{true, false, false, false, false, true, false, false, true}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	var none place
	if !none.add(wayFrom()) || none.add(wayFrom(1)) || none.strange(wayFrom(1)) {
		t.Error("a way is new although the first failure needs nothing")
	}
	if a, b := wayFrom(1, 2).String(), wayFrom(2, 1).String(); a != b || a == wayFrom(1).String() {
		t.Errorf("names %s, %s", a, b)
	}
}

// Of the runs that fail at a place the 2nd, 4th, 8th and so on are looked at, and those without the sites of a known
// way. There is a bound, and only functions and clauses count.
func TestLooksAt(t *testing.T) {
	const sign = "failed a_test.go:1"
	l := &Ledger{ways: ways{sign: {first: term.Term{{}}}}}
	run := func(ids ...uint32) (r trace.Run) {
		for _, id := range ids {
			r.Symbols = append(r.Symbols, id|hook.Coarse)
		}
		return r
	}
	looks := func(n int, r trace.Run) (at []int) {
		for i := range n {
			if l.LooksAt(sign, r) {
				at = append(at, i+2) // the first run was reported
			}
		}
		return at
	}
	if got := fmt.Sprint(looks(300, run(1, 2))); got != "[2 4 8 16 32 64 128]" {
		t.Errorf("looked at %s", got)
	}
	l.ways[sign].known = []way{wayFrom(1, 2)}
	if got := looks(5, run(1, 2, 3)); got != nil {
		t.Errorf("looked at %v, which fail in a known way", got)
	}
	branch := run(1)
	branch.Symbols = append(branch.Symbols, 2) // no function
	if got := looks(1, branch); len(got) != 1 {
		t.Error("not looked at a run without the function of the known way")
	}
	if got := looks(100, run(1)); len(got) != looksMax-8 {
		t.Errorf("%d runs looked at", len(got))
	}
	if l.LooksAt("failed b_test.go:1", run(1)) {
		t.Error("looked at a failure that this process has not reported")
	}
}
