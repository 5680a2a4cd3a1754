//go:build go1.25

package event

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"time"
)

// Append appends an event to a file, for a process that may die at the next moment. It
// makes one write at the end of the file: processes that append to the same file do not
// mix their lines, and a process that dies meanwhile damages only this line.
func Append(file string, e Event) error {
	line, err := Line(e)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(line)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

// header is the part of a line that all kinds have in common. The body follows: an object
// whose name is the kind.
type header struct {
	Format   int       `json:"v"`                  // version of the format; the first field, so that a reader finds the beginning of a line
	Time     time.Time `json:"time,omitzero"`      // when it happened
	Kind     Kind      `json:"kind"`               // what happened
	Package  string    `json:"package,omitempty"`  // import path
	Property string    `json:"property,omitempty"` // missing if the event is about the campaign
}

var errEmpty = errors.New("event: no body")

// Line returns an event as a line of text, as Append writes it. If the event has too many
// sites for one line, lines of kind Reached come first.
func Line(e Event) ([]byte, error) {
	if e.Body == nil {
		return nil, errEmpty
	}
	var b bytes.Buffer
	if f, ok := e.Body.(Finished); ok {
		for len(f.Reach.Sites) > sitesMax {
			part := e
			part.Body, f.Reach.Sites = Reached{f.Reach.Sites[:sitesMax]}, f.Reach.Sites[sitesMax:]
			if err := write(&b, part); err != nil {
				return nil, err
			}
		}
		f.Reach.Partial = f.Reach.Partial || len(f.Reach.Before) > earlyMax
		e.Body = f
	}
	err := write(&b, e)
	return b.Bytes(), err
}

// write appends an event: its header, and instead of the end of the header its body.
func write(b *bytes.Buffer, e Event) error {
	to := json.NewEncoder(b)
	to.SetEscapeHTML(false) // people read the file
	h := header{Format: Format, Time: e.Time, Kind: e.Kind(), Package: cut(e.Package, nameMax), Property: cut(e.Property, nameMax)}
	if err := to.Encode(h); err != nil {
		return err
	}
	b.Truncate(b.Len() - len("}\n"))
	b.WriteString(`,"` + string(h.Kind) + `":`)
	if err := to.Encode(within(e.Body)); err != nil {
		return err
	}
	b.Truncate(b.Len() - len("\n"))
	b.WriteString("}\n")
	return nil
}
