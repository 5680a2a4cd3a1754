//go:build go1.25

package schema_test

import (
	"math"
	"reflect"
	"testing"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

// Long arrays of scalars are blocks, unless something is declared for their elements. A page
// takes as many units as a byte slice of its size.
func TestBlocks(t *testing.T) {
	type grade uint8
	for _, c := range []struct {
		what  string
		typ   reflect.Type
		decls []schema.Decl
		block bool
		units int // of the least term
	}{
		{"an ID", reflect.TypeFor[[16]byte](), nil, true, 2},
		{"a short array", reflect.TypeFor[[15]byte](), nil, false, 16},
		{"a page", reflect.TypeFor[[65536]byte](), nil, true, 1 + 65536/16},
		{"numbers", reflect.TypeFor[[1024]int32](), nil, true, 1 + 4096/16},
		{"floats", reflect.TypeFor[[20]float64](), nil, true, 11},
		{"bools", reflect.TypeFor[[17]bool](), nil, true, 3},
		{"texts", reflect.TypeFor[[16]string](), nil, false, 17},
		{"structs", reflect.TypeFor[[16]struct{ A byte }](), nil, false, 33},
		{"arrays of blocks", reflect.TypeFor[[2][16]byte](), nil, false, 5},
		{"elements with a range", reflect.TypeFor[[16]grade](), []schema.Decl{limitsOf[grade](1, 6)}, false, 17},
		{"bytes with a range", reflect.TypeFor[[16]byte](), []schema.Decl{limitsOf[byte](1, 6)}, false, 17},
		{"elements with values", reflect.TypeFor[[16]grade](), []schema.Decl{
			{Type: reflect.TypeFor[grade](), What: schema.Values{All: []reflect.Value{reflect.ValueOf(grade(3))}}, Tier: schema.Local}}, false, 17},
		{"elements that are compared with a constant", reflect.TypeFor[[16]byte](), []schema.Decl{
			{Type: reflect.TypeFor[byte](), What: schema.Likely{All: []reflect.Value{reflect.ValueOf(byte(3))}, Loose: true}, Tier: schema.Found}}, true, 2},
		{"elements with constants", reflect.TypeFor[[16]grade](), []schema.Decl{
			{Type: reflect.TypeFor[grade](), What: schema.Likely{All: []reflect.Value{reflect.ValueOf(grade(3))}}, Tier: schema.Global}}, false, 17},
	} {
		w, err := schema.Derive(c.typ, c.decls)
		if err != nil {
			t.Fatal(err)
		}
		if got := w.Root.Kind == schema.Block; got != c.block || len(w.Root.Least) != c.units {
			t.Errorf("%s: block %v, %d units; want %v, %d", c.what, got, len(w.Root.Least), c.block, c.units)
		}
	}
}

// Elements of all types are read back as they were set, next to any others.
func TestItems(t *testing.T) {
	for _, typ := range []reflect.Type{
		reflect.TypeFor[[16]bool](), reflect.TypeFor[[16]int8](), reflect.TypeFor[[17]uint8](), reflect.TypeFor[[18]int16](),
		reflect.TypeFor[[19]uint16](), reflect.TypeFor[[20]int32](), reflect.TypeFor[[21]uint32](), reflect.TypeFor[[22]int64](),
		reflect.TypeFor[[23]uint](), reflect.TypeFor[[24]uintptr](), reflect.TypeFor[[25]float32](), reflect.TypeFor[[26]float64](),
	} {
		w, err := schema.Derive(typ, nil)
		if err != nil {
			t.Fatal(err)
		}
		s, g := w.Root, gen.New(w)
		for run := range uint64(50) {
			x := g.Term(rng.At(3, run), 30).Clone()
			v, _ := w.Value(x)
			back, err := w.Read(v)
			if err != nil || !term.Equal(x, back) {
				t.Fatalf("%v: %v is read as %v, %v", typ, x, back, err)
			}
			for i := range s.Len {
				if got, want := s.Item(x.Bytes(0), i), schema.ScalarBits(v.Index(i)); got != want || !s.Elem.In(got) {
					t.Fatalf("%v: element %d is %#x, want %#x", typ, i, got, want)
				}
			}
			first := s.ItemFrom(x.Bytes(0), 0)
			for i := range min(first+1, s.Len) {
				if zero := v.Index(i).IsZero() && s.Item(x.Bytes(0), i) == 0; zero != (i < first) {
					t.Fatalf("%v: the first element that is not zero is %d, not %d", v, i, first)
				}
			}
		}
	}
}

// Keys of maps are sorted by their elements, and contain neither NaN nor -0.
func TestBlocksAsKeys(t *testing.T) {
	w, err := schema.Derive(reflect.TypeFor[map[[16]int32]int](), nil)
	if err != nil {
		t.Fatal(err)
	}
	x, err := w.Read(reflect.ValueOf(map[[16]int32]int{{256}: 1, {1}: 2, {-1}: 3, {0, 1}: 4, {}: 5}))
	if err != nil {
		t.Fatal(err)
	}
	var values []uint64
	for k := range x.Kids(0) {
		if w.Of(x[k]).Kind == schema.Scalar {
			values = append(values, x[k].X)
		}
	}
	if want := []uint64{3, 5, 4, 2, 1}; !reflect.DeepEqual(values, want) {
		t.Errorf("sorted as %v, want %v", values, want)
	}
	w, err = schema.Derive(reflect.TypeFor[map[[16]float64]int](), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = w.Read(reflect.ValueOf(map[[16]float64]int{{math.NaN()}: 1, {}: 2})); err == nil {
		t.Error("a NaN in a key is read")
	}
	g := gen.New(w)
	for run := range uint64(500) {
		w.EachFloat(g.Term(rng.At(1, run), 20), func(x uint64) uint64 {
			if f := math.Float64frombits(x); f != f || f == 0 && math.Signbit(f) {
				t.Fatalf("run %d: %v in a key", run, f)
			}
			return x
		})
	}
}

// A pattern that fixes elements of a long array is made, with other elements around them.
func TestBlockPatterns(t *testing.T) {
	type file struct{ Head [16]byte }
	typ := reflect.TypeFor[file]()
	w, err := schema.Derive(typ, []schema.Decl{{Type: typ, What: &schema.ShapeDecl{Name: "magic", Value: reflect.ValueOf(file{[16]byte{0: 0x7f, 1: 'E', 15: 9}})}, Tier: schema.Local}})
	if err != nil {
		t.Fatal(err)
	}
	if len(w.Root.Patterns) != 1 {
		t.Fatalf("%d patterns", len(w.Root.Patterns))
	}
	g := gen.New(w)
	made, other := 0, map[byte]bool{}
	for run := range uint64(1000) {
		if b := g.Term(rng.At(1, run), 20).Bytes(1); b[0] == 0x7f && b[1] == 'E' && b[15] == 9 {
			made++
			other[b[2]] = true
		}
	}
	if made < 50 || len(other) < 10 {
		t.Errorf("%d of 1,000 terms have the pattern, with %d different bytes in a hole", made, len(other))
	}
}
