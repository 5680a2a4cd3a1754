//go:build go1.25 && !plan9

package filelock

import (
	"errors"
	"os"
	"syscall"
)

// Ended reports whether there is no process with that number.
func Ended(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return true
	}
	defer p.Release()
	// Windows has no signal 0. There, FindProcess has already failed if there is no such
	// process.
	return errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}
