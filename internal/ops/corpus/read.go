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
)

// Corpus is what a folder holds.
type Corpus struct {
	Package, Property string // empty if no segment can tell

	// Entries are distinct, in the order of their first appearance. The newest
	// version of one gives Verdict, Trace, Binary and Spawned; the first gives
	// the rest, because where a case came from does not change.
	Entries []Entry

	Runs   int    // the highest run told of
	Binary string // the latest binary told of

	Damaged  int      // lines that were left out
	Problems []string // the first few things that are wrong, as "file:line: reason"
}

// Bounds for what somebody else put into the folder. A search keeps thousands
// of cases in a megabyte; a hundred times that is no corpus any more.
const (
	segmentMax  = 256 << 20 // bytes of one file that are read
	textMax     = 256 << 20 // bytes of all entries together
	entriesMax  = 1 << 20
	problemsMax = 5 // what a person reads before asking for all of it
)

// attempts is how often a folder is read again because Compact was at work in
// it meanwhile. That takes as long as reading, so once is usual.
const attempts = 10

// Read gathers the cases of all segments in a folder. Damage is skipped and told
// in the Corpus; a folder that does not exist yet holds nothing. An error means
// that the folder itself cannot be read.
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
			r.problem(dir, 0, errors.New("the folder changed all the time while it was read"))
			return &r.corpus, nil
		}
		list = now
	}
}

// settled tells whether a list of segments was all there was. Compact adds one
// and removes others; in a large folder a listing can miss the first because it
// came late and the others because they went early. Segments of writers that
// have started since do not matter.
func settled(before, after []segment) bool {
	after = slices.DeleteFunc(slices.Clone(after), func(s segment) bool {
		return s.owner != "" && !slices.Contains(before, s)
	})
	return slices.Equal(before, after)
}

// reader folds segments into a corpus.
type reader struct {
	corpus Corpus
	index  map[string]int // of an entry, by ID
	text   int            // bytes of all entries
	lines  int            // seen, good or not

	segmentMax          int64
	textMax, entriesMax int
}

func newReader() *reader {
	return &reader{index: map[string]int{}, segmentMax: segmentMax, textMax: textMax, entriesMax: entriesMax}
}

// open reads a file. It reports false if the file is gone.
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

// segment reads one to its end. It reports false if something was left out that
// is not damaged: the file must not be removed then.
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

// errFull ends the reading of a segment; what was read so far is used.
var errFull = errors.New("more than one corpus may have: the rest is left out")

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

// plainError leaves out the operation and the path, which the caller names.
func plainError(err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		return path.Err
	}
	return err
}

// lines cuts a file into lines without holding more of it than one line may have.
type lines struct {
	number int    // of the line
	text   []byte // without its end, and without zeros in front
	err    error  // why the rest cannot be read

	in    *bufio.Reader
	end   bool  // of the file; one that grows under our eyes has one all the same
	left  int64 // bytes that may still be read
	long  bool  // the line was longer than lineMax
	zeros bool  // there were zeros in front
}

// A file system that lost power may leave a block of zeros in a file. They count
// towards no line's length, so that a good line behind them is still found.
const zero = "\x00"

func newLines(in io.Reader, most int64) *lines {
	return &lines{in: bufio.NewReaderSize(in, 16<<10), left: most}
}

// next goes to the next line that is not empty.
func (l *lines) next() bool {
	for !l.end {
		l.number++
		l.text, l.long, l.zeros = l.text[:0], false, false
		l.fill()
		if l.left < 0 {
			l.err = errors.New("the file is too long: the rest is left out")
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
	room := lineMax + 1 - len(l.text) // and the CR that an editor may have added
	if len(chunk) > room {
		chunk, l.long = chunk[:room], true
	}
	l.text = append(l.text, chunk...)
}

// damage is what is wrong with a line whatever it says.
func (l *lines) damage() error {
	switch {
	case l.long || len(l.text) > lineMax:
		return fmt.Errorf("the line has more than %d bytes", lineMax)
	case len(l.text) == 0:
		return errors.New("zeros")
	}
	return nil
}
