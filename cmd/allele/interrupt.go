//go:build go1.25

package main

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/allele-go/allele/internal/proc/launch"
)

// Two signals within sameSignal count as one. When the user presses ctrl-c, the terminal
// sends a signal to go tool and to this process, and go tool forwards its signal to this
// process.
const sameSignal = 300 * time.Millisecond

// stopping is what allele test prints after the first signal.
const stopping = "allele test: stopping after the current run; interrupt again to stop at once"

// listen asks processes to stop when a signal arrives, until free is called. After the first
// signal it prints the text.
func listen(processes *launch.Group, stderr io.Writer, text string) (free func()) {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		var last time.Time
		for {
			select {
			case <-signals:
				if time.Since(last) < sameSignal {
					continue
				}
				last = time.Now()
				if processes.Ask() == 1 {
					fmt.Fprintln(stderr, text)
				}
			case <-done:
				return
			}
		}
	}()
	return func() {
		signal.Stop(signals)
		close(done)
	}
}
