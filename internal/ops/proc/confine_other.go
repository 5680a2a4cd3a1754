//go:build !linux

package proc

// limitMemory returns false: other systems that limit the address space do not enforce
// the limit, or count memory that the runtime only reserves.
func limitMemory(int64) bool { return false }

func noCore() {}
