//go:build go1.25

package change

import (
	"go/build"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/site"
)

// scratch is a program of two packages in a repository: a, and b which imports it.
type scratch struct {
	*testing.T
	dir  string
	more []Part // other packages that all tests are built from
}

var files = map[string]string{
	"go.mod":      "module m\n",
	"a/a.go":      "package a\n\nconst Most = 9\n\nfunc Near(n int) int {\n\tif n > Most {\n\t\treturn far(n)\n\t}\n\treturn n\n}\n\nfunc far(n int) int { return n - short(n) }\n\nfunc short(n int) int { return n - 1 }\n\nfunc Other(n int) int {\n\tif n > 1 {\n\t\treturn 2\n\t}\n\treturn 1\n}\n",
	"a/types.go":  "package a\n\ntype shorter interface{ short() }\n",
	"a/a_test.go": "package a\n\nfunc TestNear() { Near(1) }\n\nfunc TestOther() { Other(1) }\n",
	"b/b.go":      "package b\n\nimport \"m/a\"\n\nfunc B() int { return a.Near(3) }\n",
	"b/b_test.go": "package b_test\n\nfunc TestB() { B() }\n",
	"README.md":   "text\n",
}

func newScratch(t *testing.T) *scratch {
	t.Helper()
	s := &scratch{T: t, dir: t.TempDir()}
	for name, value := range map[string]string{"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1",
		"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a"} {
		t.Setenv(name, value)
	}
	for name, text := range files {
		s.write(name, text)
	}
	s.git("init", "-q")
	s.git("add", ".")
	s.git("commit", "-q", "-m", "base")
	return s
}

func (s *scratch) write(name, text string) {
	s.Helper()
	file := filepath.Join(s.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		s.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		s.Fatal(err)
	}
}

