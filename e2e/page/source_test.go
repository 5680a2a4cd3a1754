package page

import (
	"strings"
	"testing"
)

func TestSource(t *testing.T) {
	for _, c := range []struct{ name, code, params, want string }{
		{"a file stays", "// a.go\npackage a\n", "", "// a.go\npackage a\n"},
		{"declarations", "func F() { fmt.Println(slices.Max(x)) }\n", "",
			"package p\n\nimport (\n\t\"fmt\"\n\t\"slices\"\n)\n\nfunc F() { fmt.Println(slices.Max(x)) }\n"},
		{"the library comes last", "func TestF(t *testing.T) { allele.Check(t, f) }\n", "",
			"package p\n\nimport (\n\t\"testing\"\n\n\t\"github.com/allele-go/allele\"\n)\n\nfunc TestF(t *testing.T) { allele.Check(t, f) }\n"},
		{"a variable hides a package", "func F(time int) int { return time }\n", "", "package p\n\nfunc F(time int) int { return time }\n"},
		{"statements", "x, _ := f(in)\n", "in int", "package p\n\nimport (\n\t\"testing\"\n)\n\nfunc _(t *testing.T, in int) {\nx, _ := f(in)\n_ = x\n}\n"},
		{"statements of a property", "t.Assume(ok)\n", "", "package p\n\nimport (\n\t\"github.com/allele-go/allele\"\n)\n\nfunc _(t *allele.T) {\nt.Assume(ok)\n}\n"},
		{"with another t", "t.Grow()\n", "t *Tree", "package p\n\nfunc _(t *Tree) {\nt.Grow()\n}\n"},
		{"options", "F(1), // one\nG(2)\n", "", "package p\n\nimport (\n\t\"github.com/allele-go/allele\"\n)\n\nvar _ = []allele.Option{\nF(1), // one\nG(2),\n}\n"},
		{"options with literals", "F(1) // one\nG{A: 2}\n", "", "package p\n\nimport (\n\t\"github.com/allele-go/allele\"\n)\n\nvar _ = []allele.Option{\nF(1), // one\nG{A: 2},\n}\n"},
		{"bodies left out", "func F() int { ... }\n\ntype T struct { ... }\n\nvar x = T{ ... }\n", "",
			"package p\n\nfunc F() int { panic(\"...\") }\n\ntype T struct {  }\n\nvar x = T{  }\n"},
		{"lines left out", "func F() {\n\tf()\n\t...\n}\n", "", "package p\n\nfunc F() {\n\tf()\n\n}\n"},
	} {
		got, err := Source{Package: "p", Code: c.code, Params: c.params}.File()
		if err != nil || got != c.want {
			t.Errorf("%s: %v\n%s\nwanted\n%s", c.name, err, got, c.want)
		}
	}
	for code, want := range map[string]string{"func F( {\n": "a.md:7: expected ')'", "f(\n)) {\n": "a.md:8: expected"} {
		if _, err := (Source{Package: "p", Code: code, At: "a.md:7"}).File(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", code, err)
		}
	}
}

func TestAround(t *testing.T) {
	const file = "package p\n\ntype T int\n\nfunc (t *T) F() {}\nfunc F() {}\nfunc init() {}\nvar a, b = 1, 2\n"
	for fragment, want := range map[string]string{
		"package p\nfunc G() {}\nfunc init() {}":  file,
		"package p\nfunc (t T) F() {}\nvar b = 1": "package p\n\ntype T int\n\nfunc (t *T) _() {}\nfunc F() {}\nfunc init() {}\nvar a, _ = 1, 2\n",
		"package p\ntype T int\nfunc F() {}":      "package p\n\ntype _ int\n\nfunc (t *T) F() {}\nfunc _() {}\nfunc init() {}\nvar a, b = 1, 2\n",
		"package other":                           "",
	} {
		if got := Around(file, fragment); got != want {
			t.Errorf("%s:\n%s", fragment, got)
		}
	}
}

func TestReplace(t *testing.T) {
	const file = "package a\n\n// F is one.\nfunc F() int { return 1 }\n\ntype T struct{}\n\nfunc (T) F() {}\n"
	got, err := Replace(file, "// a.go\n\n// F is two.\nfunc F() int { return 2 }\n\nvar x = 1\n")
	want := "package a\n\n// F is two.\nfunc F() int { return 2 }\n\ntype T struct{}\n\nfunc (T) F() {}\n\nvar x = 1\n"
	if err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
	if got, _ := Replace(file, "func (T) F() { panic(1) }\n"); !strings.Contains(got, "func F() int { return 1 }") || !strings.Contains(got, "panic(1)") {
		t.Errorf("a method replaced a function:\n%s", got)
	}
}
