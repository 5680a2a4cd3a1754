//go:build go1.25

package event

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"time"
)

// Writer writes the log of a campaign. A campaign may run for a month, so the size of the
// log is bounded, and space is reserved for important events. Several goroutines may
// write.
type Writer struct {
	mu       sync.Mutex
	file     *os.File
	max      int64 // bytes
	written  int64
	time     time.Time // of the last event
	property map[property]*allowance
	left     [leftOutReasons]int
}

type property struct{ pkg, name string }

// allowance limits the progress events of a property: it contains the time of the last one.
type allowance struct {
	progress time.Time
	showed   bool // there was a progress event
}

const (
	logMax        = 64 << 20 // bytes: days of progress, in a file that an editor still opens
	progressEvery = time.Second
	propertiesMax = 10_000 // properties with an allowance of their own; the others share one
	noteMax       = 1 << 10
)

// Create creates an empty log.
func Create(file string) (*Writer, error) {
	f, err := os.Create(file)
	if err != nil {
		return nil, err
	}
	return &Writer{file: f, max: logMax, property: map[property]*allowance{}}, nil
}

// Write writes an event. If there were enough events of its kind, or if the log is full,
// it only counts the event. Write uses the time of the events, not the clock.
func (w *Writer) Write(e Event) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !e.Time.IsZero() {
		w.time = e.Time
	}
	if w.enough(e) {
		return nil
	}
	line, err := Line(e)
	if f, ok := e.Body.(Finished); ok && err == nil && !w.fits(e.Body, line) {
		f.Reach.Sites = nil // sites take the most space, and the rest of the event is more important
		e.Body = f
		line, err = Line(e)
	}
	if err != nil {
		return err
	}
	if !w.fits(e.Body, line) {
		w.left[noSpace]++
		return nil
	}
	return w.put(line)
}

// Close ends the log. If events were left out, it writes a last line with their number.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var err error
	if text := w.leftOut(); text != "" {
		var line []byte
		if line, err = Line(Event{Time: w.time, Body: Note{Text: text}}); err == nil {
			err = w.put(line)
		}
	}
	return errors.Join(err, w.file.Close())
}

// The reasons why an event was left out.
const (
	tooSoon = iota
	noSpace
	leftOutReasons
)

func (w *Writer) leftOut() string {
	if w.left == [leftOutReasons]int{} {
		return ""
	}
	return fmt.Sprintf("events left out of this log: %d of progress, %d because the log was full", w.left[tooSoon], w.left[noSpace])
}

// enough reports whether there was enough progress of this property, and counts the event
// if so.
func (w *Writer) enough(e Event) bool {
	if _, ok := e.Body.(Progress); !ok {
		return false
	}
	a := w.allowance(e)
	// Abs, because a clock that was set back must not suppress progress for long.
	if a.showed && e.Time.Sub(a.progress).Abs() < progressEvery {
		w.left[tooSoon]++
		return true
	}
	a.showed, a.progress = true, e.Time
	return false
}

// allowance returns the allowance of the event's property. Properties after the first
// propertiesMax share one allowance.
func (w *Writer) allowance(e Event) *allowance {
	p := property{cut(e.Package, nameMax), cut(e.Property, nameMax)}
	if w.property[p] == nil && len(w.property) >= propertiesMax {
		p = property{}
	}
	a := w.property[p]
	if a == nil {
		a = &allowance{}
		w.property[p] = a
	}
	return a
}

// fits reports whether a line may still be written. An eighth of the log is reserved for
// kinds other than Progress and Reached. Half of this eighth is reserved for results,
// since there may be many other events, such as deaths. The note of Close always fits.
func (w *Writer) fits(b Body, line []byte) bool {
	room := w.max - noteMax
	switch b.(type) {
	case Finished, Stopped, Ended:
	case Progress, Reached:
		room -= w.max / 8
	default:
		room -= w.max / 16
	}
	return w.written+int64(len(line)) <= room
}

func (w *Writer) put(line []byte) error {
	n, err := w.file.Write(line)
	w.written += int64(n)
	return err
}
