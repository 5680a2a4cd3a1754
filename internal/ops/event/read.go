package event

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
)

// Read gives the events of a file, and an error for each line that is none: its
// number and what is wrong with it. Whatever the bytes are, the lines before and
// after a bad one are read. An event of a newer format is an error that is
// ErrNewer. If reading itself fails, that is the last error.
func Read(r io.Reader) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		var l lines
		from := bufio.NewReaderSize(r, chunk)
		for {
			part, err := from.ReadSlice('\n')
			if !l.feed(part, yield) {
				return
			}
			switch {
			case err == nil || errors.Is(err, bufio.ErrBufferFull):
			case errors.Is(err, io.EOF):
				l.end(yield) // if it is whole but for its end, it is whole
				return
			default:
				yield(Event{}, err)
				return
			}
		}
	}
}

// chunk is how much is read at once.
const chunk = 64 << 10

// mark is how a line begins. It occurs nowhere else in one: inside of a text the
// quotes are escaped. So it tells where a good line begins if the end of the line
// before it was lost.
var mark = []byte(`{"v":`)

// lines makes events of bytes that come in pieces.
type lines struct {
	rest   []byte // the line so far
	long   bool   // it was longer than a line may be; rest is what may be another
	number int
}

// feed takes the next bytes. It reports whether more is wanted.
func (l *lines) feed(data []byte, yield func(Event, error) bool) bool {
	for {
		part, after, ended := bytes.Cut(data, []byte("\n"))
		l.take(part)
		if !ended {
			return true
		}
		if !l.end(yield) {
			return false
		}
		data = after
	}
}

// take adds to the line. Of one that is too long, only what may be a line of its
// own is kept, so the memory it takes has a bound too.
func (l *lines) take(part []byte) {
	l.rest = append(l.rest, part...)
	if len(l.rest) <= lineMax {
		return
	}
	l.long = true
	at := bytes.LastIndex(l.rest, mark)
	if at <= 0 {
		at = len(l.rest) - len(mark) + 1 // it may begin here
	}
	l.rest = append(l.rest[:0], l.rest[at:]...)
}

// end makes an event of the line.
func (l *lines) end(yield func(Event, error) bool) bool {
	line, long := bytes.TrimSpace(l.rest), l.long
	l.rest, l.long = l.rest[:0], false
	l.number++
	if len(line) == 0 && !long {
		return true
	}
	e, err := Event{}, errLong
	if !long {
		if e, err = parse(line); err == nil {
			return yield(e, nil)
		}
	}
	if !yield(Event{}, fmt.Errorf("line %d: %w", l.number, err)) {
		return false
	}
	// The last mark alone, since good lines end: before it there is none.
	if at := bytes.LastIndex(line, mark); at > 0 || at == 0 && long {
		if e, err = parse(line[at:]); err == nil {
			return yield(e, nil)
		}
	}
	return true
}

var (
	errLong  = fmt.Errorf("longer than %d bytes", lineMax)
	errOther = errors.New("not an event")
)

// parse reads a line. Fields it does not know are nothing to worry about.
func parse(line []byte) (Event, error) {
	var e Event
	err := json.Unmarshal(line, &e)
	if e.Format > Format { // known even if what follows it is not understood
		return Event{}, fmt.Errorf("an event of format %d, but this version of allele knows only %d: %w", e.Format, Format, ErrNewer)
	}
	if err != nil {
		return Event{}, err
	}
	if e.Format < 1 || e.Kind == "" {
		return Event{}, errOther
	}
	return e, nil
}
