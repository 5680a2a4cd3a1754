//go:build go1.25

package score

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/testkit"
)

// What allele score show prints about each kind of verdict. The report has been written as JSON and
// read again.
func TestOne(t *testing.T) {
	data, err := Encode(example(t), func(file string) string { return file })
	if err != nil {
		t.Fatal(err)
	}
	f, err := Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	r := f.Report()
	var b strings.Builder
	for _, p := range r.Packages {
		for i, fault := range p.Faults {
			found := r.Find(p.Keys[fault.ID])
			if len(found) != 1 || found[0].Index != i {
				t.Fatalf("%s: %+v", p.Keys[fault.ID], found)
			}
			b.WriteString("==== " + p.Results[i].Kind + "\n" + found[0].Text(style()))
		}
	}
	testkit.Golden(t, filepath.Join("testdata", "one.txt"), []byte(b.String()))
}

// A key may be shortened, but not too much.
func TestFind(t *testing.T) {
	r := Report{Packages: []Package{{Faults: make([]site.Fault, 3), Keys: map[int]string{0: "12345678", 1: "12349999", 2: "abcdef00"}}}}
	for i := range 3 {
		r.Packages[0].Faults[i].ID = i
	}
	for key, want := range map[string]int{"12345678": 1, "1234": 2, "12345": 1, "123": 0, "abcd": 1, "": 0, "ffff": 0} {
		if got := r.Find(key); len(got) != want {
			t.Errorf("%q names %d faults, want %d", key, len(got), want)
		}
	}
}

func TestSketch(t *testing.T) {
	for _, c := range []struct{ source, want string }{
		{"func f(a, b int) int { return X }", "var a, b int; got := f(a, b)"},
		{"func f() { X }", "f()"},
		{"func f(int, ...string) (int, error) { X }", "var arg1 int; var arg2 []string; got, got2 := f(arg1, arg2...)"},
		{"func (t *Tree) Add(_ func(int) bool) bool { X }", "var t *Tree; var arg11 func(int) bool; got := t.Add(arg11)"},
		{"func (Tree) Add() { X }", "var x Tree; x.Add()"},
		{"func f[T any](a T) { X }", ""}, {"func init() { X }", ""}, {"var a = X", ""}, {"func f() { X", ""},
	} {
		src := "package a\n\n" + c.source + "\n"
		text := sketch([]byte(src), site.Fault{Edit: site.Edit{Offset: strings.Index(src, "X")}})
		lines := strings.Split(strings.Trim(text, "\n"), "\n")
		got := ""
		if len(lines) > 3 {
			got = strings.ReplaceAll(strings.Join(lines[1:len(lines)-2], ";"), "\t", " ")
		}
		if strings.TrimSpace(got) != c.want {
			t.Errorf("%s:\n%s\nwant %s", c.source, text, c.want)
		}
	}
}
