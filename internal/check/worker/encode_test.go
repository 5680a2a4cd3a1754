//go:build go1.25

package worker

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"reflect"
	"slices"
	"testing"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/search/operand"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
)

// The places of the encoder of this test, which evaluates its gates itself.
const (
	atLength = iota // 0: the length becomes one larger
	atPanic         // 0: panics; 1: returns an error
	atState         // 0: makes all later bytes different
	atSame          // 0: changes a value that is not written
	atNever         // is not reached
	places
)

type gatedEncoder struct {
	faults *hook.Faults
	bad    bool
	sticky bool // after a panic, all runs panic
	stuck  bool // they do now
	varies bool // the bytes differ from run to run
	calls  byte
	block  chan bool // if it is not nil, the fault at atSame blocks
}

// mode is what the gate of a rewritten program does.
func (g *gatedEncoder) mode(place int) uint8 {
	m := g.faults.Site[place]
	if m >= hook.GateOnce {
		m = hook.FaultTurn(m)
	}
	if m == hook.GateRecord {
		g.faults.Hit[place], g.faults.Diff[place] = 1, g.faults.All[place]
	}
	return m
}

func (g *gatedEncoder) encode(texts [3]uint8) ([]byte, error) {
	var b []byte
	if g.stuck {
		panic("after a fault")
	}
	if g.varies {
		g.calls++
		b = append(b, g.calls)
	}
	for _, n := range texts {
		if g.mode(atLength) == hook.GateFirst {
			n++
		}
		b = append(b, n)
	}
	switch g.mode(atPanic) {
	case hook.GateFirst:
		g.stuck = g.sticky
		panic("an encoder with a fault")
	case hook.GateFirst + 1:
		return nil, errors.New("no")
	}
	if g.mode(atState) == hook.GateFirst {
		g.bad = true
	}
	if g.mode(atSame) == hook.GateFirst && g.block != nil {
		<-g.block
	}
	if g.bad {
		b = append(b, 'x')
	}
	return b, nil
}

func newEncoding(t *testing.T) (*gatedEncoder, *encoding) {
	t.Helper()
	g := &gatedEncoder{faults: &hook.Faults{Path: "p", Site: make([]uint8, places), Func: make([]uint8, 1), Hit: make([]uint8, places),
		Diff: make([]uint8, places), All: []uint8{1, 3, 1, 1, 1}, Of: make([]int32, places)}}
	old := hook.Gates
	hook.Gates = []*hook.Faults{g.faults}
	t.Cleanup(func() { hook.Gates = old })
	m, err := schema.NewEncoder(g.encode)
	if err != nil {
		t.Fatal(err)
	}
	w, err := schema.Derive(reflect.TypeFor[[]byte](), []schema.Decl{{Type: m.Result, What: schema.Through{Encoder: m}, Tier: schema.Local}})
	if err != nil {
		t.Fatal(err)
	}
	return g, &encoding{world: w, builder: schema.NewBuilder(w), seed: maphash.MakeSeed(), seen: map[uint64]bool{}}
}

// An encoder runs with each of its faults, always and once. Panics and errors are counted, and a
// fault that outlives its run is noticed.
func TestEncodeWithFaults(t *testing.T) {
	g, e := newEncoding(t)
	x := gen.New(e.world).Term(rng.New(1), 3).Clone()
	a := e.answer(x, encodeQuestion{Term: operand.AppendTerm(nil, x), Count: places * 2})
	if !a.Spoilt || a.Faults != 5 || a.Reached != 5 || a.Failed {
		t.Errorf("spoilt %v, %d faults of %d", a.Spoilt, a.Faults, a.Reached)
	}
	if a.Panics == 0 || a.Refused == 0 || a.Same == 0 {
		t.Errorf("%d panics, %d refused, %d same", a.Panics, a.Refused, a.Same)
	}
	if slices.ContainsFunc(g.faults.Site, func(m uint8) bool { return m != hook.GateOff }) || hook.FaultOn {
		t.Error("a fault is still on")
	}
}

// A fault that is on once makes the bytes of that evaluation.
func TestEncodeOnce(t *testing.T) {
	g, e := newEncoding(t)
	x := gen.New(e.world).Term(rng.New(1), 3).Clone()
	v, _ := e.world.Value(x)
	honest := v.Bytes()
	seen := map[string]bool{}
	for i := range 5 {
		for _, b := range e.answer(x, encodeQuestion{Term: operand.AppendTerm(nil, x), From: i, Count: 1}).Made {
			if b.Site == atLength {
				seen[fmt.Sprint(b.K, b.Bytes)] = true
			}
		}
		g.bad = false
	}
	for k := range 4 {
		b := slices.Clone(honest)
		for i := range b {
			if k == 0 || k == i+1 {
				b[i]++
			}
		}
		if !seen[fmt.Sprint(k, b)] {
			t.Errorf("%d %v was not made; made %v", k, b, seen)
		}
	}
	if only := e.answer(x, encodeQuestion{Term: operand.AppendTerm(nil, x), Only: &made{Package: "p", Site: atLength, K: 2}}); len(only.Made) != 1 || only.Made[0].Bytes[1] != honest[1]+1 {
		t.Errorf("one fault alone made %v of %v", only.Made, honest)
	}
}

