//go:build go1.25

package hook

import (
	"fmt"
	"testing"
)

// Only some places record, with their functions and those whose original bodies would call a copy without gates.
func TestRecordOnly(t *testing.T) {
	f := &Faults{Site: make([]uint8, 3), Hit: []uint8{1, 0, 0}, Diff: make([]uint8, 3), Func: make([]uint8, 3), Of: []int32{0, 1, -1},
		With: [][]int32{nil, {2}}}
	f.RecordOnly([]int{1, 2})
	if got, want := fmt.Sprint(f.Site, f.Func, f.Hit), "[0 1 1] [0 1 1] [0 0 0]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	f.RecordOnly([]int{0})
	if got, want := fmt.Sprint(f.Site, f.Func), "[1 0 0] [1 0 0]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
