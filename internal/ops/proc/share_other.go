//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package proc

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const canShare = false

func share(*os.File, int) ([]byte, error) { return nil, errors.ErrUnsupported }

func unshare([]byte) {}

func hold(*os.File) {}

// held reports whether the process that a slot is named after is still there.
func held(path string) bool {
	var pid int
	name := strings.TrimLeft(filepath.Base(path), "abcdefghijklmnopqrstuvwxyz-")
	if n, _ := fmt.Sscanf(name, "%d-", &pid); n != 1 {
		return false
	}
	_, err := os.FindProcess(pid)
	return err == nil
}
