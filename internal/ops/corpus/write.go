package corpus

import (
	"errors"
	"fmt"
	"os"
)

// Writer adds to a segment that nobody else writes to. It is for one goroutine.
type Writer struct {
	segment segment
	file    *os.File
	end     int64 // of the last complete line
	lines   int   // after the first
	most    int64 // bytes; what is beyond would not be read
}

// Create begins a segment in a folder, which it makes if necessary. It never
// continues one that is already there.
func Create(dir, pkg, property string) (*Writer, error) {
	w, err := create(dir, header{pkg, property})
	if err != nil {
		return nil, fmt.Errorf("begin a corpus in %s: %w; %s", dir, plainError(err), wayOut)
	}
	return w, nil
}

// wayOut is the next step for a user whose disk does not take a case.
const wayOut = "free some space, or choose another cache folder with XDG_CACHE_HOME"

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
		return nil, fmt.Errorf("the names of the package and the property take %d bytes", len(line))
	}
	s, f, err := begin(dir, number, ext)
	if err != nil {
		return nil, err
	}
	w := &Writer{segment: s, file: f, most: segmentMax}
	if err := w.append(line); err != nil {
		w.discard()
		return nil, err
	}
	return w, nil
}

// Add keeps a case. If it returns an error the segment is as if it had not been
// called, and a later call may succeed.
//
// A case that was added is safe from the end of this process, but not from that
// of the machine: waiting for the disk would cost more than the cases of a
// second are worth.
func (w *Writer) Add(e Entry) error {
	if err := e.check(); err != nil {
		return fmt.Errorf("keep a case: %w", err)
	}
	return w.add(note{Case: shownEntry(e)})
}

// Ran notes how far the search has come, for whoever continues it. The caller
// sees to it that this is not too often.
func (w *Writer) Ran(runs int, binary string) error {
	return w.add(note{Ran: &progress{runs, binary}})
}

func (w *Writer) add(n note) error {
	line, err := n.line()
	if err != nil {
		return fmt.Errorf("keep a case: %w", err)
	}
	if err := w.append(line); err != nil {
		return fmt.Errorf("keep a case in %s: %w; %s", w.segment.path(), plainError(err), wayOut)
	}
	w.lines++
	return nil
}

// errLong is far away: a search keeps some megabytes a day.
var errLong = errors.New("the file would become too long to be read")

// append writes a line in one call. If not all of it gets there, what did is cut
// off. It is no harm if even that fails: the next line is written over it, and
// so begins where a line begins; at worst a torn rest stays behind the last line.
//
// How much was written is not asked, because WriteAt does not always know.
func (w *Writer) append(line []byte) error {
	if w.end+int64(len(line)) > w.most {
		return errLong
	}
	if _, err := w.file.WriteAt(line, w.end); err != nil {
		w.file.Truncate(w.end)
		return err
	}
	w.end += int64(len(line))
	return nil
}

// Close ends the segment. One without cases is removed.
func (w *Writer) Close() error {
	if err := w.publish(); err != nil {
		return fmt.Errorf("close %s: %w; %s", w.segment.path(), plainError(err), wayOut)
	}
	return nil
}

// publish closes the file and gives it a name that says so. A locked one gets
// the name while it is locked, so that nobody takes it for one that was left by
// a crash. Where there are no locks an open file can perhaps not be renamed.
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
