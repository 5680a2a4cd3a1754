//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package filelock

import "os"

// Lock is not there.
func Lock(*os.File) (held, able bool) { return false, false }
