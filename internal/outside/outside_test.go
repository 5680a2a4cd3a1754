//go:build go1.25

package outside

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

// line renders places as numbers from 0 up, each with its bucket.
func line(places []uint32) string {
	var all []string
	for _, p := range places {
		all = append(all, fmt.Sprintf("%d:%d", Place(p)-First, p>>Shift))
	}
	return strings.Join(all, " ")
}

func at(n, bucket uint32) uint32 { return First + n | bucket<<Shift }

func TestAdd(t *testing.T) {
	one, two := []uint32{at(1, 0), at(3, 7)}, []uint32{at(0, 1), at(3, 2)}
	for _, c := range []struct {
		name string
		do   func(run uint64)
		want string
	}{
		{"nothing", func(uint64) {}, ""},
		{"one process", func(run uint64) { Add(run, 0, one) }, "1:0 3:7"},
		{"two processes of a program", func(run uint64) { Add(run, 0, one); Add(run, 0, two) }, "0:1 1:0 3:7"},
		{"in another order", func(run uint64) { Add(run, 0, two); Add(run, 0, one) }, "0:1 1:0 3:7"},
		{"two programs", func(run uint64) { Add(run, 0, one); Add(run, 1, one) }, "1:0 3:7 1296112:0 1296114:7"},
		{"the last places of the second program", func(run uint64) { Add(run, 1, []uint32{at(0, 0), at(Count-1, 3)}) }, "1296110:3 1296111:0"},
		{"a process that was stopped early", func(run uint64) { AddEarly(run, 0, two) }, "0:1 3:2"},
		{"a process that was stopped early, and started again", func(run uint64) { AddEarly(run, 0, two); Add(run, 0, one) }, "1:0 3:7"},
		{"two processes that were stopped early", func(run uint64) { AddEarly(run, 0, one); AddEarly(run, 0, two) }, "0:1 3:2"},
		{"nothing again", func(uint64) {}, ""},
		{"a process of an earlier run", func(run uint64) { Add(run-2, 0, one) }, ""},
		{"a run without an end before", func(run uint64) { Add(run, 0, one); Begin() }, ""},
	} {
		Begin()
		run, ok := Current()
		if !ok {
			t.Fatalf("%s: the run is not recorded", c.name)
		}
		c.do(run)
		if got := line(End(nil)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if run, ok := Current(); ok {
			t.Errorf("%s: run %d is recorded, but it is over", c.name, run)
		}
	}
}

// Programs of one run may report at the same time.
func TestAddSideBySide(t *testing.T) {
	Begin()
	run, _ := Current()
	var all sync.WaitGroup
	for i := range uint32(8) {
		all.Go(func() { Add(run, 0, []uint32{at(i, 0), at(100, i)}) })
	}
	all.Wait()
	places := End(nil)
	if len(places) != 9 || places[8] != at(100, 7) || !slices.IsSorted(places[:8]) {
		t.Errorf("reached %s", line(places))
	}
}
