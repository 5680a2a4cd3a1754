//go:build go1.25

package allele_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/testkit"
)

// scratch copies a package in testdata/reports into a module of its own, as a user of the
// library would have it.
func scratch(t *testing.T, name string) (dir string) {
	t.Helper()
	files := map[string]string{}
	entries, err := filepath.Glob(filepath.Join("testdata", "reports", name, "*.go"))
	if err != nil || len(entries) == 0 {
		t.Fatalf("no report %s: %v", name, err)
	}
	for _, e := range entries {
		data, err := os.ReadFile(e)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(e)] = string(data)
	}
	return testkit.Module(t, files)
}

var times = regexp.MustCompile(`\(?\b\d+\.\d+s\)?`)

// TestReports compares whole reports of failures and of a vacuous test. Read the golden
// files before accepting a change: go test -run TestReports -update .
func TestReports(t *testing.T) {
	for _, name := range []string{"tree", "expr", "config", "local", "vacuous", "steps", "never"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, exit := testkit.Go(t, scratch(t, name), nil, "test")
			if exit != 1 {
				t.Fatalf("exit code %d:\n%s", exit, out)
			}
			testkit.Golden(t, filepath.Join("testdata", "reports", name+".golden"), []byte(times.ReplaceAllString(out, "TIME")))
		})
	}
}

// The test that a report prints compiles, and fails as the report describes.
func TestPrintedTestRuns(t *testing.T) {
	for name, headline := range map[string]string{
		"tree":   "property failed: insert broke the order",
		"expr":   "property failed: got",
		"config": "property panicked: runtime error: integer divide by zero",
		"local":  "property failed: 12 is above 11",
		"steps":  "property failed: a: read",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := scratch(t, name)
			out, _ := testkit.Go(t, dir, nil, "test")
			test, printed := printedTest(t, out)
			os.WriteFile(filepath.Join(dir, "printed_test.go"), []byte("package "+name+"\n\n"+printed), 0o666)
			out, exit := testkit.Go(t, dir, nil, "test", "-run", "^"+test+"$")
			if exit != 1 || !strings.Contains(out, headline) {
				t.Errorf("exit code %d, want %q in\n%s\nof\n%s", exit, headline, out, printed)
			}
		})
	}
}

var function = regexp.MustCompile(`(?ms)^ +(?:// imports ([^\n]*)\n +)?(func (Test\w+)\(t \*testing\.T\) \{\n.*?\n {12}\}\n)`)

// printedTest extracts the test from a report, with the imports that it needs.
func printedTest(t *testing.T, out string) (name, file string) {
	t.Helper()
	m := function.FindStringSubmatch(out)
	if m == nil {
		t.Fatalf("no test in\n%s", out)
	}
	imports := []string{`"testing"`, `"github.com/allele-go/allele"`}
	if m[1] != "" {
		imports = append(imports, strings.Split(m[1], ", ")...)
	}
	return m[3], "import (\n" + strings.Join(imports, "\n") + "\n)\n\n" + m[2]
}

// A printed test imports packages by the names that the test file uses. Two packages with the same name,
// and those that are called by their version, get other names. It does not import its own package.
func TestReportImports(t *testing.T) {
	t.Parallel()
	dir := testkit.Module(t, map[string]string{
		"core/v1/pod.go":  "package v1\n\ntype Pod struct{ Name string }\n",
		"meta/v1/list.go": "package v1\n\ntype List struct{ Kind string }\n",
		"apps/v1/set.go":  "package v1\n\ntype Set struct{ N int }\n",
		"a/shape/a.go":    "package shape\n\ntype A struct{ N int }\n",
		"b/shape/b.go":    "package shape\n\ntype B struct{ N int }\n",
		"use/use.go":      "package use\n\ntype ID struct{ n int }\n\nfunc NewID(n int) ID { return ID{n} }\n",
		"use/use_test.go": `package use

import (
	"testing"

	"github.com/allele-go/allele"
	k8score "scratch/core/v1"
	v1 "scratch/meta/v1"
	"scratch/other"
)

type all struct {
	ID   ID
	Pod  k8score.Pod
	List v1.List
	other.Shapes
}

func TestAll(t *testing.T) {
	allele.Check(t, func(t *allele.T, in *all) {
		if in != nil && in.Pod.Name != "" && in.List.Kind != "" && in.Set != nil && in.A != nil && in.B != nil {
			t.Error("found")
		}
	}, allele.Builder(NewID), allele.Size(60), allele.Tests(5000))
}
`,
		"other/other.go": "package other\n\nimport (\n\ta \"scratch/a/shape\"\n\tapps \"scratch/apps/v1\"\n\tb \"scratch/b/shape\"\n)\n\n" +
			"type Shapes struct {\n\tSet *apps.Set\n\tA   *a.A\n\tB   *b.B\n}\n",
	})
	out, _ := testkit.Go(t, dir, nil, "test", "./use")
	const want = `// imports "scratch/a/shape", appsv1 "scratch/apps/v1", bshape "scratch/b/shape", k8score "scratch/core/v1", "scratch/meta/v1", "scratch/other"` + "\n"
	if !strings.Contains(out, want) {
		t.Fatalf("want %s in\n%s", want, out)
	}
	test, printed := printedTest(t, out)
	os.WriteFile(filepath.Join(dir, "use", "printed_test.go"), []byte("package use\n\n"+printed), 0o666)
	if out, _ := testkit.Go(t, dir, nil, "test", "-run", "^"+test+"$", "./use"); !strings.Contains(out, "property failed: found") {
		t.Errorf("%s\n%s", out, printed)
	}
}

// The standard library is not blamed for a panic, even in a program built with -trimpath,
// where file names do not show which files belong to it.
func TestReportTrimmed(t *testing.T) {
	dir := testkit.Module(t, map[string]string{
		"repeat.go": "package repeat\n\nimport \"strings\"\n\nfunc Repeat(n int) string { return strings.Repeat(\"x\", -n) }\n",
		"repeat_test.go": "package repeat\n\nimport (\n\t\"testing\"\n\n\t\"github.com/allele-go/allele\"\n)\n\n" +
			"func TestRepeat(t *testing.T) {\n\tallele.Check(t, func(t *allele.T, n uint8) { Repeat(int(n)) })\n}\n",
	})
	for _, flags := range [][]string{{"test"}, {"test", "-trimpath"}} {
		out, exit := testkit.Go(t, dir, nil, flags...)
		if exit != 1 || !strings.Contains(out, "property panicked: strings: negative Repeat count (repeat.go:5)\n") {
			t.Errorf("%q: exit code %d\n%s", flags, exit, out)
		}
	}
}
