//go:build go1.25

package site

import (
	"slices"
	"testing"
)

var table = []Site{
	{ID: 1, Kind: Func, File: "a.go", Line: 1, Col: 2, EndLine: 30, EndCol: 4, Func: "F"},
	{ID: 7, Kind: Operand, File: "a.go", Line: 300, Col: 2, EndLine: 301, EndCol: 4, Func: "(*T).G"},
	{ID: 1 << 22, Kind: Loop, File: "b.go", Line: 1, Func: "F"},
}

func TestKind(t *testing.T) {
	for i, want := range []string{"func", "case", "then", "else", "loop", "goto", "operand", "unknown"} {
		if k := Kind(i); k.String() != want || k.Coarse() != (i < 2) {
			t.Errorf("kind %d is %s, want %s; coarse %v", i, k, want, k.Coarse())
		}
	}
}

func TestTable(t *testing.T) {
	for _, sites := range [][]Site{nil, table[:1], table} {
		if got, err := Decode(Encode(sites)); err != nil || !slices.Equal(got, sites) {
			t.Errorf("%v became %v: %v", sites, got, err)
		}
	}
}

// A truncated table, or one with bytes added, is rejected.
func TestTableLength(t *testing.T) {
	data := Encode(table)
	for n := range data {
		if _, err := Decode(data[:n]); err == nil {
			t.Errorf("%d of %d bytes were accepted as a table", n, len(data))
		}
	}
	if _, err := Decode(append(data, 0)); err == nil {
		t.Error("a table with one byte added was accepted")
	}
}

// If Decode accepts some bytes, encoding and decoding the result gives it again.
func FuzzDecode(f *testing.F) {
	f.Add(Encode(nil))
	f.Add(Encode(table))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0x07})
	f.Fuzz(func(t *testing.T, data []byte) {
		sites, err := Decode(data)
		if err != nil {
			return
		}
		if again, err := Decode(Encode(sites)); err != nil || !slices.Equal(again, sites) {
			t.Errorf("%v became %v: %v", sites, again, err)
		}
	})
}
