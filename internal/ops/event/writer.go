package event

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"time"
)

// Writer is the log of a campaign. It may run for a month, so what the log may
// grow to has a bound, and what matters more has room that what matters less
// cannot take. Create makes one, and several goroutines may write.
type Writer struct {
	mu       sync.Mutex
	file     *os.File
	max      int64 // bytes
	written  int64
	time     time.Time // of the last event
	property map[property]*allowance
	left     [leftOutWays]int
}

type property struct{ pkg, name string }

// allowance is what a property has used of what it may write.
type allowance struct {
	progress time.Time
	showed   bool
}

const (
	logMax        = 64 << 20 // bytes: days of progress, in a file that an editor still opens
	progressEvery = time.Second
	propertiesMax = 10_000 // that are told apart
	noteMax       = 1 << 10
)

// Create makes the log, empty.
func Create(file string) (*Writer, error) {
	f, err := os.Create(file)
	if err != nil {
		return nil, err
	}
	return &Writer{file: f, max: logMax, property: map[property]*allowance{}}, nil
}

// Write writes an event, or only counts it if there have been enough of its kind
// or there is no room for it. Time is what the events say it is.
func (w *Writer) Write(e Event) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !e.Time.IsZero() {
		w.time = e.Time
	}
	if w.enough(e) {
		return nil
	}
	line, err := encode(e)
	if err == nil && !w.fits(e.Kind, line) && len(e.Sites) > 0 {
		e.Sites = nil // they are most of it, and the rest matters more
		line, err = encode(e)
	}
	if err != nil {
		return err
	}
	if !w.fits(e.Kind, line) {
		w.left[forRoom]++
		return nil
	}
	return w.put(line)
}

// Close ends the log. If events were left out, its last line says how many.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var err error
	if text := w.leftOut(); text != "" {
		var line []byte
		if line, err = encode(Event{Time: w.time, Kind: Note, Text: text}); err == nil {
			err = w.put(line)
		}
	}
	return errors.Join(err, w.file.Close())
}

// Why an event was left out.
const (
	tooSoon = iota
	forRoom
	leftOutWays
)

func (w *Writer) leftOut() string {
	if w.left == [leftOutWays]int{} {
		return ""
	}
	return fmt.Sprintf("events left out of this log: %d of progress, %d for want of room", w.left[tooSoon], w.left[forRoom])
}

// enough reports whether there were enough events like this one, and counts it.
func (w *Writer) enough(e Event) bool {
	switch e.Kind {
	case Progress:
		a := w.allowance(e)
		// A clock that was set back must not silence it until then.
		if a.showed && e.Time.Sub(a.progress).Abs() < progressEvery {
			w.left[tooSoon]++
			return true
		}
		a.showed, a.progress = true, e.Time
	}
	return false
}

// allowance is that of the event's property. Who names more properties than
// anybody has gets one for all the others.
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

// fits reports whether a line may still be written. An eighth is for what is more
// than a step on the way, and half of that for how it all ended, since deaths may
// be many too. The note of Close has room in any case.
func (w *Writer) fits(k Kind, line []byte) bool {
	room := w.max - noteMax
	switch k {
	case Finished, Stopped:
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
