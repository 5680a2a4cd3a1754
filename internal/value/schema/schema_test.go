//go:build go1.25

package schema_test

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/testkit/zoo"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

type (
	list struct {
		head int
		tail *list
	}
	even           struct{ next *odd }
	odd            struct{ next *even }
	pair[A, B any] struct {
		A A
		B B
	}
	base     struct{ ID int }
	embedder struct {
		base
		*list
	}
	shape  interface{ area() float64 }
	circle struct{ R float64 }
	square struct{ side float64 }
	loop   interface{ loop() }
	again  struct{ L loop }
)

func (circle) area() float64  { return 0 }
func (*square) area() float64 { return 0 }
func (again) loop()           {}

// outline writes a schema as one line: constructors with their fields, and only
// the name of a type that occurred before.
func outline(w *schema.World) string {
	seen := map[*schema.Schema]bool{}
	var show func(s *schema.Schema) string
	fields := func(fs []schema.Field) string {
		var out []string
		for _, f := range fs {
			out = append(out, strings.TrimPrefix(f.Name+":", ":")+show(f.S))
		}
		return strings.Join(out, " ")
	}
	show = func(s *schema.Schema) string {
		if seen[s] || s.IsScalar() {
			return strings.ReplaceAll(s.Type.String(), "schema_test.", "")
		}
		seen[s] = true
		switch s.Kind {
		case schema.Slice:
			return "[" + show(s.Elem) + "]"
		case schema.Array:
			return fmt.Sprintf("[%d %s]", s.Len, show(s.Elem))
		case schema.Map:
			return "{" + show(s.Key) + ": " + show(s.Elem) + "}"
		}
		var ctors []string
		for _, c := range s.Ctors {
			if s.Kind == schema.Struct {
				return "(" + fields(c.Fields) + ")"
			}
			ctors = append(ctors, strings.TrimSuffix(c.Name+"("+fields(c.Fields)+")", "()"))
		}
		return "<" + strings.Join(ctors, " | ") + ">"
	}
	return show(w.Root)
}

func variantsOf[I any](vs ...I) schema.Decl {
	return schema.Decl{Type: reflect.TypeFor[I](), What: schema.VariantsOf(vs...), Tier: schema.Local}
}

func builderOf(t testing.TB, f any) schema.Decl {
	m, err := schema.NewFunc(f)
	if err != nil {
		t.Fatal(err)
	}
	return schema.Decl{Type: m.Result, What: m, Tier: schema.Local}
}

func limitsOf[V any](lo, hi V) schema.Decl {
	return schema.Decl{Type: reflect.TypeFor[V](), What: schema.Range{Lo: reflect.ValueOf(lo), Hi: reflect.ValueOf(hi)}, Tier: schema.Local}
}

