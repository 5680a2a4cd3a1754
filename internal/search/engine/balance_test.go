//go:build go1.25

package engine

import (
	"reflect"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// expression is an input of which texts are parts.
type expression struct {
	Name string
	Of   []expression
}

// edited searches inputs of a type with some seeds. Each input shows something new. It counts the edits of
// texts among the mutants.
func edited(t *testing.T, typ reflect.Type, s Strategy, most int) (edits, mutants int) {
	t.Helper()
	w, err := schema.Derive(typ, nil)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(4) {
		e := New(Config{World: w, Seed: seed, Size: 10, Tests: most, Runs: most, Strategy: &s, Words: []string{"filter", "map", "+", "-"}})
		for x, ok := e.Next(); ok; x, ok = e.Next() {
			path := []uint32{uint32(term.Hash(x))%5000 | hook.Coarse}
			e.Done(Passed, trace.Run{Symbols: path, Hits: 1})
		}
		for _, k := range e.Report().Kinds {
			switch k.Kind {
			case "text":
				edits += k.Tried
				mutants += k.Tried
			case "pure", "lists", "filled", "sampled", "fragments", "dictionary":
				mutants += k.Tried
			}
		}
	}
	return edits, mutants
}

// Edits of texts that are parts of an input leave room for other changes. If the input is a text,
// nearly all changes are edits.
func TestEditsLeaveRoom(t *testing.T) {
	const most = 20_000
	unlimited := Guided()
	one := *unlimited.Search
	one.Batches.Edits = 0
	unlimited.Search = &one
	for _, c := range []struct {
		name       string
		typ        reflect.Type
		strategy   Strategy
		least, max float64 // share of edits
	}{
		{"parts", reflect.TypeFor[expression](), Guided(), 0.15, 0.35},
		{"parts without the limit", reflect.TypeFor[expression](), unlimited, 0.35, 1},
		{"the input", reflect.TypeFor[string](), Guided(), 0.8, 1},
	} {
		edits, mutants := edited(t, c.typ, c.strategy, most)
		share := float64(edits) / float64(mutants)
		t.Logf("%s: %d of %d mutants are edits", c.name, edits, mutants)
		if share < c.least || share > c.max {
			t.Errorf("%s: %d of %d mutants are edits, want %.2f to %.2f", c.name, edits, mutants, c.least, c.max)
		}
	}
}

// Deferred edits are made when there is nothing else to do: then every change of every kept input
// was run.
func TestDeferredEditsAreMade(t *testing.T) {
	type pair struct {
		Name string
		On   bool
	}
	w, err := schema.Derive(reflect.TypeFor[pair](), nil)
	if err != nil {
		t.Fatal(err)
	}
	s := Guided()
	one := *s.Search
	one.Renew.Restart, one.Renew.Reset = 0, 0
	s.Search = &one
	const most = 30_000
	e := New(Config{World: w, Seed: 1, Size: 10, Tests: most, Runs: most, Strategy: &s, Words: strings.Fields("a b c d e f g h if else for while")})
	for x, ok := e.Next(); ok; x, ok = e.Next() {
		e.Done(Passed, trace.Run{Symbols: []uint32{uint32(min(len(x), 4)) | hook.Coarse}, Hits: 1})
	}
	b := e.search.with.changes.balance
	if r := e.Report(); b.edits < editsFirst+b.others || r.Kept == 0 || r.Whole+r.Bounded != r.Kept {
		t.Errorf("%+v, %+v", b, r)
	}
}
