//go:build go1.25

package filelock

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
)

// Ended reports whether there is no process with that number.
func Ended(pid int) bool {
	_, err := os.Stat("/proc/" + strconv.Itoa(pid))
	return errors.Is(err, fs.ErrNotExist)
}
