//go:build go1.25

package mutate

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/testkit/zoo"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

type (
	shrub struct {
		L *shrub
		K int8
		R *shrub
	}
	pairOf[T any] struct{ A, B T }
	suit          uint8
	card          struct {
		S    suit
		Up   bool
		Next *card
	}
)

var suits = schema.Decl{Type: reflect.TypeFor[suit](), What: schema.Likely{All: []reflect.Value{
	reflect.ValueOf(suit(3)), reflect.ValueOf(suit(5)), reflect.ValueOf(suit(7))}}, Tier: schema.Global}

var decls = append(zoo.Decls(), suits)

func leaf(k int8) *shrub { return &shrub{nil, k, nil} }

// show prints a term: . for nil, fields in parentheses, elements in brackets, and
// the name of the variant of an interface.
func show(w *schema.World, t term.Term, pos int) string {
	s, n := w.Of(t[pos]), t[pos]
	var kids []string
	for k := range t.Kids(pos) {
		kids = append(kids, show(w, t, k))
	}
	inside := strings.Join(kids, " ")
	switch {
	case s.Kind == schema.Block:
		for i := range s.Len {
			if x := s.Item(t.Bytes(pos), i); x != 0 {
				kids = append(kids, fmt.Sprintf("%d:%d", i, int64(x)))
			}
		}
		return "[" + strings.Join(kids, " ") + "]"
	case n.C == term.Raw:
		return fmt.Sprintf("%q", t.Bytes(pos))
	case s.Kind == schema.Scalar && s.IsSigned():
		return fmt.Sprint(int64(n.X))
	case s.Kind == schema.Scalar:
		return fmt.Sprint(n.X)
	case s.Kind == schema.Choice:
		return s.Ctors[n.C].Name
	case n.C == 0 && n.N == 1 && s.Kind != schema.Struct:
		return "."
	case s.IsList():
		return "[" + inside + "]"
	case s.Kind == schema.Interface:
		return s.Ctors[n.C].Name + "(" + inside + ")"
	}
	return "(" + inside + ")"
}

// read derives the world of a value and its term.
func read(t testing.TB, v any) (*schema.World, term.Term) {
	t.Helper()
	w := derive(t, reflect.TypeOf(v), decls)
	u, err := w.Read(reflect.ValueOf(v))
	if err != nil {
		t.Fatal(err)
	}
	return w, u
}

// list shows all mutants of a value, in order, mirrored ones with a star.
func list(t testing.TB, v any, c Config) string {
	t.Helper()
	w, u := read(t, v)
	m := New(w, c)
	b := m.Batch(u, 1)
	var all []string
	for x, ok := m.Next(&b); ok; x, ok = m.Next(&b) {
		text := show(w, x.Term, 0)
		if x.Mirrored {
			text += "*"
		}
		all = append(all, text)
	}
	return strings.Join(all, "  ")
}

