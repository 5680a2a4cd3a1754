//go:build go1.25 && (darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package report

import (
	"os"
	"syscall"
	"unsafe"
)

// windowSize requests the current size from the terminal. It is called for each frame, so
// that the signal for a changed size need not be handled.
func windowSize(f *os.File) (columns, rows int, ok bool) {
	var size struct{ rows, columns, x, y uint16 }
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size)))
	return int(size.columns), int(size.rows), errno == 0
}
