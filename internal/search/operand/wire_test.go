//go:build go1.25

package operand

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/testkit/zoo"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

func TestComparedRoundTrip(t *testing.T) {
	cs := []Compared{{A: 1, B: 0xff, Width: 1}, {A: 0, B: 0xffff, Width: 2}, {A: 1 << 31, B: 7, Width: 4}, {A: ^uint64(0), B: 7, Width: 8}, {Text: true, X: "", Y: "a\xffb"}}
	for n := range len(cs) + 1 {
		got, err := Parse(Append(nil, cs[:n]))
		if err != nil || !slices.Equal(got, cs[:n]) {
			t.Errorf("%+v was read as %+v, %v", cs[:n], got, err)
		}
	}
}

// damage changes, removes or appends bytes.
func damage(r *rand.Rand, b []byte) []byte {
	b = slices.Clone(b)
	for range 1 + r.IntN(3) {
		switch r.IntN(3) {
		case 0:
			if len(b) > 0 {
				b[r.IntN(len(b))] ^= 1 << r.IntN(8)
			}
		case 1:
			b = b[:r.IntN(len(b)+1)]
		default:
			b = append(b, byte(r.Uint32()))
		}
	}
	return b
}

// Parse returns a list of valid comparisons or an error, whatever bytes a broken
// process sends.
func TestParseDamaged(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	whole := Append(nil, []Compared{{A: 1, B: 300, Width: 2}, {Text: true, X: "abc", Y: "rosebud"}, {A: 1 << 40, B: 7, Width: 8}})
	for range 100_000 {
		cs, err := Parse(damage(r, whole))
		for _, c := range cs {
			if err == nil && (c.Text != (c.Width == 0) || !c.Text && extend(c.A|c.B, 8*int(c.Width), false) != c.A|c.B) {
				t.Fatalf("%+v", c)
			}
		}
	}
	if _, err := Parse([]byte{0xff, 0xff, 0xff, 0xff, 0x0f}); err == nil {
		t.Error("a list of four thousand million comparisons was accepted")
	}
}

// Every term of every type is received unchanged. A damaged term is rejected, or is a
// valid term whose value can be built.
func TestTermRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, a := range zoo.All() {
		w := derive(t, a.Type, a.Decls...)
		g, b := gen.New(w), schema.NewBuilder(w)
		for i := range uint64(100) {
			x := g.Term(rng.At(1, i), 10).Clone()
			sent := AppendTerm(nil, x)
			if got, err := ParseTerm(w, sent); err != nil || !term.Equal(got, x) {
				t.Fatalf("%s: %v was read as %v, %v", a.Name, x, got, err)
			}
			for range 20 {
				if y, err := ParseTerm(w, damage(r, sent)); err == nil {
					into := reflect.New(w.Root.Type)
					b.Build(y, into.UnsafePointer())
				}
			}
		}
	}
}

func TestShape(t *testing.T) {
	type a struct{ X, Y int }
	type b struct{ X, Z int }
	limited := schema.Decl{Type: reflect.TypeFor[int](), What: schema.Range{Lo: reflect.ValueOf(0), Hi: reflect.ValueOf(100)}}
	same, again := Shape(derive(t, reflect.TypeFor[a]())), Shape(derive(t, reflect.TypeFor[a]()))
	if same != again {
		t.Error("one type has two shapes")
	}
	if same == Shape(derive(t, reflect.TypeFor[b]())) || same == Shape(derive(t, reflect.TypeFor[a](), limited)) {
		t.Error("two types have one shape")
	}
}
