package paths

import (
	"fmt"
	"testing"

	"github.com/allele-go/allele/internal/hook"
)

// TestPaths prints the path of each run, for the test that built this binary.
func TestPaths(t *testing.T) {
	fmt.Printf("SIZES [%d]uint32 &%d) [%d]uint32 %d %d %d [%d]uint32 %d\n", len(hook.Buf), hook.Mask, len(hook.Set), hook.Coarse, hook.Loop, hook.Early,
		len(hook.Covered), hook.FirstBlock)
	for n := range 40 {
		hook.Reset(1 << 40)
		out := All(n)
		path := hook.Path(nil)
		fmt.Printf("PATH %d %s %d %v\n", n, out, hook.Spawned, path)
	}
}
