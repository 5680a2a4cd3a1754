//go:build go1.25

package corpus

import (
	"errors"
	"fmt"
	"os"
)

// Writer appends to a segment of its own. Only one goroutine may use it.
type Writer struct {
	segment segment
	file    *os.File
	end     int64 // offset of the end of the last complete line
	lines   int   // number of lines without the header
	max     int64 // bytes; a reader skips the rest of a longer segment
}

// Create begins a new segment in a folder, which it creates if necessary. It never
// appends to an existing segment.
func Create(dir, pkg, property string) (*Writer, error) {
	w, err := create(dir, header{pkg, property})
	if err != nil {
		return nil, fmt.Errorf("create a corpus in %s: %w; %s", dir, plainError(err), nextStep)
	}
	return w, nil
}

// nextStep is the advice for a user whose disk is full or not writable.
const nextStep = "free some disk space, or choose another cache folder with XDG_CACHE_HOME"

func create(dir string, h header) (*Writer, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	list, err := segments(dir, segmentExt)
	if err != nil {
		return nil, err
	}
	number := int64(1)
	if len(list) > 0 {
		number = list[len(list)-1].number + 1
	}
	return newWriter(dir, number, segmentExt, h)
}

func newWriter(dir string, number int64, ext string, h header) (*Writer, error) {
	line, err := h.line()
	if err != nil {
		return nil, err
	}
	if len(line) > lineMax {
		return nil, fmt.Errorf("the names of the package and the property are too long: %d bytes, want at most %d", len(line), lineMax)
	}
	s, f, err := begin(dir, number, ext)
	if err != nil {
		return nil, err
	}
	w := &Writer{segment: s, file: f, max: segmentMax}
	if err := w.append(line); err != nil {
		w.discard()
		return nil, err
	}
	return w, nil
}

// Add saves an input. If it returns an error the segment is unchanged, and a later call
// may succeed.
//
// A saved input survives the death of this process, but not always a crash of the
// machine: to wait for the disk would cost more than the inputs of a second are worth.
func (w *Writer) Add(e Entry) error {
	if err := e.check(); err != nil {
		return fmt.Errorf("save an input: %w", err)
	}
	return w.add(note{Case: shownEntry(e)})
}

// Ran saves the progress of the search, for the next search. Every call adds a line, so
// the caller must not call it too often.
func (w *Writer) Ran(runs int, binary string) error {
	return w.add(note{Ran: &progress{runs, binary}})
}

func (w *Writer) add(n note) error {
	line, err := n.line()
	if err != nil {
		return fmt.Errorf("save an input: %w", err)
	}
	if err := w.append(line); err != nil {
		return fmt.Errorf("save an input in %s: %w; %s", w.segment.path(), plainError(err), nextStep)
	}
	w.lines++
	return nil
}

// errLong is the error for a line that would make a segment longer than its limit. That is
// rare in practice: a search saves some megabytes a day.
var errLong = errors.New("the file would become too long to be read")

// append writes a line in one call. If the write fails, append truncates the file to its
// last complete line. If that fails too, there is no harm: the next line overwrites the
// incomplete one and so starts at the right place. At worst an incomplete line remains at
// the end.
//
// The number of bytes that WriteAt returns is not used, because it is not always right.
func (w *Writer) append(line []byte) error {
	if w.end+int64(len(line)) > w.max {
		return errLong
	}
	if _, err := w.file.WriteAt(line, w.end); err != nil {
		w.file.Truncate(w.end)
		return err
	}
	w.end += int64(len(line))
	return nil
}

// Close ends the segment. It removes a segment that has only a header.
func (w *Writer) Close() error {
	if err := w.publish(); err != nil {
		return fmt.Errorf("close %s: %w; %s", w.segment.path(), plainError(err), nextStep)
	}
	return nil
}

// publish closes the file and gives it the name of a closed segment. A locked file is
// renamed while it is locked, so that no process takes it for a segment left by a crash.
// A system without locks may not be able to rename an open file.
func (w *Writer) publish() error {
	if w.lines == 0 {
		return w.discard()
	}
	rename := func() error { return os.Rename(w.segment.path(), w.segment.closed().path()) }
	if w.segment.owner == flocked {
		return errors.Join(rename(), w.file.Close())
	}
	if err := w.file.Close(); err != nil {
		return err
	}
	return rename()
}

func (w *Writer) discard() error {
	return errors.Join(w.file.Close(), os.Remove(w.segment.path()))
}
