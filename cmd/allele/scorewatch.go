//go:build go1.25

package main

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/score"
	"github.com/allele-go/allele/internal/score/judge"
	"github.com/allele-go/allele/internal/show/report"
	"github.com/allele-go/allele/internal/words"
)

// scoreWatch shows what allele score does: in the table if there is a terminal, and otherwise as a line now and then.
type scoreWatch struct {
	pace  score.Pace
	began time.Time
	board *report.Board
	over  atomic.Bool // the time of -for is over
	room  *judge.Room // for the processes that judge

	mu   sync.Mutex
	used int64 // bytes of memory of all processes
	peak int64
}

const (
	// watchEvery is how often the memory is measured.
	watchEvery = time.Second / 2
	// lineFirst is when the first line of progress is printed. Each next one comes after lineShare times the time of
	// the one before, and at most after lineMost.
	lineFirst = 900 * time.Millisecond // the tick after one second may come a little early
	lineShare = 2
	lineMost  = 2 * time.Minute
	// memoryShare is which part of the machine's memory all processes may use together: one in memoryShare.
	memoryShare = 2
)

// turns is a writer that several goroutines use.
type turns struct {
	mu sync.Mutex
	io.Writer
}

func (t *turns) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.Writer.Write(p)
}

// begin begins to watch, until stop is called. With lines it prints lines of progress.
func (w *scoreWatch) begin(stderr io.Writer, lines bool) (stop func()) {
	if !lines {
		stderr = io.Discard
	}
	tick, ticks := time.NewTicker(watchEvery), make(chan time.Time)
	ended := make(chan struct{})
	go func() {
		defer close(ticks)
		for {
			select {
			case <-ended:
				return
			case now := <-tick.C:
				ticks <- now
			}
		}
	}()
	done := w.follow(stderr, time.Now(), ticks)
	return func() {
		tick.Stop()
		close(ended)
		<-done
	}
}

// follow measures the memory at each tick, and prints a line now and then.
func (w *scoreWatch) follow(out io.Writer, began time.Time, ticks <-chan time.Time) (done chan struct{}) {
	w.began = began
	w.pace.Doing("builds the tests with faults")
	done = make(chan struct{})
	go func() {
		defer close(done)
		next, memoryBound := lineFirst, proc.MachineMemory()/memoryShare
		for now := range ticks {
			w.measure()
			if text := w.bound(memoryBound); text != "" {
				fmt.Fprintln(out, text)
			}
			if past := now.Sub(began); past >= next {
				next = past + min(past*(lineShare-1), lineMost)
				fmt.Fprintln(out, w.line(now))
			}
		}
	}()
	return done
}

// endAfter calls stop when the time of -for is over; 0 means never.
func (w *scoreWatch) endAfter(limit time.Duration, stop func()) (free func()) {
	if limit == 0 {
		return func() {}
	}
	timer := time.AfterFunc(limit, func() {
		w.over.Store(true)
		stop()
	})
	return func() { timer.Stop() }
}

// measure measures the memory of all processes.
func (w *scoreWatch) measure() {
	var sum int64
	for _, bytes := range proc.Family() {
		sum += bytes
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.used, w.peak = sum, max(w.peak, sum)
}

// bound ends a process if all of them together use more than their share of the memory. It returns what to tell the user, or
// "".
func (w *scoreWatch) bound(most int64) string {
	if most == 0 || w.used <= most || w.room == nil {
		return ""
	}
	n, ok := w.room.Shrink()
	if !ok {
		return ""
	}
	return fmt.Sprintf("allele score: the processes used %s, more than half of the memory; from now on at most %d run at a time",
		words.Bytes(w.used), n)
}

// line returns a line of progress.
func (w *scoreWatch) line(now time.Time) string {
	past := now.Sub(w.began)
	return fmt.Sprintf("%3d:%02d  %s", int(past.Minutes()), int(past.Seconds())%60, w.text(now))
}

// text says what is done, how long it will take, and how much memory is used.
func (w *scoreWatch) text(now time.Time) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	text := w.pace.Text(now)
	if w.used > 0 {
		text += " · " + words.Bytes(w.used)
	}
	return text
}

// show shows the packages on a board.
func (w *scoreWatch) show(b *report.Board, packages []score.Package) {
	w.board = b
	var faults []int
	for _, p := range packages {
		faults = append(faults, len(p.Faults))
	}
	w.pace.Begin(faults)
}

// set replaces what is known about a package.
func (w *scoreWatch) set(i int, at score.Progress) {
	w.pace.Set(i, at, time.Now())
	w.board.Set(i, report.Tally{Judged: at.Judged, Total: at.Total, Killed: at.Killed, State: at.State()})
}

// done shows what became of a package.
func (w *scoreWatch) done(i int, last report.Tally) {
	w.pace.Set(i, score.Progress{Total: last.Total, Judged: last.Judged, Killed: last.Killed}, time.Now())
	w.board.Set(i, last)
}
