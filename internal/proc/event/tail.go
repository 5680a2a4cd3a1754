//go:build go1.25

package event

import (
	"errors"
	"io/fs"
	"os"
)

// Tail follows a file that other processes append to.
//
//	tail := event.Tail{File: name}
//	for range ticks {
//		show(tail.Next())
//	}
type Tail struct {
	File    string
	Damaged int   // lines so far that were not events
	Refused error // not nil if one of the damaged lines had another format

	seen  os.FileInfo
	at    int64
	lines lines
}

// Next returns the events whose lines were completed since the last call. It returns none
// if there are no more for now, or if the file does not exist. A file that was truncated
// or replaced is read from its beginning.
func (t *Tail) Next() (events []Event) {
	f := t.open()
	if f == nil {
		return nil
	}
	defer f.Close()
	piece := make([]byte, chunk)
	for read := 0; read < nextMax || len(events) == 0; {
		n, err := f.ReadAt(piece, t.at)
		t.at += int64(n)
		read += n
		t.lines.feed(piece[:n], func(e Event, err error) bool {
			events = t.add(events, e, err)
			return true
		})
		if err != nil || n == 0 { // end of file, or an error that may not occur in the next call
			break
		}
	}
	return events
}

// nextMax is the number of bytes after which Next leaves the rest to the next call: the
// new part of the file may be larger than memory.
const nextMax = 1 << 20

// open opens the file if it exists. It goes back to the beginning if the file was
// truncated or replaced.
func (t *Tail) open() *os.File {
	info, err := os.Stat(t.File)
	if errors.Is(err, fs.ErrNotExist) {
		t.seen = nil // a file that appears later is a different file
	}
	if err != nil || !info.Mode().IsRegular() { // opening a pipe could block
		return nil
	}
	f, err := os.Open(t.File)
	if err != nil {
		return nil
	}
	if t.seen == nil || info.Size() < t.at || !os.SameFile(t.seen, info) {
		t.at, t.lines = 0, lines{}
	}
	t.seen = info
	return f
}

func (t *Tail) add(events []Event, e Event, err error) []Event {
	if err == nil {
		return append(events, e)
	}
	t.Damaged++
	if errors.Is(err, ErrNewer) || errors.Is(err, ErrOlder) {
		t.Refused = err
	}
	return events
}
