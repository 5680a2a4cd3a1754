//go:build go1.25

package engine

import (
	"reflect"
	"slices"
	"testing"

	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

type picture struct{ W, H uint8 }

func encodePicture(p picture) ([]byte, error) { return []byte{'P', p.W, p.H, p.W ^ p.H}, nil }

func encodedWorld(t *testing.T) *schema.World {
	t.Helper()
	m, err := schema.NewEncoder(encodePicture)
	if err != nil {
		t.Fatal(err)
	}
	w, err := schema.Derive(reflect.TypeFor[[]byte](), []schema.Decl{{Type: m.Result, What: schema.Through{Encoder: m}, Tier: schema.Local}})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func bytesOf(t *testing.T, w *schema.World, x term.Term) []byte {
	t.Helper()
	v, ok := w.Value(x)
	if !ok {
		t.Fatal("cannot be built")
	}
	return v.Bytes()
}

// forger is a Forger whose encoder has faults that make bytes with a high first byte.
type forger struct {
	t     *testing.T
	world *schema.World
	kept  []term.Term
	made  int
	asked int
	idle  bool // it makes nothing
}

func (f *forger) raw(b []byte) term.Term {
	x, err := f.world.Read(reflect.ValueOf(b))
	if err != nil {
		f.t.Fatal(err)
	}
	return x
}

func (f *forger) Freeze(x term.Term) term.Term { return f.raw(bytesOf(f.t, f.world, x)) }

func (f *forger) Keep(x term.Term) { f.kept = append(f.kept, x.Clone()) }

func (f *forger) Forge() (term.Term, *Source, int, bool) {
	if len(f.kept) == 0 {
		return nil, nil, 0, false
	}
	if f.asked++; f.idle {
		return nil, nil, 1000, true
	}
	if f.asked%4 == 0 {
		return nil, nil, 10, true
	}
	f.made++
	return f.raw([]byte{0xff, byte(f.made), byte(f.made >> 8)}), &Source{Value: f.kept[0], Fault: f.made}, 10, true
}

// searched runs a search, and counts its terms by level. see returns the path of a run.
func searched(t *testing.T, runs int, see func(b []byte, raw, forged bool) []uint32) (counts map[string]int, f *forger) {
	w := encodedWorld(t)
	s := Guided()
	f = &forger{t: t, world: w}
	e := New(Config{World: w, Seed: 1, Size: 20, Tests: 1 << 30, Strategy: &s, Forger: f})
	counts = map[string]int{}
	for range runs {
		x, ok := e.Next()
		if !ok {
			t.Fatal("the search has ended")
		}
		from, changed := e.Source()
		raw := x[0].C == schema.GivenBytes
		level := "value"
		switch {
		case raw && from != nil && from.Fault != nil && !changed:
			level = "fault"
		case raw && from != nil && changed:
			level = "bytes"
		case raw:
			t.Fatalf("bytes without a source: %q", bytesOf(t, w, x))
		}
		counts[level]++
		e.Done(Passed, trace.Run{Symbols: see(bytesOf(t, w, x), raw, level == "fault")})
	}
	return counts, f
}

// The strategy of the MutaGen paper encodes one value, runs what encoders with faults make of it, and ends.
func TestForged(t *testing.T) {
	w := encodedWorld(t)
	s := Strategy{Opening: Schedule{only("faults")}}
	f := &forger{t: t, world: w}
	var logged []string
	e := New(Config{World: w, Seed: 1, Size: 20, Tests: 1 << 30, Strategy: &s, Forger: f, Log: func(x Entry) { logged = append(logged, x.Kind) }})
	for run := range 10 {
		if run == 8 {
			f.kept = nil
		}
		x, more := e.Next()
		if more != (run < 8) || more && (x[0].C == schema.GivenBytes) != (run > 0) {
			t.Fatalf("run %d: %v, %v", run, x, more)
		}
		if more {
			e.Done(Passed, trace.Run{Symbols: []uint32{uint32(run)}})
		}
	}
	if !slices.Equal(logged, []string{"1", "2", "3", "4", "5", "6", "7"}) {
		t.Errorf("logged %q", logged)
	}
}

// Every level is tried, and the level that shows something new gets most runs.
func TestLevels(t *testing.T) {
	next := uint32(0)
	for _, pays := range []string{"value", "fault", "bytes"} {
		counts, f := searched(t, 3000, func(b []byte, raw, forged bool) []uint32 {
			path := []uint32{1, 2}
			if pays == "value" && !raw || pays == "fault" && forged || pays == "bytes" && raw && !forged {
				next++
				path = append(path, 10+next)
			}
			return path
		})
		for level, n := range counts {
			if n < 5 || level == pays && n < 1200 || level != pays && level != "value" && n > 600 {
				t.Errorf("%s pays, and %s has %d runs", pays, level, n)
			}
		}
		if len(counts) != 3 || len(f.kept) == 0 {
			t.Errorf("%s pays: levels %v, %d values kept", pays, counts, len(f.kept))
		}
	}
}

// A level that makes nothing is charged for its steps, and hardly tried any more.
func TestIdleLevel(t *testing.T) {
	w := encodedWorld(t)
	s := Guided()
	f := &forger{t: t, world: w, idle: true}
	e := New(Config{World: w, Seed: 1, Size: 20, Tests: 1 << 30, Strategy: &s, Forger: f})
	for i := range 3000 {
		if _, ok := e.Next(); !ok {
			t.Fatal("the search has ended")
		}
		e.Done(Passed, trace.Run{Symbols: []uint32{1, 2, 3, uint32(i) % 50}})
	}
	if f.asked == 0 || f.asked > 100 {
		t.Errorf("asked %d times in 3000 runs of 4 steps, for 1000 steps each", f.asked)
	}
}

// Bytes that were made of a value are kept, and their changes know the value.
func TestLevelsKeepSources(t *testing.T) {
	w := encodedWorld(t)
	f := &forger{t: t, world: w}
	s := Guided()
	e := New(Config{World: w, Seed: 1, Size: 20, Tests: 1 << 30, Strategy: &s, Forger: f})
	same := 0
	for i := range 2000 {
		x, _ := e.Next()
		if from, changed := e.Source(); changed && from.Fault == nil {
			if v := bytesOf(t, w, from.Value); len(v) == 4 && v[0] == 'P' {
				same++
			}
		}
		b := bytesOf(t, w, x)
		e.Done(Passed, trace.Run{Symbols: []uint32{1, uint32(2 + len(b)%50), uint32(100 + i%7)}})
	}
	if same < 20 {
		t.Errorf("%d changes of the bytes of a value", same)
	}
}
