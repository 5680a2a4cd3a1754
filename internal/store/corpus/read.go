//go:build go1.25

package corpus

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"
)

// Corpus is the content of a folder.
type Corpus struct {
	Package, Property string // empty if no segment contains them

	// Entries are distinct, in the order of their first occurrence. Verdict, Trace,
	// Binary and Spawned are those of the newest occurrence. The other fields are those
	// of the first, because the origin of an input does not change.
	Entries []Entry

	Runs   int    // the highest number of runs in a segment
	Binary string // hash of the binary that ran last

	Damaged  int      // lines that were skipped
	Problems []string // the first few problems, as "file:line: reason"
}

// Bounds for files that were not written by a search. A search saves thousands of inputs
// in a megabyte; these bounds allow a hundred times that.
const (
	segmentMax  = 256 << 20 // bytes of one file that are read
	textMax     = 256 << 20 // bytes of all entries together
	entriesMax  = 1 << 20
	problemsMax = 5
)

// attempts is how often Read tries to read a folder that Compact changes at the same
// time. Compact takes as long as reading, so two attempts are usually enough.
// Before attempt n+1 it waits for n*n times readPause: half a second in all.
const (
	attempts  = 12
	readPause = time.Millisecond
)

// Read returns the entries of all segments in a folder. It skips damaged lines and
// reports them in the Corpus. A folder that does not exist is an empty corpus. Read
// returns an error only if the folder itself cannot be read.
func Read(dir string) (*Corpus, error) {
	list, err := segments(dir, segmentExt)
	for try := 1; ; try++ {
		if err != nil {
			return nil, fmt.Errorf("read the corpus: %w", err)
		}
		r, found := newReader(), true
		for _, s := range list {
			found = r.open(s.path()) && found
		}
		var now []segment
		now, err = segments(dir, segmentExt)
		if err == nil && found && settled(list, now) {
			return &r.corpus, nil
		}
		if err == nil && try == attempts {
			r.problem(dir, 0, errors.New("other processes changed the folder all the time while it was read"))
			return &r.corpus, nil
		}
		// The folder is left alone for a moment sooner or later: each pause is longer.
		time.Sleep(time.Duration(try*try) * readPause)
		list, err = segments(dir, segmentExt)
	}
}

// settled reports whether a list of segments was complete. Compact adds a segment and
// removes others. A listing of a large folder can miss the new segment because it was
// added too late, and the old ones because they were removed too early. Segments of
// writers that have started since do not matter.
func settled(before, after []segment) bool {
	after = slices.DeleteFunc(slices.Clone(after), func(s segment) bool {
		return s.owner != "" && !slices.Contains(before, s)
	})
	return slices.Equal(before, after)
}

// reader merges segments into a corpus.
type reader struct {
	corpus Corpus
	index  map[string]int // ID of an entry -> its index
	text   int            // bytes of all entries
	lines  int            // number of lines, good and damaged

	segmentMax          int64
	textMax, entriesMax int
}

func newReader() *reader {
	return &reader{index: map[string]int{}, segmentMax: segmentMax, textMax: textMax, entriesMax: entriesMax}
}

// open reads a file. It returns false if the file does not exist any more.
func (r *reader) open(file string) bool {
	f, err := os.Open(file)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			r.problem(file, 0, plainError(err))
			return true
		}
		return false
	}
	defer f.Close()
	r.segment(file, f)
	return true
}

// segment reads a segment to its end. It returns false if it skipped text that may be
// good, such as lines of a newer format: then the file must not be removed.
func (r *reader) segment(file string, in io.Reader) (whole bool) {
	lines := newLines(in, r.segmentMax)
	for lines.next() {
		r.lines++
		err := lines.damage()
		if err == nil {
			err = r.line(lines.text)
		}
		switch {
		case errors.Is(err, errNewer), errors.Is(err, errFull):
			r.problem(file, lines.number, err)
			return false
		case err != nil:
			r.corpus.Damaged++
			r.problem(file, lines.number, err)
		}
	}
	if lines.err != nil {
		r.problem(file, lines.number, plainError(lines.err))
	}
	return lines.err == nil
}

// errFull ends the reading of a segment. The entries that were read before are used.
var errFull = errors.New("the corpus is too large: the rest is skipped")

