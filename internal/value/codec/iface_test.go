//go:build go1.25

package codec_test

import (
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
	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
)

// Values of the interfaces that come with allele are read back from their texts. A program made of
// these texts compiles, has nothing that go vet reports, and its values behave like those that
// properties get.
func TestInterfaceTexts(t *testing.T) {
	w, err := schema.Derive(reflect.TypeFor[described](), nil)
	if err != nil {
		t.Fatal(err)
	}
	g := gen.New(w)
	var body, want strings.Builder
	imports := map[string]bool{}
	for run := range uint64(120) {
		x := g.Term(rng.At(3, run), int(run%25)).Clone()
		for _, style := range styles {
			text := codec.Print(w, x, style).Expr
			c, err := codec.Decode(w, "x.go", codec.Encode(codec.Header{}, text), nil)
			if err != nil || len(c.Losses) > 0 || codec.Print(w, c.Term, style).Expr != text || gofmt(t, text) != text {
				t.Fatalf("%v, %v\n%s", err, c.Losses, text)
			}
		}
		text := codec.Print(w, x, codec.Style{Pkg: reflect.TypeFor[described]().PkgPath(), New: true})
		if !text.Nameable {
			t.Fatalf("cannot be named: %s", text.Expr)
		}
		for _, spec := range text.Imports {
			imports[spec] = true
		}
		fmt.Fprintf(&body, "\tfmt.Print(describe(%s))\n", text.Expr)
		v, _ := w.Value(x)
		want.WriteString(describe(v.Interface().(described)))
	}
	if testing.Short() {
		t.Skip("builds a program")
	}
	here, err := os.ReadFile("describe_test.go")
	if err != nil {
		t.Fatal(err)
	}
	// The file systems are of other types.
	expected := strings.NewReplacer("schema.MapFS", "fstest.MapFS").Replace(want.String())
	imports[`"fmt"`] = true
	source := "package main\n\nimport (\n"
	for _, spec := range slices.Sorted(maps.Keys(imports)) {
		source += "\t" + spec + "\n"
	}
	source += ")\n\nfunc main() {\n" + body.String() + "}\n"
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module scratch\n\ngo 1.26\n", "main.go": source,
		"describe.go": strings.Replace(string(here), "package codec_test", "package main", 1),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if out, exit := testkit.Go(t, dir, nil, "vet", "."); exit != 0 {
		t.Errorf("go vet: %s", out)
	}
	out, exit := testkit.Go(t, dir, nil, "run", ".")
	if exit != 0 || out != expected {
		t.Errorf("exit code %d\n%s", exit, testkit.Diff(expected, out))
	}
}
