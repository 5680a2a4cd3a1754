//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package corpus

import (
	"syscall"
	"testing"
)

// pipe makes one that nobody writes to.
func pipe(t *testing.T, name string) {
	t.Helper()
	if err := syscall.Mkfifo(name, 0o666); err != nil {
		t.Fatal(err)
	}
}
