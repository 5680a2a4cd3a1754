package event

import (
	"errors"
	"io/fs"
	"os"
)

// Tail follows a file that others append to.
//
//	tail := event.Tail{File: name}
//	for range ticks {
//		show(tail.Next())
//	}
type Tail struct {
	File    string
	Damaged int   // lines so far that were no events
	Newer   error // not nil if one of them was of a newer format

	seen  os.FileInfo
	at    int64
	lines lines
}

// Next gives the events that have come whole since the last call. None means that
// there are no more for now: the file may be missing, and half a line waits for
// its other half. A file that was emptied or replaced is read from its beginning.
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
		if err != nil || n == 0 { // its end, or something that a later call may get over
			break
		}
	}
	return events
}

// nextMax is after how many bytes Next leaves the rest to the next call: a file
// may have grown by more than memory holds.
const nextMax = 1 << 20

// open gives the file if there is one, and goes back to its beginning if it is not
// what it was.
func (t *Tail) open() *os.File {
	info, err := os.Stat(t.File)
	if errors.Is(err, fs.ErrNotExist) {
		t.seen = nil // what comes next is another one
	}
	if err != nil || !info.Mode().IsRegular() { // opening a pipe could take for ever
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
	if errors.Is(err, ErrNewer) {
		t.Newer = err
	}
	return events
}
