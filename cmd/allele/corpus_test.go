//go:build go1.25

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/store/corpus"
	"github.com/allele-go/allele/internal/testbin/cache"
)

// ownCorpora gives the command an empty cache folder, and returns the folder of its corpora.
func ownCorpora(t *testing.T) (root string) {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	t.Setenv("LocalAppData", os.Getenv("XDG_CACHE_HOME"))
	root, err := cache.Corpora()
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// keep adds inputs to the corpus of a property.
func keep(t *testing.T, root, pkg, property string, inputs ...string) {
	t.Helper()
	w, err := corpus.Create(corpus.Folder(root, pkg, property), pkg, property)
	if err != nil {
		t.Fatal(err)
	}
	for i, input := range inputs {
		e := corpus.Entry{Input: input, Verdict: []event.Verdict{event.Passed, event.Discarded}[i%2], Run: i, How: "fresh", Why: "2 new edges", Trace: uint64(i) << 60, Binary: "b", Spawned: i%3 == 0}
		if i > 0 {
			e.Parent = corpus.Entry{Input: inputs[0]}.ID()
		}
		if err := w.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Ran(1234, "b"); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func entries(t *testing.T, root, pkg, property string) *corpus.Corpus {
	t.Helper()
	k, err := corpus.Read(corpus.Folder(root, pkg, property))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestCorpusList(t *testing.T) {
	root := ownCorpora(t)
	out, exit := allele(t, "corpus", "list")
	if exit != exitOK {
		t.Errorf("exit %d", exit)
	}
	has(t, out, "no saved inputs in "+root, "run: go tool allele test ./...")
	keep(t, root, "example.com/tree", "TestB", "1", "2", "3")
	keep(t, root, "example.com/tree", "TestA/sub", "1")
	keep(t, root, "example.com/a", "TestC\x1b[31m", "1")
	segment, _ := filepath.Glob(filepath.Join(corpus.Folder(root, "example.com/tree", "TestB"), "*"))
	f, err := os.OpenFile(segment[0], os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(f, "rubbish")
	f.Close()
	out, exit = allele(t, "corpus", "list")
	if exit != exitOK {
		t.Errorf("exit %d", exit)
	}
	lines := strings.Split(out, "\n")
	for i, want := range []string{"property inputs passed discarded bytes runs damaged", `example.com/a.TestC\x1b[31m 1 1 0`, "example.com/tree.TestA/sub 1 1 0", "example.com/tree.TestB 3 2 1"} {
		if got := strings.Join(strings.Fields(lines[i]), " "); !strings.HasPrefix(got, want) {
			t.Errorf("%s, want %s", got, want)
		}
	}
	has(t, out, " 1,234 ", "3 properties · 5 inputs · in "+root, "damaged, skipped: "+segment[0]+":6: no checksum")
	if out, _ := allele(t, "corpus", "list", "tree.TestA"); strings.Contains(out, "TestB") || !strings.Contains(out, "1 property") {
		t.Error(out)
	}
	if out, _ := allele(t, "corpus", "list", "nobody"); !strings.Contains(out, "no property matches nobody; there are 3") {
		t.Error(out)
	}
}

func TestCorpusShow(t *testing.T) {
	root := ownCorpora(t)
	inputs := []string{"&Tree{\n\tK: 1,\n}", "\"\x1b]0;pwned\""}
	for i := range 30 {
		inputs = append(inputs, fmt.Sprintf("%d", i))
	}
	keep(t, root, "example.com/tree", "TestX", inputs...)
	first := corpus.Entry{Input: inputs[0]}.ID()
	out, exit := allele(t, "corpus", "show", "TestX")
	if exit != exitOK {
		t.Errorf("exit %d", exit)
	}
	has(t, out, "example.com/tree.TestX · 32 inputs · 1,234 runs\n", first+" · passed · run 0 · fresh · saved for 2 new edges · starts goroutines\n    &Tree{\n    \tK: 1,\n    }\n",
		" · discarded · run 1 · fresh · from "+first, `"\x1b]0;pwned"`, "\nand 12 more; to print all, add -n 0")
	if out, _ := allele(t, "corpus", "show", "-n", "0", "TestX"); strings.Count(out, "run ") != 32 || strings.Contains(out, " more;") {
		t.Error(out)
	}
	if out, _ := allele(t, "corpus", "show", "TestX", first[:6]); strings.Count(out, "run ") != 1 || !strings.Contains(out, "&Tree{") {
		t.Error(out)
	}
	if out, exit := allele(t, "corpus", "show", "TestX", "zz"); exit != exitUsage || !strings.Contains(out, "no saved input of TestX has an ID that begins with zz") {
		t.Error(out)
	}
}

// merge adds new inputs, does not change known ones, and may be repeated.
func TestCorpusMerge(t *testing.T) {
	root, other := ownCorpora(t), t.TempDir()
	keep(t, other, "example.com/tree", "TestX", "1", "2", "3")
	keep(t, other, "example.com/tree", "TestY", "1")
	keep(t, root, "example.com/tree", "TestX", "3", "4")
	if err := os.MkdirAll(filepath.Join(other, "x", "y"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(other, "x", "y", "000001-1.corpus"), []byte("rubbish\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	out, exit := allele(t, "corpus", "merge", other)
	if exit != exitFailed {
		t.Errorf("exit %d\n%s", exit, out)
	}
	has(t, out, "2 of 3 inputs new", "1 of 1 input new", filepath.Join(other, "x", "y")+": skipped: no file in it names a property")
	var got []string
	for _, e := range entries(t, root, "example.com/tree", "TestX").Entries {
		got = append(got, e.Input+" "+string(e.Verdict))
	}
	if want := "3 passed,4 discarded,1 passed,2 discarded"; strings.Join(got, ",") != want {
		t.Errorf("%v, want %s", got, want)
	}
	out, _ = allele(t, "corpus", "merge", other)
	has(t, out, "0 of 3 inputs new", "0 of 1 input new")
	for _, c := range []struct{ dir, want string }{
		{t.TempDir(), "no corpus in "},
		{root, "is the corpus itself"},
		{filepath.Join(other, "nothing"), "no such file"},
	} {
		if out, exit := allele(t, "corpus", "merge", c.dir); exit != exitUsage || !strings.Contains(out, c.want) && !strings.Contains(out, "cannot find") {
			t.Errorf("exit %d\n%s", exit, out)
		}
	}
}

// A corpus is the same after it was exported and imported.
func TestCorpusRoundTrip(t *testing.T) {
	root, dir := ownCorpora(t), t.TempDir()
	odd := []string{"1", "// test other\n\n2", " 3 ", "\"a\\nb\"", "T{\r\n}", "`x\ny`", strings.Repeat("x", 1_000_000), "\n\n", "4\n"}
	odd[7] = "\n\n5"
	names := [][2]string{{"example.com/tree", "TestX"}, {"example.com/tree", "Testx"}, {"example.com/tree_test", "TestX/sub test#2"}, {"..", "aux"}, {"scratch", strings.Repeat("y", 200)}}
	for _, n := range names {
		keep(t, root, n[0], n[1], odd...)
	}
	if out, exit := allele(t, "corpus", "export", "-o", dir); exit != exitOK {
		t.Fatalf("exit %d\n%s", exit, out)
	}
	before := map[string]*corpus.Corpus{}
	for _, n := range names {
		before[n[1]] = entries(t, root, n[0], n[1])
	}
	root = ownCorpora(t)
	out, exit := allele(t, "corpus", "import", dir)
	if exit != exitOK || strings.Contains(out, "skipped") {
		t.Fatalf("exit %d\n%s", exit, out)
	}
	has(t, out, "9 of 9 inputs new")
	for _, n := range names {
		if got := entries(t, root, n[0], n[1]); !reflect.DeepEqual(got, before[n[1]]) {
			t.Errorf("%v: %+v, want %+v", n, got, before[n[1]])
		}
	}
	if out, _ := allele(t, "corpus", "import", dir); !strings.Contains(out, "0 of 9 inputs new") {
		t.Error(out)
	}
}

// import accepts files that people wrote, and skips invalid ones with a reason.
func TestCorpusImportOfStrangers(t *testing.T) {
	root, dir := ownCorpora(t), t.TempDir()
	for name, text := range map[string]string{
		"example.com/tree/TestX/a.case":    "&Tree{K: 1}\n",
		"example.com/tree/TestX/b.case":    "// allele case 99\n\n1",
		"example.com/tree/TestX/c.case":    "\xff",
		"example.com/tree/TestX/d.case":    "// verdict  panic\n// found    run 7, seed 3\n\n2",
		"example.com/tree/TestX/long.case": strings.Repeat("x", 2<<20),
		"lost.case":                        "1",
		"TestY/nopackage.case":             "1",
		"example.com/tree/TestX/e.txt":     "not a case",
		"corpus.json":                      "{",
		"evil.case":                        "// test ../../../../etc/x\n// package ../..\n\n1",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(dir, "lost.case"), filepath.Join(dir, "link.case")); err != nil {
		t.Log(err)
	}
	out, exit := allele(t, "corpus", "import", dir)
	if exit != exitFailed {
		t.Errorf("exit %d", exit)
	}
	has(t, out, "b.case:1: case format 99: written by a newer allele", "c.case:1: not text in UTF-8", "lost.case:1: neither its header nor its folder names a test",
		"nopackage.case:1: neither its header nor its folder names a package", "corpus.json:1: the package, the property or the number of runs is missing", "2 of 3 inputs new", "example.com/tree.TestX: not all inputs were added: save an input: the input takes 2097")
	k := entries(t, root, "example.com/tree", "TestX")
	if len(k.Entries) != 2 || k.Entries[0].Verdict != "unknown" || k.Entries[1].Verdict != "panic" || k.Entries[1].Run != 7 {
		t.Errorf("%+v", k.Entries)
	}
	err := filepath.WalkDir(filepath.Dir(filepath.Dir(root)), func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.HasPrefix(path, root) {
			t.Errorf("%s is outside", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	places, err := corpus.List(root)
	if err != nil || len(places) != 2 || !slices.ContainsFunc(places, func(p corpus.Place) bool { return p.Package == "../.." }) {
		t.Errorf("%v %v", places, err)
	}
}

func TestCorpusUsage(t *testing.T) {
	ownCorpora(t)
	for _, c := range []struct {
		args []string
		exit int
		want string
	}{
		{nil, exitUsage, "usage: allele corpus list"},
		{[]string{"help"}, exitOK, "usage: allele corpus list"},
		{[]string{"lsit"}, exitUsage, `unknown command "lsit"`},
		{[]string{"list", "("}, exitUsage, "missing closing )"},
		{[]string{"list", "a", "b"}, exitUsage, "want at most one"},
		{[]string{"show"}, exitUsage, "no pattern"},
		{[]string{"merge"}, exitUsage, "no folders"},
		{[]string{"export", "x"}, exitUsage, "-o is missing: name a folder"},
		{[]string{"import"}, exitUsage, "no folder"},
		{[]string{"import", "nowhere"}, exitUsage, "nowhere"},
		{[]string{"import", t.TempDir()}, exitUsage, "no input was imported"},
		{[]string{"min", "-run", "("}, exitUsage, "-run: "},
		{[]string{"min", "-memory", "1"}, exitUsage, "-memory: "},
		{[]string{"min", "-h"}, exitOK, "flags of min:"},
	} {
		out, exit := allele(t, append([]string{"corpus"}, c.args...)...)
		if exit != c.exit || !strings.Contains(out, c.want) {
			t.Errorf("%v: exit %d, %s", c.args, exit, out)
		}
	}
}

func TestShowUsage(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.case")
	if err := os.WriteFile(bad, []byte("// allele case 1\n\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "name one file: go tool allele show -test FILE"},
		{[]string{bad}, bad + ":3: no Go expression"},
		{[]string{dir}, dir + ":1: not a regular file"},
		{[]string{filepath.Join(dir, "no.case")}, "no.case: "},
		{[]string{"-C", dir, "testdata/allele/TestX/no.case"}, "no such file here or in a package below"},
	} {
		out, exit := allele(t, append([]string{"show"}, c.args...)...)
		if exit != exitUsage || !strings.Contains(out, c.want) {
			t.Errorf("%v: exit %d, %s", c.args, exit, out)
		}
	}
	good := filepath.Join(dir, "good.case")
	if err := os.WriteFile(good, []byte("// allele case 1\n// test     TestX\n\n&Tree{K: 1}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	out, exit := allele(t, "show", good)
	if want := "test     TestX\n\n&Tree{K: 1}\n\nas test  go tool allele show -test " + good + "\n"; exit != exitOK || out != want {
		t.Errorf("exit %d, %s", exit, out)
	}
	out, exit = allele(t, "show", "-test", good)
	if exit != exitUsage || !strings.Contains(out, "the path does not contain the package of the case") {
		t.Errorf("exit %d, %s", exit, out)
	}
}
