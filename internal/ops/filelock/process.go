//go:build !plan9

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
	// On Windows, which has no such signal, FindProcess has failed if there is none.
	return errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}
