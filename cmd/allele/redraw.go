//go:build go1.25

package main

import (
	"time"

	"github.com/allele-go/allele/internal/show/report"
)

// redraw redraws the table until stop is called, which restores the terminal. The caller
// must handle signals all that time; otherwise a signal would kill the command while the
// cursor is hidden.
func redraw(on interface {
	Tick(time.Time)
	Close()
}) (stop func()) {
	tick := time.NewTicker(report.DrawEvery)
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case now := <-tick.C:
				on.Tick(now)
			case <-done:
				return
			}
		}
	}()
	return func() {
		tick.Stop()
		close(done)
		<-ended
		on.Close()
	}
}
