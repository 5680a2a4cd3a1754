//go:build go1.25

package strays_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/store/casefile"
	"github.com/allele-go/allele/internal/store/strays"
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

func TestLeaf(t *testing.T) { allele.Check(t, func(t *allele.T, in *shop.Leaf) {}) }

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
		{"it has no such subtest", "TestSum%2Fsmall", "// test TestSum/small\n\n[]Order{{}}", "TestSum/small -> TestSum"},
		{"and that of a method of a suite", "TestSuite%2FTestAdd", "// test TestSuite/TestAdd\n\n1", ""},
		{"a fuzz test", "FuzzParse", "// test FuzzParse\n\n1", ""},
		{"a test for another system", "TestPipe", "// test TestPipe\n\n1", ""},
		{"cases that people wrote name no test", "TestSum", "[]Order{{}}", ""},
		{"a similar name", "TestSums", "// test TestSums\n\n1", "TestSums -> TestSum"},
		{"a similar name of a folder", "TestSums", "1", "TestSums -> TestSum"},
		{"inputs of the same type", "TestTotal", "// test TestTotal\n\n[]Order{{}}", "TestTotal -> TestSum"},
		{"inputs with the same fields", "TestTotal", "// test TestTotal\n\nin{Tree: &Tree{}}", "TestTotal -> TestInsertKeepsOrder"},
		{"a Check whose name the source does not show", "TestTotal", "// test TestTotal\n\n&Node{}", "TestTotal ->"},
		{"inputs behind a pointer", "TestTotal", "// test TestTotal\n\n&Leaf{}", "TestTotal -> TestLeaf"},
		{"the same place", "TestTotal", "// test TestTotal\n// message x (shop_test.go:5)\n\n7", "TestTotal -> TestSum"},
		{"the type before the place", "TestTotal", "// test TestTotal\n// message x (shop_test.go:5)\n\nin{Tree: &Tree{}}", "TestTotal -> TestInsertKeepsOrder"},
		{"the place before the type, if the name is similar", "TestSums", "// test TestSums\n// message x (shop_test.go:5)\n\nin{Tree: &Tree{}}", "TestSums -> TestSum"},
		{"nothing is likely", "TestTotal", "// test TestTotal\n\n7", "TestTotal ->"},
		{"a subtest of a test that is gone", "TestSums%2Fa", "// test TestSums/a\n\n7", "TestSums/a -> TestSum"},
		{"the folder was renamed, but not the test in its files", "TestSum", "// test TestTotal\n\n7", ""},
		{"the folder does not belong to a test", "notes", "7", ""},
		{"a file that is no case", "TestTotal", "// allele case 99\n", "TestTotal ->"},
	} {
		dir := module(t, map[string]string{"shop_test.go": source, "pipe_windows_test.go": "package shop\n\nfunc TestPipe(t *testing.T) { run(t) }\n",
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
func TestFindWithoutSource(t *testing.T) {
	dir := module(t, map[string]string{"testdata/allele/TestSum/a.case": "7", "testdata/allele/empty/b.txt": ""})
	if got := show(strays.Find(dir)); got != "" {
		t.Error(got)
	}
	if got := show(strays.FindListed(dir, strays.Listed{})); got != "TestSum ->" {
		t.Error(got)
	}
	if got := strays.FindListed(t.TempDir(), strays.Listed{}); got != nil {
		t.Error(got)
	}
}

// What looks like a test is not always one.
func TestFindNoTests(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{"a comment", "a_test.go", "package a\n\n/*\nfunc TestSum(t *testing.T) {}\n*/\n", "TestSum ->"},
		{"a text", "a_test.go", "package a\n\nconst c = `\nfunc TestSum(t *testing.T) {}\n`\n", "TestSum ->"},
		{"a method", "a_test.go", "package a\n\nfunc (s S) TestSum(t *testing.T) {}\n", "TestSum ->"},
		{"a file that the go command ignores", "_a_test.go", "package a\n\nfunc TestSum(t *testing.T) {}\n", "TestSum ->"},
		{"a file that cannot be parsed", "a_test.go", "package a\n\nfunc TestSum(t *testing.T) {\n", ""},
		{"a file with a build tag", "a_test.go", "//go:build never\n\npackage a\n\nfunc TestSum(t *testing.T) { helper(t) }\n", ""},
	} {
		dir := module(t, map[string]string{c.file: c.text, "b_test.go": "package a\n", "testdata/allele/TestSum/a.case": "7"})
		if got := show(strays.Find(dir)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A folder belongs to the property of its name, whatever its cases name.
func TestFindRenamedInCases(t *testing.T) {
	long := "TestSuite/" + strings.Repeat("long", 40)
	for _, c := range []struct{ name, folder, test, want string }{
		{"the name was replaced in all files", "TestTotal", "TestSum", "TestTotal -> TestSum"},
		{"and the new name begins with the old", "TestS", "TestSum", "TestS -> TestSum"},
		{"a long name", casefile.Stored(long), long, ""},
		{"a long name, and no test in the file", casefile.Stored(long), "", ""},
	} {
		text := "// test " + c.test + "\n\n[]Order{{}}"
		if c.test == "" {
			text = "[]Order{{}}"
		}
		dir := module(t, map[string]string{"shop_test.go": source, "testdata/allele/" + c.folder + "/fail-1.case": text})
		if got := show(strays.Find(dir)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// The source shows the names of most subtests and Checks. Each row is the body of TestShop, and the
// strays among cases of TestShop, TestShop/a and TestShop#b.
func TestFindInside(t *testing.T) {
	const check = "allele.Check(t, func(t *allele.T, in Order) {})"
	const none = "TestShop, TestShop#b, TestShop/a"
	for _, c := range []struct{ name, body, want string }{
		{"a Check", check, "TestShop#b, TestShop/a"},
		{"a subtest", `t.Run("a", func(t *testing.T) { ` + check + ` })`, "TestShop, TestShop#b"},
		{"a named Check", `allele.Check(t, func(t *allele.T, in Order) {}, allele.Tests(5), allele.Name("b"))`, "TestShop, TestShop/a"},
		{"options with type arguments", `allele.Check[Order](t, total, allele.Range[int](0, 5))`, "TestShop#b, TestShop/a"},
		{"a function for the subtest", `t.Run("a", sub)`, "TestShop, TestShop#b"},
		{"a helper", "helper(5, t)", "TestShop#b, TestShop/a"},
		{"a helper of a subtest", `t.Run("a", func(t *testing.T) { helper(5, t) })`, "TestShop, TestShop#b"},
		{"Checks in branches", `if x { allele.Check(t, total, allele.Name("b")) }; ` + check, "TestShop/a"},
		{"an ordinary test", `t.Log("x"); if f() { t.Errorf("x") }; fstest.TestFS(t, nil)`, none},
		{"a skipped test", `t.Skip(); ` + check, "TestShop#b, TestShop/a"},
		{"a subtest of a loop", `for range 3 { t.Run("a", func(t *testing.T) { ` + check + ` }) }`, ""},
		{"a table", `for _, c := range table { t.Run(c.name, func(t *testing.T) { ` + check + ` }) }`, ""},
		{"a name that is computed", `t.Run("a"+x, func(t *testing.T) {})`, ""},
		{"two subtests of one name", `t.Run("x", func(t *testing.T) {}); t.Run("x", func(t *testing.T) {})`, ""},
		{"a subtest without a name", `t.Run("", func(t *testing.T) {})`, ""},
		{"a Check in a loop", `for range 3 { ` + check + ` }`, ""},
		{"a name of a Check that is computed", `allele.Check(t, total, allele.Name(x))`, ""},
		{"options from a variable", `allele.Check(t, total, options...)`, ""},
		{"an option from a variable", `allele.Check(t, total, option)`, ""},
		{"a suite", `suite.Run(t, new(Shop))`, ""},
		{"a function of another module", `other.Test(t)`, ""},
		{"a method", `s.run(t)`, ""},
		{"the test in a variable", `s.t = t`, ""},
		{"a function in a variable", `run := t.Run; run(x, f)`, ""},
		{"a function literal", `f := func() { ` + check + ` }; f()`, ""},
		{"a function that calls itself", `endless(t)`, ""},
		{"a function that does not exist", `unknown(t)`, ""},
	} {
		dir := module(t, map[string]string{
			"shop_test.go": "package shop\n\nimport (\n\t\"example.com/suite\"\n\t\"example.com/other\"\n\t\"testing/fstest\"\n)\n\nfunc TestShop(t *testing.T) {\n" + c.body + "\n}\n" +
				"func sub(t *testing.T) {\n" + check + "\n}\nfunc endless(t *testing.T) { endless(t) }\n",
			"helper.go":                           "package shop\n\nfunc helper(n int, t *testing.T) { " + check + " }\n",
			"testdata/allele/TestShop/a.case":     "7",
			"testdata/allele/TestShop%2Fa/a.case": "7",
			"testdata/allele/TestShop#b/a.case":   "7",
		})
		var got []string
		for _, s := range strays.Find(dir) {
			got = append(got, s.Owner)
		}
		if got := strings.Join(got, ", "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// The new name of a property may be that of a subtest, a named Check or a method of a suite.
func TestFindLikelyInside(t *testing.T) {
	const check = "allele.Check(t, func(t *allele.T, in Order) {}"
	for _, c := range []struct{ name, owner, source, want string }{
		{"a subtest now", "TestTotal", `func TestShop(t *testing.T) { t.Run("the total", func(t *testing.T) { ` + check + `) }) }`, "TestShop/the_total"},
		{"a named Check now", "TestShop", `func TestShop(t *testing.T) { ` + check + `, allele.Name("total")) }`, "TestShop#total"},
		{"a test now", "TestShop/total", `func TestShop(t *testing.T) {}; func TestTotal(t *testing.T) { ` + check + `) }`, "TestTotal"},
		{"a subtest of another type in the same test", "TestShop/total", `func TestShop(t *testing.T) { t.Run("other", func(t *testing.T) { allele.Check(t, func(t *allele.T, in bool) {}) }) }; func TestTotal(t *testing.T) { ` + check + `) }`, "TestTotal"},
		{"a method of a suite now, of testify", "TestTotal", `func TestShop(t *testing.T) { suite.Run(t, new(Shop)) }; func (s *Shop) TestTotal() { allele.Check(s.T(), func(t *allele.T, in Order) {}) }`, "TestShop/TestTotal"},
		{"a subtest of another test", "TestShop/total", `func TestStore(t *testing.T) { t.Run("sum", func(t *testing.T) { ` + check + `) }) }`, "TestStore/sum"},
		{"a method of a suite", "TestTotal", `func TestShop(t *testing.T) { suite.Run(t, &Shop{}) }; func (s *Shop) TestTotal(t *testing.T) { ` + check + `) }`, "TestShop/TestTotal"},
		{"a method of a suite that has the test", "TestShop/TestTotal", `func TestShop(t *testing.T) { suite.Run(t, &Shop{}) }; func (s *Shop) TestSum() { allele.Check(s.T(), func(t *allele.T, in Order) {}) }`, "?"},
		{"a test with a helper", "TestTotal", `func TestSum(t *testing.T) { sum(t) }; func sum(t testing.TB) { ` + check + `) }`, "TestSum"},
		{"the type is another one", "TestTotal", `func TestShop(t *testing.T) { allele.Check(t, func(t *allele.T, in Customer) {}) }`, ""},
		{"the name is not shown", "TestTotal", `func TestShop(t *testing.T) { for _, x := range all { t.Run(x, func(t *testing.T) { ` + check + `) }) } }`, ""},
	} {
		dir := module(t, map[string]string{"shop_test.go": "package shop\n\n" + strings.ReplaceAll(c.source, "; func", "\nfunc") + "\n",
			"testdata/allele/" + casefile.Stored(c.owner) + "/a.case": "Order{Cost: 7}"})
		want := strings.TrimSpace(c.owner + " -> " + c.want)
		if c.want == "?" {
			want = "" // the source does not show whether it is a stray
		}
		if got := show(strays.Find(dir)); got != want {
			t.Errorf("%s: %q, want %q", c.name, got, want)
		}
	}
}

// The command knows the names of all properties: also those that the source does not show.
func TestFindListed(t *testing.T) {
	dir := module(t, map[string]string{
		"shop_test.go":                             "package shop\n\nfunc TestSum(t *testing.T) { table(t) }\nfunc TestSkipped(t *testing.T) { table(t) }\nfunc TestHelper(t *testing.T) { help.Sums(t) }\nfunc TestOther(t *testing.T) { help.Sums(t) }\n",
		"import_test.go":                           "package shop\n",
		"testdata/allele/TestSum%2Fsmall/a.case":   "// test TestSum/small\n\n7",
		"testdata/allele/TestSum%2Flarge/a.case":   "// test TestSum/large\n\n7",
		"testdata/allele/TestSum#third/a.case":     "// test TestSum#third\n\n7",
		"testdata/allele/TestSkipped%2Fx/a.case":   "// test TestSkipped/x\n\n7",
		"testdata/allele/TestSum%2Fany%20x/a.case": "// test TestSum/any x\n\n7",
	})
	names := []string{"TestSum/small", "TestSum/very_large", "TestSum#4", "TestSum/any x", "TestOther"}
	got := show(strays.FindListed(dir, strays.Listed{Properties: names}))
	if want := "TestSum#third ->, TestSum/large -> TestSum/very_large"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := show(strays.FindListed(dir, strays.Listed{Properties: names[:1], Part: true})); got != "" {
		t.Error(got)
	}
}

// The command also knows which tests reach Check through other packages of the module.
func TestFindListedTests(t *testing.T) {
	dir := module(t, map[string]string{
		"shop_test.go":                   "package shop\n\nimport \"example.com/m/help\"\n\nfunc TestSum(t *testing.T) { help.Sum(t) }\n",
		"testdata/allele/TestSum/a.case": "7",
	})
	for _, c := range []struct {
		listed strays.Listed
		want   string
	}{
		{strays.Listed{Module: "example.com/m"}, "TestSum ->"},
		{strays.Listed{Module: "example.com/m", Tests: []string{"TestSum"}}, ""},
		{strays.Listed{Module: "example.com/n"}, ""},
		{strays.Listed{}, ""},
	} {
		if got := show(strays.FindListed(dir, c.listed)); got != c.want {
			t.Errorf("%v: %q, want %q", c.listed, got, c.want)
		}
	}
}

// Functions of the module may run the methods of a suite by reflection.
func TestFindListedSuites(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"a suite with a Check", "func TestShop(t *testing.T) { s := newShop(); suite.Run(t, s) }\nfunc newShop() any { return Shop{} }\nfunc (Shop) TestSum(t *testing.T) { allele.Check(t, sum) }\n", ""},
		{"a suite without", "func TestShop(t *testing.T) { suite.Run(t, Shop{}) }\nfunc (Shop) TestSum(t *testing.T) { t.Log() }\n", "TestShop/TestSum ->"},
	} {
		dir := module(t, map[string]string{"shop_test.go": "package shop\n\nimport \"example.com/m/suite\"\n\n" + c.source,
			"testdata/allele/TestShop%2FTestSum/a.case": "7"})
		if got := show(strays.FindListed(dir, strays.Listed{Module: "example.com/m"})); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A row of a table that was renamed is the one with a similar name.
func TestFindListedRows(t *testing.T) {
	dir := module(t, map[string]string{
		"shop_test.go":                           "package shop\n\nfunc TestShop(t *testing.T) { for _, c := range table { t.Run(c.name, c.f) } }\n",
		"testdata/allele/TestShop%2Fcost/a.case": "7"})
	got := show(strays.FindListed(dir, strays.Listed{Properties: []string{"TestShop/length", "TestShop/cost_of_all"}}))
	if want := "TestShop/cost -> TestShop/cost_of_all"; got != want {
		t.Errorf("%q, want %q", got, want)
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
			"if you renamed it, run: go tool allele corpus mv TestA NEW example.com/shop; if you moved it to another package, add that package; if you removed it, delete the folder"},
		{strays.Stray{Folder: "testdata/allele/TestA%2Fx", Owner: "TestA/x", Like: "TestB/x"}, "shop/testdata/allele/TestA%2Fx is not run: there is no TestA in the package; " +
			"if it is TestB now, run: go tool allele corpus mv TestA TestB example.com/shop; if you removed it, delete the folder"},
		{strays.Stray{Folder: "testdata/allele/TestA%2Fx", Owner: "TestA/x", Like: "TestX"}, "shop/testdata/allele/TestA%2Fx is not run: there is no TestA in the package; " +
			"if it is TestX now, run: go tool allele corpus mv TestA/x TestX example.com/shop; if you removed it, delete the folder"},
		{strays.Stray{Folder: "testdata/allele/TestA%2Fx", Owner: "TestA/x", Like: "TestA/y", Test: true, Checks: true}, "shop/testdata/allele/TestA%2Fx is not run: " +
			"no Check of TestA has the name TestA/x; if it is TestA/y now, run: go tool allele corpus mv TestA/x TestA/y example.com/shop; if you removed it, delete the folder"},
		{strays.Stray{Folder: "testdata/allele/TestA", Owner: "TestA", Test: true}, "shop/testdata/allele/TestA is not run: TestA calls no Check; " +
			"if you renamed it, run: go tool allele corpus mv TestA NEW example.com/shop; if you moved it to another package, add that package; if you removed it, delete the folder"},
		{strays.Stray{Folder: "testdata/allele/TestA", Owner: "TestA", Like: "TestB", Pkg: "example.com/b"}, "shop/testdata/allele/TestA is not run: there is no TestA in the package; " +
			"if it is in example.com/b now, run: go tool allele corpus mv TestA TestA example.com/shop example.com/b; if you removed it, delete the folder"},
	} {
		if got := x.s.Text(c, "shop", "example.com/shop"); got != x.want {
			t.Errorf("%s\nwant %s", got, x.want)
		}
	}
}
