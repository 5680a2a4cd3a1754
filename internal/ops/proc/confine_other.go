//go:build !linux

package proc

// limitMemory is not possible here: systems that have a limit on addresses do
// not keep it, or count what the runtime merely reserves.
func limitMemory(int64) bool { return false }

func noCore() {}