func (s *scratch) git(args ...string) {
	s.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = s.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		s.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// edit replaces a text in a file. With an empty old text it creates the file, and
// with both texts empty it removes the file.
func (s *scratch) edit(name, old, new string) {
	s.Helper()
	data, _ := os.ReadFile(filepath.Join(s.dir, name))
	if old == "" && new == "" {
		if err := os.Remove(filepath.Join(s.dir, name)); err != nil {
			s.Fatal(err)
		}
		return
	}
	if !strings.Contains(string(data), old) {
		s.Fatalf("%s has no %q", name, old)
	}
	s.write(name, strings.Replace(string(data), old, new, 1))
}

func (s *scratch) part(name string) Part {
	s.Helper()
	p := Part{Path: "m/" + name, Dir: filepath.Join(s.dir, name), Own: true}
	if found, err := build.ImportDir(p.Dir, 0); err == nil {
		p.Files = slices.Concat(found.GoFiles, found.TestGoFiles, found.XTestGoFiles)
	}
	return p
}

// properties returns properties that reach what their tests name.
func (s *scratch) properties() []Property {
	a, b := s.part("a"), s.part("b")
	return []Property{
		{"m/a", "TestNear", "TestNear", append([]Part{a}, s.more...)},
		{"m/a", "TestOther", "TestOther/case", append([]Part{a}, s.more...)},
		{"m/b", "TestB", "TestB", append([]Part{a, b}, s.more...)},
	}
}

// load reads the present program. Near and Other have probes.
func (s *scratch) load() (*Tree, map[string]site.Site) {
	s.Helper()
	file := filepath.Join(s.dir, "a", "a.go")
	src, _ := os.ReadFile(file)
	sites := map[string]site.Site{}
	for i, line := range strings.Split(string(src), "\n") {
		if name, ok := strings.CutPrefix(line, "func "); ok && strings.HasSuffix(line, "{") {
			name, _, _ := strings.Cut(name, "(")
			sites[name] = site.Site{Kind: site.Func, File: file, Line: i + 1, Col: len(line)}
		}
	}
	t, err := Load(append([]Part{s.part("a"), s.part("b")}, s.more...), slices.Collect(maps.Values(sites)), nil)
	if err != nil {
		s.Fatal(err)
	}
	return t, sites
}

// record makes the records of all properties.
func (s *scratch) record() map[string]Records {
	s.Helper()
	t, sites := s.load()
	records := map[string]Records{}
	for _, p := range s.properties() {
		reached := []site.Site{sites[strings.TrimPrefix(strings.Replace(p.Name, "TestB", "TestNear", 1), "Test")]}
		records[p.Name] = t.Record(p, Reached{Sites: reached, Whole: true, Passed: true, Build: "flags"}, nil)
	}
	return records
}

// decide returns the names of the properties that run, and the reason of the
// first.
func (s *scratch) decide(records map[string]Records) (which, why string) {
	s.Helper()
	t, _ := s.load()
	d, err := Since("HEAD", s.dir, t)
	if err != nil {
		s.Fatal(err)
	}
	for _, p := range s.properties() {
		if found := d.Decide(p, records[p.Name], "flags"); found.Run {
			which += " " + strings.TrimPrefix(p.Name, "Test")
			if why == "" {
				why = found.Why
			}
		}
	}
	return strings.TrimSpace(which), why
}

func TestDecide(t *testing.T) {
	for _, c := range []struct{ name, file, old, new, want, why string }{
		{"documentation", "README.md", "text", "words", "", ""},
		{"documentation beside source", "a/NOTES.md", "", "x", "", ""},
		{"a function that two properties reach", "a/a.go", "return n\n", "return n+0\n", "Near B", "a/a.go:5 Near changed"},
		{"a function that one property reaches", "a/a.go", "return 2", "return 3", "Other", "a/a.go:16 Other changed"},
		{"a block of a reached function that was never entered", "a/a.go", "return far(n)", "return n", "Near B", "a/a.go:5 Near changed"},
		{"a function without a probe that a reached one names", "a/a.go", "n - short(n)", "short(n) - n", "Near B", "a/a.go:12 far changed"},
		{"a function that such a function names", "a/a.go", "n - 1", "n - 2", "Near B", "a/a.go:14 short changed"},
		{"a new function", "a/a.go", "func far", "func fresh() {}\n\nfunc far", "", ""},
		{"a comment", "a/a.go", "func far", "// far is.\nfunc far", "", ""},
		{"a constant", "a/a.go", "Most = 9", "Most = 8", "Near Other B", "a/a.go:3 const Most changed"},
		{"a constant of a package that imports another", "b/b.go", "func B", "const c = 1\n\nfunc B", "B", "b/b.go:5 const c is new"},
		{"a test", "a/a_test.go", "{ Near(1) }", "{ Near(2) }", "Near", "a/a_test.go:3 TestNear changed"},
		{"a test that contains a property in a subtest", "a/a_test.go", "{ Other(1) }", "{ Other(2) }", "Other", "a/a_test.go:5 TestOther changed"},
		{"a constant of tests affects only these tests", "a/a_test.go", "func TestNear", "const c = 1\n\nfunc TestNear", "Near Other", "a/a_test.go:3 const c is new"},
		{"an external test", "b/b_test.go", "{ B() }", "{ B(); B() }", "B", "b/b_test.go:3 TestB changed"},
		{"a new file", "a/new.go", "", "package a\n\nvar v = 1\n", "Near Other B", "a/new.go:3 var v is new"},
		{"a file for another system", "a/new_plan9.go", "", "package a\n\nvar v = 1\n", "", ""},
		{"a file behind a tag", "a/new.go", "", "//go:build other\n\npackage a\n\nvar v = 1\n", "", ""},
		{"a file that is not built any more", "a/types.go", "package a", "//go:build other\n\npackage a", "Near Other B", "a/types.go:3 type shorter is gone"},
		{"a name with a space", "a/testdata/a b", "", "x", "Near Other", "a/testdata/a b changed"},
		{"a stored case", "a/testdata/allele/TestOther/x.case", "", "x", "Other", "a/testdata/allele/TestOther/x.case changed"},
		{"go.mod", "go.mod", "module m", "module m // x", "Near Other B", "go.mod changed"},
		{"another module", "c/go.mod", "", "module c", "", ""},
		{"data of another module", "a/c/go.mod", "", "module c", "", ""},
		{"assembly", "a/a.s", "", "x", "Near Other B", "a/a.s changed"},
		{"a removed file", "a/a_test.go", "", "", "Near Other", "a/a_test.go:3 TestNear is gone"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScratch(t)
			before := s.record()
			s.edit(c.file, c.old, c.new)
			which, why := s.decide(before)
			if which != c.want || why != c.why {
				t.Errorf("%q because %q, want %q because %q", which, why, c.want, c.why)
			}
			if c.file == "a/a_test.go" && c.new == "" {
				return // no test is left
			}
			// A record made after the change leads to the same decision.
			if which, why := s.decide(s.record()); which != c.want {
				t.Errorf("%q after it was run because %q, want %q", which, why, c.want)
			}
			s.git("add", "-A")
			s.git("commit", "-q", "-m", "change")
			if which, why := s.decide(s.record()); which != "" {
				t.Errorf("%q after it was committed because %q", which, why)
			}
			// The record from before has other functions, but nothing has changed
			// since HEAD.
			if which, why := s.decide(before); which != "" {
				t.Errorf("%q with the first record because %q", which, why)
			}
		})
	}
}

// A property whose record is missing, failed or incomplete runs.
func TestDecideUnsure(t *testing.T) {
	s := newScratch(t)
	all := s.record()
	all["TestOther"][0].Passed = false
	all["TestB"] = nil
	if which, why := s.decide(all); which != "Other B" {
		t.Errorf("%s: %s", which, why)
	}
	all = s.record()
	all["TestNear"][0].Whole = false
	all["TestOther"][0].Build = "others"
	if which, why := s.decide(all); which != "Other" || why != "it was last run with other flags" {
		t.Errorf("%s: %s", which, why)
	}
	// Near may now call Other, which the record does not show.
	all = s.record()
	s.edit("a/a.go", "return far(n)", "return Other(n)")
	s.git("commit", "-q", "-a", "-m", "calls")
	s.edit("a/a.go", "return 2", "return 3")
	if which, why := s.decide(all); which != "Near Other B" || why != "a/a.go:16 Other changed, and the property was last run when Near was different" {
		t.Errorf("%s: %s", which, why)
	}
}

