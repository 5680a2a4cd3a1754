//go:build go1.25

package codec_test

import (
	"encoding/json"
	"errors"
	"math/big"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/testkit/zoo"
	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// decoded reads a text as a T and prints the result, followed by the losses.
func decoded[T any](t testing.TB, src string) string {
	t.Helper()
	w := worldOf[T](t)
	consts := codec.SourceConsts(".")
	c, err := codec.Decode(w, "f", []byte(src), consts)
	if err != nil {
		return err.Error()
	}
	text := codec.Print(w, c.Term, codec.Style{Pkg: herePkg, New: true, Case: true, Width: 500, Consts: consts}).Expr
	for _, l := range c.Losses {
		text += " | " + l.String()
	}
	return text
}

// Each row is a text and what it is read as. People write Go in many ways.
func TestDecode(t *testing.T) {
	type in = struct {
		Tree *zoo.Tree
		Key  int
	}
	for _, row := range []struct{ name, got, want string }{
		{"compact root", decoded[in](t, `in{Tree: &Tree{K: 1}, Key: 4}`), `in{Tree: &zoo.Tree{K: 1}, Key: 4}`},
		{"any type name is accepted", decoded[in](t, `Config{Key: 4}`), `in{Tree: nil, Key: 4}`},
		{"so is the type itself", decoded[in](t, "struct {\n Tree *Tree\n Key int\n}{Key: 4}"), `in{Tree: nil, Key: 4}`},
		{"positional fields", decoded[in](t, `in{nil, 4}`), `in{Tree: nil, Key: 4}`},
		{"fields in any order, comments, brackets", decoded[in](t, "(in{/* a */ Key: (4), // b\nTree: nil})"), `in{Tree: nil, Key: 4}`},
		{"numbers of every base", decoded[[]int](t, `[]int{0x_10, 0b11, 0o17, 017, 1_000, 'a', 1 << 20, -5, +5, ^0, 7/2, 7%4, 1e3, 6&^2}`),
			`[]int{16, 3, 15, 15, 1000, 97, 1048576, -5, 5, -1, 3, 3, 1000, 4}`},
		{"numbers of math", decoded[[]int64](t, `x{math.MaxInt64, math.MinInt64, math.MaxUint8 + 1}`), `[]int64{9223372036854775807, -9223372036854775808, 256}`},
		{"complement of an unsigned", decoded[[]uint32](t, `x{^uint32(0)}`), `[]uint32{4294967295}`},
		{"floats", decoded[[]float64](t, `x{1, .5, 1e3, 0x1p-2, math.Pi, math.NaN(), -math.Inf(1), math.Copysign(0, -1), math.Float64frombits(0x3ff0000000000000)}`),
			`[]float64{1, 0.5, 1000, 0.25, 3.141592653589793, math.NaN(), math.Inf(-1), math.Copysign(0, -1), 1}`},
		{"complex", decoded[[]complex128](t, `x{1, 2i, 1+2i, complex(1, 2), complex128(complex(math.NaN(), 1))}`),
			`[]complex128{complex(1, 0), complex(0, 2), complex(1, 2), complex(1, 2), complex(math.NaN(), 1)}`},
		{"strings", decoded[[]string](t, "x{\"a\", `b`, \"c\" + \"d\", string(\"e\")}"), `[]string{"a", "b", "cd", "e"}`},
		{"bytes", decoded[[][]byte](t, `x{[]byte("a"), {1, 'b', 0xff}, nil, []byte(nil), []byte{2: 1}}`),
			`[][]byte{[]byte("a"), {0x01, 0x62, 0xff}, nil, nil, {0x00, 0x00, 0x01}}`},
		{"constants by name", decoded[[]shade](t, `x{dark, light, codec_test.dark, shade(1)}`), `[]shade{dark, light, dark, dark}`},
		{"durations", decoded[time.Duration](t, `3 * time.Second`), `3 * time.Second`},
		{"pointers", decoded[[]*int](t, `x{new(5), ptr(5), &[]int{5}[0], ptr.To[int](5), nil, (*int)(nil), new(int)}`),
			`[]*int{new(5), new(5), new(5), new(5), nil, nil, new(0)}`},
		{"pointers to pointers", decoded[**shade](t, `new(new(dark))`), `new(new(dark))`},
		{"pointers to structs", decoded[[]*zoo.Tree](t, `x{&Tree{K: 1}, {K: 2}, new(Tree), &zoo.Tree{}, Tree{}}`), `[]*zoo.Tree{{K: 1}, {K: 2}, {}, {}, {}}`},
		{"indices", decoded[[]int](t, `[]int{2: 1, 5, 0: 7}`), `[]int{7, 0, 1, 5}`},
		{"short arrays are filled", decoded[[3]int](t, `[3]int{1}`), `[3]int{1, 0, 0}`},
		{"maps", decoded[map[key]int](t, `map[key]int{{1, 2}: 3, {a: 1}: 4}`), `map[key]int{{a: 1}: 4, {a: 1, b: 2}: 3}`},
		{"variants by type", decoded[[]any](t, `x{1, 1.5, "a", 'a', true, nil, dark, shade(2), celsius(1), &zoo.Tree{}, Point{X: 1}, []int{1}, []int(nil), location(&Point{}), time.Unix(1, 2).UTC(), time.Time{}, new(3), new(shade), ptr(dark), 1i}`),
			`[]any{1, 1.5, "a", int32(97), true, nil, dark, shade(2), celsius(1), &zoo.Tree{}, zoo.Point{X: 1}, []int{1}, []int(nil), location(&zoo.Point{}), time.Unix(1, 2).UTC(), time.Time{}, new(3), new(light), new(dark), complex(0, 1)}`},
		{"conversions to the interface", decoded[any](t, `any(any(5))`), `5`},
		{"builders", decoded[*stack](t, `(*stack).with(empty(), []int{1, 2}...)`), `(*stack).with(empty(), []int{1, 2}...)`},
		{"variadic, without a slice", decoded[*stack](t, `(*p.stack).with(p.empty(), 1, 2)`), `(*stack).with(empty(), []int{1, 2}...)`},
		{"with none", decoded[*stack](t, `(*stack).with(empty())`), `(*stack).with(empty(), nil...)`},
		{"spelled", decoded[[]*regexp.Regexp](t, `x{regexp.MustCompile("a|" + "b"), MustCompile("(?m)^x"), nil}`),
			`[]*regexp.Regexp{regexp.MustCompile("a|b"), regexp.MustCompile("(?m)^x"), (*regexp.Regexp)(nil)}`},
		{"spelled, of a pointer that is followed", decoded[[]url.URL](t, `x{*url.Parse("//a/b"), func() url.URL { v, _ := url.Parse("/"); return *v }(), URL{}}`),
			`[]url.URL{*url.Parse("//a/b"), *url.Parse("/"), url.URL{}}`},
		{"in back quotes", decoded[json.RawMessage](t, "RawMessage(\"{\\\"a\\\":1}\")"), "json.RawMessage(`{\"a\":1}`)"},
		{"our own builders", decoded[[]*big.Int](t, `x{big.NewInt(5), new(big.Int).Lsh(big.NewInt(1), 70), NewInt(-1)}`),
			`[]*big.Int{big.NewInt(5), new(big.Int).Lsh(big.NewInt(1), 70), big.NewInt(-1)}`},
		{"declared values", decoded[[]title](t, `x{"Dr", title("Prof")}`), `[]title{"Dr", "Prof"}`},
		{"omitted fields are zero", decoded[config](t, `config{Key: 1, Sub: struct{A int; Point}{}}`), `config{Key: 1}`},
	} {
		if row.got != row.want {
			t.Errorf("%s:\n\t%s\nwant\n\t%s", row.name, row.got, row.want)
		}
	}
}

// A case outlives the type it was written for: parts that no longer fit are lost,
// each reported once with its line and path, and the rest stays.
func TestDrift(t *testing.T) {
	type node struct {
		L, R *node
		K    int8
	}
	type narrow struct {
		A int8
		B uint
		C float32
		D bool
		E string
	}
	type in struct {
		Root *node
		All  []node
		Map  map[string]int
		Any  any
		P    zoo.Percent
		Pair [2]int
		When time.Time
		Big  *big.Int
	}
	for _, row := range []struct{ name, got, want string }{
		{"a field is gone", decoded[in](t, "in{\nRoot: &node{L: &node{\nOld: 3, K: 1}}}"),
			`in{Root: &node{L: &node{K: 1}}, Big: big.NewInt(0)} | 3: in.Root.L.Old: node has no field Old`},
		{"renamed", decoded[in](t, `in{Root: &node{Key: 3, L: nil}}`), `in{Root: &node{}, Big: big.NewInt(0)} | 1: in.Root.Key: node has no field Key`},
		{"the type is renamed", decoded[in](t, `Input{Root: &Node{K: 3}}`), `in{Root: &node{K: 3}, Big: big.NewInt(0)}`},
		{"narrowed", decoded[narrow](t, `x{300, -1, 1e300, true, "a"}`),
			`narrow{D: true, E: "a"} | 1: in.A: 300 overflows int8 | 1: in.B: -1 overflows uint | 1: in.C: 1e300 overflows float32`},
		{"rounded", decoded[[]float32](t, `x{0.1, 16777217, -73214.0001, 1e-300, 123456790, 1.0 / 3}`),
			`[]float32{0.1, 0, 0, 0, 123456790, 0.33333334} | 1: in[1]: 16777217 is not a float32 | 1: in[2]: -73214.0001 is not a float32 | 1: in[3]: 1e-300 is not a float32`},
		{"a map once, whose type the literal omits", decoded[[][]int](t, `[]map[int]int{{3: 1}, nil}`), `[][]int{nil, nil} | 1: in[0]: cannot use map[int]int{...} as a []int`},
		{"a list once", decoded[[]map[int]int](t, `[][]int{{3: 1}}`), `[]map[int]int{nil} | 1: in[0]: cannot use []int{...} as a map[int]int`},
		{"a list as a value and as a key", decoded[map[int]map[int]int](t, `map[int][]int{7: {3: 1}}`), `map[int]map[int]int{7: nil} | 1: in[7]: cannot use []int{...} as a map[int]int`},
		{"deeper", decoded[[][]map[int]int](t, `[][][]int{{{3: 1}}}`), `[][]map[int]int{{nil}} | 1: in[0][0]: cannot use []int{...} as a map[int]int`},
		{"retyped", decoded[narrow](t, `x{A: "a", B: 1.5, C: true, D: 1, E: 2}`),
			`narrow{} | 1: in.A: cannot use "a" as an int8 | 1: in.B: cannot use 1.5 as a uint | 1: in.C: cannot use true as a float32 | 1: in.D: cannot use 1 as a bool | 1: in.E: cannot use 2 as a string`},
		{"a list now", decoded[in](t, `in{All: &node{K: 1}, Root: []node{}}`),
			`in{Root: &node{}, Big: big.NewInt(0)} | 1: in.Root: cannot use []node{...} as a node | 1: in.All: cannot use &node{...} as a []codec_test.node`},
		{"a pointer now, or once", decoded[in](t, `in{All: []*node{&node{K: 1}}, Root: node{K: 2}}`),
			`in{Root: &node{K: 2}, All: []node{{K: 1}}, Big: big.NewInt(0)}`},
		{"the key twice", decoded[in](t, `in{Map: map[string]int{"a": 1, "a": 2, "b": 3}}`),
			`in{Map: map[string]int{"a": 1, "b": 3}, Big: big.NewInt(0)} | 1: in.Map["a"]: the key occurs twice`},
		{"the field twice", decoded[in](t, `in{P: 1, P: 2}`), `in{P: 1, Big: big.NewInt(0)} | 1: in.P: the field is set twice`},
		{"a NaN as a key", decoded[map[float64]int](t, `x{math.NaN(): 1, 0: 2, math.Copysign(0, -1): 3}`),
			`map[float64]int{0: 2} | 1: in[NaN(...)]: NaN cannot be a key, since a map never finds it | 1: in[Copysign(...)]: the key occurs twice`},
		{"no such variant", decoded[in](t, `in{Any: Circle{R: 1}}`), `in{Big: big.NewInt(0)} | 1: in.Any: Circle is not a variant of any`},
		{"nor is a pointer to it", decoded[in](t, `in{Any: &Circle{R: 1}}`), `in{Big: big.NewInt(0)} | 1: in.Any: *Circle is not a variant of any`},
		{"int64 is not a variant", decoded[in](t, `in{Any: int64(1)}`), `in{Big: big.NewInt(0)} | 1: in.Any: int64(...) is not a variant of any`},
		{"not declared", decoded[struct{ T title }](t, `in{T: "Mr"}`), `in{T: "Dr"} | 1: in.T: "Mr" is not among the declared values`},
		{"omitted, and zero is not declared", decoded[struct{ T title }](t, `in{}`), `in{T: "Dr"} | 1: in.T: omitted, but the zero value is not declared`},
		{"a shorter array", decoded[in](t, `in{Pair: [3]int{1, 2, 3}}`), `in{Pair: [2]int{1, 2}, Big: big.NewInt(0)} | 1: in.Pair: the array has 2 elements, not 3`},
		{"with zeros at the end", decoded[in](t, `in{Pair: [3]int{1}}`), `in{Pair: [2]int{1, 0}, Big: big.NewInt(0)} | 1: in.Pair: the array has 2 elements, not 3`},
		{"a longer array", decoded[in](t, `in{Pair: [1]int{1}}`), `in{Pair: [2]int{1, 0}, Big: big.NewInt(0)}`},
		{"zones in minutes", decoded[[]time.Time](t, `x{time.Unix(5, 0).In(time.FixedZone("", 60*-90)), time.Unix(5, 0).In(time.FixedZone("", 60*60))}`),
			`[]time.Time{time.Unix(5, 0).In(time.FixedZone("", 60*-90)), time.Unix(5, 0).In(time.FixedZone("", 60*60))}`},
		{"zones in seconds, as in older cases", decoded[[]time.Time](t, `x{time.Unix(5, 0).In(time.FixedZone("", -5399))}`),
			`[]time.Time{time.Unix(5, 0).In(time.FixedZone("", -5399))}`},
		{"no such builder", decoded[in](t, `in{When: time.UnixMilli(2020), P: 3}`),
			`in{P: 3, Big: big.NewInt(0)} | 1: in.When: UnixMilli(...) does not call a builder of time.Time`},
		{"an argument out of range", decoded[in](t, `in{When: time.Unix(5, -1).UTC()}`),
			`in{When: time.Unix(5, 0).UTC(), Big: big.NewInt(0)} | 1: in.When.#1: -1 is outside the declared range`},
		{"no such constant", decoded[[]shade](t, "x{dark,\n darker}"), `[]shade{dark, light} | 2: in[1]: no constant is named darker`},
		{"too many fields", decoded[key](t, `x{1, 2, 3}`), `key{a: 1, b: 2} | 1: in: key has no field 3`},
		{"a huge index", decoded[[]int](t, `[]int{1 << 62: 1}`), `f:1: cannot use []int{...} as a []int`},
		{"huge numbers", decoded[[]int](t, `x{1 << 1 << 4000 << 4000, 1e1000000000, 9999999999999999999999, 1/0}`),
			`[]int{0, 0, 0, 0} | 1: in[0]: the constant is too large | 1: in[1]: cannot use 1e1000000000 as an int | 1: in[2]: 9999999999999999999999 overflows int | 1: in[3]: cannot use the expression as an int`},
		{"a text that is refused now", decoded[refusing](t, `func() refusing { var v refusing; v.UnmarshalText([]byte("1.5")); return v }()`),
			`f:1: UnmarshalText of codec_test.refusing refuses the text "1.5" now: not even a version`},
		{"as a field", decoded[struct{ R *refusing }](t, `in{R: &[]refusing{func() refusing { var v refusing; v.UnmarshalJSON([]byte("1")); return v }()}[0]}`),
			`in{R: &refusing{}} | 1: in.R: codec_test.refusing has no method UnmarshalJSON that reads a text`},
		{"unknown calls", decoded[*stack](t, `push(empty(), 1)`), `f:1: push(...) does not call a builder of *codec_test.stack`},
	} {
		if row.got != row.want {
			t.Errorf("%s:\n\t%s\nwant\n\t%s", row.name, row.got, row.want)
		}
	}
}

// A text that a method does not read any more is no call of an unknown function.
func TestCauseOfRefusedTexts(t *testing.T) {
	w, err := schema.Derive(reflect.TypeFor[struct{ R refusing }](), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{"UnmarshalText", "UnmarshalJSON"} {
		text := `in{R: func() refusing { var v refusing; v.` + method + `([]byte("1")); return v }()}`
		k, err := codec.Decode(w, "f", []byte(text), nil)
		if err != nil || len(k.Losses) != 1 || k.Losses[0].Cause != codec.NoText {
			t.Errorf("%s: %v, %+v", method, err, k.Losses)
		}
	}
}

func half(x int) int { return x / 2 }

type refusing struct{ n int }

func (*refusing) UnmarshalText([]byte) error { return errors.New("not even a version") }

type generic[T any] struct{ v T }

func (g generic[T]) with(v T) generic[T] { return generic[T]{v} }

// Functions without a name in source get one in the file, and are found by it. An instance of a generic
// function has the name of the instance.
func TestNamelessFunctions(t *testing.T) {
	builder := func(f any) schema.Decl {
		m, err := schema.NewFunc(f)
		if err != nil {
			t.Fatal(err)
		}
		return schema.Decl{Type: m.Result, What: m, Tier: schema.Local}
	}
	fs := []func(int) int{half, func(x int) int { return x }, func(x int) int { return func(y int) int { return y }(x) }, nil}
	var values schema.Values
	for _, f := range fs {
		values.All = append(values.All, reflect.ValueOf(f))
	}
	type in struct {
		F   func(int) int
		Big *big.Int
		G   generic[int]
	}
	ds := []schema.Decl{{Type: reflect.TypeFor[func(int) int](), What: values, Tier: schema.Local}, builder(func(x uint8) *big.Int { return big.NewInt(int64(x)) }),
		builder(func() generic[int] { return generic[int]{} }), builder(generic[int].with)}
	w, err := schema.Derive(reflect.TypeFor[in](), ds)
	if err != nil {
		t.Fatal(err)
	}
	g := gen.New(w)
	var all strings.Builder
	for run := range uint64(200) {
		x := g.Term(rng.At(1, run), 5).Clone()
		text := codec.Print(w, x, codec.Style{Pkg: herePkg, Case: true})
		c, err := codec.Decode(w, "f", []byte(text.Expr), nil)
		if err != nil || len(c.Losses) > 0 || !term.Equal(c.Term, x) || text.Nameable {
			t.Fatal(text.Expr, err, c.Losses)
		}
		all.WriteString(text.Expr)
	}
	for _, name := range []string{"half,", "TestNamelessFunctions_func2,", "TestNamelessFunctions_func4(", "generic[int].with("} {
		if !strings.Contains(all.String(), name) {
			t.Errorf("no value is named %s", name)
		}
	}
	// nil is the zero value. Earlier versions wrote its index.
	for _, f := range []string{"", "F: nil, ", "F: value3, "} {
		c, err := codec.Decode(w, "f", []byte("in{"+f+"Big: TestNamelessFunctions_func4(1), G: TestNamelessFunctions_func5()}"), nil)
		if err != nil || len(c.Losses) > 0 {
			t.Errorf("%s: %v, %v", f, err, c.Losses)
			continue
		}
		if v, _ := w.Value(c.Term); v.Interface().(in).F != nil {
			t.Errorf("%s: not nil", f)
		}
	}
}

// A file that needs more nodes than a case may have is rejected while it is read,
// not after.
func TestNodesAreBounded(t *testing.T) {
	w := worldOf[[][1 << 10]int](t)
	_, err := codec.Decode(w, "f", []byte("x{"+strings.Repeat("{},", 1<<20)+"}"), nil)
	if err == nil || err.Error() != "f:1: the case has more than 10000000 nodes" {
		t.Error(err)
	}
}

// A very long path is shown by its two ends, and only the first losses are kept.
func TestManyLosses(t *testing.T) {
	w := worldOf[*zoo.Tree](t)
	c, err := codec.Decode(w, "f", []byte(strings.Repeat("&Tree{X: 1, L: ", 2000)+"nil"+strings.Repeat("}", 2000)), nil)
	if err != nil || len(c.Losses) != 1000 {
		t.Fatal(err, len(c.Losses))
	}
	want := "in" + strings.Repeat(".L", 12) + "...(476 more)..." + strings.Repeat(".L", 11) + ".X"
	if got := c.Losses[499].Path; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Deep terms are printed in time linear in their size: with broken lines, each
// level would need one more tab.
func TestDeepIsLinear(t *testing.T) {
	w := worldOf[*zoo.Tree](t)
	size := func(depth int) int {
		tree := &zoo.Tree{}
		for range depth {
			tree = &zoo.Tree{L: tree}
		}
		x, err := w.Read(reflect.ValueOf(tree))
		if err != nil {
			t.Fatal(err)
		}
		return len(codec.Print(w, x, codec.Style{Pkg: zooPkg}).Expr)
	}
	if small, large := size(1000), size(30_000); large > 40*small {
		t.Errorf("%d bytes at 1000 levels, %d at 30,000", small, large)
	}
}
