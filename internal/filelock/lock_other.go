//go:build go1.25 && !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package filelock

import "os"

// Lock returns false twice: this system has no file locks.
func Lock(*os.File) (held, able bool) { return false, false }
