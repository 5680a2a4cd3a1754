package peers

import (
	"slices"

	"github.com/allele-go/allele/eval/workload/task"
)

// ListKey is a list and a key to insert.
type ListKey struct {
	List []int
	Key  int
}

// Sorted holds if inserting keeps a sorted list sorted. The bug is in insertions behind
// the fifth slot.
func Sorted(in ListKey) task.Verdict {
	if !sorted(in.List) {
		return task.Discarded
	}
	return task.Holds(sorted(insert(in.List, in.Key, 5)))
}

func sorted(list []int) bool {
	for i := 1; i < len(list); i++ {
		if list[i-1] > list[i] {
			return false
		}
	}
	return true
}

// insert inserts a key before the first key that is not smaller. From slot wrongFrom
// on it inserts the key one slot too far, unless the slot is at the end.
func insert(list []int, key, wrongFrom int) []int {
	slot := 0
	for slot < len(list) && list[slot] < key {
		slot++
	}
	if slot >= wrongFrom && slot < len(list) {
		slot++
	}
	return slices.Insert(slices.Clone(list), slot, key)
}
