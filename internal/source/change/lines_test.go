//go:build go1.25

package change

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// touched lists the changed lines among the first 30 of a file.
func touched(l Lines) string {
	var all []string
	for i := 1; i <= 30; i++ {
		if l.Touch(i, i) {
			all = append(all, fmt.Sprint(i))
		}
	}
	return strings.Join(all, " ")
}

func TestChangedLines(t *testing.T) {
	s := newScratch(t)
	old := files["a/a.go"]
	for _, c := range []struct{ what, text, want string }{
		{"nothing", old, ""},
		{"a changed line", strings.Replace(old, "n > 1", "n > 2", 1), "17"},
		{"a new line", strings.Replace(old, "\treturn n\n", "\tn++\n\treturn n\n", 1), "9"},
		{"a removed line", strings.Replace(old, "\treturn n\n", "", 1), ""},
		{"two places", strings.NewReplacer("n > 1", "n > 2", "Most = 9", "Most = 8").Replace(old), "3 17"},
		{"the first and the last", "// A\n" + old + "// end", "1 23"},
	} {
		s.write("a/a.go", c.text)
		file := filepath.Join(s.dir, "a", "a.go")
		got, err := ChangedLines("HEAD", filepath.Join(s.dir, "b"), []string{file, filepath.Join(s.dir, "b", "b.go")})
		if err != nil || touched(got[file]) != c.want || len(got[filepath.Join(s.dir, "b", "b.go")]) > 0 {
			t.Errorf("%s: %v %s, want %s", c.what, err, touched(got[file]), c.want)
		}
	}
}

// The user's settings for git do not matter, nor do odd names of files.
func TestChangedLinesWithSettings(t *testing.T) {
	s := newScratch(t)
	const odd = "a/@@ -1 +1 @@ [x] ü.go"
	s.write(odd, "package a\n\n// a\n\n// b\n")
	s.git("add", ".")
	s.git("commit", "-q", "-m", "odd")
	for _, set := range []string{"diff.noprefix true", "diff.interHunkContext 20", "diff.context 10", "color.ui always", "diff.external false",
		"diff.mnemonicPrefix true", "core.quotepath true"} {
		s.git(append([]string{"config"}, strings.Fields(set)...)...)
	}
	s.write(odd, "package a\n\n// c\n\n// @@ -1 +30 @@\n")
	s.write("a/new.go", "package a\n")
	in := func(name string) string { return filepath.Join(s.dir, filepath.FromSlash(name)) }
	outside := filepath.Join(t.TempDir(), "x.go")
	got, err := ChangedLines("HEAD", s.dir, []string{in(odd), in("a/new.go"), outside})
	if err != nil || touched(got[in(odd)]) != "3 5" {
		t.Errorf("%v %s", err, touched(got[in(odd)]))
	}
	if !got[in("a/new.go")].Touch(500, 500) || !got[outside].Touch(500, 500) {
		t.Error("not all lines of a new file, or of one outside, count as changed")
	}
	if _, err := ChangedLines("nowhere", s.dir, nil); err == nil || !strings.Contains(err.Error(), "no revision") {
		t.Error(err)
	}
}

func TestTouch(t *testing.T) {
	l := Lines{{5, 6}, {10, 10}}
	for _, c := range []struct {
		first, last int
		want        bool
	}{
		{5, 5, true}, {1, 4, false}, {1, 5, true}, {6, 9, true}, {7, 9, false}, {1, 99, true}, {11, 12, false}, {10, 0, true}, {7, 0, false},
	} {
		if got := l.Touch(c.first, c.last); got != c.want {
			t.Errorf("%d to %d: %v", c.first, c.last, got)
		}
	}
}

// A diff may be anything: an error is fine, a panic or a wrong line is not.
func TestStrangeHunks(t *testing.T) {
	for _, c := range []struct {
		diff string
		want string
		ok   bool
	}{
		{"", "", true},
		{"+@@ -1 +2 @@\n", "", true},
		{"@@ -1 +2 @@\n", "2", true},
		{"@@ -1,9 +2,3 @@ @@ -1 +9 @@\n", "2 3 4", true},
		{"@@ -1 +2,0 @@\n", "", true},
		{"@@ -1 +x @@\n", "", false},
		{"@@ -1 +1,-1 @@\n", "", false},
		{"@@ -1 +1", "", false},
		{"@@ -", "", false},
		{fmt.Sprintf("@@ -1 +%d,%d @@\n", math.MaxInt, math.MaxInt), "", false},
	} {
		lines, err := hunks([]byte(c.diff))
		if (err == nil) != c.ok || touched(lines) != c.want {
			t.Errorf("%q: %v %s, want %s", c.diff, err, touched(lines), c.want)
		}
	}
	rnd := rand.New(rand.NewPCG(1, 1))
	diff := []byte("@@ -1,2 +3,4 @@ func f() {\n-a\n+b\n@@ -9 +10 @@\n")
	for range 2000 {
		data := slices.Clone(diff)
		for range 1 + rnd.IntN(4) {
			data[rnd.IntN(len(data))] = byte(rnd.IntN(256))
		}
		hunks(data[:rnd.IntN(len(data)+1)])
	}
}
