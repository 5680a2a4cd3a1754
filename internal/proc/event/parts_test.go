//go:build go1.25

package event

import "testing"

// Several processes search one property, and a worker may have several processes one after the other.
// Each counts its own runs, but they find many of the same paths, features and inputs.
func TestCountsAdd(t *testing.T) {
	one := Counts{Runs: 10, Passed: 7, Discarded: 3, Distinct: 5, Paths: 4, Features: 20, Kept: 6, Spawned: 1,
		Long: Long{Runs: 1, Limit: 100}, Resumed: Resumed{Inputs: 2, Seconds: 0.5}}
	two := Counts{Runs: 5, Passed: 5, Distinct: 4, Paths: 8, Features: 30, Kept: 3, Spawned: 2, Resumed: Resumed{Inputs: 3, Seconds: 0.25}}
	want := Counts{Runs: 15, Passed: 12, Discarded: 3, Distinct: 5, AtLeast: true, Paths: 8, Features: 30, Kept: 6, Spawned: 3,
		Long: Long{Runs: 1, Limit: 100}, Resumed: Resumed{Inputs: 3, Seconds: 0.5}}
	for name, sum := range map[string][2]Counts{"one and two": {one, two}, "two and one": {two, one}} {
		got := sum[0]
		if got.Add(sum[1]); got != want {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
	var none Counts
	if none.Add(one); none != one { // a process that died is added to a worker without counts
		t.Errorf("none and one: %+v, want %+v", none, one)
	}
}
