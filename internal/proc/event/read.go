//go:build go1.25

package event

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"reflect"
	"slices"
)

// Read returns the events of a file, and an error for each bad line with its number and
// the reason. It skips events of a kind that it does not know. The lines before and after a
// bad line are read, whatever its bytes are. The error for an event of another format wraps
// ErrNewer or ErrOlder. If reading itself fails, that is the last error.
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
				l.end(yield) // the last line may have no newline
				return
			default:
				yield(Event{}, err)
				return
			}
		}
	}
}

// chunk is how many bytes are read at once.
const chunk = 64 << 10

// mark is the beginning of a line. It occurs nowhere else in a line, because quotes
// inside of a text are escaped. So it shows where a good line begins if the newline
// before it was lost.
var mark = []byte(`{"v":`)

// lines turns bytes that arrive in pieces into events.
type lines struct {
	rest   []byte // the line so far
	long   bool   // the line was too long; rest is its end, which may contain another line
	number int
}

// feed adds bytes. It returns false if yield did.
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

// take adds bytes to the line. Of a line that is too long it keeps only the end, which
// may be a line of its own, so memory is bounded.
func (l *lines) take(part []byte) {
	l.rest = append(l.rest, part...)
	if len(l.rest) <= lineMax {
		return
	}
	l.long = true
	at := bytes.LastIndex(l.rest, mark)
	if at <= 0 {
		at = len(l.rest) - len(mark) + 1 // the last bytes may be the beginning of a mark
	}
	l.rest = append(l.rest[:0], l.rest[at:]...)
}

// end yields the line as an event, or an error.
func (l *lines) end(yield func(Event, error) bool) bool {
	line, long := bytes.TrimSpace(l.rest), l.long
	l.rest, l.long = l.rest[:0], false
	l.number++
	if len(line) == 0 && !long {
		return true
	}
	e, err := Event{}, errLong
	if !long {
		switch e, err = parse(line); {
		case err == nil:
			return yield(e, nil)
		case errors.Is(err, errKind): // a later version may have it
			return true
		}
	}
	if !yield(Event{}, fmt.Errorf("line %d: %w", l.number, err)) {
		return false
	}
	// Only the last mark can begin a good line: a good line ends with a newline.
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
	errKind  = errors.New("an unknown kind of event")
)

// parse reads a line. It ignores unknown fields.
func parse(line []byte) (Event, error) {
	var h header
	err := json.Unmarshal(line, &h)
	switch { // Format is set even if the rest could not be decoded
	case h.Format > Format:
		return Event{}, fmt.Errorf("an event of format %d, but this version of allele reads only %d: %w", h.Format, Format, ErrNewer)
	case h.Format > 0 && h.Format < Format:
		return Event{}, fmt.Errorf("an event of format %d, but this version of allele reads only %d: %w", h.Format, Format, ErrOlder)
	case err != nil:
		return Event{}, err
	case h.Format < 1 || h.Kind == "":
		return Event{}, errOther
	}
	body, err := parseBody(line, h.Kind)
	return Event{Time: h.Time, Package: h.Package, Property: h.Property, Body: body}, err
}

// parseBody reads the object of a line that is named after the kind.
func parseBody(line []byte, kind Kind) (Body, error) {
	at := slices.IndexFunc(bodies, func(b Body) bool { return b.kind() == kind })
	if at < 0 {
		return nil, errKind
	}
	var objects map[string]json.RawMessage
	if err := json.Unmarshal(line, &objects); err != nil {
		return nil, err
	}
	object, ok := objects[string(kind)]
	if !ok {
		return nil, errOther
	}
	body := reflect.New(reflect.TypeOf(bodies[at]))
	err := json.Unmarshal(object, body.Interface())
	return body.Elem().Interface().(Body), err
}