func TestDerive(t *testing.T) {
	for _, c := range []struct {
		what  string
		typ   reflect.Type
		decls []schema.Decl
		want  string
	}{
		{"scalar", reflect.TypeFor[int8](), nil, "int8"},
		{"struct", reflect.TypeFor[pair[int, string]](), nil, "(A:int B:string)"},
		{"recursive, unexported", reflect.TypeFor[*list](), nil, "<nil | &(head:int tail:*list)>"},
		{"mutually recursive", reflect.TypeFor[*even](), nil, "<nil | &(next:<nil | &(next:*even)>)>"},
		{"generic", reflect.TypeFor[pair[[]int, map[string]bool]](), nil, "(A:[int] B:{string: bool})"},
		{"embedded", reflect.TypeFor[embedder](), nil, "(base:(ID:int) list:<nil | &(head:int tail:*list)>)"},
		{"array", reflect.TypeFor[[3]uint16](), nil, "[3 uint16]"},
		{"bytes are a scalar", reflect.TypeFor[[]byte](), nil, "[]uint8"},
		{"nested pointer", reflect.TypeFor[**int](), nil, "<nil | &(<nil | &(int)>)>"},
		{"complex", reflect.TypeFor[complex64](), nil, "<complex(real:float32 imag:float32)>"},
		{"interface, struct and pointer variants", reflect.TypeFor[[]shape](), []schema.Decl{variantsOf[shape](circle{}, &square{})},
			"[<nil | circle(R:float64) | square(side:float64)>]"},
		{"undeclared interface", reflect.TypeFor[[]fmt.Stringer](), nil, "[<nil>]"},
		{"ready builder", reflect.TypeFor[time.Time](), nil, "<time.Unix(_0, 0).In(time.FixedZone(\"\", _1))(int64 int) | time.Date(_0, _1, _2, _3, _4, _5, _6, time.UTC)(int time.Month int int int int int) | time.Unix(_0, _1).UTC()(int64 int64) | time.Unix(_0, 0).In(time.FixedZone(\"\", 60*_1))(int64 int) | time.Time{}>"},
		{"foreign, hidden fields", reflect.TypeFor[struct{ M strings.Builder }](), nil, "(M:())"},
		{"opaque, made by its functions", reflect.TypeFor[zoo.Stack](),
			[]schema.Decl{builderOf(t, zoo.NewStack), builderOf(t, zoo.Stack.Push)}, "<zoo.NewStack | zoo.Stack.Push(zoo.Stack int)>"},
		{"a path reaches every node below it", reflect.TypeFor[struct{ T *zoo.Tree }](),
			[]schema.Decl{{What: schema.At{Path: "T.K", Sub: []schema.Decl{limitsOf(0, 9)}}, Tier: schema.Local}}, "(T:<nil | &(L:*zoo.Tree R:*zoo.Tree K:int)>)"},
	} {
		w, err := schema.Derive(c.typ, c.decls)
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
		} else if got := outline(w); got != c.want {
			t.Errorf("%s: %v\n got %s\nwant %s", c.what, c.typ, got, c.want)
		}
	}
}

// A type that cannot be derived is rejected with the path of the field and what
// to declare.
func TestRefuse(t *testing.T) {
	for _, c := range []struct {
		what  string
		typ   reflect.Type
		decls []schema.Decl
		want  string
	}{
		{"func", reflect.TypeFor[[]map[string]func(int) error](), nil, "in[][] (func(int) error): a func cannot be derived; list functions with allele.Values[func(int) error], or declare allele.Builder"},
		{"chan", reflect.TypeFor[map[string]chan int](), nil, "in[] (chan int): a chan cannot be derived; declare allele.Builder"},
		{"unsafe", reflect.TypeFor[[]unsafe.Pointer](), nil, "in[] (unsafe.Pointer)"},
		{"bare interface", reflect.TypeFor[shape](), nil, "in (schema_test.shape): an interface without variants is always nil; declare them with allele.Variants[schema_test.shape]"},
		{"no finite value", reflect.TypeFor[[]loop](), []schema.Decl{variantsOf[loop](again{})}, "no finite value"},
		{"wrong path", reflect.TypeFor[pair[int, int]](), []schema.Decl{{What: schema.At{Path: "A.Q", Sub: []schema.Decl{limitsOf(0, 9)}}, Tier: schema.Local}}, `At("A.Q"): there is no such field`},
		{"declared for a type that the input does not have", reflect.TypeFor[int](), []schema.Decl{limitsOf[int8](0, 9)}, "Range[int8]: no field has type int8; the fields are in (int)"},
		{"declared for another type at a path", reflect.TypeFor[struct{ Port uint16 }](),
			[]schema.Decl{{What: schema.At{Path: "Port", Sub: []schema.Decl{limitsOf(0, 9)}}, Tier: schema.Local}},
			"Range[int]: no field has type int; the fields are in.Port (uint16)"},
		{"empty range", reflect.TypeFor[int](), []schema.Decl{limitsOf(9, 0)}, "Range(9, 0) is empty"},
		{"key that cannot be hashed", reflect.TypeFor[map[any]int](), []schema.Decl{variantsOf[any]([]int{})}, "none of the types of Variants[interface {}] can be a map key"},
	} {
		_, err := schema.Derive(c.typ, c.decls)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v\nwant ... %s ...", c.what, err, c.want)
		}
	}
}

