//go:build go1.25

package suite

import (
	"fmt"
	"os"
	"syscall"
	"time"
)

// cpuTime returns the CPU time of this process. On a busy machine it hardly changes, unlike time.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// confine limits the memory of this process to its current size plus bytes. The current size
// is added because the runtime reserves a lot of address space that it never uses. A process
// that needs more crashes.
func confine(bytes int64) {
	syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{})
	if bytes <= 0 {
		return
	}
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
