//go:build go1.25

package proc

import (
	"os"
	"runtime"
	"runtime/debug"
)

// stackMax is the stack size at which the runtime stops a goroutine that recurses
// without end. The runtime's own limit is sixteen times as large, and with small frames
// it takes seconds to reach it.
const stackMax = 64 << 20

// MulticoreCPUs returns the GOMAXPROCS of a program that is run to show bugs between
// goroutines. It is at least 4, even on a machine with fewer cores: more processors give
// more interleavings.
func MulticoreCPUs() int { return max(4, runtime.NumCPU()) }

// Confine limits the stack and the memory of this process, and disables core files. A run
// that exceeds a limit crashes the process. memory 0 means no limit. limited is false if
// memory cannot be limited: the system does not support it, or the race detector is
// enabled, which maps memory without bound.
func Confine(memory int64) (limited bool) {
	debug.SetMaxStack(stackMax)
	noCore()
	if memory <= 0 {
		return true
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		// Close to the limit, the garbage collector should run more often, even if that
		// costs time.
		debug.SetMemoryLimit(memory / 4 * 3)
	}
	return !raced && Shared() && limitMemory(memory)
}
