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

// Sorted holds if inserting keeps a sorted list sorted; behind the fifth slot
// it does not.
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

// insert puts a key before the first that is not smaller, or one slot further if
// that is slot wrongFrom or behind it, and there is one.
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
