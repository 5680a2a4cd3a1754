//go:build go1.25

package testbin

import (
	"fmt"
	"io"
	"os"
	"time"
)

// announceAfter is how long an operation may take before its description is printed.
const announceAfter = 500 * time.Millisecond

// announce prints a description of an operation if the output is a terminal and stop is
// not called within announceAfter.
func announce(to io.Writer, what string) (stop func()) {
	if !terminal(to) {
		return func() {}
	}
	timer := time.AfterFunc(announceAfter, func() { fmt.Fprintln(to, what) })
	return func() { timer.Stop() }
}

// terminal reports whether an output is a terminal.
func terminal(to io.Writer) bool {
	switch w := to.(type) {
	case interface{ Terminal() bool }:
		return w.Terminal()
	case *os.File:
		info, err := w.Stat()
		return err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return false
}
