//go:build go1.25 && (darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package filelock

import (
	"os"
	"syscall"
)

// Lock locks a file without waiting. It returns whether this process now holds the lock,
// and whether the file can be locked at all. The system releases the lock when the file
// is closed or the process exits, for whatever reason.
func Lock(f *os.File) (held, able bool) {
	err := syscall.EINTR
	for err == syscall.EINTR {
		err, _ = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB).(syscall.Errno)
	}
	return err == 0, err == 0 || err == syscall.EWOULDBLOCK
}
