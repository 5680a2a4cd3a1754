//go:build go1.25

package build

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/source/load"
	"github.com/allele-go/allele/internal/testkit"
)

// bench is a module with a work folder, to be built repeatedly.
type bench struct {
	*testing.T
	dir, work string
	config    Config
}

const benchBranch = "(n int) int {\n\tif n > 3 {\n\t\treturn 1\n\t}\n\treturn 0\n}\n"

func newBench(t *testing.T) *bench {
	b := &bench{T: t, work: t.TempDir()}
	b.dir = testkit.Module(t, map[string]string{
		"a/a.go":             "package a\n\nimport \"example.com/other\"\n\nfunc A" + benchBranch + "\nfunc O() int { return other.O(1) }\n",
		"a/special.go":       "//go:build special\n\npackage a\n\nfunc S" + benchBranch,
		"a/a_test.go":        "package a\n\nimport (\n\t\"testing\"\n\n\t\"github.com/allele-go/allele\"\n)\n\nfunc TestA(t *testing.T) { allele.Check(t, func(t *allele.T, n int) { A(n) }) }\n",
		"b/b.go":             "package b\n\nfunc B" + benchBranch,
		"b/more.go":          "package b\n",
		"other/go.mod":       "module example.com/other\n\ngo 1.25\n",
		"other/other.go":     "package other\n\nfunc O" + benchBranch,
		"other/none/none.go": "package none\n",
	})
	goMod, err := os.ReadFile(filepath.Join(b.dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	b.put("go.mod", string(goMod)+"\nrequire example.com/other v1.0.0\n\nreplace example.com/other => ./other\n")
	b.config = Config{Work: b.work, Load: load.Config{Dir: b.dir, Patterns: []string{"./..."}, Env: []string{"GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off"}}}
	return b
}

// withC adds a package that uses cgo and builds again.
func (b *bench) withC() {
	b.Helper()
	if err := os.Mkdir(b.in("c"), 0o777); err != nil {
		b.Fatal(err)
	}
	b.put("c/c.h", "enum { ONE = 1 };\n")
	b.put("c/c.go", "package c\n\n// #include \"c.h\"\nimport \"C\"\n\nfunc C() int { return C.ONE }\n")
	if how := b.build(); how != "made" {
		b.Errorf("with one more package it was %s", how)
	}
}

func (b *bench) put(name, text string) {
	b.Helper()
	file := filepath.Join(b.dir, filepath.FromSlash(name))
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		b.Fatal(err)
	}
}

// swap replaces text in a file of the work folder or of the module.
func (b *bench) swap(file, from, to string) {
	b.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	if !bytes.Contains(data, []byte(from)) {
		b.Fatalf("%s does not contain %q", file, from)
	}
	if err := os.WriteFile(file, bytes.ReplaceAll(data, []byte(from), []byte(to)), 0o666); err != nil {
		b.Fatal(err)
	}
}

func (b *bench) in(name string) string   { return filepath.Join(b.dir, filepath.FromSlash(name)) }
func (b *bench) made(name string) string { return filepath.Join(b.work, filepath.FromSlash(name)) }

// build builds the module and returns whether the last result was reused: "kept"
// or "made".
func (b *bench) build() (how string) {
	b.Helper()
	how, _, _ = b.make()
	return how
}

func (b *bench) make() (how string, o *Overlay, l *load.Listing) {
	b.Helper()
	l, err := load.List(b.config.Load)
	if err != nil {
		b.Fatal(err)
	}
	how = "made"
	if reuse(b.config, identity(l, b.config)) != nil {
		how = "kept"
	}
	if o, err = Make(l, b.config); err != nil {
		b.Fatal(err)
	}
	return how, o, l
}

// compare builds, and compares the result with that of a build in a new folder.
func (b *bench) compare() (how string) {
	b.Helper()
	how, o, l := b.make()
	prog, err := l.Check()
	if err != nil {
		b.Fatal(err)
	}
	fresh := b.config
	fresh.Work = b.TempDir()
	want, err := Rewrite(prog, fresh)
	if err != nil {
		b.Fatal(err)
	}
	b.same(o, want)
	return how
}

// same compares everything that the command uses, and what the go command reads.
// It ignores numbers of sites, which depend on earlier builds, and marks, which depend on them.
func (b *bench) same(got, want *Overlay) {
	b.Helper()
	tests := func(o *Overlay) (all []Test) {
		for _, t := range o.Tests {
			t.Marks = slices.Clone(t.Marks)
			for i := range t.Marks {
				t.Marks[i].Mark = ""
			}
			all = append(all, t)
		}
		return all
	}
	show := func(o *Overlay) string {
		text := fmt.Sprintln(tests(o), o.Dirs())
		for _, s := range o.Sites {
			text += o.ImportPath(s)
			s.ID = 0
			text += fmt.Sprintln(s)
		}
		return text
	}
	if show(got) != show(want) || !reflect.DeepEqual(tests(got), tests(want)) {
		b.Errorf("got\n%s\nwant\n%s", show(got), show(want))
	}
	overlay := func(o *Overlay) string {
		data, err := os.ReadFile(filepath.Join(o.config.Work, overlayName))
		if err != nil {
			b.Fatal(err)
		}
		return strings.ReplaceAll(string(data), o.config.Work, "WORK")
	}
	if overlay(got) != overlay(want) {
		b.Errorf("overlay\n%s\nwant\n%s", overlay(got), overlay(want))
	}
	for name := range want.written {
		if !exists(b.made(name)) {
			b.Errorf("%s is missing", name)
		}
	}
}

// A build is kept as long as its files are unchanged and everything that it
// depends on is the same. After any change the next build is made, and the one
// after it is kept.
func TestKept(t *testing.T) {
	for _, row := range []struct {
		what   string
		change func(b *bench)
		want   string
	}{
		{"nothing", func(b *bench) {}, "kept"},
		{"a file is touched", func(b *bench) { os.Chtimes(b.in("a/a.go"), time.Unix(1, 0), time.Unix(1, 0)) }, "kept"},
		{"a file grows", func(b *bench) { b.swap(b.in("b/b.go"), "return 0", "if n < 0 {\n\t\treturn 2\n\t}\n\treturn 0") }, "made"},
		{"one character changes", func(b *bench) { b.swap(b.in("b/b.go"), "n > 3", "n > 4") }, "made"},
		{"a test gets a property", func(b *bench) { b.swap(b.in("a/a_test.go"), "TestA", "TestB") }, "made"},
		{"a file is added", func(b *bench) { b.put("b/new.go", "package b\n\nfunc More"+benchBranch) }, "made"},
		{"a file is removed", func(b *bench) { os.Remove(b.in("b/more.go")) }, "made"},
		{"a file that is not built changes", func(b *bench) { b.swap(b.in("a/special.go"), "n > 3", "n > 4") }, "kept"},
		{"a header changes", func(b *bench) { b.withC(); b.swap(b.in("c/c.h"), "= 1", "= 2") }, "made"},
		{"a package outside the scope changes", func(b *bench) { b.swap(b.in("other/other.go"), "(n int)", "(n int8)") }, "made"},
		{"a package that nobody imports changes", func(b *bench) { b.put("other/none/none.go", "package none // still\n") }, "kept"},
		{"go.mod changes", func(b *bench) { b.swap(b.in("go.mod"), "go 1.25\n", "go 1.25.0\n") }, "made"},
		{"a tag", func(b *bench) { b.config.Load.Flags = []string{"-tags=special"} }, "made"},
		{"a tag from the environment", func(b *bench) { b.config.Load.Env[0] += " -tags=special" }, "made"},
		{"a tag that no file has", func(b *bench) { b.config.Load.Flags = []string{"-tags=nothing"} }, "made"},
		{"no C", func(b *bench) { b.withC(); b.config.Load.Env = append(b.config.Load.Env, "CGO_ENABLED=0") }, "made"},
		{"other packages", func(b *bench) { b.config.Load.Patterns = []string{"./a"} }, "made"},
		{"a wider scope", func(b *bench) { b.config.Load.Scope = []string{"example.com/..."} }, "made"},
		{"probes of another kind", func(b *bench) { b.config.Calls = true }, "made"},
		{"another go command", func(b *bench) { b.otherGo() }, "made"},
		{"a rewritten file is gone", func(b *bench) { os.Remove(b.made("src/scratch/a/a.go")) }, "made"},
		{"a rewritten file was edited", func(b *bench) { b.swap(b.made("src/scratch/a/a.go"), "n > 3", "n > 4") }, "made"},
		{"the overlay is gone", func(b *bench) { os.Remove(b.made("overlay.json")) }, "made"},
		{"the manifest is gone", func(b *bench) { os.Remove(b.made("built")) }, "made"},
		{"the manifest is a folder", func(b *bench) { b.folder("built") }, "made"},
		{"the work folder is empty", func(b *bench) { os.RemoveAll(b.work); os.Mkdir(b.work, 0o777) }, "made"},
	} {
		t.Run(row.what, func(t *testing.T) {
			b := newBench(t)
			if how := b.build(); how != "made" {
				t.Fatalf("the first build was %s", how)
			}
			row.change(b)
			if how := b.compare(); how != row.want {
				t.Errorf("then it was %s, want %s", how, row.want)
			}
			if how := b.build(); how != "kept" {
				t.Errorf("and then it was %s", how)
			}
		})
	}
}

// folder replaces a file by a folder.
func (b *bench) folder(name string) {
	os.RemoveAll(b.made(name))
	if err := os.MkdirAll(filepath.Join(b.made(name), "x"), 0o777); err != nil {
		b.Fatal(err)
	}
}

// otherGo puts a go command in front of PATH that reports another version.
func (b *bench) otherGo() {
	b.Helper()
	if runtime.GOOS == "windows" {
		b.Skip("needs a shell")
	}
	real, err := exec.LookPath("go")
	if err != nil {
		b.Fatal(err)
	}
	dir := b.TempDir()
	script := "#!/bin/sh\nif test \"$1\" = env; then '" + real + "' \"$@\" | sed 's/^go1\\.[0-9.]*/go1.99.9/'; else exec '" + real + "' \"$@\"; fi\n"
	if err := os.WriteFile(filepath.Join(dir, "go"), []byte(script), 0o777); err != nil {
		b.Fatal(err)
	}
	b.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// Whatever the manifest contains, it is either right or not used.
func TestOddManifest(t *testing.T) {
	b := newBench(t)
	b.config.Load.Patterns = []string{"./b"}
	b.build()
	good, err := os.ReadFile(b.made("built"))
	if err != nil {
		t.Fatal(err)
	}
	l, err := load.List(b.config.Load)
	if err != nil {
		t.Fatal(err)
	}
	id := identity(l, b.config)
	kept := func(data []byte) bool {
		if err := os.WriteFile(b.made("built"), data, 0o666); err != nil {
			t.Fatal(err)
		}
		return reuse(b.config, id) != nil
	}
	if !kept(good) {
		t.Fatal("a good manifest is not used")
	}
	for i := range good {
		odd := bytes.Clone(good)
		odd[i] ^= 1
		if kept(odd) {
			t.Errorf("byte %d was changed from %q", i, good[i])
		}
		if i%7 == 0 && kept(good[:i]) {
			t.Errorf("%d bytes of %d are enough", i, len(good))
		}
	}
	// Manifests that are wrong but have the right checksum.
	for _, swap := range [][2]string{
		{"overlay.json", "../overlay.json"}, {`"Sites":"`, `"Sites":"AAAA`}, {`"Identity":"`, `"Identity":"0`}, {`"Files":{`, `"Files":{"none":"",`}, {`"Files":{`, `"Files":[`}, {`"Copies":{`, `"Copies":{"/none":"/none/at/all"`},
	} {
		_, rest, _ := bytes.Cut(good, []byte("\n"))
		odd := bytes.Replace(rest, []byte(swap[0]), []byte(swap[1]), 1)
		if bytes.Equal(odd, rest) {
			t.Errorf("there is no %s in %s", swap[0], rest)
		}
		if kept(fmt.Appendf(nil, "%s %s\n%s", manifestFormat, sum(odd), odd)) {
			t.Errorf("%q is kept", swap)
		}
		if kept(fmt.Appendf(nil, "%s %s\n%s", "allele build 0", sum(rest), rest)) {
			t.Error("another format is kept")
		}
	}
}
