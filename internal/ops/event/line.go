//go:build go1.25

package event

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/allele-go/allele/internal/ops/proc"
)

// Append appends an event to a file, for a process that may die at the next moment. It
// makes one write at the end of the file: processes that append to the same file do not
// mix their lines, and a process that dies meanwhile damages only this line.
func Append(file string, e Event) error {
	line, err := encode(e)
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

// These bounds keep a line below lineMax even if every byte of its texts takes six bytes
// in JSON, as control characters do. An input of 16 KiB fills a few screens.
const (
	lineMax  = 1 << 20
	nameMax  = 1 << 10 // names, and reasons in a few words
	inputMax = 16 << 10
	textMax  = 64 << 10
	sitesMax = 1 << 14 // in one line; a site takes eleven bytes at most
	earlyMax = 1 << 12 // sites before the first run
	lastMax  = 1 << 8
	kindsMax = 1 << 5
	notesMax = 1 << 3
)

// encode returns the line of an event. If the event has too many sites for one line,
// lines of kind Reached come first.
func encode(e Event) ([]byte, error) {
	var b bytes.Buffer
	to := json.NewEncoder(&b)
	to.SetEscapeHTML(false) // people read the file
	e = within(e)
	for len(e.Sites) > sitesMax {
		part := Event{Format: Format, Time: e.Time, Kind: Reached, Package: e.Package, Property: e.Property, Worker: e.Worker}
		part.Sites, e.Sites = e.Sites[:sitesMax], e.Sites[sitesMax:]
		if err := to.Encode(part); err != nil {
			return nil, err
		}
	}
	if err := to.Encode(e); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// within returns a copy of the event that respects all bounds, except the number of
// sites.
func within(e Event) Event {
	e.Format = Format
	e.Kind, e.State = Kind(cut(string(e.Kind), nameMax)), State(cut(string(e.State), nameMax))
	e.Verdict, e.Death = Verdict(cut(string(e.Verdict), nameMax)), proc.Kind(cut(string(e.Death), nameMax))
	for _, s := range []*string{&e.Package, &e.Property, &e.Test, &e.Type, &e.Sign, &e.Unlogged, &e.Unkept, &e.Case, &e.Why, &e.Crash,
		&e.Slow} {
		*s = cut(*s, nameMax)
	}
	e.Input, e.Text = cut(e.Input, inputMax), cut(e.Text, textMax)
	if len(e.Before) > earlyMax {
		e.Before, e.Partial = e.Before[:earlyMax], true
	}
	e.Last = e.Last[max(0, len(e.Last)-lastMax):]
	e.Parted = e.Parted[:min(3, len(e.Parted))]
	e.Notes = slices.Clone(e.Notes[:min(notesMax, len(e.Notes))])
	for i := range e.Notes {
		e.Notes[i] = cut(e.Notes[i], nameMax)
	}
	if e.Operands != nil {
		o := *e.Operands
		o.Off = cut(o.Off, nameMax)
		e.Operands = &o
	}
	if e.Encoded != nil {
		o := *e.Encoded
		o.Off = cut(o.Off, nameMax)
		e.Encoded = &o
	}
	if e.Search != nil {
		e.Search = e.Search.within()
	}
	return e
}

func (s Search) within() *Search {
	if math.IsNaN(s.Share) || math.IsInf(s.Share, 0) {
		s.Share = -1 // JSON cannot represent NaN and infinity, and the event must not be lost
	}
	s.Kinds = slices.Clone(s.Kinds[:min(kindsMax, len(s.Kinds))])
	for i := range s.Kinds {
		s.Kinds[i].Kind = cut(s.Kinds[i].Kind, nameMax)
	}
	return &s
}

// cut returns a text as valid UTF-8 of at most size bytes. A shortened text ends with an
// ellipsis.
func cut(s string, size int) string {
	const more = "…"
	if len(s) > size {
		end := size - len(more)
		for end > 0 && !utf8.RuneStart(s[end]) {
			end--
		}
		s = s[:end] + more
	}
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "?") // this does not make the text longer
	}
	return s
}

// Line returns an event as a line of text, as Append writes it.
func Line(e Event) ([]byte, error) { return encode(e) }
