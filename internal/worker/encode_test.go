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
	for _, n := range texts {
		if g.mode(atLength) == hook.GateFirst {
			n++
		}
		b = append(b, n)
	}
	switch g.mode(atPanic) {
	case hook.GateFirst:
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
	w, err := schema.Derive(reflect.TypeFor[[]byte](), []schema.Decl{{Type: m.Result, Make: m, Whole: true, Tier: schema.Local}})
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

// Faults in the slice come first, and with a filter there are no others. A place whose value is not
// written is outside, and so is one that makes the encoder fail.
func TestSlice(t *testing.T) {
	for _, c := range []struct {
		how            string
		faults, sliced int
	}{{sliceFirst, 5, 2}, {sliceFilter, 2, 2}, {sliceNone, 5, 0}} {
		g, e := newEncoding(t)
		x := gen.New(e.world).Term(rng.New(1), 3).Clone()
		a := e.answer(x, encodeQuestion{Term: operand.AppendTerm(nil, x), Choice: choice{Slice: c.how}})
		if a.Faults != c.faults || a.Sliced != c.sliced {
			t.Errorf("%q: %d faults, %d in the slice", c.how, a.Faults, a.Sliced)
		}
		for i, f := range e.faults {
			if in := f.Site == atLength || f.Site == atState; c.how != sliceNone && in != (i < c.sliced) {
				t.Errorf("%q: fault %d is at place %d", c.how, i, f.Site)
			}
		}
		g.bad = false
	}
}

// The strategy of the paper makes the paper's faults only, and each once.
func TestEncodePaper(t *testing.T) {
	g, e := newEncoding(t)
	e.numbers = numbers([]listedFault{{fault: fault{Package: "p", Site: atLength}, Number: 2},
		{fault: fault{Package: "p", Site: atSame}, Number: 3}, {fault: fault{Package: "p", Variant: 9}}})
	x := gen.New(e.world).Term(rng.New(1), 3).Clone()
	a := e.answer(x, encodeQuestion{Term: operand.AppendTerm(nil, x), Count: places * 2, Choice: choices["faults-paper"]})
	if a.Faults != 2 || a.Runs != 2 || len(a.Made) != 1 || a.Made[0].Number != 2 || a.Made[0].K != 0 {
		t.Errorf("got %+v", a)
	}
	g.bad = false
	all := e.answer(x, encodeQuestion{Term: operand.AppendTerm(nil, x), Count: places * 2, Choice: choices["faults"]})
	if all.Faults != 5 || all.Runs <= 5 {
		t.Errorf("with another choice: %+v", all)
	}
}

// A fault that blocks the encoder is reported by another goroutine, with what was made before.
func TestEncodeStuck(t *testing.T) {
	g, e := newEncoding(t)
	x := gen.New(e.world).Term(rng.New(1), 3).Clone()
	q := encodeQuestion{Term: operand.AppendTerm(nil, x), Count: places * 2, Choice: choice{Slice: sliceNone}}
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
