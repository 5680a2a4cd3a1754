package allele

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/term"
)

// A case that goes to another worker comes out as it went in, and a message may hold
// anything.
func TestShared(t *testing.T) {
	c, err := newCheck(t, reflect.TypeFor[*tree](), 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	x, err := c.world.Read(reflect.ValueOf(&tree{L: &tree{K: 3}, K: 7}))
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, run := range []trace.Run{{}, {Symbols: []uint32{1, 1 << 31, 7}}, {Symbols: []uint32{2, 3}, Set: true}} {
		for _, v := range []engine.Verdict{engine.Passed, engine.Discarded} {
			sent := appendShared(nil, 1<<63+5, x, v, run)
			h, y, w, got, ok := c.parseShared(sent)
			if !ok || h != 1<<63+5 || !term.Equal(x, y) || v != w || run.Set != got.Set || !slices.Equal(run.Symbols, got.Symbols) {
				t.Errorf("%v %+v came back as %v %+v, %v", v, run, w, got, ok)
			}
			for range 2000 {
				damaged := slices.Clone(sent)
				for range 1 + r.IntN(3) {
					damaged[r.IntN(len(damaged))] ^= 1 << r.IntN(8)
				}
				if _, y, _, _, ok := c.parseShared(damaged[:r.IntN(len(damaged)+1)]); ok && len(y) == 0 {
					t.Fatal("a case without a term")
				}
			}
		}
	}
}
