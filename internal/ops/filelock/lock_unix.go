//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package filelock

import (
	"os"
	"syscall"
)

// Lock takes the lock of a file, without waiting for it: held if it was free, able if
// there are locks at all. The system lets go of it when the file is closed, at the latest when the process ends, however it ends.
func Lock(f *os.File) (held, able bool) {
	err := syscall.EINTR
	for err == syscall.EINTR {
		err, _ = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB).(syscall.Errno)
	}
	return err == 0, err == 0 || err == syscall.EWOULDBLOCK
}
