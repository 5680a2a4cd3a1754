package protos

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

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/fieldmaskpb"

	"github.com/allele-go/allele/eval/protos/testdata/legacy"
	"github.com/allele-go/allele/eval/protos/testdata/shop"
	"github.com/allele-go/allele/eval/protos/testdata/shopopaque"
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/testkit"
	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

var printedTypes = []reflect.Type{
	reflect.TypeFor[*shop.Order](), reflect.TypeFor[*legacy.Shape](), reflect.TypeFor[*shopopaque.Order](),
	reflect.TypeFor[[]shopopaque.Money](), reflect.TypeFor[map[string]*shopopaque.Card](), reflect.TypeFor[**shopopaque.Card](),
}

const printedTerms = 40

// draw returns terms of a type.
func draw(t *testing.T, typ reflect.Type, n int) (*schema.World, []term.Term) {
	w, err := schema.Derive(typ, nil)
	if err != nil {
		t.Fatal(err)
	}
	g := gen.New(w)
	var all []term.Term
	for run := range uint64(n) {
		all = append(all, g.Term(rng.At(5, run), int(run%40)).Clone())
	}
	return w, all
}

// What is printed for a case is read back as the same input, and a Go value as an input with the same value.
func TestReadBack(t *testing.T) {
	for _, typ := range printedTypes {
		w, all := draw(t, typ, 150)
		for _, x := range all {
			text := codec.Print(w, x, codec.Style{Case: true, Pkg: "x"})
			c, err := codec.Decode(w, "x.case", codec.Encode(codec.Header{Test: "T"}, text.Expr), nil)
			if err != nil || len(c.Losses) > 0 || codec.Print(w, c.Term, codec.Style{Case: true, Pkg: "x"}).Expr != text.Expr {
				t.Fatalf("%s: %v %v\n%s", text.Expr, err, c.Losses, codec.Print(w, c.Term, codec.Style{Case: true, Pkg: "x"}).Expr)
			}
			v, _ := w.Value(x)
			y, err := w.Read(v)
			if err != nil {
				t.Fatalf("%s: %v", text.Expr, err)
			}
			if again := codec.Print(w, y, codec.Style{Case: true, Pkg: "x"}).Expr; again != text.Expr {
				t.Fatalf("printed %s\nread    %s", text.Expr, again)
			}
		}
	}
}

// Counterexamples compile, and are the same messages.
func TestPrinted(t *testing.T) {
	imports := map[string]bool{`"bytes"`: true, `"google.golang.org/protobuf/proto"`: true, `"testing"`: true}
	var body strings.Builder
	count := 0
	for _, typ := range printedTypes[:3] {
		w, all := draw(t, typ, printedTerms)
		for _, x := range all {
			v, _ := w.Value(x)
			if v.IsNil() {
				continue
			}
			text := codec.Print(w, x, codec.Style{Pkg: "github.com/allele-go/allele/eval/protos", New: true})
			if !text.Nameable {
				t.Fatalf("cannot be named: %s", text.Expr)
			}
			for _, spec := range text.Imports {
				imports[spec] = true
			}
			wire, err := proto.MarshalOptions{Deterministic: true}.Marshal(v.Interface().(proto.Message))
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&body, "func() {\n%s\nequal(in, %q)\n}()\n", text.Decl("in"), wire)
			count++
		}
	}
	head := "package protos\n\nimport (\n"
	for _, spec := range slices.Sorted(maps.Keys(imports)) {
		head += "\t" + spec + "\n"
	}
	src := head + ")\n" + fmt.Sprintf(`
func TestSource(t *testing.T) {
	n := 0
	equal := func(m proto.Message, want string) {
		got, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
		if err != nil || !bytes.Equal(got, []byte(want)) {
			t.Errorf("%%v: %%v", m, err)
		}
		n++
	}
	%s
	t.Logf("%%d equal", n)
}
`, body.String())
	dir := t.TempDir()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "source.go")
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(here, "source_test.go"): file}})
	if err != nil {
		t.Fatal(err)
	}
	for name, body := range map[string][]byte{file: []byte(src), filepath.Join(dir, "overlay.json"): overlay} {
		if err := os.WriteFile(name, body, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out, exit := testkit.Go(t, here, nil, "test", "-vet=off", "-gcflags=-N -l", "-v", "-count=1",
		"-overlay="+filepath.Join(dir, "overlay.json"), "-run=^TestSource$", ".")
	if want := fmt.Sprintf("%d equal", count); exit != 0 || !strings.Contains(out, want) {
		t.Fatalf("wanted %s, got:\n%.5000s", want, out)
	}
}

// How counterexamples look.
func TestForm(t *testing.T) {
	for _, x := range []struct {
		in   proto.Message
		want string
	}{
		{&shop.Order{Status: shop.Status_STATUS_PAID, Channel: shop.Order_WEB, Payment: &shop.Order_Card{Card: &shop.Card{Number: "1"}}},
			`&shop.Order{Status: shop.Status_STATUS_PAID, Payment: &shop.Order_Card{Card: &shop.Card{Number: "1"}}, Channel: shop.Order_WEB}`},
		{&shop.Order{Status: 7, Timeout: &durationpb.Duration{Seconds: -1, Nanos: -5}},
			`&shop.Order{Status: 7, Timeout: &durationpb.Duration{Seconds: -1, Nanos: -5}}`},
		{&shop.Order{Timeout: &durationpb.Duration{Seconds: 1, Nanos: -5}},
			`&shop.Order{Timeout: &durationpb.Duration{Seconds: 1, Nanos: -5}}`},
		{&shop.Order{Detail: &anypb.Any{TypeUrl: "x", Value: []byte("y")}, Mask: &fieldmaskpb.FieldMask{Paths: []string{"id", "A"}}},
			`&shop.Order{Mask: &fieldmaskpb.FieldMask{Paths: []string{"id", "A"}}, Detail: &anypb.Any{TypeUrl: "x", Value: []byte("y")}}`},
		{&legacy.Shape{Colour: legacy.Colour(9).Enum(), Data: []byte{}},
			`&legacy.Shape{Colour: new(legacy.Colour(9)), Data: []byte("")}`},
		{shopopaque.Order_builder{Status: shopopaque.Status_STATUS_PAID, Invoice: new("a"), Discount: new(int64(0))}.Build(),
			`shopopaque.Order_builder{Status: shopopaque.Status_STATUS_PAID, Invoice: new("a"), Discount: new(int64(0))}.Build()`},
		{shopopaque.Order_builder{Items: []*shopopaque.Order_Item{shopopaque.Order_Item_builder{Pieces: new(int32(0))}.Build()}, Token: []byte{1}}.Build(),
			`shopopaque.Order_builder{Items: []*shopopaque.Order_Item{shopopaque.Order_Item_builder{Pieces: new(int32(0))}.Build()}, Token: []byte("\x01")}.Build()`},
	} {
		w, err := schema.Derive(reflect.TypeOf(x.in), nil)
		if err != nil {
			t.Fatal(err)
		}
		y, err := w.Read(reflect.ValueOf(x.in))
		if err != nil {
			t.Errorf("%s: %v", x.want, err)
			continue
		}
		if got := codec.Print(w, y, codec.Style{Pkg: "x", New: true, Width: 1000}).Expr; got != x.want {
			t.Errorf("got  %s\nwant %s", got, x.want)
		}
		if v, _ := w.Value(y); !proto.Equal(v.Interface().(proto.Message), x.in) {
			t.Errorf("%s is built as %v", x.want, v)
		}
	}
}
