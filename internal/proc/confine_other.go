//go:build go1.25 && !linux

package proc

// limitMemory returns false. On other systems a limit of the address space is not
// enforced, or it also counts memory that the runtime only reserves.
func limitMemory(int64) bool { return false }

func noCore() {}
