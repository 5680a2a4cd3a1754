//go:build go1.25

package worker

import (
	"reflect"
	"slices"
	"testing"

	"github.com/allele-go/allele/internal/ops/corpus"
	"github.com/allele-go/allele/internal/ops/exchange"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/trace"
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
	for _, bad := range []exchange.Case{{}, {Term: []byte("sixteen bytes of")}, {Verdict: byte(engine.Failed), Term: x.Memory()}} {
		if _, _, _, ok := received(world, bad); ok {
			t.Errorf("%+v is taken for a case", bad)
		}
	}
}

// A corpus has a limit, and the keeper counts the cases beyond it.
func TestFullCorpus(t *testing.T) {
	w, err := corpus.Create(t.TempDir(), "example.com/x", "TestX")
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	k := &keeper{writer: w, seen: map[uint64]bool{}}
	some := k.count(make([]corpus.Entry, rareMax+5))
	k.keep(engine.Entry{Verdict: engine.Discarded}, trace.Run{})
	if len(some) != rareMax || k.full != 6 || k.stored != [2]int{0, rareMax} {
		t.Errorf("%d read, %d too many, %v stored", len(some), k.full, k.stored)
	}
}
