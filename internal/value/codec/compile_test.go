//go:build go1.25

package codec_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/testkit"
	"github.com/allele-go/allele/internal/testkit/zoo"
	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
)

// The compiler and codec agree about the meaning of a text: terms of every type
// are printed as the source of a test in package zoo, which makes the same terms
// again from the same seeds, builds their values, and compares.
func TestCompiled(t *testing.T) {
	t.Run("new(v)", func(t *testing.T) { compiled(t, codec.Style{Pkg: zooPkg, New: true}, compiledTerms) })
	t.Run("&[]T{v}[0]", func(t *testing.T) {
		if testing.Short() {
			t.Skip("differs from the other style in one form of pointers only")
		}
		compiled(t, codec.Style{Pkg: zooPkg}, compiledTerms/4)
	})
}

const (
	compiledSeed  = 11
	compiledTerms = 160 // of each of 32 types: more than 5,000 in all
	perFunction   = 20  // compile time grows faster than linearly with the size of a function
)

func compiled(t *testing.T, style codec.Style, terms int) {
	root := testkit.Root(t)
	dir := t.TempDir()
	src, count := printedTest(t, style, terms)
	file := filepath.Join(dir, "printed.go")
	overlay, err := json.Marshal(map[string]map[string]string{
		"Replace": {filepath.Join(root, "internal/testkit/zoo/printed_test.go"): file},
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, body := range map[string][]byte{file: []byte(src), filepath.Join(dir, "overlay.json"): overlay} {
		if err := os.WriteFile(name, body, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out, exit := testkit.Go(t, root, []string{"GOFLAGS=-mod=readonly"}, "test", "-vet=off", "-gcflags=-N -l", "-v", "-count=1",
		"-overlay="+filepath.Join(dir, "overlay.json"), "-run=^TestPrinted$", "./internal/testkit/zoo")
	if want := fmt.Sprintf("%d of %d equal", count, count); exit != 0 || !strings.Contains(out, want) {
		t.Fatalf("wanted %s, got:\n%.5000s", want, out)
	}
	t.Logf("%d terms, %d KB of source, all equal", count, len(src)>>10)
}

// printedTest returns the source of the test, and how many terms it has.
func printedTest(t *testing.T, style codec.Style, terms int) (src string, count int) {
	imports := map[string]bool{`"reflect"`: true, `"testing"`: true, `"unsafe"`: true, `"math"`: true}
	var funcs, table strings.Builder
	for i, a := range zoo.All() {
		w := derive(t, a)
		g, b := gen.New(w), schema.NewBuilder(w)
		body := &strings.Builder{}
		parts := 0
		for run := range uint64(terms) {
			x := g.Term(rng.At(compiledSeed, run), int(run%12))
			if b.Build(x, reflect.New(a.Type).UnsafePointer()) {
				text := codec.Print(w, x, style)
				if !text.Nameable {
					t.Fatalf("cannot be named: %s", text.Expr)
				}
				for _, spec := range text.Imports {
					imports[spec] = true
				}
				fmt.Fprintf(body, "\tif run == %d {\n%s\nreturn reflect.ValueOf(&in).Elem()\n\t}\n", run, text.Decl("in"))
				count++
			}
			if run%perFunction == perFunction-1 {
				fmt.Fprintf(&funcs, "func printed%d_%d(run uint64) reflect.Value {\n%s\treturn reflect.Value{}\n}\n\n", i, parts, body)
				fmt.Fprintf(&table, "\t{%d, printed%d_%d},\n", i, i, parts)
				body.Reset()
				parts++
			}
		}
	}
	var b strings.Builder
	release := "go1.25"
	if style.New {
		release = "go1.26"
	}
	// The constraint also sets the language version of the file.
	b.WriteString("//go:build " + release + "\n\npackage zoo\n\nimport (\n")
	for _, spec := range slices.Sorted(maps.Keys(imports)) {
		b.WriteString("\t" + spec + "\n")
	}
	fmt.Fprintf(&b, harness, compiledSeed, perFunction, table.String())
	b.WriteString(funcs.String())
	return b.String(), count
}

// harness makes each term again and compares its value with the compiled one: as
// terms if both can be read, otherwise by deep equality in which a NaN equals a
// NaN.
const harness = `
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

const (
	seed        = %d
	perFunction = %d
)

var printed = []struct {
	animal int
	values func(run uint64) reflect.Value
}{
%s}

func TestPrinted(t *testing.T) {
	equal, all, start := 0, 0, uint64(0)
	animals := All()
	for i, p := range printed {
		a := animals[p.animal]
		if i > 0 && printed[i-1].animal != p.animal {
			start = 0
		}
		w, err := schema.Derive(a.Type, a.Decls)
		if err != nil {
			t.Fatal(err)
		}
		g, b := gen.New(w), schema.NewBuilder(w)
		for run := start; run < start+perFunction; run++ {
			got := p.values(run)
			if !got.IsValid() {
				continue
			}
			all++
			x := g.Term(rng.At(seed, run), int(run%%12)).Clone()
			want := reflect.New(a.Type)
			b.Build(x, want.UnsafePointer())
			if same(w, x, want.Elem(), got) {
				equal++
			} else {
				t.Errorf("%%s, run %%d: want %%#v, got %%#v", a.Name, run, want.Elem(), got)
			}
		}
		start += perFunction
	}
	t.Logf("%%d of %%d equal", equal, all)
}

func same(w *schema.World, x term.Term, want, got reflect.Value) bool {
	a, err := w.Read(want)
	b, err2 := w.Read(got)
	if err == nil && err2 == nil {
		return term.Equal(a, b) && (term.Equal(x, b) || calls(w, x))
	}
	return deepEqual(want, got)
}

// calls reports whether a term has builder calls, of which several may make the
// same value.
func calls(w *schema.World, x term.Term) bool {
	for at := range x.Nodes() {
		if w.Of(x[at]).Kind == schema.Made {
			return true
		}
	}
	return false
}

func deepEqual(a, b reflect.Value) bool {
	if a.IsValid() != b.IsValid() || a.IsValid() && a.Type() != b.Type() {
		return false
	}
	if !a.IsValid() {
		return true
	}
	switch a.Kind() {
	case reflect.Float32, reflect.Float64:
		x, y := a.Float(), b.Float()
		return math.Float64bits(x) == math.Float64bits(y) || x != x && y != y
	case reflect.Pointer, reflect.Interface:
		return a.IsNil() == b.IsNil() && (a.IsNil() || deepEqual(a.Elem(), b.Elem()))
	case reflect.Struct:
		for i := range a.NumField() {
			if !deepEqual(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice, reflect.Array:
		if a.Kind() == reflect.Slice && a.IsNil() != b.IsNil() || a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !deepEqual(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Map:
		if a.IsNil() != b.IsNil() || a.Len() != b.Len() {
			return false
		}
		for it := a.MapRange(); it.Next(); {
			if v := b.MapIndex(it.Key()); !v.IsValid() || !deepEqual(it.Value(), v) {
				return false
			}
		}
		return true
	}
	return a.Comparable() && b.Comparable() && a.Equal(b)
}

var (
	_ = math.NaN
	_ unsafe.Pointer
)

`
