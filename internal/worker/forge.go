//go:build go1.25

package worker

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/finding"
	"github.com/allele-go/allele/internal/ops/child"
	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/ops/proc"
	"github.com/allele-go/allele/internal/property"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// forge makes bytes for a search: those of an encoded value and, by asking a process of mode
// Encode, those that the encoder makes with a fault. If that process cannot be used, the search
// changes values and bytes only. It is the engine's Forger.
type forge struct {
	prop    *property.Property
	builder *schema.Builder
	child   *proc.Process
	binary  string // "" if there is none
	off     string // why the process is no longer asked

	values []*encodedValue // those with faults that were not tried, the newest last
	turn   int
	ready  []forgedBytes
	seen   map[uint64]bool
	total  encodeAnswer // sums
	died   int
	skip   []made // faults that have blocked a process
}

// encodedValue is a value that the search keeps.
type encodedValue struct {
	term  term.Term
	next  int // index of its first fault that was not tried
	count int // how many to try at once
}

// forgedBytes is what an encoder with a fault has made.
type forgedBytes struct {
	term  term.Term
	from  *engine.Source
	steps int
}

const (
	encodeWait  = 5 * time.Second
	encodeCount = 16 // faults in a question
	encodeDied  = 64 // how many processes may end before none is started any more
	valuesMax   = 256
	skipMax     = 256
)

// newForge returns nil if the property has no encoder.
func newForge(p *property.Property) *forge {
	if p.World.Encoder() == nil {
		return nil
	}
	return &forge{prop: p, builder: schema.NewBuilder(p.World), binary: p.Job.Program.Encoder, seen: map[uint64]bool{}}
}

// Freeze returns the bytes of an encoded value.
func (f *forge) Freeze(t term.Term) (raw term.Term) {
	defer func() {
		if recover() != nil {
			raw = nil
		}
	}()
	v, ok := f.prop.World.Value(t)
	if !ok {
		return nil
	}
	return f.given(v)
}

// given returns bytes as a term.
func (f *forge) given(v reflect.Value) term.Term {
	t, err := f.prop.World.Read(v)
	if err != nil {
		return nil
	}
	return t
}

// Keep adds a value whose encoder is to be made faulty.
func (f *forge) Keep(t term.Term) {
	if f.binary == "" || f.off != "" {
		return
	}
	v := &encodedValue{term: t.Clone(), count: encodeCount}
	if len(f.values) < valuesMax {
		f.values = append(f.values, v)
		return
	}
	f.values[f.turn%valuesMax] = v
}

// Forge returns bytes that no earlier call has returned.
func (f *forge) Forge() (t term.Term, from *engine.Source, steps int) {
	for len(f.ready) == 0 {
		if len(f.values) == 0 || f.off != "" {
			return nil, nil, 0
		}
		f.turn++
		i := f.turn % len(f.values)
		if v := f.values[i]; !f.ask(v) {
			f.values = append(f.values[:i], f.values[i+1:]...)
		}
	}
	x := f.ready[0]
	f.ready = f.ready[1:]
	return x.term, x.from, x.steps
}

// ask tries some faults of a value. It reports whether any are left.
func (f *forge) ask(v *encodedValue) (more bool) {
	if f.child == nil && !f.start() {
		return false
	}
	q, err := json.Marshal(encodeQuestion{Term: operand.AppendTerm(nil, v.term), From: v.next, Count: v.count, Skip: f.skip})
	if err != nil || len(q) > messageLen {
		return false
	}
	text, ok := f.child.Ask(q)
	var a encodeAnswer
	if !ok || json.Unmarshal(text, &a) != nil {
		return f.lost(v)
	}
	v.next += a.Done
	v.count = encodeCount
	f.add(v, a)
	if a.Stuck != nil && len(f.skip) < skipMax {
		f.skip = append(f.skip, *a.Stuck)
	}
	if a.Spoilt {
		f.restart()
	}
	return !a.Failed && (a.Stuck != nil || v.next < a.Faults)
}

// restart ends the process. The next question starts another one.
func (f *forge) restart() {
	f.child.Kill()
	f.child.Wait()
	f.child = nil
}

// lost deals with a process that has not answered. The fault that ended it is found by trying
// them one by one, and left out.
func (f *forge) lost(v *encodedValue) (more bool) {
	f.restart()
	if f.died++; f.died > encodeDied {
		f.off = fmt.Sprintf("processes of the encoder ended %d times", f.died)
		return false
	}
	if v.count == 1 {
		v.next++
	}
	v.count = 1
	return true
}

