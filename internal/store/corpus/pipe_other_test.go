//go:build go1.25 && !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package corpus

import "testing"

// pipe does nothing: this system has no named pipes in folders.
func pipe(*testing.T, string) {}
