//go:build go1.25

package worker

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"time"

	"github.com/allele-go/allele/internal/check/finding"
	"github.com/allele-go/allele/internal/check/plain"
	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
	"github.com/allele-go/allele/internal/words"
)

// forge makes bytes for a search: those of an encoded value and, by asking a process of mode
// Encode, those that the encoder makes with a fault. If that process cannot be used, the search
// changes values and bytes only. It is the engine's Forger.
type forge struct {
	prop   *property.Property
	child  *proc.Process
	binary string // "" if there is none
	choice job.Encoder
	off    string // why the process is no longer asked

	values []*encodedValue // those with faults that were not tried, the newest last
	turn   int
	ready  []forgedBytes
	seen   map[uint64]bool
	total  encodeAnswer // sums
	asked  int          // questions that were answered
	died   int
	skip   []made // faults that have blocked a process
	heap   []byte // see heapFloor
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
	// Encoders often allocate large tables, and then a small heap is collected every few runs. So the processes allocate so
	// many bytes that are never used, and need no memory: the heap is collected when it is twice as large.
	heapFloor = 32 << 20
)

// newForge returns nil if the property has no encoder.
func newForge(p *property.Property) *forge {
	if p.World.Encoder() == nil {
		return nil
	}
	return &forge{prop: p, binary: p.Job.Program.Encoder, choice: encoderFaults(p.Job), seen: map[uint64]bool{},
		heap: make([]byte, heapFloor)}
}

// encoderFaults returns which faults an encoder gets: all, except in an experiment.
func encoderFaults(j *job.Job) (e job.Encoder) {
	if x := j.Search.Experiment; x != nil && x.Encoder != nil {
		e = *x.Encoder
	}
	return e
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
	return f.given(v.Bytes())
}

// made returns a function that returns what the input of the current run was made from.
func (f *forge) made(e *engine.Engine) func() (string, []byte, bool) {
	return func() (value string, encoded []byte, ok bool) {
		defer func() {
			if recover() != nil { // in the encoder
				ok = false
			}
		}()
		t := e.Current.Term()
		if from, _ := e.Source(); from != nil {
			t = from.Value
		}
		if t == nil || t[0].C == schema.GivenBytes {
			return "", nil, false
		}
		v, ok := f.prop.World.Value(t)
		if !ok {
			return "", nil, false
		}
		return codec.Print(f.prop.World, t, f.prop.Place.Style()).Expr, v.Bytes(), true
	}
}

