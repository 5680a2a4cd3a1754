//go:build go1.25 && linux

package program

import (
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

// unlimited lifts the limit of the address space of this process until the returned function is called: a process
// that is started would inherit it, and sanitizers reserve terabytes.
func unlimited() (restore func()) {
	var old syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &old) != nil || old.Cur == old.Max {
		return func() {}
	}
	syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: old.Max, Max: old.Max})
	return func() { syscall.Setrlimit(syscall.RLIMIT_AS, &old) }
}
