package proc

import (
	"os"
	"runtime"
	"runtime/debug"
)

// stackMax is where the runtime ends a goroutine that recurses without end. Its
// own limit is sixteen times as much, and with small frames it takes seconds to
// get there.
const stackMax = 64 << 20

// Several is on how many processors a program runs that is to show what goes wrong
// between goroutines. More than there are make for more ways to take turns.
func Several() int { return max(4, runtime.NumCPU()) }

// Confine limits what this process may take: stack, memory, and no core files. A
// run that takes more ends it. limited is false if the system, or the race
// detector, which maps memory without measure, leaves no way to limit memory.
// memory 0 means as much as there is.
func Confine(memory int64) (limited bool) {
	debug.SetMaxStack(stackMax)
	noCore()
	if memory <= 0 {
		return true
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		// Close to the limit it is worth collecting garbage more often.
		debug.SetMemoryLimit(memory / 4 * 3)
	}
	return !raced && Shared() && limitMemory(memory)
}