// What runs have shown about the slice orders the faults of the next value, and with a filter no others are made. A place whose
// value is not written is outside, and so is one that makes the encoder fail.
func TestSlice(t *testing.T) {
	for _, c := range []struct {
		how        string
		runs, made int
	}{{sliceFirst, 12, 4}, {sliceNone, 12, 4}, {sliceFilter, 5, 4}} {
		_, e := newEncoding(t)
		x := gen.New(e.world).Term(rng.New(1), 3).Clone()
		state := []made{{Package: "p", Site: atState}}
		a := e.answer(x, encodeQuestion{Term: operand.AppendTerm(nil, x), Count: places * 2, Skip: state, Choice: job.Encoder{Slice: c.how}})
		if a.Faults != 5 || a.Sliced != 1 || a.Runs != c.runs || len(a.Made) != c.made {
			t.Errorf("%q: %d faults, %d in the slice, %d runs made %d", c.how, a.Faults, a.Sliced, a.Runs, len(a.Made))
		}
		for i := range uint64(20) {
			y := gen.New(e.world).Term(rng.New(2+i), 9).Clone()
			e.answer(y, encodeQuestion{Term: operand.AppendTerm(nil, y), Skip: state, Choice: job.Encoder{Slice: c.how}})
			if first := e.faults[0].Site == atLength; !first && c.how == sliceFirst {
				t.Errorf("%q: the first fault is at place %d", c.how, e.faults[0].Site)
			}
		}
	}
}

// A panic that leaves the encoder in another state ends the answer, and the next process goes on after it.
func TestEncodeSpoilt(t *testing.T) {
	early := 0
	for i := range uint64(20) {
		g, e := newEncoding(t)
		g.sticky = true
		x := gen.New(e.world).Term(rng.New(i), 3).Clone()
		a := e.answer(x, encodeQuestion{Term: operand.AppendTerm(nil, x), Count: places * 2, Skip: []made{{Package: "p", Site: atState}}})
		if !a.Spoilt || a.Panics != 2 { // always on, and once
			t.Errorf("got %+v", a)
		}
		if a.Done < a.Faults {
			early++
		}
	}
	if early < 5 {
		t.Errorf("%d of 20 answers end early", early)
	}
}

// If an encoder makes different bytes of the same value, that is no damage.
func TestEncodeVaries(t *testing.T) {
	g, e := newEncoding(t)
	g.varies = true
	x := gen.New(e.world).Term(rng.New(1), 3).Clone()
	a := e.answer(x, encodeQuestion{Term: operand.AppendTerm(nil, x), Count: places * 2})
	if a.Spoilt || a.Done != a.Faults {
		t.Errorf("got %+v", a)
	}
}

// The strategy of the paper makes the paper's faults only, and each once.
func TestEncodePaper(t *testing.T) {
	g, e := newEncoding(t)
	e.numbers = numbers([]listedFault{{fault: fault{Package: "p", Site: atLength}, Number: 2},
		{fault: fault{Package: "p", Site: atSame}, Number: 3}, {fault: fault{Package: "p", Variant: 9}}})
	x := gen.New(e.world).Term(rng.New(1), 3).Clone()
	a := e.answer(x, encodeQuestion{Term: operand.AppendTerm(nil, x), Count: places * 2, Choice: job.Encoder{Slice: sliceNone, Paper: true, Always: true}})
	if a.Faults != 2 || a.Runs != 2 || len(a.Made) != 1 || a.Made[0].Number != 2 || a.Made[0].K != 0 {
		t.Errorf("got %+v", a)
	}
	g.bad = false
	all := e.answer(x, encodeQuestion{Term: operand.AppendTerm(nil, x), Count: places * 2, Choice: job.Encoder{}})
	if all.Faults != 5 || all.Runs <= 5 {
		t.Errorf("with another choice: %+v", all)
	}
}

// A fault that blocks the encoder is reported by another goroutine, with what was made before.
func TestEncodeStuck(t *testing.T) {
	g, e := newEncoding(t)
	x := gen.New(e.world).Term(rng.New(1), 3).Clone()
	q := encodeQuestion{Term: operand.AppendTerm(nil, x), Count: places * 2, Choice: job.Encoder{Slice: sliceNone}}
	g.block = make(chan bool)
	answers, ended := make(chan encodeAnswer, 1), make(chan bool)
	go e.watch(func(text []byte) {
		var a encodeAnswer
		if json.Unmarshal(text, &a) == nil {
			select {
			case answers <- a:
			default:
			}
		}
	})
	go func() {
		defer close(ended)
		e.answer(x, q)
	}()
	a := <-answers
	close(g.block)
	<-ended
	if a.Stuck == nil || a.Stuck.Site != atSame || !a.Spoilt || a.Done == 0 {
		t.Errorf("got %+v", a)
	}
}
