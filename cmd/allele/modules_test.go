//go:build go1.25

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/testkit"
)

const checkBody = `
import (
	"testing"

	"github.com/allele-go/allele"
)

func TestF(t *testing.T) {
	allele.Check(t, func(t *allele.T, in int) {
		if F(in) < 0 {
			t.Error("negative")
		}
	})
}
`

// Modules of all kinds build and run under trace, and their output is right.
func TestModules(t *testing.T) {
	const branch = "if n > 3 {\n\t\treturn 1\n\t}\n\treturn 0\n}\n"
	for _, c := range []struct {
		name  string
		files map[string]string
		args  []string
	}{
		{"cgo", map[string]string{
			"f.go":      "package p\n\n// static int twice(int x) { return x < 0 ? 0 : 1; }\nimport \"C\"\n\nfunc F(n int) int {\n\tif n > 3 {\n\t\treturn int(C.twice(C.int(1)))\n\t}\n\treturn 0\n}\n",
			"f_test.go": "package p\n" + checkBody}, nil},
		{"embed", map[string]string{
			"data.txt":  "hello",
			"f.go":      "package p\n\nimport _ \"embed\"\n\n//go:embed data.txt\nvar data string\n\nfunc F(n int) int {\n\tif len(data) != 5 {\n\t\treturn -1\n\t}\n\t" + branch,
			"f_test.go": "package p\n" + checkBody}, nil},
		{"build tags", map[string]string{
			"f.go":      "//go:build special\n\npackage p\n\nfunc F(n int) int {\n\t" + branch,
			"g.go":      "//go:build !special\n\npackage p\n\nfunc F(n int) int { return -1 }\n",
			"f_test.go": "package p\n" + checkBody}, []string{"-tags", "special"}},
		{"own TestMain", map[string]string{
			"f.go":      "package p\n\nfunc F(n int) int {\n\t" + branch,
			"m_test.go": "package p\n\nimport (\n\t\"flag\"\n\t\"os\"\n\t\"testing\"\n)\n\nvar extra = flag.Bool(\"extra\", false, \"\")\n\nfunc TestMain(m *testing.M) {\n\tflag.Parse()\n\t_ = *extra\n\tos.Exit(m.Run())\n}\n",
			"f_test.go": "package p\n" + checkBody}, nil},
		{"external tests", map[string]string{
			"f.go":      "package p\n\nfunc F(n int) int {\n\t" + branch,
			"f_test.go": "package p_test\n" + strings.Replace(strings.Replace(checkBody, "F(in)", "p.F(in)", 1), "\"github.com/allele-go/allele\"\n", "\"github.com/allele-go/allele\"\n\n\tp \"scratch\"\n", 1)}, nil},
		{"package main", map[string]string{
			"f.go":      "package main\n\nfunc main() {}\n\nfunc F(n int) int {\n\t" + branch,
			"f_test.go": "package main\n" + checkBody}, nil},
		{"several packages", map[string]string{
			"sub/f.go":       "package sub\n\nfunc F(n int) int {\n\t" + branch,
			"f.go":           "package p\n\nimport \"scratch/sub\"\n\nfunc F(n int) int { return sub.F(n) }\n",
			"f_test.go":      "package p\n" + checkBody,
			"none/x.go":      "package none\n",
			"none/x_test.go": "package none\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) { t.Fatal(\"not ours\") }\n"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "with space") // an import path may not hold one; a folder above it may
			made := testkit.Module(t, c.files)
			if err := os.CopyFS(dir, os.DirFS(made)); err != nil {
				t.Fatal(err)
			}
			apart(t)
			out, exit := allele(t, append(append([]string{"test", "-C", dir}, c.args...), "./...")...)
			if exit != exitOK || !strings.Contains(out, "1 property") || !strings.Contains(out, "ok\n") {
				t.Errorf("exit %d\n%s", exit, out)
			}
			if c.name != "package main" && strings.Contains(out, " 1  ok") {
				t.Errorf("one path only, so nothing was watched\n%s", out)
			}
		})
	}
}

// Packages with similar names are distinguished, and tests run in the folder of their
// package.
func TestLookAlikes(t *testing.T) {
	const code = "\n\nfunc F(n int) int {\n\tif n > 3 {\n\t\treturn %s\n\t}\n\treturn 0\n}\n"
	external := func(path string) string {
		return strings.Replace(strings.Replace(checkBody, "F(in)", "p.F(in)", 1), "\"github.com/allele-go/allele\"\n", "\"github.com/allele-go/allele\"\n\n\tp \""+path+"\"\n", 1)
	}
	dir := testkit.Module(t, map[string]string{
		"a_b/f.go":            "package a_b" + strings.Replace(code, "%s", "1", 1),
		"a_b/f_test.go":       "package a_b\n" + checkBody,
		"a/b/f.go":            "package b" + strings.Replace(code, "%s", "-1", 1), // the only one that fails
		"a/b/f_test.go":       "package b\n" + checkBody,
		"foo/f.go":            "package foo" + strings.Replace(code, "%s", "1", 1),
		"foo/f_test.go":       "package foo_test\n" + external("scratch/foo"),
		"foo_test/f.go":       "package foo_test" + strings.Replace(code, "%s", "1", 1),
		"foo_test/f_test.go":  "package foo_test\n" + checkBody,
		"alone/alone_test.go": "package alone_test\n\nimport (\n\t\"os\"\n\t\"strings\"\n\t\"testing\"\n\n\t\"github.com/allele-go/allele\"\n)\n\nfunc TestFolder(t *testing.T) {\n\tallele.Check(t, func(t *allele.T, in bool) {\n\t\tif dir, _ := os.Getwd(); !strings.HasSuffix(dir, \"alone\") {\n\t\t\tt.Error(dir)\n\t\t}\n\t})\n}\n",
	})
	apart(t)
	out, exit := allele(t, "test", "-C", dir, "./...")
	has(t, out, "5 properties", "alone.TestFolder")
	if exit != exitFailed || strings.Count(out, "  FAILED\n") != 1 || strings.Count(out, "  ok\n") != 4 || !strings.Contains(out, "scratch/a/b\n") {
		t.Errorf("exit %d\n%s", exit, out)
	}
}