// Terms that differ only in the sign of a zero, in a NaN or in nil check the same.
func TestCanonical(t *testing.T) {
	type in struct {
		F float64
		B []byte
		L []int
		M map[int]int
	}
	w, err := schema.Derive(reflect.TypeFor[in](), nil)
	if err != nil {
		t.Fatal(err)
	}
	minus := math.Copysign(0, -1)
	for _, c := range []struct {
		a, b in
		same bool
	}{
		{in{F: 0}, in{F: minus}, true},
		{in{F: math.NaN()}, in{F: math.Float64frombits(math.Float64bits(math.NaN()) ^ 2)}, true},
		{in{}, in{B: []byte{}, L: []int{}, M: map[int]int{}}, true},
		{in{F: 0}, in{F: 1}, false},
		{in{B: []byte{}}, in{B: []byte{0}}, false},
	} {
		var terms [2]term.Term
		for i, v := range []in{c.a, c.b} {
			if terms[i], err = w.Read(reflect.ValueOf(v)); err != nil {
				t.Fatal(err)
			}
		}
		if got := term.Equal(w.Canonical(terms[0]), w.Canonical(terms[1])); got != c.same {
			t.Errorf("%v and %v: %v", c.a, c.b, got)
		}
	}
}

func TestNotes(t *testing.T) {
	w, err := schema.Derive(reflect.TypeFor[struct {
		Err fmt.Stringer
		B   strings.Builder
	}](), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"in.Err: fmt.Stringer has no variants, so it is always nil; declare them with allele.Variants[fmt.Stringer], or that nil is intended: allele.Values[fmt.Stringer](nil)",
		"in.B: strings.Builder is always zero: its fields belong to another module; declare allele.Builder for other values, " +
			"or that zero is intended: allele.Values(strings.Builder{})",
	}
	if !reflect.DeepEqual(w.Notes, want) {
		t.Errorf("notes %q", w.Notes)
	}
	w, err = schema.Derive(reflect.TypeFor[struct {
		N int
		P sync.Pool
		C *sync.Cond
		O sync.Once
	}](), nil)
	if err != nil || len(w.Notes) > 0 {
		t.Errorf("zero is meant: notes %q, %v", w.Notes, err)
	}
	in := reflect.TypeFor[struct{ Err error }]()
	w, err = schema.Derive(in, []schema.Decl{{Type: in.Field(0).Type, What: schema.Values{All: []reflect.Value{reflect.Zero(in.Field(0).Type)}}, Tier: schema.Local}})
	if err != nil || len(w.Notes) > 0 {
		t.Errorf("nil is declared: notes %q, %v", w.Notes, err)
	}
}

// A builder for a type replaces the ready builders, whichever tier it is declared
// in.
func TestTiers(t *testing.T) {
	mine := builderOf(t, func() *big.Int { return big.NewInt(1) })
	for _, tier := range []schema.Tier{schema.Global, schema.Local} {
		mine.Tier = tier
		w, err := schema.Derive(reflect.TypeFor[*big.Int](), []schema.Decl{mine})
		if err != nil || len(w.Root.Ctors) != 1 {
			t.Errorf("tier %d: %v, %d constructors", tier, err, len(w.Root.Ctors))
		}
	}
}

// One interface with 200 variants and a graph of 500 types: the sizes of a
// wasm instruction set and a cluster manager's largest object.
func TestScale(t *testing.T) {
	ft := reflect.TypeFor[int]()
	for i := range 500 {
		ft = reflect.StructOf([]reflect.StructField{{Name: fmt.Sprintf("F%d", i), Type: reflect.PointerTo(ft)}, {Name: "N", Type: reflect.TypeFor[[]string]()}})
	}
	w, err := schema.Derive(ft, nil)
	if err != nil || len(w.Schemas) < 500 {
		t.Fatalf("%v, %d schemas", err, len(w.Schemas))
	}

	var many schema.Variants
	for i := range 200 {
		many = append(many, reflect.ArrayOf(i, reflect.TypeFor[any]()))
	}
	w, err = schema.Derive(reflect.TypeFor[[]any](), []schema.Decl{{Type: reflect.TypeFor[any](), What: many}})
	if err != nil {
		t.Fatal(err)
	}
	g, b := gen.New(w), schema.NewBuilder(w)
	seen := map[reflect.Type]bool{}
	for run := range uint64(20_000) {
		var v []any
		b.Build(g.Term(rng.At(1, run), 30), unsafe.Pointer(&v))
		for _, e := range v {
			seen[reflect.TypeOf(e)] = true
		}
	}
	if len(seen) < 30 { // larger variants do not fit
		t.Errorf("%d of 200 variants", len(seen))
	}
}

