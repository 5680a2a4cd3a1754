//go:build go1.25

package change

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// influenced is a package with a test for each function. Large functions leave a note when they run.
const influenced = `package a

import "fmt"

const most = 9

var table = []int{1, 2, 3}

var made = build()

type Word struct{ n int }

func (w Word) String() string { return fmt.Sprint(w.n) }

func build() int { return small() }

func small() int { return 1 }

func Large() int {
	if most > 3 {
		return len(table)
	}
	return tiny()
}

func tiny() int { return 2 }

func Shown() string { return fmt.Sprint(Word{3}) }

func Alone() int {
	if true {
		return 4
	}
	return 5
}
`

const influencedTest = `package a

import "testing"

func TestLarge(t *testing.T) { helper(t, Large()) }

func TestShown(t *testing.T) { Shown() }

func TestAlone(t *testing.T) { Alone() }

func helper(t *testing.T, n int) { t.Log(n) }

func ExampleAlone() {
	// Output: 1
}
`

// influence returns the source of a package of two files.
func influence(t *testing.T, src, test string) *Influence {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"a.go": src, "a_test.go": test} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	parts := []Part{{"m/a", dir, true, []string{"a.go", "a_test.go"}}}
	tree, err := Load(parts, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return tree.Influence(Property{Package: "m/a", Parts: parts}, []string{"m/a Large", "m/a Shown", "m/a Alone"})
}

// describe says which functions with a note, and which tests, an edit touches.
func describe(before, now *Influence) string {
	if w := before.Whole(); w == "" || w != now.Whole() {
		return "everything"
	}
	e := now.Since(before.Units())
	if e.Why != "" {
		return "everything: " + e.Why
	}
	var all []string
	for _, name := range []string{"Large", "Shown", "Alone"} {
		if e.Touches("m/a " + name) {
			all = append(all, name)
		}
	}
	for _, name := range []string{"TestLarge", "TestShown", "TestAlone", "ExampleAlone"} {
		if e.Test(name) {
			all = append(all, name)
		}
	}
	return strings.Join(all, " ")
}

// What an edit touches: a function that leaves a note counts alone, because it is known which tests run it. Everything else
// counts where its name is used.
func TestInfluence(t *testing.T) {
	for _, c := range []struct{ edit, from, to, want string }{
		{"nothing", "", "", ""},
		{"a comment moves all lines", "package a\n", "// Package a is small.\npackage a\n", ""},
		{"a function that leaves a note", "return 4", "return 6", "Alone"},
		{"a small function counts where it is called", "return 2", "return 3", "Large"},
		{"a constant counts where it is used", "most = 9", "most = 8", "Large"},
		{"so does a variable that nothing computes", "{1, 2, 3}", "{1, 2}", "Large"},
		{"a variable that code computes counts for all tests", "made = build()", "made = build() + 1", "everything"},
		{"what computes it too", "func build() int { return small() }", "func build() int { return 3 }",
			"everything: var made uses what has changed"},
		{"and what that calls", "return 1 }", "return 7 }", "everything: var made uses what has changed"},
		{"a small method counts where a value of its type exists", "Sprint(w.n)", "Sprint(-w.n)", "Shown"},
		{"a type counts for all tests", "{ n int }", "{ n, m int }", "everything"},
		{"an interface may have a new method", "func tiny", "func (w Word) Next() int { return 1 }\n\nfunc tiny", "everything"},
		{"an interface may not have a method that changes", "String() string", "String(int) string", "everything"},
		{"a new function alone is used by nothing", "func tiny", "func more() int { return 1 }\n\nfunc tiny", ""},
		{"another signature may change types elsewhere", "func tiny() int", "func tiny() int8", "everything: tiny has another signature"},
		{"an initialiser", "func tiny", "func init() {}\n\nfunc tiny", "everything"},
		{"a function that hides a predeclared one", "func tiny", "func len([]int) int { return 1 }\n\nfunc tiny",
			"everything: len hides a predeclared name"},
		{"a dot import may hide any name", `import "fmt"`, "import \"fmt\"\nimport . \"math\"", "everything"},
		{"a directive for the linker", "func tiny", "//go:linkname tiny other.tiny\nfunc tiny", "everything"},
		{"the body of a test", "Alone() }\n\nfunc helper", "Alone(); Alone() }\n\nfunc helper", "TestAlone"},
		{"a helper of a test", "t.Log(n)", "t.Log(-n)", "TestLarge"},
		{"the output of an example is a comment", "Output: 1", "Output: 2", "ExampleAlone"},
	} {
		before := influence(t, influenced, influencedTest)
		now := influence(t, strings.Replace(influenced, c.from, c.to, 1), influencedTest)
		if !strings.Contains(influenced, c.from) {
			now = influence(t, influenced, strings.Replace(influencedTest, c.from, c.to, 1))
		}
		if got := describe(before, now); got != c.want {
			t.Errorf("%s: %q, want %q", c.edit, got, c.want)
		}
	}
}

