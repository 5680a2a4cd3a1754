//go:build go1.25

package exchange

import (
	"fmt"
	"sync"
	"testing"

	"github.com/allele-go/allele/internal/proc/share"
)

// conforms is the conformance test of Exchange.
func conforms(t *testing.T, x Exchange) {
	t.Helper()
	defer x.Close()
	offer := func(worker int, trace uint64, want bool) {
		t.Helper()
		if won, err := x.Offer(worker, share.Message{Trace: trace, Data: fmt.Append(nil, worker, " ", trace)}); won != want || err != nil {
			t.Errorf("worker %d offers %d: %v, %v", worker, trace, won, err)
		}
	}
	follow := func(worker, after int, want string) (next int) {
		t.Helper()
		cases, next, err := x.Follow(worker, after)
		got := ""
		for _, c := range cases {
			got += string(c.Data) + ";"
		}
		if got != want || err != nil {
			t.Errorf("worker %d after %d: %q, %v, want %q", worker, after, got, err, want)
		}
		return next
	}
	next := follow(0, 0, "")
	offer(0, 10, true)
	offer(1, 11, true)
	offer(1, 10, false) // it came second
	offer(0, 10, false)
	offer(2, 12, true)
	next = follow(0, next, "1 11;2 12;")
	next = follow(0, next, "")
	follow(1, 0, "0 10;2 12;")
	offer(1, 13, true)
	follow(0, next, "1 13;")
	follow(0, -5, "1 11;2 12;1 13;")
	follow(0, 1000, "")
}

func TestMemory(t *testing.T) { conforms(t, NewMemory()) }

// If workers offer a case at the same time, one wins, and the others get it once.
func TestContested(t *testing.T) {
	x := NewMemory()
	const workers, traces = 8, 500
	var all sync.WaitGroup
	wins := make([]int, workers)
	for w := range workers {
		all.Go(func() {
			for trace := range uint64(traces) {
				if won, _ := x.Offer(w, share.Message{Trace: trace}); won {
					wins[w]++
				}
			}
		})
	}
	all.Wait()
	total := 0
	for w, n := range wins {
		total += n
		if cases, _, _ := x.Follow(w, 0); len(cases) != traces-n {
			t.Errorf("worker %d won %d and received %d", w, n, len(cases))
		}
	}
	if total != traces {
		t.Errorf("%d winners of %d", total, traces)
	}
}
