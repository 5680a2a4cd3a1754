//go:build go1.25

package strays_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/ops/strays"
)

const source = `package shop

func TestSum(t *testing.T) {
	allele.Check(t, func(t *allele.T, in []Order) {
		t.Error("x")
	})
}

func TestInsertKeepsOrder(t *testing.T) {
	allele.Check(t, func(t *allele.T, in struct{ Tree *Tree; Key int }) {})
}

func TestSuite(t *testing.T) { suite.Run(t, new(Suite)) }

func TestNothing(t *testing.T) {}

func FuzzParse(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) { Check(t, func(t *allele.T, in *Node) {}) })
}
`

// module writes a package with a test file and case files.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// show renders strays as "owner -> test that it probably is now".
func show(all []strays.Stray) string {
	var lines []string
	for _, s := range all {
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s -> %s", s.Owner, s.Like)))
	}
	return strings.Join(lines, ", ")
}

func TestFind(t *testing.T) {
	for _, c := range []struct{ name, folder, text, want string }{
		{"the test exists", "TestSum", "// test TestSum\n\n[]Order{{}}", ""},
		{"so does that of a subtest", "TestSum%2Fsmall", "// test TestSum/small\n\n[]Order{{}}", ""},
		{"and that of a method of a suite", "TestSuite%2FTestAdd", "// test TestSuite/TestAdd\n\n1", ""},
		{"a fuzz test", "FuzzParse", "// test FuzzParse\n\n1", ""},
		{"a test for another system", "TestPipe", "// test TestPipe\n\n1", ""},
		{"cases that people wrote name no test", "TestSum", "[]Order{{}}", ""},
		{"a similar name", "TestSums", "// test TestSums\n\n1", "TestSums -> TestSum"},
		{"a similar name of a folder", "TestSums", "1", "TestSums -> TestSum"},
		{"inputs of the same type", "TestTotal", "// test TestTotal\n\n[]Order{{}}", "TestTotal -> TestSum"},
		{"inputs with the same fields", "TestTotal", "// test TestTotal\n\nin{Tree: &Tree{}}", "TestTotal -> TestInsertKeepsOrder"},
		{"inputs behind a pointer", "TestTotal", "// test TestTotal\n\n&Node{}", "TestTotal -> FuzzParse"},
		{"the same place", "TestTotal", "// test TestTotal\n// message x (shop_test.go:5)\n\n7", "TestTotal -> TestSum"},
		{"the place before the type", "TestTotal", "// test TestTotal\n// message x (shop_test.go:5)\n\nin{Tree: &Tree{}}", "TestTotal -> TestSum"},
		{"nothing is likely", "TestTotal", "// test TestTotal\n\n7", "TestTotal ->"},
		{"a subtest of a test that is gone", "TestSums%2Fa", "// test TestSums/a\n\n7", "TestSums/a -> TestSum"},
		{"the folder was renamed, but not the test in its files", "TestSum", "// test TestTotal\n\n7", ""},
		{"the folder does not belong to a test", "notes", "7", ""},
		{"a file that is no case", "TestTotal", "// allele case 99\n", "TestTotal ->"},
	} {
		dir := module(t, map[string]string{"shop_test.go": source, "pipe_windows_test.go": "package shop\n\nfunc TestPipe(t *testing.T) {}\n",
			"testdata/allele/" + c.folder + "/fail-1.case": c.text})
		if got := show(strays.Find(dir)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A test that has cases of its own is not what another test has become.
func TestFindFree(t *testing.T) {
	dir := module(t, map[string]string{"shop_test.go": source,
		"testdata/allele/TestSums/a.case": "[]Order{{}}", "testdata/allele/TestSum/a.case": "[]Order{{}}"})
	if got := show(strays.Find(dir)); got != "TestSums ->" {
		t.Error(got)
	}
}

// A binary that runs without its source finds nothing, and the command finds everything.
func TestFindAll(t *testing.T) {
	dir := module(t, map[string]string{"testdata/allele/TestSum/a.case": "7", "testdata/allele/empty/b.txt": ""})
	if got := show(strays.Find(dir)); got != "" {
		t.Error(got)
	}
	if got := show(strays.FindAll(dir)); got != "TestSum ->" {
		t.Error(got)
	}
	if got := strays.FindAll(t.TempDir()); got != nil {
		t.Error(got)
	}
}

// The command knows the names of all properties: also those of subtests and named Checks.
func TestUnlisted(t *testing.T) {
	dir := module(t, map[string]string{
		"testdata/allele/TestSum%2Fsmall/a.case":   "// test TestSum/small\n\n7",
		"testdata/allele/TestSum%2Flarge/a.case":   "// test TestSum/large\n\n7",
		"testdata/allele/TestSum#third/a.case":     "// test TestSum#third\n\n7",
		"testdata/allele/TestSkipped%2Fx/a.case":   "// test TestSkipped/x\n\n7",
		"testdata/allele/TestSum%2Fany%20x/a.case": "// test TestSum/any x\n\n7",
	})
	got := show(strays.Unlisted(dir, []string{"TestSum/small", "TestSum/very_large", "TestSum#4", "TestSum/any x", "TestOther"}))
	if want := "TestSum#third ->, TestSum/large -> TestSum/very_large"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestText(t *testing.T) {
	c := job.CommandsFor("go tool allele", "")
	for _, x := range []struct {
		s    strays.Stray
		want string
	}{
		{strays.Stray{Folder: "testdata/allele/TestA", Owner: "TestA", Like: "TestB"}, "shop/testdata/allele/TestA is not run: there is no TestA in the package; " +
			"if it is TestB now, run: go tool allele corpus mv TestA TestB example.com/shop; if you removed it, delete the folder"},
		{strays.Stray{Folder: "testdata/allele/TestA%2Fx", Owner: "TestA/x"}, "shop/testdata/allele/TestA%2Fx is not run: there is no TestA in the package; " +
			"if you renamed the test, run: go tool allele corpus mv TestA NEW example.com/shop; if you removed it, delete the folder"},
		{strays.Stray{Folder: "testdata/allele/TestA%2Fx", Owner: "TestA/x", Like: "TestA/y", Test: true}, "shop/testdata/allele/TestA%2Fx is not run: " +
			"no Check of TestA has the name TestA/x; if it is TestA/y now, run: go tool allele corpus mv TestA/x TestA/y example.com/shop; if you removed it, delete the folder"},
	} {
		if got := x.s.Text(c, "shop", "example.com/shop"); got != x.want {
			t.Errorf("%s\nwant %s", got, x.want)
		}
	}
}
