//go:build go1.25

package schema_test

import (
	"reflect"
	"runtime"
	"testing"
	"unsafe"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/testkit/zoo"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
)

// Values that are no longer referenced are not retained: chunks of rare types,
// which last for many values, must not lead from each value to all values before
// it.
func TestNothingRetained(t *testing.T) {
	w, err := schema.Derive(reflect.TypeFor[zoo.Expr](), zoo.Decls())
	if err != nil {
		t.Fatal(err)
	}
	build, g := schema.NewBuilder(w), gen.New(w)
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	r := rng.From(1)
	values := func(from, to uint64) {
		for i := from; i < to; i++ {
			var v zoo.Expr
			build.Build(g.Term(r.Run(i), int(1+i%40)), unsafe.Pointer(&v))
		}
	}
	values(0, 5_000)
	before := heap()
	values(5_000, 100_000)
	if after := heap(); after > before+1<<20 {
		t.Errorf("%d kB in use after 95,000 unreferenced values, %d kB before", after>>10, before>>10)
	}
	runtime.KeepAlive(build)
}
