//go:build go1.25

package suite

import (
	"fmt"
	"os"
	"runtime/debug"
	"syscall"
)

// confine limits the memory of this process to its current size plus bytes. The current size
// is added because the runtime reserves a lot of address space that it never uses. A process
// that needs more crashes.
func confine(bytes int64) {
	syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{})
	if bytes <= 0 {
		return
	}
	debug.SetMemoryLimit(bytes / 4 * 3)
	data, err := os.ReadFile("/proc/self/statm")
	var pages uint64
	if n, _ := fmt.Sscan(string(data), &pages); err != nil || n != 1 {
		return
	}
	var old syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &old) != nil {
		return
	}
	limit := min(old.Max, pages*uint64(os.Getpagesize())+uint64(bytes))
	syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: limit, Max: old.Max})
}