// The mutants of small values, at the root first.
func TestMutants(t *testing.T) {
	pure, both := Config{Kinds: Pure | Lists}, Config{Kinds: Pure | Lists | Mirror}
	for _, c := range []struct {
		name   string
		value  any
		config Config
		want   string
	}{
		{"nil becomes a cell with least fields", (*shrub)(nil), pure, "(. 0 .)"},
		{"a leaf becomes nil, then its fields change", leaf(7), pure, ".  ((. 0 .) 7 .)  (. 7 (. 0 .))"},
		{"a node becomes either child, nil, or rearranged", &shrub{leaf(1), 2, leaf(3)}, pure,
			"(. 1 .)  (. 3 .)  .  ((. 3 .) 2 (. 3 .))  ((. 1 .) 2 (. 1 .))  ((. 3 .) 2 (. 1 .))" +
				"  (. 2 (. 3 .))  ((. 1 .) 2 .)" +
				"  (((. 0 .) 1 .) 2 (. 3 .))  ((. 1 (. 0 .)) 2 (. 3 .))  ((. 1 .) 2 ((. 0 .) 3 .))  ((. 1 .) 2 (. 3 (. 0 .)))"},
		{"equal children count once", &shrub{leaf(1), 2, leaf(1)}, Config{Kinds: Pure | Lists, UnitsMax: 1},
			"(. 1 .)  .  (. 2 (. 1 .))  ((. 1 .) 2 .)"},
		{"a pair of one type", pairOf[int8]{1, 2}, pure, "(2 2)  (1 1)  (2 1)"},
		{"a list", []int8{1, 2}, pure, "[2]  [1]  []  .  [1 1 2]  [1 2 2]  [2 1]  [0 1 2]  [1 0 2]  [1 2 0]"},
		{"a list in MUTAGEN", []int8{1, 2}, Config{Kinds: Pure}, "[2]  [1]  []  [1 1 2]  [1 2 2]  [1 2 0]"},
		{"a list of equal elements", []int8{0, 0}, pure, "[0]  []  .  [0 0 0]"},
		{"an empty list is not nil", []int8{}, pure, ".  [0]"},
		{"a short array is a constructor", [2]int8{1, 2}, pure, "[2 2]  [1 1]  [2 1]"},
		{"a long array is edited like a list", [5]int8{1, 1, 1, 1, 2}, pure, "[1 1 1 2 2]  [1 1 1 1 1]  [1 1 1 2 1]"},
		{"a long array of scalars becomes zero, an element another, and parts of it zero", [16]int8{7: 1, 8: 2, 15: 3}, Config{Kinds: Pure | Lists},
			"[]  [6:1 7:1 8:2 15:3]  [6:1 8:2 15:3]  [8:2 15:3]  [7:2 8:2 15:3]  [7:2 8:1 15:3]  [7:1 15:3]  [7:1 8:1 15:3]" +
				"  [7:1 9:2 15:3]  [15:3]  [7:1]  [7:1 8:2 9:2 15:3]  [7:1 8:2 14:3 15:3]  [7:1 8:2 14:3]  [7:1 8:2]"},
		{"a map: values change places, a new key gets any of them", map[int8]int8{0: 5, 3: 6}, pure,
			"[3 6]  [0 5]  []  .  [0 6 3 5]  [0 5 1 0 3 6]  [0 5 1 5 3 6]  [0 5 1 6 3 6]"},
		{"a changed key is moved to its sorted place, unless the map has it already", map[suit]bool{3: true, 5: false}, Config{Kinds: Pure, UnitsMax: 1},
			"[5 0]  [3 1]  []  [5 0 7 1]  [3 0 5 0]  [3 1 7 0]  [3 1 5 1]"},
		{"an enum takes every value, a bool the other", struct {
			S suit
			U bool
		}{5, true}, pure, "(3 1)  (7 1)  (5 0)"},
		{"declared values", []zoo.Level{"low"}, Config{Kinds: Pure | Lists, UnitsMax: 1}, "[]  .  [value1]"},
		{"bytes may be nil", []byte("a"), pure, `.  ""`},
		{"a child in a list may replace its parent", &bush{Kids: []*bush{{Name: "x"}}}, Config{Kinds: Pure | Lists, UnitsMax: 1},
			`("x" . (. .))  .  ("" [] (. .))  ("" . (. .))  ("" [.] (. .))  ("" [("x" [] (. .))] (. .))`},
		{"both halves first", pairOf[[]int8]{[]int8{1}, []int8{1}}, both,
			"([] [])*  (. .)*  ([1 1] [1 1])*  ([0 1] [0 1])*  ([1 0] [1 0])*" +
				"  ([] [1])  (. [1])  ([1 1] [1])  ([0 1] [1])  ([1 0] [1])" +
				"  ([1] [])  ([1] .)  ([1] [1 1])  ([1] [0 1])  ([1] [1 0])"},
		{"halves that differ elsewhere; equal mutants are made at the deepest position", pairOf[*card]{&card{3, true, nil}, &card{5, true, nil}}, Config{Kinds: Pure | Mirror, UnitsMax: 1},
			"((5 1 .) (3 1 .))  (. (5 1 .))  ((3 1 .) .)  ((5 1 .) (5 1 .))  ((7 1 .) (5 1 .))" +
				"  ((3 0 .) (5 0 .))*  ((3 0 .) (5 1 .))  ((3 1 .) (3 1 .))  ((3 1 .) (7 1 .))  ((3 1 .) (5 0 .))"},
		{"fills of an enum and a bool, after the least term", (*card)(nil), Config{Kinds: Pure | Filled},
			"(0 0 .)  (3 0 .)  (5 0 .)  (7 0 .)  (0 1 .)  (3 1 .)  (5 1 .)  (7 1 .)"},
		{"a leaf in itself", leaf(7), Config{Kinds: Nested}, "((. 7 .) 7 .)  (. 7 (. 7 .))"},
		{"parts in themselves", &shrub{leaf(1), 2, nil}, Config{Kinds: Nested},
			"(((. 1 .) 2 .) 2 .)  ((. 1 .) 2 ((. 1 .) 2 .))  (((. 1 .) 1 .) 2 .)  ((. 1 (. 1 .)) 2 .)"},
		{"a part in itself, through a list", &bush{Kids: []*bush{{Name: "x"}}}, Config{Kinds: Nested},
			`("" [("" [("x" . (. .))] (. .))] (. .))  ("" [("x" . (. .))] (("" [("x" . (. .))] (. .)) .))` +
				`  ("" [("x" . (. .))] (. ("" [("x" . (. .))] (. .))))  ("" [("x" . (("x" . (. .)) .))] (. .))  ("" [("x" . (. ("x" . (. .))))] (. .))`},
		{"no kind is enabled", &shrub{leaf(1), 2, leaf(3)}, Config{}, ""},
	} {
		if got := list(t, c.value, c.config); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// Fills are near numbers of the parent: the keys of a search tree matter by their
// order.
func TestFillsAreNear(t *testing.T) {
	w, u := read(t, &shrub{leaf(40), 50, nil})
	m := New(w, Config{Kinds: Filled, NeighboursMax: 8, Size: 1})
	near := map[int8]bool{}
	for seed := range uint64(20) {
		b := m.Batch(u, seed)
		for x, ok := m.Next(&b); ok; x, ok = m.Next(&b) {
			if x.Kind != Filled {
				t.Fatalf("kind %d", x.Kind)
			}
			for i := range x.Term.Nodes() {
				if !slices.Contains(u, x.Term[i]) && w.Of(x.Term[i]).Kind == schema.Scalar {
					near[int8(x.Term[i].X)] = true
				}
			}
		}
	}
	for _, k := range []int8{39, 41, 49, 51} {
		if !near[k] {
			t.Errorf("nothing was filled with %d", k)
		}
	}
}

// Counts in closed form. A full tree of distinct numbers with i inner nodes has
// i+1 leaves and 2i+2 nils. An inner node has six mutants (Fig. 2 of the paper:
// nil, two children, three arrangements), each other node has one.
func TestClosedForms(t *testing.T) {
	var full func(depth, k int) *shrub
	full = func(depth, k int) *shrub {
		if depth == 0 {
			return leaf(int8(k))
		}
		return &shrub{full(depth-1, 2*k), int8(k), full(depth-1, 2*k+1)}
	}
	for depth := range 5 {
		inner := 1<<depth - 1
		counts(t, full(depth, 1), Config{Kinds: Pure}, 6*inner+(inner+1)+2*(inner+1))
	}
	for n := range 20 {
		list := make([]int8, n)
		for i := range list {
			list[i] = int8(1 + i)
		}
		want := 5 * n // n drops, n-1 cuts, nil, n copies, n-1 swaps, n+1 new ones
		if n == 0 {
			want = 2 // nil, one new
		}
		counts(t, list, Config{Kinds: Pure | Lists}, want)
		counts(t, pairOf[[]int8]{list, list}, Config{Kinds: Pure | Lists | Mirror}, 3*want)
	}
	counts(t, [4]int8{1, 2, 3, 4}, Config{Kinds: Pure, WaysMax: 1000}, 4*4*4*4-1)
	counts(t, pairOf[pairOf[int8]]{pairOf[int8]{1, 2}, pairOf[int8]{3, 4}}, Config{Kinds: Pure}, 3+3+3)
}

func counts(t *testing.T, v any, c Config, want int) {
	t.Helper()
	w, u := read(t, v)
	m := New(w, c)
	b := m.Batch(u, 1)
	got := 0
	for _, ok := m.Next(&b); ok; _, ok = m.Next(&b) {
		got++
	}
	if got != want || !b.Exhausted() {
		t.Errorf("%v: %d mutants, want %d", show(w, u, 0), got, want)
	}
}

// Large subterms are visited before small ones. The term is ((. 1 (. 2 .)) 3 .).
func TestOrder(t *testing.T) {
	w, u := read(t, &shrub{&shrub{nil, 1, leaf(2)}, 3, nil})
	m := New(w, Config{})
	m.look(u, draw{})
	if got, want := fmt.Sprint(m.maker.scene.parent.levels()), "[0 1 8 9 2 3 4 5 6 7]"; got != want {
		t.Errorf("order %s, want %s", got, want)
	}
}

// Reached bounds are reported. Ways that change few fields come first.
func TestBounds(t *testing.T) {
	w, u := read(t, [3]pairOf[pairOf[int8]]{{pairOf[int8]{1, 2}, pairOf[int8]{3, 4}}, {pairOf[int8]{5, 6}, pairOf[int8]{7, 8}}})
	for _, c := range []struct {
		waysMax, unitsMax int
		cut, large        uint32
	}{{0, 0, 0, 0}, {26, 0, 0, 0}, {25, 0, 1, 0}, {6, 0, 20, 0}, {0, 1, 0, 0}} {
		m := New(w, Config{Kinds: Pure, WaysMax: c.waysMax, UnitsMax: c.unitsMax})
		b := m.Batch(u, 1)
		n := 0
		for x, ok := m.Next(&b); ok; x, ok = m.Next(&b) {
			if n++; n <= 6 && x.Pos == 0 && !oneElem(u, x.Term) {
				t.Errorf("%+v: number %d changes more than one element", c, n)
			}
		}
		if b.WaysCut != c.cut || b.TooLarge != c.large || !b.Exhausted() {
			t.Errorf("%+v: %d ways cut, %d too large", c, b.WaysCut, b.TooLarge)
		}
	}
	w, u = read(t, []int8{1, 2, 3})
	m := New(w, Config{Kinds: Pure | Lists, UnitsMax: 3})
	b := m.Batch(u, 1)
	n := 0
	for x, ok := m.Next(&b); ok; x, ok = m.Next(&b) {
		if n++; len(x.Term) > len(u) {
			t.Errorf("%s is too large", show(w, x.Term, 0))
		}
	}
	if b.TooLarge != 7 || n != 15-7 {
		t.Errorf("%d too large, %d not", b.TooLarge, n)
	}
}

func oneElem(t, u term.Term) bool {
	n := 0
	for k := range t.Kids(0) {
		if !term.Equal(t.Sub(k), u.Sub(k)) {
			n++
		}
	}
	return n == 1
}

// A batch is small enough for a queue of a hundred thousand, and making mutants
// allocates nothing after the first ones.
func TestCost(t *testing.T) {
	if size := unsafe.Sizeof(Batch{}); size > 80 {
		t.Errorf("a batch has %d bytes", size)
	}
	for _, a := range []zoo.Animal{{Type: reflect.TypeFor[*zoo.Tree]()}, {Type: reflect.TypeFor[zoo.Expr](), Decls: zoo.Decls()}, {Type: reflect.TypeFor[pairOf[*zoo.RB]]()}} {
		w := derive(t, a.Type, a.Decls)
		parent := gen.New(w).Term(rng.At(1, 3), 15).Clone()
		m := New(w, Config{Kinds: ^Kind(0), Samples: 2, Size: 9, NeighboursMax: 3, FragmentsMax: 2, DictionaryMax: 2})
		m.Fragments = fragmentsOf(w, parent, 3)
		run := func() {
			b := m.Batch(parent, 1)
			for _, ok := m.Next(&b); ok; _, ok = m.Next(&b) {
			}
		}
		run()
		if n := testing.AllocsPerRun(5, run); n > 0 {
			t.Errorf("%v: %v allocations", a.Type, n)
		}
	}
}

// A number has two neighbours. Those of a float that is too large for x+1 to be another one,
// or whose range is narrower than 1, are the next floats.
func TestNeighbours(t *testing.T) {
	type of = float64
	inf := math.Inf(1)
	up := func(f of) of { return math.Nextafter(f, inf) }
	for _, c := range []struct {
		name             string
		lo, x, hi        of
		below, above     of
		noBelow, noAbove bool
	}{
		{name: "whole numbers", lo: 0, x: 5, hi: 9, below: 4, above: 6},
		{name: "a narrow range", lo: 0, x: 0.25, hi: 0.5, below: -up(-0.25), above: up(0.25)},
		{name: "the low end", lo: 0.25, x: 0.25, hi: 0.5, noBelow: true, above: up(0.25)},
		{name: "the high end", lo: 0.25, x: 0.5, hi: 0.5, below: -up(-0.5), noAbove: true},
		{name: "too large for x+1", lo: 0, x: 1e100, hi: inf, below: -up(-1e100), above: up(1e100)},
		{name: "the largest number", lo: 0, x: math.MaxFloat64, hi: inf, below: -up(-math.MaxFloat64), above: inf},
		{name: "infinity", lo: 0, x: inf, hi: inf, below: math.MaxFloat64, noAbove: true},
		{name: "zero", lo: 0, x: 0, hi: 0x1p-1070, noBelow: true, above: 0x1p-1074},
	} {
		typ := reflect.TypeFor[of]()
		w, err := schema.Derive(typ, []schema.Decl{{Type: typ, What: schema.Range{Lo: reflect.ValueOf(c.lo), Hi: reflect.ValueOf(c.hi)}}})
		if err != nil {
			t.Fatal(err)
		}
		for d, want := range map[int]struct {
			f    of
			none bool
		}{-1: {c.below, c.noBelow}, 1: {c.above, c.noAbove}} {
			y, ok := beside(w.Root, schema.FloatBits(c.x), d)
			if got := math.Float64frombits(y); ok == want.none || ok && got != want.f {
				t.Errorf("%s: beside(%v, %d) = %v, %v, want %v", c.name, c.x, d, got, ok, want.f)
			}
		}
	}
}
