package corpus

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
)

// ended tells whether there is no process of that number.
func ended(pid int) bool {
	_, err := os.Stat("/proc/" + strconv.Itoa(pid))
	return errors.Is(err, fs.ErrNotExist)
}
