//go:build go1.25

package finding

import (
	"reflect"
	"testing"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

type pair struct{ A, B uint8 }

func encodePair(p pair) ([]byte, error) { return []byte{'P', p.A, p.B}, nil }

// A finding is lifted to the highest level that fails, and a value below a fault is shrunk.
func TestRaise(t *testing.T) {
	m, err := schema.NewEncoder(encodePair)
	if err != nil {
		t.Fatal(err)
	}
	w, err := schema.Derive(reflect.TypeFor[[]byte](), []schema.Decl{{Type: m.Result, What: schema.Through{Encoder: m}, Tier: schema.Local}})
	if err != nil {
		t.Fatal(err)
	}
	bytes := func(x term.Term) []byte {
		v, ok := w.Value(x)
		if !ok {
			t.Fatal("cannot be built")
		}
		return v.Bytes()
	}
	// The fault makes the first byte larger.
	faulty := func(value term.Term) (term.Term, bool) {
		b := bytes(value)
		b[0]++
		x, err := w.Read(reflect.ValueOf(b))
		return x, err == nil
	}
	for _, c := range []struct {
		name    string
		fault   string
		fails   func(b []byte) bool
		want    string // bytes of the result
		value   string // bytes of the value afterwards
		changed bool
	}{
		{"value", "f", func(b []byte) bool { return b[1] > 3 }, "P\x09\x08", "P\x09\x08", true},
		{"fault", "f", func(b []byte) bool { return b[0] == 'Q' && b[1] > 3 }, "Q\x04\x00", "P\x04\x00", false},
		{"bytes", "f", func(b []byte) bool { return b[0] == 'X' }, "", "P\x09\x08", true},
		{"bytes without a fault", "", func(b []byte) bool { return b[0] == 'Q' }, "", "P\x09\x08", true},
	} {
		x, err := w.ReadSource(reflect.ValueOf(pair{9, 8}))
		if err != nil {
			t.Fatal(err)
		}
		s := &Source{Value: x, Fault: c.fault, Changed: true, Encode: faulty}
		got := ""
		if best := s.raise(w, func() bool { return false }, func(x term.Term) bool { return c.fails(bytes(x)) }); best != nil {
			got = string(bytes(best))
		}
		if value := string(bytes(s.Value)); got != c.want || value != c.value || s.Changed != c.changed {
			t.Errorf("%s: %q of %q, changed %v; want %q of %q, %v", c.name, got, value, s.Changed, c.want, c.value, c.changed)
		}
	}
}
