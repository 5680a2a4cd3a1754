//go:build go1.25

package weight_test

import (
	"math"
	"reflect"
	"testing"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/weight"
)

// The predicted size of lists with bounds and of arrays, in texts that match an expression and
// in other types, is what is observed, and its gradient agrees with finite differences.
func TestRepetitions(t *testing.T) {
	type opt struct{ P *int }
	for _, c := range []struct {
		typ  reflect.Type
		expr string
	}{
		{reflect.TypeFor[[]string](), `[0-9a-f]{36}`},
		{reflect.TypeFor[[]string](), `[0-9a-f]{4,6}`},
		{reflect.TypeFor[[]string](), `[0-9a-f]{0,9}`},
		{reflect.TypeFor[string](), `(a|b[cd]{1,3}){2,4}`},
		{reflect.TypeFor[[]string](), `((a|b[cd]*)-){3}e?`},
		{reflect.TypeFor[[][3]*int](), ``},
		{reflect.TypeFor[[]struct {
			ID [16]byte
			X  [2]opt
		}](), ``},
		{reflect.TypeFor[[5][]opt](), ``},
	} {
		var decls []schema.Decl
		if c.expr != "" {
			m, err := schema.NewMatch(c.expr)
			if err != nil {
				t.Fatal(err)
			}
			decls = []schema.Decl{{Type: reflect.TypeFor[string](), What: m}}
		}
		w, err := schema.Derive(c.typ, decls)
		if err != nil {
			t.Fatal(err)
		}
		w.Depth = 3
		want := weight.Predict(w, w.Depth).Cells
		g := gen.New(w)
		const terms = 100_000 // enough to notice an error of 2 %
		sum, squares := 0.0, 0.0
		for run := range uint64(terms) {
			n := float64(w.Cells(g.Term(rng.At(1, run), 10)))
			sum, squares = sum+n, squares+n*n
		}
		mean := sum / terms
		if off := math.Abs(mean - want); off > 4*math.Sqrt((squares/terms-mean*mean)/terms)+1e-9 {
			t.Errorf("%v of %q: %.3f cells on average, predicted %.3f", c.typ, c.expr, mean, want)
		}
		eval, n := weight.SizeSlope(w, w.Depth)
		x, grad, scratch := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range x {
			x[i] = float64(i%5)/4 - 0.5
		}
		eval(x, grad)
		for i := range x {
			const by = 1e-5
			at := x[i]
			x[i] = at + by
			up := eval(x, scratch)
			x[i] = at - by
			slope := (up - eval(x, scratch)) / (2 * by)
			if x[i] = at; !near(grad[i], slope, 1e-4) {
				t.Errorf("%v of %q: slope %d is %v, finite differences give %v", c.typ, c.expr, i, grad[i], slope)
			}
		}
	}
}
