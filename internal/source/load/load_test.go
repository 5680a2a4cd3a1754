//go:build go1.25

package load

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/testkit"
)

var env = []string{"GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off"}

// show lists the packages in scope with their files.
func show(p *Program) string {
	var out []string
	for _, pkg := range p.Scope {
		var files []string
		for _, f := range pkg.Files {
			name := f.Path[strings.LastIndexAny(f.Path, `/\`)+1:]
			files = append(files, name)
		}
		out = append(out, fmt.Sprintf("%s: %s", pkg.Key(), strings.Join(files, " ")))
	}
	return strings.Join(out, "\n") + "\ntests: " + strings.Join(p.Tests, " ")
}

func TestPackages(t *testing.T) {
	files := map[string]string{
		"a/a.go":             "package a\n\nimport \"scratch/b\"\n\nfunc A() int { return b.B() }\n",
		"a/a_tagged.go":      "//go:build special\n\npackage a\n\nfunc Special() {}\n",
		"a/a_test.go":        "package a\n\nimport (\n\t\"testing\"\n\n\t_ \"github.com/allele-go/allele\"\n)\n\nfunc TestA(t *testing.T) { A() }\n",
		"a/export_test.go":   "package a\n\nvar Hidden = 1\n",
		"a/external_test.go": "package a_test\n\nimport (\n\t\"scratch/a\"\n\t\"testing\"\n)\n\nfunc TestX(t *testing.T) { _ = a.Hidden }\n",
		"b/b.go":             "package b\n\nfunc B() int { return 1 }\n",
		"c/only_test.go":     "package c\n\nimport \"testing\"\n\nfunc TestC(t *testing.T) {}\n",
	}
	dir := testkit.Module(t, files)
	for _, c := range []struct {
		what string
		c    Config
		want string
	}{
		{"all", Config{Patterns: []string{"./..."}}, "scratch/a: a.go a_test.go export_test.go\nscratch/a!external: external_test.go\nscratch/b: b.go\nscratch/c: only_test.go\ntests: scratch/a"},
		{"one and what it imports", Config{Patterns: []string{"./a"}}, "scratch/a: a.go a_test.go export_test.go\nscratch/a!external: external_test.go\nscratch/b: b.go\ntests: scratch/a"},
		{"a tag", Config{Patterns: []string{"./b", "./a"}, Flags: []string{"-tags=special"}}, "scratch/a: a.go a_tagged.go a_test.go export_test.go\nscratch/a!external: external_test.go\nscratch/b: b.go\ntests: scratch/a"},
		{"a package of the standard library", Config{Patterns: []string{"./c"}, Scope: []string{"unicode/utf8"}}, "scratch/c: only_test.go\nunicode/utf8: utf8.go\ntests: "},
	} {
		c.c.Dir, c.c.Env = dir, env
		p, err := Packages(c.c)
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
		} else if got := show(p); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.what, got, c.want)
		}
	}
}

// Needs lists what tests are built from: their package, and what it imports,
// directly or not. Other modules are included, the standard library is not.
func TestNeeds(t *testing.T) {
	dir := testkit.Module(t, map[string]string{
		"a/a.go":      "package a\n\nimport \"scratch/b\"\n\nfunc A() int { return b.B() }\n",
		"a/a_test.go": "package a_test\n\nimport (\n\t\"testing\"\n\n\t_ \"github.com/allele-go/allele\"\n\t_ \"scratch/a\"\n\t_ \"scratch/d\"\n)\n\nfunc TestA(t *testing.T) {}\n",
		"b/b.go":      "package b\n\nfunc B() int { return 1 }\n",
		"b/b_test.go": "package b\n\nimport (\n\t\"testing\"\n\n\t_ \"scratch/c\"\n)\n\nfunc TestB(t *testing.T) {}\n",
		"c/c.go":      "package c\n",
		"d/d.go":      "package d\n",
	})
	l, err := List(Config{Dir: dir, Env: env, Patterns: []string{"./..."}})
	if err != nil {
		t.Fatal(err)
	}
	for test, want := range map[string]string{"scratch/a": "scratch/a scratch/b scratch/d", "scratch/b": "scratch/b scratch/c", "scratch/c": ""} {
		var own []string
		others := 0
		for _, n := range l.Needs(test) {
			if n.Own {
				own = append(own, n.Path)
			} else if others++; !strings.HasPrefix(n.Path, Library) {
				t.Errorf("%s needs %s", test, n.Path)
			}
		}
		if got := strings.Join(own, " "); got != want || (others > 0) != (test == "scratch/a") {
			t.Errorf("%s needs %s and %d others", test, got, others)
		}
	}
}

// An error in the source is reported as by the go command, with file and line.
func TestBroken(t *testing.T) {
	for src, want := range map[string]string{
		"package a\n\nfunc A() int { return \"x\" }\n":                              "a.go:3:",
		"package a\n\nfunc A( {\n":                                                  "a.go:3:",
		"package a\n\nimport \"scratch/none\"\n":                                    "scratch/none",
		"package a\n\n// int one;\nimport \"C\"\n\nfunc A() int { return \"x\" }\n": "a.go:6:",
	} {
		_, err := Packages(Config{Dir: testkit.Module(t, map[string]string{"a.go": src}), Patterns: []string{"./..."}, Env: env})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", src, err, want)
		}
	}
}

// If one of several packages that import each other has an error, the error names
// that package.
func TestBrokenBelow(t *testing.T) {
	dir := testkit.Module(t, map[string]string{
		"a/a.go": "package a\n\nimport \"scratch/b\"\n\nvar A = b.B\n", "b/b.go": "package b\n\nvar B int = \"x\"\n",
		"b/b_test.go": "package b\n", "a/a_test.go": "package a_test\n\nimport \"scratch/a\"\n\nvar _ = a.A\n",
	})
	_, err := Packages(Config{Dir: dir, Patterns: []string{"./..."}, Env: env})
	if err == nil || !strings.HasPrefix(err.Error(), filepath.Join("b", "b.go")+":3:13: ") || !strings.Contains(err.Error(), "\nscratch/a: left out") {
		t.Errorf("%v", err)
	}
}

// The go command does not compile packages that will be rewritten.
func TestCompilesOthersOnly(t *testing.T) {
	dir := testkit.Module(t, map[string]string{
		"a/a.go": "package a\n\nimport (\n\t\"scratch/b\"\n\t\"strings\"\n)\n\nvar A = strings.ToUpper(b.B)\n", "b/b.go": "package b\n\nvar B = \"x\"\n",
		"b/b_test.go": "package b_test\n\nimport _ \"scratch/a\"\n",
	})
	var got []string
	show := func(command []string) { got = append(got, strings.Join(command, " ")) }
	if _, err := Packages(Config{Dir: dir, Patterns: []string{"./..."}, Env: env, Show: show}); err != nil {
		t.Fatal(err)
	}
	want := "go list -e -deps -test " + listFields + " -tags=allele_jobs -- ./...\ngo list -e -export -json=ImportPath,Export,Error -tags=allele_jobs -- strings"
	if got := strings.Join(got, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, path string
		want          bool
	}{
		{"a/b", "a/b", true}, {"a/b", "a/b/c", false}, {"a/b/...", "a/b", true}, {"a/b/...", "a/b/c/d", true}, {"a/b/...", "a/bc", false}, {"...", "x", true},
		{"a/b...", "a/bc/d", true}, {"a/.../d", "a/b/c/d", true}, {"a/.../d", "a/d", false}, {"a.b/c", "axb/c", false}, {"a[/...", "a[", true},
	} {
		if got := Match(c.pattern, c.path); got != c.want {
			t.Errorf("Match(%s, %s) = %v", c.pattern, c.path, got)
		}
	}
}

// A module is checked in the language version of its go.mod, or in the oldest
// version.
func TestLanguage(t *testing.T) {
	dir := testkit.Module(t, map[string]string{"go.mod": "module scratch\n\ngo 1.21\n", "a.go": "package a\n"})
	p, err := Packages(Config{Dir: dir, Patterns: []string{"."}, Env: env})
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Scope[0].Types.GoVersion(); got != "go1.21" {
		t.Errorf("checked as %s", got)
	}
	if got := (&Module{}).language(); got != languageOldest {
		t.Errorf("without a version: %s", got)
	}
	if got := (*Module)(nil).language(); got != "" {
		t.Errorf("the standard library: %s", got)
	}
}