// A property that crashes its process does not affect other properties.
func TestCrash(t *testing.T) {
	dir := testkit.Module(t, map[string]string{
		"f.go":      "package p\n\nimport \"os\"\n\nfunc F(n int) int {\n\tif n > 3 {\n\t\tos.Exit(3)\n\t}\n\treturn 0\n}\n",
		"f_test.go": "package p\n" + checkBody + "\nfunc TestZ(t *testing.T) { allele.Check(t, func(t *allele.T, in bool) {}) }\n",
	})
	apart(t)
	out, exit := allele(t, "test", "-C", dir, ".")
	has(t, out, "  FAILED\n", "property called os.Exit(3)", "counterexample, shrunk", "the last places before the end", "scratch.TestZ", "  ok\n")
	if exit != exitFailed {
		t.Errorf("exit %d", exit)
	}
}

// Packages may redeclare predeclared names, and subtests may have odd names.
func TestNames(t *testing.T) {
	dir := testkit.Module(t, map[string]string{
		"f.go": "package p\n\ntype Color int\n\nconst (\n\tRed Color = iota\n\tGreen\n)\n\nfunc new(c Color) *Color { return &c }\n\nfunc any(n int) bool { return n > 3 }\n\n" +
			"type Handler interface{ Serve() }\n\ntype HandlerFunc func()\n\nfunc (f HandlerFunc) Serve() { f() }\n\ntype Fixed struct{ N int }\n\nfunc (Fixed) Serve() {}\n\n" +
			"func F(n int) int {\n\tif any(n) {\n\t\treturn int(*new(Green))\n\t}\n\treturn 0\n}\n",
		"f_test.go": "package p\n" + checkBody + `
func TestSub(t *testing.T) {
	for _, name := range []string{"a", "a", "", "issue#7"} {
		t.Run(name, func(t *testing.T) { allele.Check(t, func(t *allele.T, in bool) {}) })
	}
}

func TestHandler(t *testing.T) {
	allele.Check(t, func(t *allele.T, in struct{ H Handler }) { in.H.Serve() })
}
`,
	})
	apart(t)
	out, exit := allele(t, "test", "-C", dir, ".")
	if exit != exitOK || strings.Count(out, "  ok\n") != 6 {
		t.Errorf("exit %d\n%s", exit, out)
	}
}

// A goroutine that waits for another one lets it run, and the user's GODEBUG stays set.
func TestSpins(t *testing.T) {
	dir := testkit.Module(t, map[string]string{
		"f.go":      "package p\n\nimport (\n\t\"os\"\n\t\"strings\"\n\t\"sync/atomic\"\n)\n\nfunc F(n int) int {\n\tvar done atomic.Bool\n\tgo func() { done.Store(true) }()\n\tfor !done.Load() {\n\t}\n\tif !strings.Contains(os.Getenv(\"GODEBUG\"), \"http2client=0\") {\n\t\treturn -1\n\t}\n\treturn 0\n}\n",
		"f_test.go": "package p\n" + checkBody,
	})
	apart(t)
	t.Setenv("GODEBUG", "http2client=0")
	out, exit := allele(t, "test", "-C", dir, "-tests", "20", ".")
	if exit != exitOK {
		t.Errorf("exit %d\n%s", exit, out)
	}
}

// Missing packages are reported like by the go command.
func TestMissing(t *testing.T) {
	dir := testkit.Module(t, map[string]string{"f.go": "package p\n\nimport _ \"example.com/nothere\"\n\nfunc F(n int) int { return 0 }\n", "f_test.go": "package p\n" + checkBody})
	apart(t)
	t.Setenv("GOFLAGS", "")
	out, exit := allele(t, "test", "-C", dir, ".")
	has(t, out, "f.go:3:8:", "example.com/nothere")
	if exit != exitUsage {
		t.Errorf("exit %d", exit)
	}
}

// A compile error is reported with its position, and nothing is run.
func TestBrokenModule(t *testing.T) {
	dir := testkit.Module(t, map[string]string{"f.go": "package p\n\nfunc F() int { return \"x\" }\n", "f_test.go": "package p\n" + checkBody})
	apart(t)
	out, exit := allele(t, "test", "-C", dir, ".")
	if exit != exitUsage || !strings.Contains(out, "f.go:3:") {
		t.Errorf("exit %d\n%s", exit, out)
	}
}
