//go:build go1.25 && race

package hook

import (
	"sync"
	"testing"
)

// Several goroutines may fill and fold the buffer at the same time, and the test reads it
// while they do. Their accesses are unordered on purpose, and the race detector must not
// report any of them: it would blame the program under test.
func TestRaceSlow(t *testing.T) {
	for _, wipe := range []bool{false, true} {
		Wipe = wipe
		Reset(3 * Cap)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for i := range 2 * Cap {
					Hit(uint32(i % 1000))
				}
				Path(nil)
				Go()
				Extend(20 * Cap)
				Path(make([]uint32, 0, 4*Cap))
			})
		}
		Path(nil)
		Reset(20 * Cap)
		Hits()
		wg.Wait()
	}
	Wipe = false
}
