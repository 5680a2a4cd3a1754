//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package report

import (
	"os"
	"syscall"
	"unsafe"
)

// windowSize asks the terminal, each time anew: nobody then has to listen for the
// signal that says that it has changed.
func windowSize(f *os.File) (columns, rows int, ok bool) {
	var size struct{ rows, columns, x, y uint16 }
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size)))
	return int(size.columns), int(size.rows), errno == 0
}
