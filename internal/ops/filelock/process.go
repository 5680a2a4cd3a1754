//go:build !plan9

package filelock

import (
	"errors"
	"os"
	"syscall"
)

// Ended tells whether there is no process of that number.
func Ended(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return true
	}
	defer p.Release()
	// Windows knows no such signal, but has already said whether it is there.
	return errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}
