//go:build go1.25

package fuzzinput

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/allele-go/allele/internal/store/gofuzz"
)

// shapes returns a package with fuzz tests and properties of several shapes.
func shapes(t *testing.T) *syntax {
	t.Helper()
	dir := t.TempDir()
	const code = `package p

type name string
type doc struct { Text name; Raw []byte; N uint8; Deep map[string]int }
type loop loop

func FuzzDoc(f *testing.F) { f.Add("a"); f.Fuzz(func(t *testing.T, s string, _ []byte) {}) }
func FuzzNamed(f *testing.F) { f.Fuzz(target) }
func target(t *testing.T, a, b int) {}
func FuzzNone(f *testing.F) {}
func FuzzOdd(f *testing.F) { f.Fuzz(func(t *testing.T, d doc) {}) }

func TestDoc(t *testing.T) { allele.Check(t, func(t *allele.T, in doc) {}) }
func TestLocal(t *testing.T) { type in struct { A, B int; name }; allele.Check(t, func(t *allele.T, x in) {}) }
func TestOne(t *testing.T) { Check[string](t, one, allele.Tests(1)) }
func one(t *allele.T, s string) {}
func TestLoop(t *testing.T) { allele.Check(t, func(t *allele.T, in loop) {}) }
func TestFar(t *testing.T) { allele.Check(t, func(t *allele.T, in url.URL) {}) }
func TestPlain(t *testing.T) {}
`
	for name, text := range map[string]string{"p_test.go": code, "broken.go": "package p\nfunc {", "other.txt": "x"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s, err := parseDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	s.dir = "DIR"
	return s
}

func TestShapes(t *testing.T) {
	s := shapes(t)
	show := func(args []Arg, err error) string {
		if err != nil {
			return err.Error()
		}
		text := ""
		for _, a := range args {
			text += fmt.Sprintf("%s:%s ", a.name, a.typ)
		}
		return text
	}
	for _, c := range []struct{ name, got, want string }{
		{"arguments", show(s.fuzzArgs("FuzzDoc")), "s:string _:[]byte "},
		{"a named target", show(s.fuzzArgs("FuzzNamed")), "a:int b:int "},
		{"no target", show(s.fuzzArgs("FuzzNone")), "func FuzzNone in DIR has no call f.Fuzz(func(t *testing.T, ...) {...})"},
		{"no fuzz test", show(s.fuzzArgs("FuzzX")), "no func FuzzX in DIR; export writes the corpus of a fuzz test that exists"},
		{"another type", show(s.fuzzArgs("FuzzOdd")), "argument 1 of FuzzOdd has the type doc; want types that go test -fuzz accepts"},
		{"a named struct", show(s.input("TestDoc")), "Text:string Raw:[]byte N:uint8 Deep: "},
		{"a local struct", show(s.input("TestLocal")), "A:int B:int name:string "},
		{"one value", show(s.input("TestOne")), ":string "},
		{"a type that stands for itself", show(s.input("TestLoop")), ": "},
		{"a type of another package", show(s.input("TestFar")), ": "},
		{"no property", show(s.input("TestPlain")), "func TestPlain in DIR has no call allele.Check(t, func(t *allele.T, in T) {...})"},
		{"no test", show(s.input("TestX")), "no func TestX in DIR"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, c.got, c.want)
		}
	}
}

// Arguments of a fuzz target become an input of the property, and the input becomes the same
// arguments again.
func TestNativeValues(t *testing.T) {
	s := shapes(t)
	fields := func(types ...string) (args []Arg) {
		for i, typ := range types {
			args = append(args, Arg{string(rune('A' + i)), typ, typ})
		}
		return args
	}
	doc, _ := s.input("TestDoc")
	for _, c := range []struct {
		name   string
		input  []Arg
		values []any
		want   string
	}{
		{"texts", doc, []any{"a\"\xff", []byte("é\x00")}, `in{Text: "a\"\xff", Raw: []byte("é\x00")}`},
		{"a text as the other kind of text", doc, []any{[]byte("a"), "b"}, `in{Text: "a", Raw: []byte("b")}`},
		{"one value", []Arg{{"", "string", "string"}}, []any{"a"}, `"a"`},
		{"numbers", fields("uint8", "int64", "bool", "rune", "uint64"), []any{5, int8(-5), true, 'x', uint64(math.MaxUint64)},
			`in{A: 5, B: -5, C: true, D: 120, E: 18446744073709551615}`},
		{"floats", fields("float64", "float32", "float64", "float64", "float64"), []any{0.1, float32(0.1), math.Inf(-1), math.NaN(), math.Copysign(0, -1)},
			`in{A: 0.1, B: 0.1, C: math.Inf(-1), D: math.NaN(), E: math.Copysign(0, -1)}`},
		{"too large", doc, []any{"", []byte(nil), 256}, "4: 256 does not fit uint8"},
		{"negative", doc, []any{"", []byte(nil), -1}, "4: -1 does not fit uint8"},
		{"a number as a text", doc, []any{3}, "2: cannot use a value of type int as name"},
		{"a bool as a number", fields("int"), []any{true}, "2: cannot use a value of type bool as int"},
		{"a fraction as an integer", fields("int"), []any{0.5}, "2: 0.5 does not fit int"},
		{"another type", doc, []any{"", []byte(nil), 1, 2}, "5: the field Deep has the type map[string]int, which fuzz arguments cannot have"},
		{"too many", []Arg{{"", "string", "string"}}, []any{"a", "b"}, "3: TestX has 1 field, but this is value 2"},
	} {
		in := &Input{test: "TestX", fields: c.input}
		got, err := in.Expression(c.values)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
		if err != nil {
			continue
		}
		var same []Arg // the types of the values
		for _, v := range c.values {
			same = append(same, Arg{typ: fmt.Sprintf("%T", v), text: fmt.Sprintf("%T", v)})
		}
		back, err := in.Values(got, same)
		if err != nil || string(gofuzz.Encode(back)) != string(gofuzz.Encode(c.values)) {
			t.Errorf("%s: %v became %v: %v", c.name, c.values, back, err)
		}
	}
}

// Inputs as searches save them become arguments of a fuzz target.
func TestNativeExport(t *testing.T) {
	in := &Input{fields: []Arg{{"S", "string", "string"}, {"B", "[]byte", "[]byte"}, {"N", "int", "int"}, {"F", "float64", "float64"}}}
	for _, c := range []struct{ input, want string }{
		{`in{S: "a", N: -3}`, "[a [] -3 0]"},
		{`in{"a", nil, 1 << 3, .5}`, "[a [] 8 0.5]"},
		{`&doc{B: []byte{1, 'a', 0xff}}`, "[ [1 97 255] 0 0]"},
		{`in{S: Name("x"), B: Raw("y"), F: 2.0}`, "[x [121] 0 2]"},
		{`in{S: "a" + "b", Other: f(x)}`, "[ab [] 0 0]"},
		{`in{N: limit}`, "argument 3: limit is not a constant"},
		{`in{B: []byte{256}}`, "argument 2: 256 does not fit byte"},
		{`in{S: 3}`, "argument 1: cannot use a value of type int64 as string"},
		{`"a"`, "it has no fields"},
		{`in{`, "not a Go expression"},
	} {
		values, err := in.Values(c.input, in.fields)
		got := fmt.Sprint(values)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.input, got, c.want)
		}
	}
}
