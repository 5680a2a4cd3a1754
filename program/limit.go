//go:build go1.25 && linux

package program

import (
	"sync"
	"syscall"
	"unsafe"
)

// cpuSpare is by how many seconds the CPU time of a run may exceed its timeout, which is kept
// by this process. The limit is for the case that this process is killed.
const cpuSpare = 5

// limit limits a process, and the processes that it will start.
func (p *Program) limit(pid int) {
	set := func(what int, to uint64) {
		l := syscall.Rlimit{Cur: to, Max: to}
		syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(pid), uintptr(what), uintptr(unsafe.Pointer(&l)), 0, 0, 0)
	}
	set(syscall.RLIMIT_CORE, 0)
	set(syscall.RLIMIT_FSIZE, uint64(p.disk()))
	if !p.kind.forks || p.Plain { // a fork server lives longer than its runs
		set(syscall.RLIMIT_CPU, uint64(p.timeout().Seconds())+cpuSpare)
	}
	if p.Memory > 0 {
		set(syscall.RLIMIT_AS, uint64(p.Memory))
	}
}

// lifted is the limit of the address space of this process while it is lifted.
var lifted struct {
	sync.Mutex
	starts int // how many processes are being started
	old    syscall.Rlimit
}

// unlimited lifts the limit of the address space of this process until the returned function is called: a process
// that is started would inherit it, and sanitizers reserve terabytes. Several Programs may start processes at the same
// time, and the last one restores the limit.
func unlimited() (restore func()) {
	l := &lifted
	l.Lock()
	defer l.Unlock()
	if l.starts++; l.starts == 1 {
		l.old = syscall.Rlimit{}
		if syscall.Getrlimit(syscall.RLIMIT_AS, &l.old) == nil && l.old.Cur != l.old.Max {
			syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: l.old.Max, Max: l.old.Max})
		}
	}
	return func() {
		l.Lock()
		defer l.Unlock()
		if l.starts--; l.starts == 0 && l.old.Cur != l.old.Max {
			syscall.Setrlimit(syscall.RLIMIT_AS, &l.old)
		}
	}
}
