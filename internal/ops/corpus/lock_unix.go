//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package corpus

import (
	"os"
	"syscall"
)

// flock does not wait. The system lets go of the lock when the file is closed,
// at the latest when the process ends, however it ends.
func flock(f *os.File) (held, able bool) {
	err := syscall.EINTR
	for err == syscall.EINTR {
		err, _ = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB).(syscall.Errno)
	}
	return err == 0, err == 0 || err == syscall.EWOULDBLOCK
}
