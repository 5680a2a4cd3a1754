//go:build go1.25 && (linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package corpus

import (
	"syscall"
	"testing"
)

// pipe creates a named pipe without a writer.
func pipe(t *testing.T, name string) {
	t.Helper()
	if err := syscall.Mkfifo(name, 0o666); err != nil {
		t.Fatal(err)
	}
}
