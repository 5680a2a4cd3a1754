//go:build go1.25

package codec_test

import (
	"errors"
	"math"
	"math/big"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/testkit"
	"github.com/allele-go/allele/internal/testkit/zoo"
	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
)

const herePkg = "github.com/allele-go/allele/internal/value/codec_test"

type (
	config struct {
		Name  string
		Tree  *zoo.Tree
		Any   any
		Key   int8
		Ratio float64
		When  time.Time
		Sub   struct {
			A int `json:"a"`
			zoo.Point
		}
	}
	shade    uint8
	celsius  float32
	voltage  complex64
	title    string
	digest   []byte
	location *zoo.Point
	key      struct{ a, b int8 }
	stack    struct{ items []int }
)

const (
	light shade = iota
	dark
)

func (s *stack) with(xs ...int) *stack { return &stack{append(s.items, xs...)} }
func empty() *stack                    { return &stack{} }

func decls() []schema.Decl {
	variants := func(iface reflect.Type, vs ...any) schema.Decl {
		return schema.Decl{Type: iface, What: schema.VariantsOf(vs...), Tier: schema.Global}
	}
	ds := []schema.Decl{
		variants(reflect.TypeFor[any](), 0, "", 0.0, false, shade(0), celsius(0), title(""), voltage(0), complex128(0), new(int),
			[]int{}, map[key]int{}, &zoo.Tree{}, zoo.Point{}, location(nil), 'a', time.Time{}, new(shade)),
		{Type: reflect.TypeFor[title](), What: schema.Values{All: []reflect.Value{reflect.ValueOf(title("Dr")), reflect.ValueOf(title("Prof"))}}, Tier: schema.Global},
	}
	for _, f := range []any{empty, (*stack).with} {
		m, err := schema.NewFunc(f)
		if err != nil {
			panic(err)
		}
		ds = append(ds, schema.Decl{Type: m.Result, What: m, Tier: schema.Global})
	}
	return ds
}

func ptr[T any](v T) *T { return &v }

