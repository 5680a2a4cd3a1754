//go:build go1.25

package schema

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/value/attempt"
)

type (
	readsForever  struct{ n, m int }
	writesForever struct{ n, m int }
	stuck         struct {
		R readsForever
		W *writesForever
	}
)

func (readsForever) MarshalText() ([]byte, error)  { panic("no text") }
func (*readsForever) UnmarshalText([]byte) error   { select {} }
func (*writesForever) UnmarshalJSON([]byte) error  { return nil }
func (writesForever) MarshalJSON() ([]byte, error) { select {} }

// A method that never returns is named, and the values are made from fields.
func TestEndlessMethods(t *testing.T) {
	defer func(max time.Duration) { attempt.Max = max }(attempt.Max)
	attempt.Max = 50 * time.Millisecond
	found, err := NewFound("", (*readsForever).UnmarshalText)
	if err != nil {
		t.Fatal(err)
	}
	for _, decls := range [][]Decl{nil, {{Type: found.Result, What: found, Tier: Found}}} {
		w, err := Derive(reflect.TypeFor[stuck](), decls)
		if err != nil || w.Root.Ctors[0].Fields[0].S.Kind != Struct {
			t.Fatalf("%v", err)
		}
		notes := strings.Join(w.Notes, "\n")
		for _, want := range []string{
			"in.R: method UnmarshalText of schema.readsForever did not return within 50ms; allele calls it",
			"in.W: method MarshalJSON of schema.writesForever did not return",
			"fix the method, or declare allele.Builder for schema.readsForever",
		} {
			if !strings.Contains(notes, want) {
				t.Errorf("no note %q in:\n%s", want, notes)
			}
		}
		if n := strings.Count(notes, "\n") + 1; n != 2 {
			t.Errorf("%d notes:\n%s", n, notes)
		}
	}
}