func (r *reader) line(text []byte) error {
	if rest, ok := bytes.CutPrefix(text, []byte(magic)); ok {
		h, err := parseHeader(rest)
		if r.corpus.Property == "" {
			r.corpus.Package, r.corpus.Property = h.Package, h.Property
		}
		return err
	}
	n, err := parseNote(text)
	if err != nil {
		return err
	}
	if n.Ran != nil {
		r.ran(*n.Ran)
	}
	if n.Case != nil {
		return r.add(n.Case.entry())
	}
	return nil
}

func (r *reader) ran(p progress) {
	r.corpus.Runs = max(r.corpus.Runs, p.Runs)
	if p.Binary != "" {
		r.corpus.Binary = p.Binary
	}
}

func (r *reader) add(e Entry) error {
	if r.text+e.size() > r.textMax {
		return errFull
	}
	id := e.ID()
	i, known := r.index[id]
	if !known {
		if len(r.corpus.Entries) >= r.entriesMax {
			return errFull
		}
		i = len(r.corpus.Entries)
		r.index[id] = i
		r.corpus.Entries = append(r.corpus.Entries, e)
		r.text += e.size()
	}
	r.ran(progress{e.Run, e.Binary})
	kept := &r.corpus.Entries[i]
	r.text -= kept.size()
	kept.Verdict, kept.Trace, kept.Binary, kept.Spawned = e.Verdict, e.Trace, e.Binary, e.Spawned
	r.text += kept.size()
	return nil
}

func (r *reader) problem(file string, line int, err error) {
	if len(r.corpus.Problems) < problemsMax {
		r.corpus.Problems = append(r.corpus.Problems, fmt.Sprintf("%s:%d: %v", file, max(line, 1), err))
	}
}

// plainError removes the operation and the path from an error. The caller adds them.
func plainError(err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return path.Err
	}
	return err
}

// lines reads a file line by line, and has at most lineMax bytes of the file in memory.
type lines struct {
	number int    // of the current line
	text   []byte // without its newline and leading zero bytes
	err    error  // why the rest cannot be read

	in    *bufio.Reader
	end   bool  // end of file, as of this read: the file may grow later
	left  int64 // bytes that may still be read
	long  bool  // the line was longer than lineMax
	zeros bool  // the line had leading zero bytes
}

// After a loss of power a file may contain a block of zero bytes. Leading zero bytes do
// not count for the length of a line, so that a good line after them is still found.
const zero = "\x00"

func newLines(in io.Reader, most int64) *lines {
	return &lines{in: bufio.NewReaderSize(in, 16<<10), left: most}
}

// next reads the next line that is not empty.
func (l *lines) next() bool {
	for !l.end {
		l.number++
		l.text, l.long, l.zeros = l.text[:0], false, false
		l.fill()
		if l.left < 0 {
			l.err = errors.New("the file is too long: the rest is skipped")
			return false
		}
		l.text = bytes.TrimSuffix(l.text, []byte("\r"))
		if len(l.text) > 0 || l.zeros {
			return true
		}
	}
	return false
}

// fill reads up to the end of a line, or of the file.
func (l *lines) fill() {
	err := bufio.ErrBufferFull
	for err == bufio.ErrBufferFull && l.left >= 0 {
		var chunk []byte
		chunk, err = l.in.ReadSlice('\n')
		l.left -= int64(len(chunk))
		l.take(bytes.TrimSuffix(chunk, []byte("\n")))
	}
	l.end = err != nil
	if err != nil && err != io.EOF {
		l.err = err
	}
}

func (l *lines) take(chunk []byte) {
	if len(l.text) == 0 {
		size := len(chunk)
		chunk = bytes.TrimLeft(chunk, zero)
		l.zeros = l.zeros || len(chunk) < size
	}
	room := lineMax + 1 - len(l.text) // one more byte, for the CR that an editor may have added
	if len(chunk) > room {
		chunk, l.long = chunk[:room], true
	}
	l.text = append(l.text, chunk...)
}

// damage returns an error for a line that is too long or has only zeros.
func (l *lines) damage() error {
	switch {
	case l.long || len(l.text) > lineMax:
		return fmt.Errorf("the line has more than %d bytes", lineMax)
	case len(l.text) == 0:
		return errors.New("the line has only zero bytes")
	}
	return nil
}
