//go:build go1.25

package codec_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/allele-go/allele/internal/value/codec"
)

// Constants are read from the source alone: typed, repeated, computed.
func TestConst(t *testing.T) {
	consts := codec.SourceConsts("testdata/consts")
	for name, want := range map[string]string{
		"Red": "Color 0", "Blue": "Color 2", "Last": "Color 2", "Green": "Color 1",
		"A": "Flags 1", "B": "Flags 101", "C": "Flags 2", "D": "Flags 102", "All": "Flags 65535",
		"Adam": `Name "adam"`, "Eve": `Name "eve"`, "Both": `Name "adam&eve"`,
		"Half": "Ratio 1/2", "One": "Ratio 1", "Untyped": " 100", "Wait": "Duration 3000000000",
		"Loop": "none", "Loop2": "none", "Unknown": "none", "Crash": "none", "Text": "none", "Overflow": "none",
		"_": "none", "inner": "none", "Color": "none",
	} {
		got := "none"
		if c, ok := consts.Const(name); ok {
			got = c.Type + " " + c.Value.ExactString()
		}
		if got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// A file that does not parse provides the declarations before the error, and a
// missing folder provides none.
func TestBrokenSource(t *testing.T) {
	dir := t.TempDir()
	src := "package p\n\nconst Violet Color = 7\n\nconst ( ="
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	if c, ok := codec.SourceConsts(dir).Const("Violet"); !ok || c.Type != "Color" {
		t.Error(c, ok)
	}
	if nowhere := codec.SourceConsts("testdata/nowhere"); nowhere.Declares("Color") || nowhere.Names("Color") != nil {
		t.Error("a missing folder declares something")
	}
}

func TestNames(t *testing.T) {
	consts := codec.SourceConsts("testdata/consts")
	for _, row := range []struct{ typ, value, want string }{
		{"Color", "0", "Red"}, {"Color", "1", "Green"}, {"Color", "2", "Blue"}, {"Color", "9", ""},
		{"Flags", "65535", "All"}, {"Name", `"eve"`, "Eve"}, {"Ratio", "1", "One"},
		{"Duration", "3000000000", ""}, {"Nothing", "0", ""},
	} {
		if got := consts.Names(row.typ)[row.value]; got != row.want {
			t.Errorf("%s %s: %q, want %q", row.typ, row.value, got, row.want)
		}
	}
}

func TestDeclares(t *testing.T) {
	consts := codec.SourceConsts("testdata/consts")
	for name, want := range map[string]bool{"Color": true, "Weight": true, "Inner": false, "Red": false, "": false} {
		if got := consts.Declares(name); got != want {
			t.Errorf("Declares(%q) = %v", name, got)
		}
	}
}
