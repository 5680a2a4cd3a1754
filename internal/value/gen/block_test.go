//go:build go1.25

package gen_test

import (
	"reflect"
	"testing"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// A page takes as much memory as a byte slice of its size, and few of its bytes are drawn. IDs
// are mostly different, and some are equal.
func TestBlocks(t *testing.T) {
	pages, err := schema.Derive(reflect.TypeFor[*[65536]byte](), nil)
	if err != nil {
		t.Fatal(err)
	}
	g := gen.New(pages)
	distinct, drawn, some := map[uint64]bool{}, 0, 0
	for run := range uint64(1000) {
		x := g.Term(rng.At(1, run), int(run)%30)
		if len(x) > 2+65536/16 {
			t.Fatalf("run %d: %d units", run, len(x))
		}
		distinct[term.Hash(x)] = true
		if x[0].C == 0 {
			continue
		}
		some++
		for _, b := range x.Bytes(1) {
			if b != 0 {
				drawn++
			}
		}
	}
	if len(distinct) < 850 || some < 900 || drawn/some > 8192 {
		t.Errorf("%d different pages, %d not nil, with %d bytes on average", len(distinct), some, drawn/some)
	}

	ids, err := schema.Derive(reflect.TypeFor[[][16]byte](), nil)
	if err != nil {
		t.Fatal(err)
	}
	g = gen.New(ids)
	all, again := 0, 0
	for run := range uint64(1000) {
		x := g.Term(rng.At(1, run), 10)
		seen := map[string]bool{}
		for k := range x.Kids(0) {
			id := string(x.Bytes(k))
			if all++; seen[id] {
				again++
			}
			seen[id] = true
		}
	}
	if again*20 < all || again*4 > all {
		t.Errorf("%d of %d IDs are equal to an earlier one in the list", again, all)
	}
}

// A change of a long array keeps its length and type, and mostly changes a few elements.
func TestVary(t *testing.T) {
	for _, typ := range []reflect.Type{reflect.TypeFor[[16]bool](), reflect.TypeFor[[32]byte](), reflect.TypeFor[[1000]int16](), reflect.TypeFor[[20]float32]()} {
		w, err := schema.Derive(typ, nil)
		if err != nil {
			t.Fatal(err)
		}
		g, s := gen.New(w), w.Root
		now := g.Term(rng.At(1, 1), 20).Clone()
		changed, few := 0, 0
		for run := range uint64(500) {
			x := g.Vary(rng.At(2, run), s, now, 20)
			if len(x) != len(now) || x[0] != now[0] || !s.ItemsFit(x.Bytes(0)) {
				t.Fatalf("%v: %v", typ, x)
			}
			n := 0
			for i := range s.Len {
				if s.Item(x.Bytes(0), i) != s.Item(now.Bytes(0), i) {
					n++
				}
			}
			if n > 0 {
				changed++
			}
			if n == 1 || n == 2 {
				few++
			}
		}
		if changed < 200 || few < 100 {
			t.Errorf("%v: %d of 500 differ, %d in one element or two", typ, changed, few)
		}
	}
}
