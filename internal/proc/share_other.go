//go:build go1.25 && !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package proc

import (
	"errors"
	"os"
)

const canShare = false

func share(*os.File, int) ([]byte, error) { return nil, errors.ErrUnsupported }

func unshare([]byte) {}

const noFollow = 0

func private(*os.File) bool { return false }
