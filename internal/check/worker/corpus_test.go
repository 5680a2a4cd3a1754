//go:build go1.25

package worker

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/share"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/store/corpus"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

type tree struct {
	L, R *tree
	K    int
}

// A case sent to another worker is received unchanged, and an invalid case is rejected.
func TestShared(t *testing.T) {
	world, err := schema.Derive(reflect.TypeFor[*tree](), nil)
	if err != nil {
		t.Fatal(err)
	}
	x, err := world.Read(reflect.ValueOf(&tree{L: &tree{K: 3}, K: 7}))
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range []trace.Run{{}, {Symbols: []uint32{1, 1 << 31, 7}}, {Symbols: []uint32{2, 3}, Set: true}} {
		for _, v := range []engine.Verdict{engine.Passed, engine.Discarded} {
			sent, ok := shared(1<<63+5, x, v, run).Encode().Decode()
			y, w, got, fits := received(world, sent)
			if !ok || !fits || sent.Trace != 1<<63+5 || !term.Equal(x, y) || v != w || run.Set != got.Set || !slices.Equal(run.Symbols, got.Symbols) {
				t.Errorf("%v %+v came back as %v %+v, %v", v, run, w, got, ok)
			}
		}
	}
	for _, bad := range []share.Case{{}, {Term: []byte("sixteen bytes of")}, {Verdict: byte(engine.Failed), Term: x.Memory()}} {
		if _, _, _, ok := received(world, bad); ok {
			t.Errorf("%+v is taken for a case", bad)
		}
	}
}

// A corpus has a limit: of more cases, which several workers may have stored, the first are run.
func TestFullCorpus(t *testing.T) {
	k := &keeper{seen: map[uint64]bool{}}
	some := k.count(make([]corpus.Entry, rareMax+5))
	if len(some) != rareMax || k.stored != [2]int{0, rareMax} {
		t.Errorf("%d read, %v stored", len(some), k.stored)
	}
}

// Cases that no search runs again are dropped from a corpus, once there are many.
func TestShorten(t *testing.T) {
	for _, c := range []struct{ before, after int }{{rareMax + 5, rareMax + 5}, {2*rareMax - 1, 2*rareMax - 1}, {2 * rareMax, rareMax}, {5 * rareMax, rareMax}} {
		folder := t.TempDir()
		w, err := corpus.Create(folder, "p", "TestX")
		if err != nil {
			t.Fatal(err)
		}
		for i := range c.before {
			if err := w.Add(corpus.Entry{Verdict: event.Passed, Input: fmt.Sprint(i)}); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		before, err := corpus.Read(folder)
		if err != nil || len(before.Entries) != c.before {
			t.Fatal(len(before.Entries), err)
		}
		k := &keeper{}
		k.shorten(folder, before.Entries, k.count(before.Entries))
		after, err := corpus.Read(folder)
		if err != nil || len(after.Entries) != c.after || k.trouble != "" {
			t.Errorf("%d cases of %d are left, want %d; %v %s", len(after.Entries), c.before, c.after, err, k.trouble)
		}
	}
}

// When a corpus is full, cases that reach nothing that the others do not reach are dropped.
func TestUnneeded(t *testing.T) {
	one := func(id string, passed, fixed bool, size int, shows ...uint64) savedCase {
		v := event.Discarded
		if passed {
			v = event.Passed
		}
		return savedCase{id: id, verdict: v, size: size, shows: shows, fixed: fixed}
	}
	for _, c := range []struct {
		name string
		all  []savedCase
		drop string
	}{
		{"each is needed", []savedCase{one("a", true, false, 1, 1), one("b", true, false, 1, 2)}, ""},
		{"the larger one of two is dropped", []savedCase{one("a", true, false, 9, 1), one("b", true, false, 1, 1)}, "a"},
		{"the one that shows less is dropped", []savedCase{one("a", true, false, 9, 1, 2), one("b", true, false, 1, 1)}, "b"},
		{"a discarded one is dropped before one that passed", []savedCase{one("a", false, false, 1, 1, 2), one("b", true, false, 9, 1, 2)}, "a"},
		{"a discarded one that shows more stays", []savedCase{one("a", false, false, 1, 1, 2), one("b", true, false, 9, 1)}, ""},
		{"one that kills a fault stays", []savedCase{one("a", true, true, 9, 1), one("b", true, false, 1, 1)}, "b"},
	} {
		got := strings.Join(slices.Sorted(maps.Keys(unneeded(c.all))), " ")
		if got != c.drop {
			t.Errorf("%s: %q dropped, want %q", c.name, got, c.drop)
		}
	}
}
