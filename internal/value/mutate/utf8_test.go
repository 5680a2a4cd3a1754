//go:build go1.25

package mutate

import (
	"reflect"
	"testing"
	"unicode/utf8"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
	"github.com/allele-go/allele/internal/value/text"
)

// Texts that are declared to be UTF-8 are generated and changed as such, also if the words of
// the program are not. Without the declaration some texts are not UTF-8.
func TestUTF8(t *testing.T) {
	for _, declared := range []bool{true, false} {
		var ds []schema.Decl
		if declared {
			ds = []schema.Decl{{Type: reflect.TypeFor[string](), What: schema.UTF8}}
		}
		w, err := schema.Derive(reflect.TypeFor[[]string](), ds)
		if err != nil {
			t.Fatal(err)
		}
		g := gen.New(w)
		m := New(w, Config{Kinds: Pure | Sampled | Text, Size: 20, Samples: 4})
		m.Supply = func(*schema.Schema) text.Supply {
			return text.Supply{Letters: []string{"\xff", "a"}, Words: []string{"\x80\x81", "word"}}
		}
		invalid, texts := 0, 0
		count := func(x term.Term) {
			for i := 0; i < len(x); i++ {
				if x[i].C == term.Raw {
					texts++
					if !utf8.Valid(x.Bytes(i)) {
						invalid++
					}
					i += int(x[i].N) - 1
				}
			}
		}
		for run := range uint64(1000) {
			x := g.Term(rng.At(7, run), 20).Clone()
			count(x)
			r := rng.At(8, run)
			for range 8 {
				if y, ok := m.Random(x, &r); ok {
					x = y.Term.Clone()
					count(x)
				}
			}
		}
		if declared != (invalid == 0) || texts < 10_000 {
			t.Errorf("declared %v: %d of %d texts are not UTF-8", declared, invalid, texts)
		}
	}
}
