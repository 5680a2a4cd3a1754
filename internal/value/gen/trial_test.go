//go:build go1.25

package gen_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
)

type picky struct{ n int }

func pickyAny(n int) picky { return picky{n} }

func pickyEven(n int) (picky, bool) { return picky{n}, n%2 == 0 }

func pickyNone(n int) picky {
	if n != 77777 {
		panic("not that")
	}
	return picky{n}
}

func pickyLarge(n int) (picky, bool) { return picky{n}, n > 6 }

// A function that accepts most of its input keeps its odds. A function that
// rejects much gets lower odds, and one that rejects everything gets none.
func TestTrial(t *testing.T) {
	for _, c := range []struct {
		name string
		fs   []any
		odds string
	}{
		{"all accept", []any{pickyAny, pickyAny}, "as before"},
		{"one rejects all", []any{pickyAny, pickyNone}, "1 0"},
		{"one rejects most", []any{pickyAny, pickyLarge, pickyEven}, "1 less less"},
		{"all reject all", []any{pickyNone, pickyNone}, "as before"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var ds []schema.Decl
			for _, f := range c.fs {
				m, err := schema.NewFound("", f)
				if err != nil {
					t.Fatal(err)
				}
				ds = append(ds, schema.Decl{Type: m.Result, What: m, Tier: schema.Found})
			}
			w, err := schema.Derive(reflect.TypeFor[picky](), ds)
			if err != nil {
				t.Fatal(err)
			}
			gen.Trial(w)
			if got := oddsText(w.Root.Odds); got != c.odds {
				t.Errorf("got %s (%v), want %s", got, w.Root.Odds, c.odds)
			}
		})
	}
}

// A function that makes values of two types, here picky and *picky, is named once.
func TestTrialNotesOnce(t *testing.T) {
	var ds []schema.Decl
	for _, f := range []any{pickyAny, pickyNone} {
		m, err := schema.NewFound("", f)
		if err != nil {
			t.Fatal(err)
		}
		ds = append(ds, schema.Decl{Type: m.Result, What: m, Tier: schema.Found})
	}
	w, err := schema.Derive(reflect.TypeFor[picky](), ds)
	if err != nil {
		t.Fatal(err)
	}
	again := *w.Root
	w.Schemas = append(w.Schemas, &again)
	if gen.Trial(w); len(w.Notes) != 1 {
		t.Errorf("%q", w.Notes)
	}
}

func oddsText(odds []float64) string {
	if odds == nil {
		return "as before"
	}
	var words []string
	for _, w := range odds {
		words = append(words, map[bool]string{w == 0: "0", w == 1: "1", w > 0 && w < 1: "less"}[true])
	}
	return strings.Join(words, " ")
}

// A declared weight of a function is not changed by Trial.
func TestTrialLeavesWeights(t *testing.T) {
	var ds []schema.Decl
	for _, f := range []any{pickyAny, pickyNone} {
		m, err := schema.NewFound("", f)
		if err != nil {
			t.Fatal(err)
		}
		ds = append(ds, schema.Decl{Type: m.Result, What: m, Tier: schema.Found})
	}
	ds = append(ds, schema.Decl{Type: reflect.TypeFor[picky](), What: &schema.Mix{Weights: map[string]float64{"pickyNone": 0.5}}})
	w, err := schema.Derive(reflect.TypeFor[picky](), ds)
	if err != nil {
		t.Fatal(err)
	}
	if gen.Trial(w); w.Root.Odds[0] != 1 || w.Root.Odds[1] != 0.5 {
		t.Errorf("got %v", w.Root.Odds)
	}
}

// A function whose calls do not end in time keeps its odds, and a note says so.
func TestTrialWithin(t *testing.T) {
	var decls []schema.Decl
	for _, f := range []any{pickyAny, pickyNone} {
		m, err := schema.NewFound("", f)
		if err != nil {
			t.Fatal(err)
		}
		decls = append(decls, schema.Decl{Type: m.Result, What: m, Tier: schema.Found})
	}
	w, err := schema.Derive(reflect.TypeFor[picky](), decls)
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	gen.TrialWithin(w, func(f func()) bool {
		if calls++; calls == 1 {
			return false
		}
		f()
		return true
	})
	if got := w.Root.Odds; len(got) != 2 || got[0] != 1 || got[1] != 0 {
		t.Errorf("the odds are %v, want 1 and 0", got)
	}
	if len(w.Notes) != 2 || !strings.Contains(w.Notes[0], "pickyAny takes very long with some arguments; list them in Small") {
		t.Errorf("the notes are %q", w.Notes)
	}
}