// The record of the present version counts: after a change is undone, its record
// is not used.
func TestDecideVersions(t *testing.T) {
	s := newScratch(t)
	known := s.record()
	s.edit("a/a.go", "return far(n)", "return Other(n)")
	tree, sites := s.load()
	p := s.properties()[0]
	reached := Reached{Sites: []site.Site{sites["Near"], sites["Other"]}, Whole: true, Passed: true, Build: "flags"}
	known[p.Name] = tree.Record(p, reached, known[p.Name])
	if n := len(known[p.Name]); n != 2 {
		t.Errorf("%d records", n)
	}
	reached.Sites = nil // the functions known for this version stay
	if known[p.Name] = tree.Record(p, reached, known[p.Name]); len(known[p.Name]) != 2 || known[p.Name][0].Functions["m/a Other"] == "" {
		t.Errorf("%d records, %v", len(known[p.Name]), known[p.Name][0])
	}
	s.edit("a/a.go", "return Other(n)", "return far(n)")
	s.edit("a/a.go", "return 2", "return 3")
	if which, why := s.decide(known); which != "Other" {
		t.Errorf("%s: %s", which, why)
	}
	for i := range 9 {
		s.edit("a/a.go", "func far", "var _ = 1\n\nfunc far")
		tree, _ := s.load()
		if known[p.Name] = tree.Record(p, reached, known[p.Name]); len(known[p.Name]) != min(3+i, recordsMost) {
			t.Errorf("%d records", len(known[p.Name]))
		}
	}
}

// A file that git ignores has no revision: it counts as changed if it differs
// from when the property was run.
func TestDecideIgnored(t *testing.T) {
	s := newScratch(t)
	s.write(".gitignore", "made.go\n")
	s.write("a/made.go", "package a\n\nvar table = 1\n")
	s.git("add", ".")
	s.git("commit", "-q", "-m", "ignore")
	all := s.record()
	if which, why := s.decide(all); which != "" {
		t.Errorf("%s: %s", which, why)
	}
	s.write("a/made.go", "package a\n\nvar table = 2\n")
	if which, why := s.decide(all); which != "Near Other B" || !strings.HasSuffix(why, "and git does not track all files it is built from") {
		t.Errorf("%s: %s", which, why)
	}
}

// So does a package that is outside of the repository, because a replace directive names it, and
// whose functions no record lists.
func TestDecideReplaced(t *testing.T) {
	s := newScratch(t)
	other := filepath.Join(t.TempDir(), "ext.go")
	write := func(n string) {
		if err := os.WriteFile(other, []byte("package ext\n\nconst Limit = "+n+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("1")
	s.more = []Part{{Path: "ext", Dir: filepath.Dir(other), Files: []string{"ext.go"}}}
	all := s.record()
	if which, why := s.decide(all); which != "" {
		t.Errorf("%s: %s", which, why)
	}
	write("2")
	if which, why := s.decide(all); which != "Near Other B" || why != "ext has changed since the property was last run, and git does not track it" {
		t.Errorf("%s: %s", which, why)
	}
	if which, why := s.decide(s.record()); which != "" {
		t.Errorf("%s: %s", which, why)
	}
}

func TestSinceErrors(t *testing.T) {
	s := newScratch(t)
	for rev, want := range map[string]string{"nowhere": "there is no revision", "-x": "is not a revision", "HEAD:go.mod": "there is no revision"} {
		if err := Check(rev, s.dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", rev, err)
		}
	}
	t.Setenv("PATH", "")
	if err := Check("HEAD", s.dir); err == nil || !strings.Contains(err.Error(), "install git") {
		t.Error(err)
	}
}

func TestCaseOwner(t *testing.T) {
	for _, c := range []struct {
		file, property string
		stored, is     bool
	}{
		{"a/testdata/x", "TestA", false, false},
		{"a/testdata/allele/TestA/x.case", "TestA", true, true},
		{"a/testdata/allele/TestA/x.case", "TestAB", true, false},
		{"testdata/allele/TestA%2Fsub/x.case", "TestA/sub", true, true},
		{"testdata/allele/TestLo-1234abcd/x.case", "TestLong", true, true},
		{"testdata/allele/TestA%2-1234abcd/x.case", "TestA/long", true, true},
		{"testdata/allele/TestLo-1234abcd/x.case", "TestShort", true, false},
	} {
		is, stored := caseOwner(c.file)
		if stored != c.stored || stored && is(c.property) != c.is {
			t.Errorf("%s of %s: %v", c.file, c.property, stored)
		}
	}
}
