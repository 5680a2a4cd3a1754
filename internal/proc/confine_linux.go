//go:build go1.25

package proc

import (
	"fmt"
	"os"
	"syscall"
)

// limitMemory limits the address space of this process to its current size plus bytes.
// The current size is added because the runtime reserves a lot of address space that it
// never uses.
func limitMemory(bytes int64) bool {
	data, err := os.ReadFile("/proc/self/statm")
	var pages uint64
	if n, _ := fmt.Sscan(string(data), &pages); err != nil || n != 1 {
		return false
	}
	limit := pages*uint64(os.Getpagesize()) + uint64(bytes)
	var old syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &old) != nil {
		return false
	}
	limit = min(limit, old.Max)
	return syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: limit, Max: old.Max}) == nil
}

func noCore() { syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{}) }