// A term of a hundred thousand nodes can be generated, built, measured and read.
func TestLargeTerm(t *testing.T) {
	w, err := schema.Derive(reflect.TypeFor[*zoo.Tree](), nil)
	if err != nil {
		t.Fatal(err)
	}
	x := gen.New(w).Term(rng.At(1, 1), 120_000)
	if n := w.Cells(x); n < 100_000 {
		t.Fatalf("%d cells", n)
	}
	var tree *zoo.Tree
	schema.NewBuilder(w).Build(x, unsafe.Pointer(&tree))
	y, err := w.Read(reflect.ValueOf(tree))
	if err != nil || !term.Equal(x, y) {
		t.Errorf("read back differently: %v", err)
	}
}

func TestMeasure(t *testing.T) {
	for _, c := range []struct {
		typ      reflect.Type
		min, max int
		count    uint64
	}{
		{reflect.TypeFor[bool](), 0, 0, 2},
		{reflect.TypeFor[*bool](), 0, 1, 3},
		{reflect.TypeFor[[2]*bool](), 0, 2, 9},
		{reflect.TypeFor[[16]byte](), 0, 0, schema.Unbounded},
		{reflect.TypeFor[[3]zoo.Expr](), 3, schema.Unbounded, schema.Unbounded},
		{reflect.TypeFor[pair[bool, uint8]](), 0, 0, 512},
		{reflect.TypeFor[int](), 0, 0, schema.Unbounded},
		{reflect.TypeFor[*zoo.Tree](), 0, schema.Unbounded, schema.Unbounded},
		{reflect.TypeFor[zoo.Expr](), 1, schema.Unbounded, schema.Unbounded},
		{reflect.TypeFor[[]bool](), 0, schema.Unbounded, schema.Unbounded},
		{reflect.TypeFor[struct{ E fmt.Stringer }](), 0, 0, 1},
	} {
		w, err := schema.Derive(c.typ, zoo.Decls())
		if err != nil {
			t.Fatal(err)
		}
		if m := w.Root.Measure; m.MinCells != c.min || m.MaxCells != c.max || m.Count != c.count {
			t.Errorf("%v: min %d max %d count %d, want %d %d %d", c.typ, m.MinCells, m.MaxCells, m.Count, c.min, c.max, c.count)
		}
	}
}

// Nesting counts the cells on the longest path down; a list element without cells
// counts as one, an array element as none.
func TestNesting(t *testing.T) {
	type tree struct{ L, R *tree }
	type nest []nest
	for _, c := range []struct {
		in            any
		cells, nested int
	}{
		{7, 0, 0},
		{(*tree)(nil), 0, 0},
		{&tree{}, 1, 1},
		{&tree{&tree{}, &tree{nil, &tree{}}}, 4, 3},
		{[]int{1, 2, 3}, 3, 1},
		{[]*tree{nil, {&tree{}, nil}}, 3, 2},
		{[][]int{{1, 2}, {}}, 3, 1},
		{nest{nest{nest{nest{}}}}, 1, 1}, // an element that contains cells is none itself
		{[]*int{new(int)}, 1, 1},
		{map[int]*tree{1: nil, 2: {}}, 2, 1},
		{[3]int{1, 2, 3}, 0, 0},
		{[][16]byte{{1}, {2}}, 2, 1},
		{[][2]*tree{{{}, {}}, {}}, 3, 1},
		{map[[4]byte][2]int{{1}: {}}, 1, 1},
	} {
		w, err := schema.Derive(reflect.TypeOf(c.in), nil)
		if err != nil {
			t.Fatal(err)
		}
		x, err := w.Read(reflect.ValueOf(c.in))
		if err != nil {
			t.Fatal(err)
		}
		if cells, nested := w.Cells(x), w.Nesting(x); cells != c.cells || nested != c.nested {
			t.Errorf("%v: %d cells, %d nested; want %d, %d", c.in, cells, nested, c.cells, c.nested)
		}
	}
}
