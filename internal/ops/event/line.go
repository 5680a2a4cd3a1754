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

// Append adds an event to a file, for a process that may be gone the next moment.
// All of it is one write at the end of the file: processes that append to one
// file do not mix their lines, and one that dies in between damages no line but
// this one.
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

// These bounds keep a line below lineMax even if every byte of its texts needs
// six in JSON, as control characters do. An input of 16 KiB fills a few screens.
const (
	lineMax  = 1 << 20
	nameMax  = 1 << 10 // names, and reasons in a few words
	inputMax = 16 << 10
	textMax  = 64 << 10
	sitesMax = 1 << 14 // in one line; eleven bytes each at most
	earlyMax = 1 << 12 // of those before the first run
	lastMax  = 1 << 8
	kindsMax = 1 << 5
)

// encode makes the line of an event. If it has too many sites for one, lines of
// kind Reached come before it.
func encode(e Event) ([]byte, error) {
	var b bytes.Buffer
	to := json.NewEncoder(&b)
	to.SetEscapeHTML(false) // people read it
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

// within is the event with all bounds kept, but for the number of its sites. The
// event of the caller stays as it is.
func within(e Event) Event {
	e.Format = Format
	e.Kind, e.State = Kind(cut(string(e.Kind), nameMax)), State(cut(string(e.State), nameMax))
	e.Verdict, e.Death = Verdict(cut(string(e.Verdict), nameMax)), proc.Kind(cut(string(e.Death), nameMax))
	for _, s := range []*string{&e.Package, &e.Property, &e.Test, &e.Type, &e.Sign, &e.Unlogged, &e.Unkept, &e.Case, &e.Why, &e.Crash} {
		*s = cut(*s, nameMax)
	}
	e.Input, e.Text = cut(e.Input, inputMax), cut(e.Text, textMax)
	if len(e.Before) > earlyMax {
		e.Before, e.Partial = e.Before[:earlyMax], true
	}
	e.Last = e.Last[max(0, len(e.Last)-lastMax):]
	e.Parted = e.Parted[:min(3, len(e.Parted))]
	if e.Operands != nil {
		o := *e.Operands
		o.Off = cut(o.Off, nameMax)
		e.Operands = &o
	}
	if e.Search != nil {
		e.Search = e.Search.within()
	}
	return e
}

func (s Search) within() *Search {
	if math.IsNaN(s.Share) || math.IsInf(s.Share, 0) {
		s.Share = -1 // JSON has no such number, and the event matters more
	}
	s.Kinds = slices.Clone(s.Kinds[:min(kindsMax, len(s.Kinds))])
	for i := range s.Kinds {
		s.Kinds[i].Kind = cut(s.Kinds[i].Kind, nameMax)
	}
	return &s
}

// cut makes a text valid UTF-8 of at most so many bytes. It shows where it was cut.
func cut(s string, most int) string {
	const more = "…"
	if len(s) > most {
		end := most - len(more)
		for end > 0 && !utf8.RuneStart(s[end]) {
			end--
		}
		s = s[:end] + more
	}
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "?") // no longer than what it stands for
	}
	return s
}

// Line is an event as a line of text, as it stands in a file.
func Line(e Event) ([]byte, error) { return encode(e) }
