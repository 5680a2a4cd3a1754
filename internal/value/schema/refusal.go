//go:build go1.25

package schema

import (
	"fmt"
	"reflect"
	"sync/atomic"

	"github.com/allele-go/allele/internal/value/term"
)

// Refusal returns what discards a term of a stored case, if a part of it is made from a text that its method refuses now,
// or "".
func (w *World) Refusal(t term.Term) string {
	for at := range t.Nodes() {
		s := w.Of(t[at])
		if s.Kind != Made {
			continue
		}
		c := &s.Ctors[t[at].C]
		read, ok := c.Func.Form.(Reader)
		if !ok {
			continue
		}
		text, ok := NewBuilder(w).part(c.Fields[0].S, t.Sub(at+1))
		if !ok {
			continue
		}
		if known, err := ReadText(s.Type, read.Method, text.String()); known && err != nil {
			return fmt.Sprintf("%s of %v, which refuses the text %.40q now: %v", read.Method, pointedTo(s.Type), text.String(), err)
		}
	}
	return ""
}

// fickle is what the runs have shown about methods that read texts.
type fickle struct {
	refusals atomic.Uint32
	note     atomic.Pointer[string]
}

// Fickle returns a message if a method has refused a text that it had accepted when the schemas were derived, or "".
func (w *World) Fickle() string {
	if note := w.fickle.note.Load(); note != nil {
		return *note
	}
	return ""
}

// doubt is called when a builder has refused its arguments. If it reads texts, one that it had accepted is
// tried again, each time another one. Most refusals are harmless: not every text of a form is accepted.
func (w *World) doubt(m *Func) {
	read, _ := m.Form.(Reader)
	if len(read.samples) == 0 || w.fickle.note.Load() != nil {
		return
	}
	text := read.samples[int(w.fickle.refusals.Add(1))%len(read.samples)]
	if _, ok := m.Call(values(text)); ok {
		return
	}
	note := fmt.Sprintf("%s of %v refuses the text %.40q, which it accepted before the first run: "+
		"it seems to depend on the state of the program; inputs that it refuses are discarded", read.Method, pointedTo(m.Result), text)
	w.fickle.note.Store(&note)
}

func pointedTo(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}
