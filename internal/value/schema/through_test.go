//go:build go1.25

package schema_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
)

type letter struct {
	To   string
	Body []byte
}

func encodeLetter(l letter) ([]byte, error) {
	if l.To == "nobody" {
		return nil, errors.New("nobody")
	}
	return append([]byte(l.To+":"), l.Body...), nil
}

func through(t *testing.T, more ...schema.Decl) *schema.World {
	t.Helper()
	m, err := schema.NewEncoder(encodeLetter)
	if err != nil {
		t.Fatal(err)
	}
	w, err := schema.Derive(reflect.TypeFor[[]byte](), append(more, schema.Decl{Type: m.Result, What: schema.Through{Encoder: m}, Tier: schema.Local}))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// Generated inputs are calls of the encoder, and the bytes inside of the encoded value are bytes.
func TestEncoder(t *testing.T) {
	w := through(t)
	if w.Encoder() == nil || w.Source() != reflect.TypeFor[letter]() {
		t.Errorf("encoder %v of %v", w.Encoder(), w.Source())
	}
	g := gen.New(w)
	for i := range uint64(200) {
		x := g.Term(rng.At(1, i), 10)
		v, ok := w.Value(x)
		if x[0].C != schema.EncodeCall || !ok || !strings.Contains(string(v.Bytes()), ":") {
			t.Fatalf("constructor %d makes %q, %v", x[0].C, v.Bytes(), ok)
		}
	}
}

// A value is read as a call of the encoder.
func TestReadSource(t *testing.T) {
	w := through(t)
	x, err := w.ReadSource(reflect.ValueOf(letter{"you", []byte("hello")}))
	if err != nil || x[0].C != schema.EncodeCall {
		t.Fatal(x, err)
	}
	if v, ok := w.Value(x); !ok || string(v.Bytes()) != "you:hello" {
		t.Errorf("encoded as %q, %v", v.Bytes(), ok)
	}
}

// Bytes that no call makes are a term too, and stay what they are.
func TestGivenBytes(t *testing.T) {
	w := through(t)
	for _, b := range [][]byte{nil, {}, []byte("x"), []byte("no colon \xff\x00")} {
		x, err := w.Read(reflect.ValueOf(b))
		if err != nil {
			t.Fatal(err)
		}
		v, ok := w.Value(x)
		if x[0].C != schema.GivenBytes || !ok || !reflect.DeepEqual(v.Interface(), b) {
			t.Errorf("constructor %d makes %#v, %v, want %#v", x[0].C, v.Interface(), ok, b)
		}
	}
}

// An encoder that returns an error refuses the value.
func TestEncoderRefuses(t *testing.T) {
	w := through(t, schema.Decl{Type: reflect.TypeFor[string](), What: schema.Values{All: []reflect.Value{reflect.ValueOf("nobody")}}, Tier: schema.Local})
	if _, ok := w.Value(gen.New(w).Term(rng.New(1), 5)); ok {
		t.Error("a letter to nobody was encoded")
	}
}

func TestNewEncoder(t *testing.T) {
	for _, f := range []any{func(int) (string, error) { return "", nil }, func(int, int) ([]byte, error) { return nil, nil }, 7} {
		if _, err := schema.NewEncoder(f); err == nil {
			t.Errorf("%T is accepted", f)
		}
	}
}