// given returns bytes as a term.
func (f *forge) given(b []byte) term.Term {
	t, err := f.prop.World.Read(reflect.ValueOf(b).Convert(f.prop.World.Root.Type))
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

// Forge returns bytes that no earlier call has returned. It asks at most one question.
func (f *forge) Forge() (t term.Term, from *engine.Source, steps int, more bool) {
	if len(f.ready) == 0 {
		if len(f.values) == 0 || f.off != "" {
			return nil, nil, 0, false
		}
		f.turn++
		i := f.turn % len(f.values)
		v := f.values[i]
		before := f.total.Steps
		if !f.ask(v) {
			f.values = append(f.values[:i], f.values[i+1:]...)
		}
		if len(f.ready) == 0 {
			return nil, nil, int(f.total.Steps - before), true
		}
	}
	x := f.ready[0]
	f.ready = f.ready[1:]
	return x.term, x.from, x.steps, true
}

// ask tries some faults of a value. It reports whether any are left.
func (f *forge) ask(v *encodedValue) (more bool) {
	a, sent, ok := f.answer(encodeQuestion{Term: operand.AppendTerm(nil, v.term), From: v.next, Count: v.count,
		Skip: f.skip, Choice: f.choice})
	switch {
	case !sent || f.off != "":
		return false
	case !ok: // the fault that ended the process is found by trying them one by one, and left out
		if v.count == 1 {
			v.next++
		}
		v.count = 1
		return true
	}
	v.next += a.Done
	v.count = encodeCount
	f.add(v, a)
	if a.Stuck != nil && len(f.skip) < skipMax {
		f.skip = append(f.skip, *a.Stuck)
	}
	return !a.Failed && (a.Stuck != nil || v.next < a.Faults)
}

// answer asks a question. sent is false if it cannot be asked, and ok is false if the process has
// ended without an answer. The next question starts another process then, or if a fault has spoilt
// this one.
func (f *forge) answer(q encodeQuestion) (a encodeAnswer, sent, ok bool) {
	if f.off != "" || f.child == nil && !f.start() {
		return a, false, false
	}
	question, err := json.Marshal(q)
	if err != nil || len(question) > messageLen {
		return a, false, false
	}
	text, ok := f.child.Ask(question)
	if ok = ok && json.Unmarshal(text, &a) == nil; !ok {
		if f.died++; f.died > encodeDied {
			f.off = fmt.Sprintf("processes of the encoder ended %d times", f.died)
		}
	}
	if !ok || a.Spoilt {
		f.child.Kill()
		f.child.Wait()
		f.child = nil
	}
	return a, true, ok
}

// add adds what an answer has made.
func (f *forge) add(v *encodedValue, a encodeAnswer) {
	f.asked++
	t := &f.total
	t.Steps, t.Sliced = t.Steps+a.Steps, t.Sliced+a.Sliced
	t.Runs, t.Panics, t.Refused, t.Spent, t.Same = t.Runs+a.Runs, t.Panics+a.Panics, t.Refused+a.Refused, t.Spent+a.Spent, t.Same+a.Same
	if v.next <= encodeCount {
		t.Faults, t.Reached = t.Faults+a.Faults, t.Reached+a.Reached
	}
	for number, n := range a.By {
		t.By = countAt(t.By, number, n)
	}
	for _, m := range a.Made {
		raw := f.given(m.Bytes)
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
	conf := proc.Config{Path: f.binary, Args: os.Args[1:], Hang: encodeWait,
		Job: &job.Job{Mode: job.Encode, Property: f.prop.Name, Limits: f.prop.Job.Limits,
			Program: job.Program{Faults: f.prop.Job.Program.Faults}}}
	f.child, f.off = startHelper("process of the encoder", conf, f.prop.World)
	return f.off == ""
}

// summary returns the counts for the event that ends the search.
func (f *forge) summary() *event.Encoded {
	t := f.total
	if f.off == "" && f.asked > 0 && t.Reached == 0 {
		f.off = "no place that it reaches can have a fault; name the packages of the encoder with -scope"
	}
	return &event.Encoded{Reached: t.Reached, Faults: t.Faults, Sliced: t.Sliced, Runs: t.Runs, Made: len(f.seen), Same: t.Same,
		Refused: t.Refused, Panics: t.Panics, Spent: t.Spent, Died: f.died, Off: f.off, By: t.By}
}

// close ends the process.
func (f *forge) close() {
	if f.child != nil {
		f.child.Close()
		f.child = nil
	}
}

// source returns how the input of a failure was made, or nil if it is not given bytes.
func (f *forge) source(x *plain.Failure) *finding.Source {
	if f == nil || x.Source == nil {
		return nil
	}
	s := &finding.Source{Value: x.Source.Value, Changed: x.Changed}
	if m, ok := x.Source.Fault.(made); ok {
		s.Fault = f.describe(m)
		s.Encode = func(value term.Term) (term.Term, bool) { return f.again(value, m) }
	}
	return s
}

// again encodes a value with a fault.
func (f *forge) again(value term.Term, m made) (raw term.Term, ok bool) {
	a, _, _ := f.answer(encodeQuestion{Term: operand.AppendTerm(nil, value), Only: &m, Choice: f.choice})
	if len(a.Made) == 0 {
		return nil, false
	}
	raw = f.given(a.Made[0].Bytes)
	return raw, raw != nil
}

// changeMax is how many bytes of the source at each side of a change are shown.
const changeMax = 80

// describe returns a fault in words: its place and its change.
func (f *forge) describe(m made) string {
	text := fmt.Sprintf("place %d of %s", m.Site, m.Package)
	for _, x := range faultList(f.prop.Job.Program.Faults) {
		if x.Package == m.Package && x.Site == m.Site && x.Variant == m.Variant {
			text = fmt.Sprintf("%s/%s:%d: %s → %s", x.Package, filepath.Base(x.File), x.Line,
				words.Line(x.From, changeMax), words.Line(x.To, changeMax))
		}
	}
	if m.K > 0 {
		text += fmt.Sprintf(", in evaluation %d of that place", m.K)
	}
	return text
}

// listedFault is a fault in an encoder, as the command lists it.
type listedFault struct {
	fault
	Number   int // number of the operator in the MutaGen paper, or 0
	File     string
	Line     int
	From, To string
}

// faultList reads the list of faults in an encoder. It is empty if it cannot be read, and then the places of
// faults are unknown.
func faultList(file string) (list []listedFault) {
	if data, err := os.ReadFile(file); err == nil {
		json.Unmarshal(data, &list) // a list that is cut off has fewer faults
	}
	return list
}

// String identifies a fault in logs.
func (m made) String() string {
	return fmt.Sprintf("%d %s %d %d %d", m.Number, m.Package, m.Site, m.Variant, m.K)
}
