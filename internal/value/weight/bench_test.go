//go:build go1.25

package weight_test

import (
	"fmt"
	"testing"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/weight"
)

// wide makes a world of interfaces that need each other, with ctors variants in
// all, of up to three fields each.
func wide(t testing.TB, seed uint64, ctors int) *schema.World {
	t.Helper()
	g := &worlds{r: rng.New(seed), sums: sums[:min(len(sums), max(1, ctors/5))]}
	var decls []schema.Decl
	for i, s := range g.sums {
		var variants schema.Variants
		for k := i; k < ctors; k += len(g.sums) {
			g.tag++
			fields := g.r.Below(4)
			if k == i { // a variant without fields, so that each type is finite
				fields = 0
			}
			variants = append(variants, g.record(fields, 0))
		}
		decls = append(decls, schema.Decl{Type: s, What: variants, Tier: schema.Global})
	}
	w, err := schema.Derive(g.sums[0], decls)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func BenchmarkTune(b *testing.B) {
	for _, ctors := range []int{10, 50, 200, 500} {
		b.Run(fmt.Sprint(ctors), func(b *testing.B) {
			w := wide(b, 1, ctors)
			var r *weight.Report
			for b.Loop() {
				r, _ = weight.Tune(w, 10, weight.Goal{})
			}
			b.ReportMetric(float64(r.Passes), "passes")
			b.ReportMetric(r.Cost, "cost")
			b.ReportMetric(r.Before, "before")
		})
	}
}

func BenchmarkPredict(b *testing.B) {
	w := wide(b, 1, 500)
	for b.Loop() {
		weight.Predict(w, 10)
	}
}