// add adds what an answer has made.
func (f *forge) add(v *encodedValue, a encodeAnswer) {
	t := &f.total
	t.Runs, t.Panics, t.Refused, t.Spent, t.Same = t.Runs+a.Runs, t.Panics+a.Panics, t.Refused+a.Refused, t.Spent+a.Spent, t.Same+a.Same
	if v.next <= encodeCount {
		t.Faults += a.Faults
	}
	for _, m := range a.Made {
		raw := f.given(reflect.ValueOf(m.Bytes).Convert(f.prop.World.Root.Type))
		if raw == nil || f.seen[term.Hash(raw)] {
			continue
		}
		f.seen[term.Hash(raw)] = true
		fault := m
		fault.Bytes = nil
		f.ready = append(f.ready, forgedBytes{raw, &engine.Source{Value: v.term, Fault: fault}, int(a.Steps) / len(a.Made)})
	}
}

// start starts the process.
func (f *forge) start() bool {
	conf := proc.Config{Path: f.binary, Args: os.Args[1:], Dir: property.Home, Hang: encodeWait, Base: job.Environ(),
		Job: &job.Job{Mode: job.Encode, Property: f.prop.Name, Limits: f.prop.Job.Limits},
		Env: []string{"GODEBUG=" + strings.TrimPrefix(os.Getenv("GODEBUG")+",asyncpreemptoff=0", ",")}}
	var err error
	if f.child, err = child.Start(conf, operand.Shape(f.prop.World)); err != nil {
		f.off = "the process of the encoder " + err.Error()
		if trouble := (*child.Error)(nil); !errors.As(err, &trouble) && !errors.Is(err, child.ErrTypes) {
			f.off = "cannot start the process of the encoder: " + err.Error()
		}
	}
	return err == nil
}

// summary returns the counts for the event that ends the search.
func (f *forge) summary() *event.Encoded {
	t := f.total
	return &event.Encoded{Faults: t.Faults, Runs: t.Runs, Made: len(f.seen), Same: t.Same,
		Refused: t.Refused, Panics: t.Panics, Spent: t.Spent, Died: f.died, Off: f.off}
}

// close ends the process.
func (f *forge) close() {
	if f.child != nil {
		f.child.Close()
		f.child = nil
	}
}

// source returns how the input of a failure was made, or nil if it is not given bytes.
func (f *forge) source(x *failure) *finding.Source {
	if f == nil || x.source == nil {
		return nil
	}
	s := &finding.Source{Value: x.source.Value, Changed: x.changed}
	if m, ok := x.source.Fault.(made); ok {
		s.Fault = f.describe(m)
		s.Encode = func(value term.Term) (term.Term, bool) { return f.again(value, m) }
	}
	return s
}

// again encodes a value with a fault.
func (f *forge) again(value term.Term, m made) (raw term.Term, ok bool) {
	if f.off != "" || f.child == nil && !f.start() {
		return nil, false
	}
	q, err := json.Marshal(encodeQuestion{Term: operand.AppendTerm(nil, value), Only: &m})
	if err != nil || len(q) > messageLen {
		return nil, false
	}
	text, ok := f.child.Ask(q)
	var a encodeAnswer
	if !ok || json.Unmarshal(text, &a) != nil {
		f.lost(&encodedValue{})
		return nil, false
	}
	if a.Spoilt {
		f.restart()
	}
	if len(a.Made) == 0 {
		return nil, false
	}
	raw = f.given(reflect.ValueOf(a.Made[0].Bytes).Convert(f.prop.World.Root.Type))
	return raw, raw != nil
}

// describe returns a fault in words: its place and its change.
func (f *forge) describe(m made) string {
	var list []struct {
		fault
		File     string
		Line     int
		From, To string
	}
	if data, err := os.ReadFile(f.prop.Job.Program.Faults); err == nil {
		json.Unmarshal(data, &list) // without it, the place is unknown
	}
	text := fmt.Sprintf("place %d of %s", m.Site, m.Package)
	for _, x := range list {
		if x.Package == m.Package && x.Site == m.Site && x.Variant == m.Variant {
			text = fmt.Sprintf("%s/%s:%d: %s → %s", x.Package, filepath.Base(x.File), x.Line, x.From, x.To)
		}
	}
	if m.K > 0 {
		text += fmt.Sprintf(", in evaluation %d of that place", m.K)
	}
	return text
}
