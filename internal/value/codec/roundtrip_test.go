//go:build go1.25

package codec_test

import (
	"go/format"
	"testing"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/testkit/zoo"
	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

const zooPkg = "github.com/allele-go/allele/internal/testkit/zoo"

func derive(t testing.TB, a zoo.Animal) *schema.World {
	t.Helper()
	w, err := schema.Derive(a.Type, a.Decls)
	if err != nil {
		t.Fatalf("%s: %v", a.Name, err)
	}
	return w
}

// styles are all kinds of places for a text; texts in every style are read back.
var styles = map[string]codec.Style{
	"inside":  {Pkg: zooPkg, New: true},
	"outside": {Pkg: "example.com/user"},
	"case":    {Pkg: zooPkg, Case: true},
	"narrow":  {Pkg: zooPkg, New: true, Width: 20},
}

// A printed term is read back as the same term, without a loss, and gofmt does
// not change the text.
func TestRoundTrip(t *testing.T) {
	const terms = 850 // of each of 29 types: more than 20,000 in all
	for _, a := range zoo.All() {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			w := derive(t, a)
			g := gen.New(w)
			for run := range uint64(terms) {
				x := g.Term(rng.At(7, run), int(run%25)).Clone()
				for name, style := range styles {
					if run%8 != 0 && name != "case" {
						continue
					}
					roundTrip(t, w, x, style)
				}
			}
		})
	}
}

func roundTrip(t *testing.T, w *schema.World, x term.Term, style codec.Style) {
	t.Helper()
	text := codec.Print(w, x, style).Expr
	data := codec.Encode(codec.Header{Test: "TestX", Message: "two\nlines"}, text)
	c, err := codec.Decode(w, "x.go", data, nil)
	switch {
	case err != nil:
		t.Fatalf("%v\n%s", err, data)
	case len(c.Losses) > 0:
		t.Fatalf("lost %v\n%s", c.Losses, data)
	case !term.Equal(c.Term, x):
		t.Fatalf("another term:\n%s\n%s", codec.Print(w, c.Term, style).Expr, text)
	case c.Header.Message != "two\nlines":
		t.Fatalf("header %+v", c.Header)
	}
	if again := gofmt(t, text); again != text {
		t.Fatalf("gofmt makes\n%s\nof\n%s", again, text)
	}
}

const before = "package p\n\nvar _ = "

func gofmt(t testing.TB, expr string) string {
	t.Helper()
	out, err := format.Source([]byte(before + expr + "\n"))
	if err != nil {
		t.Fatalf("%v\n%s", err, expr)
	}
	return string(out[len(before) : len(out)-1])
}