// Code that looks at its own lines is influenced by lines that move.
func TestInfluenceOfLines(t *testing.T) {
	src := strings.Replace(influenced, "return 4", "return runtime.Caller(0)", 1)
	before, now := influence(t, src, influencedTest), influence(t, "// A comment.\n"+src, influencedTest)
	if got := describe(before, now); got == "" {
		t.Error("moved lines touch nothing")
	}
	test := influencedTest + "\nvar source = \"a.go\"\n"
	before, now = influence(t, influenced, test), influence(t, influenced+"// A comment.\n", test)
	if before.Whole() != now.Whole() {
		t.Error("no declaration has moved")
	}
	now = influence(t, "\n"+influenced, test)
	if got := describe(before, now); got != "everything" {
		t.Errorf("tests that read source: %q", got)
	}
}

// What another process does leaves no note here, so any edit may influence code that starts one.
func TestInfluenceOfProcesses(t *testing.T) {
	src := strings.Replace(influenced, "return 4", "return process.Command(\"go\")", 1)
	src = strings.Replace(src, `import "fmt"`, "import (\n\t\"fmt\"\n\tprocess \"os/exec\"\n)", 1)
	if got := describe(influence(t, src, influencedTest), influence(t, src, influencedTest)); got != "" {
		t.Errorf("without an edit: %q", got)
	}
	now := influence(t, strings.Replace(src, "return 2", "return 3", 1), influencedTest)
	if got := describe(influence(t, src, influencedTest), now); got != "Large Alone" {
		t.Errorf("%q, want Large and Alone", got)
	}
}

// Where a package is not called like its folder, nothing shows which code uses the import.
func TestInfluenceOfImports(t *testing.T) {
	for _, c := range []struct{ what, before, now, want string }{
		{"another package of the same name", `import "m/impl-a"`, `import "m/impl-b"`, "everything"},
		{"another package with a name of its own", `import impl "m/impl-a"`, `import impl "m/impl-b"`, "Alone"},
		{"a package of the standard library more", `import impl "m/impl-a"`, "import (\n\timpl \"m/impl-a\"\n\t\"os\"\n)", ""},
	} {
		src := strings.Replace(influenced, "return 4", "return impl.New()", 1)
		before := influence(t, strings.Replace(src, `import "fmt"`, "import \"fmt\"\n"+c.before, 1), influencedTest)
		now := influence(t, strings.Replace(src, `import "fmt"`, "import \"fmt\"\n"+c.now, 1), influencedTest)
		if got := describe(before, now); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// Tests share variables that something may change, also through functions without a note.
func TestShared(t *testing.T) {
	src := influenced + `
var mode, limit, calls = 0, 3, 0
var rules = map[string]int{}
var fixed = []int{1}

func Set() { mode = 1; if true { put() } }
func put() { rules["a"] = limit }
func Price() int { if mode == 0 { return fixed[0] + limit }; return len(fixed) }
`
	test := influencedTest + `
func TestRules(t *testing.T) { _ = rules; count() }

func count() { calls++ }
`
	x := influence(t, src, test)
	for _, c := range []struct {
		test      string
		functions []string
		want      string
	}{
		{"TestAlone", []string{"m/a Alone"}, ""},
		{"TestAlone", []string{"m/a Set"}, "mode rules"},
		{"TestAlone", []string{"m/a Price"}, "mode"},
		{"TestRules", nil, "calls rules"},
		{"TestRules#01", nil, "calls rules"},
		{"TestAlone", []string{"m/a Gone"}, ""},
	} {
		if got := strings.Join(sorted(x.Shared(c.test, c.functions)), " "); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.test, c.functions, got, c.want)
		}
	}
}
