//go:build go1.25

package worker

import (
	"time"

	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/words"
)

// replay counts the saved inputs that a search runs again before it generates new ones, and
// how long that takes. Returned is a function to call when that is over.
func (k *keeper) replay() (over func()) {
	start := time.Now()
	k.resuming = true
	return func() {
		if k.resuming = false; k.resumed > 0 {
			k.took = time.Since(start)
		}
	}
}

// again counts a saved input that was run again.
func (k *keeper) again(slot *proc.Slot) {
	k.resumed++
	if slot != nil {
		n := slot.Look().Seen
		n.Replayed, n.Distinct = k.resumed, k.search.Engine.Distinct
		slot.End(n)
	}
}

// replayed returns how many saved inputs were run again.
func (k *keeper) replayed() int {
	if k == nil {
		return 0
	}
	return k.resumed
}

// unfitNote says that saved inputs were not run, because the type of the input has changed.
func (k *keeper) unfitNote() []string {
	switch k.unfit {
	case 0:
		return nil
	case 1:
		return []string{"1 saved input no longer fits the type of the input, and was not run"}
	}
	return []string{words.Group(k.unfit) + " saved inputs no longer fit the type of the input, and were not run"}
}
