//go:build go1.25

package hook

import (
	"slices"
	"testing"
)

// A fault that is on once is on in one evaluation of its place.
func TestSwitchOnce(t *testing.T) {
	f := &Faults{Site: make([]uint8, 2), Diff: make([]uint8, 2), Func: make([]uint8, 1), Of: []int32{0, 0}}
	var modes []uint8
	f.SwitchOnce(1, 2, 3)
	for range 5 {
		modes = append(modes, FaultTurn(f.Site[1]))
	}
	if want := []uint8{GateOff, GateOff, GateFirst + 2, GateOff, GateOff}; !slices.Equal(modes, want) || f.Func[0] == 0 || FaultsLeft() > 0 {
		t.Errorf("modes %v, want %v; function %d, left %d", modes, want, f.Func[0], FaultsLeft())
	}
	f.SwitchFault(1, 2, false)
	if f.Site[1] != GateOff || f.Func[0] != 0 || FaultOn {
		t.Error("it is still on")
	}
	if f.SwitchOnce(1, 0, 3); FaultTurn(f.Site[1]) != GateOff || FaultsLeft() != 2 {
		t.Errorf("left %d", FaultsLeft())
	}
	f.SwitchFault(1, 0, false)
}

// Functions are watched beside their gates: whether a fault is switched on makes no difference.
func TestWatchFuncs(t *testing.T) {
	f := &Faults{Path: "watched", Site: make([]uint8, 1), Diff: make([]uint8, 1), Func: make([]uint8, 2), Ran: []uint8{0, 1}, Of: []int32{0}}
	before := Gates
	defer func() { Gates = before }()
	Gates = []*Faults{f}
	var got [][]uint8
	for _, step := range []func(){
		func() { WatchFuncs(true) },
		func() { f.SwitchFault(0, 0, true) },
		func() { f.Func[1] -= funcWatched }, // it was entered
		func() { f.SwitchFault(0, 0, false) },
		func() { WatchFuncs(false) },
	} {
		step()
		got = append(got, slices.Clone(f.Func))
	}
	want := [][]uint8{{2, 2}, {3, 2}, {3, 0}, {2, 0}, {0, 0}}
	if !slices.EqualFunc(got, want, slices.Equal) || f.Ran[1] != 0 {
		t.Errorf("%v, ran %v; want %v", got, f.Ran, want)
	}
}
