//go:build go1.25

package codec_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/schema"
)

// Values of any are printed as plain Go, and read back.
func TestAnyText(t *testing.T) {
	w, err := schema.Derive(reflect.TypeFor[map[string]any](), nil)
	if err != nil {
		t.Fatal(err)
	}
	in := map[string]any{"a": 1.5, "b": []any{nil, true}, "c": map[string]any{"d": 2.0, "e": []any{}}, "f": "g"}
	x, err := w.Read(reflect.ValueOf(in))
	if err != nil {
		t.Fatal(err)
	}
	text := codec.Print(w, x, codec.Style{Width: 120})
	const want = `map[string]any{"a": 1.5, "b": []any{nil, true}, "c": map[string]any{"d": 2.0, "e": []any{}}, "f": "g"}`
	if text.Expr != want || text.Decl("in") != "in := "+want || !text.Nameable {
		t.Errorf("%s", text.Decl("in"))
	}
	roundTrip(t, w, x, codec.Style{Case: true})
}

// What a case says about an any that cannot be there is lost, and said; nil is there, as in the
// cases of earlier versions.
func TestAnyCases(t *testing.T) {
	w, err := schema.Derive(reflect.TypeFor[map[string]any](), nil)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		`map[string]any{"a": nil}`:          "",
		`map[string]any{"a": any(nil)}`:     "",
		`map[string]any{"a": float64(1)}`:   "",
		`map[string]any{"a": 1}`:            "1 is not a variant of any",
		`map[string]any{"a": []any(nil)}`:   "any",
		`map[string]any{"a": math.NaN()}`:   "range",
		`map[string]any{"a": "\xff"}`:       "",
		`map[string]any{"a": []int{1}}`:     "[]int is not a variant of any",
		`map[string]any{"a": []any{1, 2.}}`: "1 is not a variant of any",
	} {
		c, err := codec.Decode(w, "x.go", []byte(text), nil)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got := ""
		for _, l := range c.Losses {
			got += l.Reason
		}
		if (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
