//go:build go1.25

package operand

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/value/schema"
	"github.com/allele-go/allele/internal/value/term"
)

func derive(t *testing.T, typ reflect.Type, decls ...schema.Decl) *schema.World {
	t.Helper()
	w, err := schema.Derive(typ, decls)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func match[T any](t *testing.T, expr string) schema.Decl {
	t.Helper()
	m, err := schema.NewMatch(expr)
	if err != nil {
		t.Fatal(err)
	}
	return schema.Decl{Type: reflect.TypeFor[T](), What: m}
}

// A derivation is replaced by that of another text, if the expression matches it, and one
// character in it by another member of its class.
func TestMatchedTexts(t *testing.T) {
	for _, c := range []struct{ name, now, x, y, want string }{
		{"the whole text", "abc", "abc", "rose", `"rose"`},
		{"too long", "abc", "abc", "rosebud", ""},
		{"not in the class", "abc", "abc", "x-y", ""},
		{"a part", "ab12", "12", "907", `"ab907"`},
		{"the empty text", "abc", "abc", "", ""},
	} {
		for _, w := range []*schema.World{
			derive(t, reflect.TypeFor[string](), match[string](t, `[a-z]{1,5}\d*`)),
			derive(t, reflect.TypeFor[[]byte](), match[[]byte](t, `[a-z]{1,5}\d*`)),
		} {
			s := w.Root
			now, err := s.Parse(c.now)
			if err != nil {
				t.Fatal(err)
			}
			if got := show(s, Candidates(s, now, []Compared{{Text: true, X: c.x, Y: c.y}}, 100)); got != c.want {
				t.Errorf("%s: got %s, want %s", c.name, got, c.want)
			}
		}
	}
	w := derive(t, reflect.TypeFor[string](), match[string](t, `[a-z]{3}`))
	now, _ := w.Root.Parse("aaa")
	at := 2
	got := Candidates(w.Of(now[at]), now.Sub(at), []Compared{{A: 'q', B: 'a', Width: 1}, {A: 'a', B: '-', Width: 4}, {A: 'a', B: 1 << 40, Width: 8}}, 8)
	if len(got) != 1 || string(w.Root.Text(term.Replace(nil, now, at, got[0]))) != "qaa" {
		t.Errorf("a character: got %v", got)
	}
}

// show formats terms of a scalar or text.
func show(s *schema.Schema, ts []term.Term) string {
	var words []string
	for _, t := range ts {
		switch {
		case s.IsMatch():
			words = append(words, fmt.Sprintf("%q", s.Text(t)))
		case s.Kind != schema.Scalar:
			words = append(words, fmt.Sprintf("%q", t.Bytes(0)))
		case s.IsSigned():
			words = append(words, fmt.Sprint(int64(t[0].X)))
		default:
			words = append(words, fmt.Sprint(t[0].X))
		}
	}
	return strings.Join(words, " ")
}

func number(s *schema.Schema, x int64) term.Term { return term.Term{{S: s.ID, N: 1, X: uint64(x)}} }

func TestNumbers(t *testing.T) {
	type port uint16
	for _, c := range []struct {
		name  string
		typ   reflect.Type
		now   int64
		a, b  uint64
		width uint8
		want  string
	}{
		{"an int", reflect.TypeFor[int](), 5, 5, 77, 8, "77 76 78"},
		{"either side", reflect.TypeFor[int](), 5, 77, 5, 8, "77 76 78"},
		{"another number", reflect.TypeFor[int](), 6, 5, 77, 8, ""},
		{"negative", reflect.TypeFor[int](), -1, ^uint64(0), 7, 8, "7 6 8"},
		{"compared with a negative number", reflect.TypeFor[int](), 7, 7, ^uint64(0), 8, "-1 -2 0"},
		{"a field that was converted to int", reflect.TypeFor[uint16](), 5, 5, 300, 8, "300 299 301"},
		{"too large for the field", reflect.TypeFor[uint16](), 5, 5, 70000, 8, ""},
		{"just too large for the field", reflect.TypeFor[int8](), 5, 5, 128, 8, "127 -128 -127"},
		{"int8 without conversion", reflect.TypeFor[int8](), -3, 0xfd, 0x80, 1, "-128 -127 127"},
		{"int8 converted to int", reflect.TypeFor[int8](), -3, 0xfffffffffffffffd, 100, 8, "100 99 101"},
		{"int8 converted by way of uint8", reflect.TypeFor[int8](), -3, 0xfd, 0xc8, 8, "-56 -57 -55"},
		{"only the low byte is compared", reflect.TypeFor[uint32](), 0x1234, 0x34, 0x42, 1, "66 4674 65 4673 67 4675"},
		{"unsigned, large", reflect.TypeFor[uint64](), 5, 5, ^uint64(0), 8, "18446744073709551615 18446744073709551614 0"},
		{"named", reflect.TypeFor[port](), 5, 5, 443, 2, "443 442 444"},
		{"the neighbour is now", reflect.TypeFor[int](), 5, 5, 6, 8, "6 7"},
		{"a float", reflect.TypeFor[float64](), 5, 5, 6, 8, ""},
		{"a bool", reflect.TypeFor[bool](), 0, 0, 1, 1, ""},
	} {
		s := derive(t, c.typ).Root
		got := Candidates(s, number(s, c.now), []Compared{{A: c.a, B: c.b, Width: c.width}}, 100)
		if show(s, got) != c.want {
			t.Errorf("%s: got %s, want %s", c.name, show(s, got), c.want)
		}
	}
}

func TestTexts(t *testing.T) {
	for _, c := range []struct{ name, now, x, y, want string }{
		{"the whole text", "abc", "abc", "rosebud", `"rosebud"`},
		{"either side", "abc", "rosebud", "abc", `"rosebud"`},
		{"a part", "key=old;", "old", "new", `"key=new;"`},
		{"a prefix and a suffix", "xx-xx", "xx", "y", `"y-xx" "xx-y"`},
		{"neither side occurs", "abc", "abd", "rosebud", ""},
		{"empty", "", "", "go", `"go"`},
		{"compared with the empty text", "abc", "", "abc", `""`},
		{"the empty text is not replaced inside a text", "abc", "", "x", ""},
	} {
		for _, typ := range []reflect.Type{reflect.TypeFor[string](), reflect.TypeFor[[]byte]()} {
			s := derive(t, typ).Root
			got := Candidates(s, term.AppendRaw(nil, s.ID, c.now), []Compared{{Text: true, X: c.x, Y: c.y}}, 100)
			if show(s, got) != c.want {
				t.Errorf("%s: got %s, want %s", c.name, show(s, got), c.want)
			}
		}
	}
}

// A text or a list whose length was compared gets the other length, and the next one.
func TestLengths(t *testing.T) {
	for _, c := range []struct {
		name string
		now  any
		a, b uint64
		want string
	}{
		{"a longer text", "abc", 3, 5, `"abcab" "abccc" "abcabc" "abcccc"`},
		{"a shorter text", "abcdef", 6, 2, `"ab" "abc"`},
		{"either side", "abcdef", 0, 6, `"" "a"`},
		{"the empty text", "", 0, 4, `"0000" "00000"`},
		{"another length", "abc", 4, 5, ""},
		{"too long", "abc", 3, 1 << 20, ""},
		{"a longer list", []int8{1, 2}, 2, 3, "[1 2 1] [1 2 1 2]"},
		{"a shorter list", []int8{1, 2, 3}, 3, 1, "[1] [1 2]"},
		{"an empty list", []int8{}, 0, 2, "[0 0] [0 0 0]"},
		{"a shorter map", map[int8]bool{1: true, 2: false}, 2, 1, "map[1:true]"},
		{"a map is not filled", map[int8]bool{1: true}, 1, 2, ""},
	} {
		w := derive(t, reflect.TypeOf(c.now))
		now, err := w.Read(reflect.ValueOf(c.now))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for i, x := range Candidates(w.Root, now, []Compared{{A: c.a, B: c.b, Width: 8}}, 100) {
			v, ok := w.Value(x)
			if !ok {
				t.Fatalf("%s: no value", c.name)
			}
			if i > 0 {
				got += " "
			}
			if w.Root.IsText() {
				got += fmt.Sprintf("%q", v.Interface())
			} else {
				got += fmt.Sprint(v.Interface())
			}
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

func TestCandidatesAreBounded(t *testing.T) {
	s := derive(t, reflect.TypeFor[int]()).Root
	cs := []Compared{{A: 5, B: 10, Width: 8}, {A: 5, B: 11, Width: 8}, {A: 20, B: 5, Width: 8}, {Text: true, X: "5", Y: "6"}}
	if got := show(s, Candidates(s, number(s, 5), cs, 5)); got != "10 9 11 12 20" {
		t.Error(got)
	}
	if got := Candidates(s, number(s, 5), cs, 0); len(got) != 0 {
		t.Error(got)
	}
}

// sides is the slow reference version: the numbers as which a number of a type may be
// compared in a width, by Go's own conversions.
func sides(k reflect.Kind, x int64, width uint8) [2]uint64 {
	signed, unsigned := int64(int16(x)), int64(uint16(x))
	if k == reflect.Int8 || k == reflect.Uint8 {
		signed, unsigned = int64(int8(x)), int64(uint8(x))
	}
	switch width {
	case 1:
		return [2]uint64{uint64(uint8(signed)), uint64(uint8(unsigned))}
	case 2:
		return [2]uint64{uint64(uint16(signed)), uint64(uint16(unsigned))}
	case 4:
		return [2]uint64{uint64(uint32(signed)), uint64(uint32(unsigned))}
	}
	return [2]uint64{uint64(signed), uint64(unsigned)}
}

// Candidates proposes exactly those numbers of a small type that would be compared as
// the other side or a neighbour of it, after the same conversion as now.
func TestNumbersAgainstAll(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	limited := schema.Decl{Type: reflect.TypeFor[int8](), What: schema.Range{Lo: reflect.ValueOf(int8(-20)), Hi: reflect.ValueOf(int8(100))}}
	for _, c := range []struct {
		typ   reflect.Type
		decls []schema.Decl
	}{
		{reflect.TypeFor[int8](), nil}, {reflect.TypeFor[uint8](), nil}, {reflect.TypeFor[int8](), []schema.Decl{limited}},
		{reflect.TypeFor[int16](), nil}, {reflect.TypeFor[uint16](), nil},
	} {
		s, k := derive(t, c.typ, c.decls...).Root, c.typ.Kind()
		for range 300 {
			now := draw(r, s)
			width := uint8(1) << r.IntN(4)
			mine := sides(k, now, width)
			cmp := Compared{A: mine[r.IntN(2)], B: sides(k, r.Int64N(70_000)-35_000, width)[r.IntN(2)], Width: width}
			if r.IntN(8) == 0 {
				cmp.B = sides(reflect.Int16, r.Int64(), width)[0]
			}
			got := map[int64]bool{}
			for _, u := range Candidates(s, number(s, now), []Compared{cmp}, 1000) {
				got[int64(u[0].X)] = true
			}
			want := reached(s, k, now, cmp)
			for y := range got {
				if !want[y] {
					t.Fatalf("%v %d, %+v: %d should not be a candidate", c.typ, now, cmp, y)
				}
			}
			partial := int(width)*8 < s.Bits // then one of many candidates is enough
			for y := range want {
				if !got[y] && !partial {
					t.Fatalf("%v %d, %+v: %d is missing in %v", c.typ, now, cmp, y, got)
				}
			}
			if partial && len(got) == 0 && len(want) > 0 && now>>(8*width) == 0 {
				t.Fatalf("%v %d, %+v: got none of %d candidates", c.typ, now, cmp, len(want))
			}
		}
	}
}

func draw(r *rand.Rand, s *schema.Schema) int64 {
	return int64(s.Lo) + r.Int64N(int64(s.Hi)-int64(s.Lo)+1)
}

// reached tries every number of s.
func reached(s *schema.Schema, k reflect.Kind, now int64, c Compared) map[int64]bool {
	all := map[int64]bool{}
	for way, side := range sides(k, now, c.Width) {
		for _, pair := range [][2]uint64{{c.A, c.B}, {c.B, c.A}} {
			if side != pair[0] {
				continue
			}
			for y := int64(s.Lo); y <= int64(s.Hi); y++ {
				is := sides(k, y, c.Width)[way]
				if y != now && near(is, pair[1], way == 0, c.Width) {
					all[y] = true
				}
			}
		}
	}
	return all
}

// near reports whether two numbers of a width are equal or neighbours, in the signed
// or the unsigned order.
func near(a, b uint64, signed bool, width uint8) bool {
	if signed {
		x, y := int64(a)<<(64-8*width)>>(64-8*width), int64(b)<<(64-8*width)>>(64-8*width)
		return x == y || x < y && x+1 == y || y < x && y+1 == x
	}
	return a == b || a < b && a+1 == b || b < a && b+1 == a
}

func TestLiterals(t *testing.T) {
	type color uint8
	type word string
	l := NewLiterals([]any{7, int8(3), 9, 7, color(2), "x", []byte("raw"), 200, 0.5, "y"})
	limited := schema.Decl{Type: reflect.TypeFor[int](), What: schema.Range{Lo: reflect.ValueOf(0), Hi: reflect.ValueOf(100)}}
	for _, c := range []struct {
		w    *schema.World
		want string
	}{
		{derive(t, reflect.TypeFor[int]()), "7 9 200"},
		{derive(t, reflect.TypeFor[int](), limited), "7 9"},
		{derive(t, reflect.TypeFor[int8]()), "3"},
		{derive(t, reflect.TypeFor[uint8]()), ""},
		{derive(t, reflect.TypeFor[color]()), "2"},
		{derive(t, reflect.TypeFor[string]()), `"x" "y"`},
		{derive(t, reflect.TypeFor[word]()), ""},
		{derive(t, reflect.TypeFor[string](), match[string](t, "[yz]")), `"y"`},
		{derive(t, reflect.TypeFor[[]byte](), match[[]byte](t, "r.*")), `"raw"`},
		{derive(t, reflect.TypeFor[[]byte]()), `"raw"`},
		{derive(t, reflect.TypeFor[float64]()), fmt.Sprint(schema.FloatBits(0.5))},
		{derive(t, reflect.TypeFor[struct{ A int }]()), ""},
	} {
		for range 2 {
			if got := show(c.w.Root, l.Of(c.w.Root)); got != c.want {
				t.Errorf("%v: got %s, want %s", c.w.Root.Type, got, c.want)
			}
		}
	}
}

func TestRecorder(t *testing.T) {
	var r Recorder
	r.Number(1, 2, 8, 1) // before Begin: not recorded
	r.Begin()
	r.Number(1, 2, 8, 1)
	r.Number(1, 2, 8, 1)
	r.Number(3, 3, 8, 1)
	r.Number(1, 2, 4, 2)
	text := []byte("abc")
	r.Text(string(text), "xyz", 3)
	r.Text(strings.Repeat("x", textMax+1), "y", 3)
	want := []Compared{{A: 1, B: 2, Width: 8}, {A: 1, B: 2, Width: 4}, {Text: true, X: "abc", Y: "xyz"}}
	got := r.End()
	r.Number(4, 5, 8, 1) // after End: not recorded
	if !slices.Equal(got, want) || !slices.Equal(r.End(), want) {
		t.Errorf("got %+v", got)
	}
}

// Many comparisons in one loop leave room for those after the loop.
func TestRecorderIsBounded(t *testing.T) {
	var r Recorder
	r.Begin()
	for i := range uint64(1_000_000) {
		r.Number(i, 1_000_000, 8, 1)
	}
	r.Number(5, 7, 8, 2)
	if got := r.End(); len(got) != perSite+1 || got[perSite] != (Compared{A: 5, B: 7, Width: 8}) {
		t.Errorf("%d: %+v", len(got), got)
	}
	r.Begin()
	for i := range uint64(1_000_000) {
		r.Number(i, 1_000_000, 8, uint(i))
	}
	if got := r.End(); len(got) != ComparedMax {
		t.Errorf("%d", len(got))
	}
}