func worldOf[T any](t testing.TB) *schema.World {
	t.Helper()
	w, err := schema.Derive(reflect.TypeFor[T](), decls())
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// printed returns the declaration of a value, as it is written in a package.
func printed[T any](t testing.TB, v T, style codec.Style) codec.Text {
	t.Helper()
	w := worldOf[T](t)
	x, err := w.Read(reflect.ValueOf(&v).Elem())
	if err != nil {
		t.Fatal(err)
	}
	return codec.Print(w, x, style)
}

// Each row is a Go value and the statement that makes it.
func TestPrint(t *testing.T) {
	in := codec.Style{Pkg: herePkg, New: true, Width: 120, Consts: codec.SourceConsts(".")}
	here := func(x codec.Text) string { return x.Decl("in") }
	for _, row := range []struct{ name, got, want string }{
		{"an int literal needs no type", here(printed(t, 5, in)), `in := 5`},
		{"an int8 needs one", here(printed(t, int8(5), in)), `var in int8 = 5`},
		{"a whole float needs one", here(printed(t, 3.0, in)), `var in float64 = 3`},
		{"a fraction needs none", here(printed(t, 0.1, in)), `in := 0.1`},
		{"not a number", here(printed(t, math.NaN(), in)), `in := math.NaN()`},
		{"a call of math is converted", here(printed(t, celsius(math.Inf(-1)), in)), `var in celsius = celsius(math.Inf(-1))`},
		{"minus zero is not omitted", here(printed(t, struct{ A float64 }{math.Copysign(0, -1)}, in)), `in := struct{ A float64 }{A: math.Copysign(0, -1)}`},
		{"large whole floats keep their digits", here(printed(t, []float64{1e6, 1e20, 5e-324}, in)), `in := []float64{1000000, 1e+20, 5e-324}`},
		{"complex", here(printed(t, 1+2i, in)), `in := complex(1, 2)`},
		{"a special part makes the call typed", here(printed(t, voltage(complex(math.NaN(), 1)), in)), `var in voltage = voltage(complex(float32(math.NaN()), 1))`},
		{"constants are printed by name", here(printed(t, dark, in)), `in := dark`},
		{"values without a constant are numbers", here(printed(t, shade(7), in)), `var in shade = 7`},
		{"zero fields are omitted", here(printed(t, zoo.Pod{Ready: true}, in)), `in := zoo.Pod{Ready: true}`},
		{"nil needs a type", here(printed[*zoo.Tree](t, nil, in)), `var in *zoo.Tree = nil`},
		{"types of elements are omitted", here(printed(t, []*zoo.Tree{{K: 1}, nil}, in)), `in := []*zoo.Tree{{K: 1}, nil}`},
		{"types of keys too", here(printed(t, map[zoo.Point][]int{{X: 1}: {2}}, in)), `in := map[zoo.Point][]int{{X: 1}: {2}}`},
		{"pointers to scalars", here(printed(t, ptr(shade(1)), in)), `in := new(dark)`},
		{"pointers to literals", here(printed(t, &[]int{1}, in)), `in := &[]int{1}`},
		{"pointers to nil", here(printed(t, new(*int), in)), `in := new((*int)(nil))`},
		{"pointers to interfaces", here(printed(t, ptr(any(1)), in)), `in := new(any(1))`},
		{"text as bytes", here(printed(t, []byte("abc"), in)), `in := []byte("abc")`},
		{"bytes that are not text", here(printed(t, digest{0, 255}, in)), `in := digest{0x00, 0xff}`},
		{"bytes in a list", here(printed(t, [][]byte{{1}, []byte("a"), nil, {}}, in)), `in := [][]byte{{0x01}, []byte("a"), nil, {}}`},
		{"strings are quoted", here(printed(t, "a\x00\"b\"", in)), `in := "a\x00\"b\""`},
		{"several lines are not raw, since a report is indented", here(printed(t, "a\nb\n", in)), `in := "a\nb\n"`},
		{"several lines with a back quote", here(printed(t, "a\n`b", in)), "in := \"a\\n`b\""},
		{"an interface needs a type", here(printed[any](t, 5, in)), `var in any = 5`},
		{"values in an interface have their types", here(printed(t, []any{1, 1.0, "a", true, 'a', dark, shade(9), celsius(1), voltage(1), 1i}, in)),
			`in := []any{1, 1.0, "a", true, int32(97), dark, shade(9), celsius(1), voltage(complex(1, 0)), complex(0, 1)}`},
		{"typed nils in an interface", here(printed(t, []any{nil, []int(nil), map[key]int(nil), ptr(0)}, in)), `in := []any{nil, []int(nil), map[key]int(nil), new(0)}`},
		{"named pointers", here(printed(t, []any{location(&zoo.Point{X: 1})}, in)), `in := []any{location(&zoo.Point{X: 1})}`},
		{"declared values", here(printed(t, []title{"Dr", "Prof"}, in)), `in := []title{"Dr", "Prof"}`},
		{"times", here(printed(t, []time.Time{time.Unix(1, 2).UTC(), {}}, in)), `in := []time.Time{time.Date(1970, 1, 1, 0, 0, 1, 2, time.UTC), time.Time{}}`},
		{"large numbers", here(printed(t, new(big.Int).Lsh(big.NewInt(1), 70), in)),
			`in := new(big.Int).SetBytes([]byte{0x40, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00})`},
		{"nameless structs", here(printed(t, config{Sub: struct {
			A int `json:"a"`
			zoo.Point
		}{1, zoo.Point{Y: 1}}}.Sub, codec.Style{Pkg: herePkg})), "in := struct {\n\tA int `json:\"a\"`\n\tzoo.Point\n}{A: 1, Point: zoo.Point{Y: 1}}"},
		{"generic types", here(printed(t, zoo.Pair[map[string]zoo.Color, any]{}, in)), `in := zoo.Pair[map[string]zoo.Color, any]{}`},
		{"no wider than Style.Width", here(printed(t, &zoo.Tree{L: &zoo.Tree{K: 1}, K: 2}, codec.Style{Width: 20})), "in := &zoo.Tree{\n\tL: &zoo.Tree{\n\t\tK: 1,\n\t},\n\tK: 2,\n}"},
		{"short elements share a line", here(printed(t, []int{1, 2, 3, 4}, codec.Style{Width: 14})), "in := []int{\n\t1, 2, 3,\n\t4,\n}"},
	} {
		if row.got != row.want {
			t.Errorf("%s:\n\t%s\nwant\n\t%s", row.name, row.got, row.want)
		}
	}
}

// Older Go has no new(v).
func TestPrintBefore126(t *testing.T) {
	style := codec.Style{Pkg: herePkg}
	for want, got := range map[string]codec.Text{
		`&[]int{5}[0]`:         printed(t, ptr(5), style),
		`new(int)`:             printed(t, ptr(0), style),
		`&[]*int{nil}[0]`:      printed(t, new(*int), style),
		`&[]any{1}[0]`:         printed(t, ptr(any(1)), style),
		`&[]time.Time{}`:       printed(t, &[]time.Time{}, style),
		`&[]string{"a"}[0]`:    printed(t, ptr("a"), style),
		`&[]*int{new(int)}[0]`: printed(t, ptr(ptr(0)), style),
	} {
		if got.Expr != want {
			t.Errorf("got %s, want %s", got.Expr, want)
		}
	}
}

// A text is nameable if it compiles in the package.
func TestNameable(t *testing.T) {
	local := func(_, name string) bool { return name != "Tree" }
	for _, row := range []struct {
		name    string
		text    codec.Text
		want    bool
		imports string
	}{
		{"own unexported types", printed(t, key{1, 2}, codec.Style{Pkg: herePkg}), true, ""},
		{"unexported types of another package", printed(t, key{1, 2}, codec.Style{Pkg: "p"}), false, herePkg},
		{"exported types of another package", printed(t, zoo.Tree{K: 1}, codec.Style{Pkg: herePkg}), true, zooPkg},
		{"types of an internal package from outside", printed(t, zoo.Tree{K: 1}, codec.Style{Pkg: "p"}), false, zooPkg},
		{"unexported fields of another package", printed(t, zoo.Pair[int, int]{}, codec.Style{Pkg: herePkg}), true, zooPkg},
		{"unexported fields that are zero", printed(t, []zoo.Box{{}}, codec.Style{Pkg: herePkg}), true, zooPkg},
		{"a type inside a function", printed(t, zoo.Tree{K: 1}, codec.Style{Pkg: herePkg, Declared: local}), false, zooPkg},
		{"a type that the text does not name", printed(t, []int{1}, codec.Style{Pkg: herePkg, Declared: local}), true, ""},
		{"a value that needs math", printed(t, math.Inf(1), codec.Style{Pkg: herePkg}), true, "math"},
		{"two imports", printed(t, zoo.Numbers{D: 1, L: "x"}, codec.Style{}), false, zooPkg},
		{"time", printed(t, config{When: time.Unix(1, 1).UTC()}, codec.Style{Pkg: herePkg}), true, "time"},
	} {
		if got := strings.ReplaceAll(strings.Join(row.text.Imports, " "), `"`, ""); row.text.Nameable != row.want || got != row.imports {
			t.Errorf("%s: %s: nameable %v, imports %q", row.name, row.text.Expr, row.text.Nameable, got)
		}
	}
}

// One large value, as a person sees it.
func TestGolden(t *testing.T) {
	w := worldOf[struct {
		Tree *zoo.Tree
		Pod  zoo.Pod
		Key  int
	}](t)
	pod := `Pod{
		Meta: Meta{Name: "web", Labels: map[string]string{"app": "web", "tier": "front"}, Deleted: ptr(int64(5))},
		Spec: Spec{Containers: []Container{{Name: "a", Args: []string{"-v", "a rather long argument", "another long one"}, TTY: true}}},
	}`
	src := "// a note\nin{Key: 1<<20, /* here */ Tree: &Tree{L: &Tree{K: 'a'}}, Pod: " + pod + "}"
	c, err := codec.Decode(w, "x", []byte(src), nil)
	if err != nil || len(c.Losses) > 0 {
		t.Fatal(err, c.Losses)
	}
	header := codec.Header{Test: "TestInsert", Verdict: "failed", Message: "got 1\nwant 2", Found: "run 12 of seed 7", Shrunk: "from 40 cells"}
	testkit.Golden(t, "testdata/case.golden", codec.Encode(header, codec.Print(w, c.Term, codec.Style{Case: true, New: true}).Expr))
}

func TestHeader(t *testing.T) {
	w := worldOf[int](t)
	for _, row := range []struct{ name, data, want string }{
		{"none", "5", `{     }`},
		{"some", "// allele case 1\n// test     TestX\n// verdict  failed\n\n5", `{TestX failed    }`},
		{"quoted", "// message \"a\\nb\"\n5", "{  a\nb   }"},
		{"unknown keys and notes", "// colour   blue\n// I found this one at night.\n// found run 3\n5", `{   run 3  }`},
		{"the first of two lines counts", "// test A\n// test B\n5", `{A     }`},
	} {
		c, err := codec.Decode(w, "x", []byte(row.data), nil)
		if err != nil {
			t.Errorf("%s: %v", row.name, err)
		}
		h := c.Header
		if got := "{" + h.Test + " " + h.Verdict + " " + h.Message + " " + h.Found + " " + h.Shrunk + " }"; got != row.want {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
}

// Every error names the file, the line and the reason.
func TestErrors(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("&Tree{L: ", n) + "nil" + strings.Repeat("}", n) }
	for _, row := range []struct{ name, data, want string }{
		{"nothing", "", "f:1: expected operand, found 'EOF'"},
		{"a header alone", "// allele case 1\n\n", "f:3: expected operand, found 'EOF'"},
		{"syntax", "&Tree{\nK: 1,,\n}", "f:2: expected operand, found ','"},
		{"more than one expression", "&Tree{}\n&Tree{}", "f:2: expected 'EOF', found '&'"},
		{"//line comments are ignored", "//line other.go:99\n&Tree{,}", "f:2: expected operand, found ','"},
		{"newer", "// allele case 2\n5", "f:1: case format 2: written by a newer allele; update allele to read the file"},
		{"no number", "// allele case two\n5", `f:1: "two" is not a format number`},
		{"another type", "\n5", "f:2: cannot use 5 as a Tree"},
		{"too deep", deep(50_001), "f:1: nested deeper than 50000"},
		{"too large", strings.Repeat(" ", 16<<20+1), "f:1: the file is larger than 16 MiB"},
	} {
		_, err := codec.Decode(worldOf[*zoo.Tree](t), "f", []byte(row.data), nil)
		if err == nil || err.Error() != row.want {
			t.Errorf("%s: %v, want %s", row.name, err, row.want)
		}
		if errors.Is(err, codec.ErrNewer) != (row.name == "newer") {
			t.Errorf("%s: is %v a newer format?", row.name, err)
		}
	}
	if c, err := codec.Decode(worldOf[*zoo.Tree](t), "f", []byte(deep(49_999)), nil); err != nil || len(c.Losses) > 0 {
		t.Errorf("deep but allowed: %v, %v", err, c.Losses)
	}
}

// A chain of methods that change a value is printed in time linear in its length,
// and read back.
func TestLongChains(t *testing.T) {
	m, err := schema.NewFound("", (*zoo.Log).Print)
	if err != nil {
		t.Fatal(err)
	}
	w, err := schema.Derive(reflect.TypeFor[*zoo.Log](), []schema.Decl{{Type: m.Result, What: m, Tier: schema.Found}})
	if err != nil {
		t.Fatal(err)
	}
	g := gen.New(w)
	most := 0
	for run := range uint64(20) {
		x := g.Term(rng.At(1, run), 200).Clone()
		most = max(most, w.Cells(x))
		roundTrip(t, w, x, codec.Style{Pkg: zooPkg})
	}
	if most < 100 {
		t.Errorf("the longest has %d", most)
	}
}

// A case file names a constant even if it is zero: a constant that is inserted before it changes
// what zero means. Other texts omit it.
func TestNamedZeros(t *testing.T) {
	type inner struct {
		Shade shade
		N     int
	}
	type lamp struct {
		Watt  int
		Shade shade
		Inner inner
		All   [2]shade
		Next  *inner
	}
	consts := codec.SourceConsts(".")
	for _, c := range []struct {
		got  codec.Text
		want string
	}{
		{got: printed(t, lamp{Watt: 5}, codec.Style{Pkg: herePkg, Case: true, Width: 200, Consts: consts}), want: `lamp{Watt: 5, Shade: light, Inner: inner{Shade: light}}`},
		{got: printed(t, lamp{Watt: 5}, codec.Style{Pkg: herePkg, Width: 200, Consts: consts}), want: `lamp{Watt: 5}`},
		{got: printed(t, lamp{Watt: 5}, codec.Style{Pkg: herePkg, Case: true, Width: 200}), want: `lamp{Watt: 5}`},
	} {
		if got := c.got.Expr; got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
