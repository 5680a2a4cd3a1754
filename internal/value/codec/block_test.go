//go:build go1.25

package codec_test

import (
	"math"
	"testing"

	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/codec"
	"github.com/allele-go/allele/internal/value/gen"
	"github.com/allele-go/allele/internal/value/term"
)

type twoIDs struct{ A, B [16]byte }

// Each row is a long array and the statement that makes it.
func TestPrintLongArrays(t *testing.T) {
	in := codec.Style{Pkg: herePkg, New: true, Width: 200, Consts: codec.SourceConsts(".")}
	here := func(x codec.Text) string { return x.Decl("in") }
	page := [65536]byte{17: 3}
	for _, row := range []struct{ name, got, want string }{
		{"zero", here(printed(t, [32]byte{}, in)), `in := [32]byte{}`},
		{"a page", here(printed(t, page, in)), `in := [65536]byte{17: 0x03}`},
		{"a pointer to a page", here(printed(t, &page, in)), `in := &[65536]byte{17: 0x03}`},
		{"zeros at the end are left out", here(printed(t, [16]byte{1, 0, 0, 2}, in)), `in := [16]byte{0x01, 0x00, 0x00, 0x02}`},
		{"many zeros before an element too", here(printed(t, [16]byte{0: 1, 6: 2, 7: 3, 15: 4}, in)), `in := [16]byte{0x01, 6: 0x02, 0x03, 15: 0x04}`},
		{"numbers", here(printed(t, [20]int32{-1, 2, 19: 5}, in)), `in := [20]int32{-1, 2, 19: 5}`},
		{"bools", here(printed(t, [16]bool{3: true}, in)), `in := [16]bool{false, false, false, true}`},
		{"floats", here(printed(t, [16]float32{0.5, 8: float32(math.Inf(1)), 15: float32(math.Copysign(0, -1))}, in)),
			`in := [16]float32{0.5, 8: float32(math.Inf(1)), 15: float32(math.Copysign(0, -1))}`},
		{"named constants", here(printed(t, [16]shade{1, 7}, in)), `in := [16]shade{dark, 0x07}`},
		{"zero fields are omitted", here(printed(t, twoIDs{B: [16]byte{1}}, in)), `in := twoIDs{B: [16]byte{0x01}}`},
		{"types of elements are omitted", here(printed(t, [][16]byte{{1}, {}}, in)), `in := [][16]byte{{0x01}, {}}`},
		{"empty structs", here(printed(t, [65536]struct{}{}, in)), `in := [65536]struct{}{}`},
		{"a list of such arrays", here(printed(t, make([][32]struct{}, 2), in)), `in := [][32]struct{}{{}, {}}`},
		{"texts", here(printed(t, [100]string{3: "a", 70: "b"}, in)), `in := [100]string{"", "", "", "a", 70: "b"}`},
		{"structs", here(printed(t, [100]twoIDs{70: {A: [16]byte{1}}}, in)), `in := [100]twoIDs{70: {A: [16]byte{0x01}}}`},
		{"nested", here(printed(t, [64][64]bool{63: {63: true}}, in)), `in := [64][64]bool{63: {63: true}}`},
		{"a list of zeros", here(printed(t, make([]*int, 40), in)), `in := []*int{39: nil}`},
		{"a short list of zeros", here(printed(t, make([]bool, 6), in)), `in := []bool{false, false, false, false, false, false}`},
		{"keys", here(printed(t, map[[16]byte]int{{2}: 1, {1}: 2}, in)), `in := map[[16]byte]int{{0x01}: 2, {0x02}: 1}`},
	} {
		if row.got != row.want {
			t.Errorf("%s:\n got %s\nwant %s", row.name, row.got, row.want)
		}
	}
}

// Cases with long arrays are read as they were written by earlier versions, which printed all
// elements in decimal, and as people write them.
func TestReadLongArrays(t *testing.T) {
	type in struct{ A [16]byte }
	for _, row := range []struct{ name, got, want string }{
		{"decimal", decoded[[16]byte](t, `[16]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255}`),
			`[16]byte{0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0xff}`},
		{"indexes", decoded[[16]byte](t, `[16]byte{2: 'a', 'b', 15: 1 + 1}`), `[16]byte{0x00, 0x00, 0x61, 0x62, 15: 0x02}`},
		{"a shorter array", decoded[in](t, `in{A: [20]byte{1, 19: 2}}`), `in{A: [16]byte{0x01}} | 1: in.A: the array has 16 elements, not 20`},
		{"a longer array", decoded[in](t, `in{A: [2]byte{1, 2}}`), `in{A: [16]byte{0x01, 0x02}}`},
		{"a slice", decoded[in](t, `in{A: []byte{1, 2}}`), `in{A: [16]byte{0x01, 0x02}}`},
		{"an element that does not fit", decoded[in](t, `in{A: [16]byte{1, 256, 3}}`), `in{A: [16]byte{0x01, 0x00, 0x03}} | 1: in.A[1]: 256 overflows uint8`},
		{"texts", decoded[[100]string](t, `[100]string{"", 70: "b"}`), `[100]string{70: "b"}`},
		{"a list of zeros", decoded[[]*int](t, `[]*int{39: nil}`), `[]*int{39: nil}`},
		{"all empty structs", decoded[[16]struct{}](t, `[16]struct{}{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}`), `[16]struct{}{}`},
		{"an omitted field", decoded[in](t, `in{}`), `in{}`},
		{"another type", decoded[in](t, `in{A: "x"}`), `in{} | 1: in.A: cannot use "x" as a [16]uint8`},
	} {
		if row.got != row.want {
			t.Errorf("%s:\n got %s\nwant %s", row.name, row.got, row.want)
		}
	}
}

// A large array is printed and read back.
func TestLongArraysRoundTrip(t *testing.T) {
	w := worldOf[*[65536]byte](t)
	g := gen.New(w)
	for run := range uint64(40) {
		x := g.Term(rng.At(1, run), 20).Clone()
		text := codec.Print(w, x, codec.Style{Case: true})
		c, err := codec.Decode(w, "f", []byte(text.Expr), nil)
		if err != nil || len(c.Losses) > 0 || !term.Equal(x, c.Term) {
			t.Fatalf("run %d: %v, %v\n%.200s", run, err, c, text.Expr)
		}
	}
}
