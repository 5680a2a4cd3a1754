//go:build go1.25

package operand

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/value/schema"
)

// An element of a long array, or a part of its memory, is replaced by what it was compared with.
// The array keeps its length.
func TestLongArrays(t *testing.T) {
	number := func(a, b uint64, width uint8) Compared { return Compared{A: a, B: b, Width: width} }
	text := func(x, y string) Compared { return Compared{Text: true, X: x, Y: y} }
	for _, c := range []struct {
		name string
		now  any
		cs   Compared
		want string
	}{
		{"an element", [16]byte{3: 7}, number(7, 0x7f, 1), "3:127; 3:126; 3:128"},
		{"an element as an int", [16]byte{3: 7}, number(7, 100, 8), "3:100; 3:99; 3:101"},
		{"the first one and the last one", [16]int32{1: 9, 5: 9, 8: 9}, number(9, 5, 4),
			"1:5 5:9 8:9; 1:4 5:9 8:9; 1:6 5:9 8:9; 1:9 5:9 8:5; 1:9 5:9 8:4; 1:9 5:9 8:6"},
		{"no element", [16]byte{3: 7}, number(8, 100, 1), ""},
		{"too large for an element", [16]byte{3: 7}, number(7, 0x0405, 8), "3:5 4:4; 2:4 3:5"},
		{"a number of two bytes", [16]byte{2: 1, 3: 2}, number(0x0102, 0x0304, 2), "2:3 3:4"},
		{"in the other order", [16]byte{2: 2, 3: 1}, number(0x0102, 0x0304, 2), "2:4 3:3"},
		{"a text", [16]byte{0: 'a', 1: 'b'}, text("ab", "PK"), "0:80 1:75"},
		{"a longer text", [16]byte{0: 'a', 1: 'b'}, text("ab", "xyz"), "0:120 1:121 2:122"},
		{"all of it", [16]byte{0: 'a'}, text("a"+strings.Repeat("\x00", 15), "0123456789abcdefg"),
			"0:48 1:49 2:50 3:51 4:52 5:53 6:54 7:55 8:56 9:57 10:97 11:98 12:99 13:100 14:101 15:102"},
		{"zeros are everywhere", [16]byte{0: 'a'}, text("\x00\x00", "xy"), ""},
		{"floats are not compared", [16]float64{1: 7}, number(7, 8, 8), ""},
	} {
		w := derive(t, reflect.TypeOf(c.now))
		now, err := w.Read(reflect.ValueOf(c.now))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, x := range Candidates(w.Root, now, []Compared{c.cs}, 100) {
			if !w.Root.ItemsFit(x.Bytes(0)) {
				t.Fatalf("%s: %v", c.name, x)
			}
			got = append(got, showBlock(w.Root, x.Bytes(0)))
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%s: got %s, want %s", c.name, text, c.want)
		}
		if y, err := ParseTerm(w, AppendTerm(nil, now)); err != nil || y[0] != now[0] {
			t.Errorf("%s: sent to another process: %v", c.name, err)
		}
	}
}

func showBlock(s *schema.Schema, memory []byte) string {
	var out []string
	for i := range s.Len {
		if x := s.Item(memory, i); x != 0 {
			out = append(out, fmt.Sprintf("%d:%d", i, int64(x)))
		}
	}
	return strings.Join(out, " ")
}

// What another process sends may be anything.
func TestLongArraysAreValidated(t *testing.T) {
	w := derive(t, reflect.TypeFor[[16]bool]())
	good := w.Root.Least.Clone()
	for name, spoil := range map[string]func(){
		"a bool that is 2":   func() { good.Bytes(0)[3] = 2 },
		"another length":     func() { good[0].X = 15 },
		"another node count": func() { good[0].N = 1 },
		"not raw":            func() { good[0].C = 0 },
	} {
		good = w.Root.Least.Clone()
		spoil()
		if _, err := ParseTerm(w, AppendTerm(nil, good)); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}
