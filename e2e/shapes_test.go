package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/suite" // the module that the shapes use

	"github.com/allele-go/allele/internal/testkit"
)

var _ suite.TestingSuite

// shapes are the properties of testdata/shapes: the ways in which a test may call Check.
var shapes = []string{
	"FuzzSum", "TestAccountSuite/TestSum", "TestExternal", "TestFunction", "TestGeneric", "TestHome/CheckSum", "TestLaws", "TestMethodValue",
	"TestParallel/a", "TestParallel/b", "TestTable/one", "TestTable/two_words", "TestVariable", "TestWrapper",
}

// Properties in tests of every shape are listed, searched, chosen by -since, shown and replayed, and
// every line that a report prints does what it says.
func TestShapes(t *testing.T) {
	m := newShapes(t)
	out := m.exec(0, "allele test -tests 300 ./...")
	m.verdicts(out, "ok")
	m.exec(0, "git init -q && git add . && git -c user.name=a -c user.email=a@example.com commit -qm a")
	if out := m.exec(0, "allele test -tests 300 -since HEAD ./..."); !strings.Contains(out, "nothing to run") {
		t.Errorf("nothing has changed, but:\n%s", out)
	}
	m.write("acct/acct.go", func(text string) string { return strings.Replace(text, "bug = false", "bug = true", 1) })
	out = m.exec(1, "allele test -tests 300 -since HEAD ./...")
	m.verdicts(out, "FAILED")
	m.replays(out, "")
	m.pasted(out)
	m.shown()
	out = m.exec(1, "go test ./acct")                         // with the stored cases
	m.replays(out, "Fuzz|Suite|Home|two_words|Laws|External") // each links the test again
	m.fuzzing()
	m.renamed()
}

// shaped is a module that tests of this package run commands in.
type shaped struct {
	t          *testing.T
	dir, cache string // cache is that of the go command
}

func newShapes(t *testing.T) shaped {
	m := shaped{t, t.TempDir(), strings.TrimSpace(goEnv(t, "GOCACHE"))}
	if err := os.CopyFS(m.dir, os.DirFS(filepath.Join("testdata", "shapes"))); err != nil {
		t.Fatal(err)
	}
	m.write(".gitignore", func(string) string { return ".cache\ntestdata\ngo.sum\n" })
	m.exec(0, fmt.Sprintf("go mod edit -require=%s@v0.0.0 -replace=%[1]s='%s'", modulePath, testkit.Root(t)))
	return m
}

// exec runs a line in a shell and returns what it prints.
func (m shaped) exec(want int, line string) string {
	m.t.Helper()
	c := exec.Command("sh", "-c", line)
	c.Dir = m.dir
	c.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off", "GOSUMDB=off", "GOCACHE="+m.cache,
		"XDG_CACHE_HOME="+filepath.Join(m.dir, ".cache"), "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	out, err := c.CombinedOutput()
	if code := c.ProcessState.ExitCode(); code != want {
		m.t.Fatalf("%s: exit %d, want %d, %v\n%s", line, code, want, err, out)
	}
	return string(out)
}

// write changes a file, which may not exist yet.
func (m shaped) write(name string, change func(string) string) {
	m.t.Helper()
	file := filepath.Join(m.dir, filepath.FromSlash(name))
	text, _ := os.ReadFile(file)
	if err := os.WriteFile(file, []byte(change(string(text))), 0o666); err != nil {
		m.t.Fatal(err)
	}
}

// verdicts checks that all properties and no others have a line with this verdict.
func (m shaped) verdicts(out, want string) {
	m.t.Helper()
	var got []string
	for _, line := range regexp.MustCompile(`(?m)^acct\.(\S+) .* (\w+)$`).FindAllStringSubmatch(out, -1) {
		if line[2] == want {
			got = append(got, line[1])
		}
	}
	if slices.Sort(got); !slices.Equal(got, shapes) {
		m.t.Fatalf("%s:\n%q, want\n%q\n%s", want, got, shapes, out)
	}
}

var (
	failLine   = regexp.MustCompile(`(?m)^ *--- FAIL: (\S+) `)
	replayLine = regexp.MustCompile(`(?m)^ *replay +(.+)$`)
	pastedTest = regexp.MustCompile(`(?m)^( *)(// imports (.*)\n *)?func ((Test\w+)_[0-9a-f]{6})\(t \*testing\.T\) \{\n((?:.*\n)+?) *\}$`)
)

// replays runs the lines that reports call replay and that match a pattern. Each fails, with the property that it is for.
func (m shaped) replays(out, pattern string) {
	m.t.Helper()
	lines := map[string]bool{}
	for _, found := range replayLine.FindAllStringSubmatch(out, -1) {
		lines[found[1]] = true
	}
	if len(lines) < len(shapes) {
		m.t.Errorf("%d replay lines of %d properties\n%s", len(lines), len(shapes), out)
	}
	for line := range lines {
		if !regexp.MustCompile(pattern).MatchString(line) {
			continue
		}
		got := m.exec(1, line)
		name := regexp.MustCompile(`-run '([^']*)'`).FindStringSubmatch(line)
		if name == nil || !strings.Contains(got, "property failed: ") || strings.Contains(got, "no tests to run") {
			m.t.Errorf("%s\n%s", line, got)
			continue
		}
		test := strings.NewReplacer("^", "", "$", "", `\`, "").Replace(name[1])
		if !slices.ContainsFunc(failLine.FindAllStringSubmatch(got, -1), func(f []string) bool { return f[1] == test || strings.HasPrefix(f[1], test) }) {
			m.t.Errorf("%s: %s did not fail\n%s", line, test, got)
		}
	}
}

// pasted adds all tests that reports print to the package of their tests. They compile and fail.
func (m shaped) pasted(out string) {
	m.t.Helper()
	texts, names := map[bool]string{}, []string{}
	imports := map[bool][]string{}
	for _, found := range pastedTest.FindAllStringSubmatch(out, -1) {
		external := found[5] == "TestExternal" || found[5] == "TestGeneric"
		texts[external] += strings.ReplaceAll(found[0], "\n"+found[1], "\n") + "\n\n"
		if found[3] != "" {
			imports[external] = append(imports[external], strings.Split(found[3], ", ")...)
		}
		names = append(names, found[4])
	}
	if len(names) != len(shapes)-1 { // a fuzz target cannot be called
		m.t.Errorf("tests to paste: %q\n%s", names, out)
	}
	for external, text := range texts {
		name, file := "acct", "acct/pasted_test.go"
		if external {
			name, file = "acct_test", "acct/pasted_x_test.go"
		}
		all := append([]string{`"testing"`, fmt.Sprintf("%q", modulePath)}, imports[external]...)
		slices.Sort(all)
		m.write(file, func(string) string {
			return "package " + name + "\n\nimport (\n\t" + strings.Join(slices.Compact(all), "\n\t") + "\n)\n\n" + text
		})
		defer os.Remove(filepath.Join(m.dir, file))
	}
	got := m.exec(1, "go test -run '_[0-9a-f]{6}$' ./acct")
	for _, name := range names {
		if !strings.Contains(got, "--- FAIL: "+name+" ") {
			m.t.Errorf("%s did not fail\n%s", name, got)
		}
	}
}

// shown shows each stored case as a test.
func (m shaped) shown() {
	m.t.Helper()
	files, err := filepath.Glob(filepath.Join(m.dir, "acct", "testdata", "allele", "*", "*.case"))
	if err != nil || len(files) != len(shapes) {
		m.t.Fatalf("%d cases of %d properties, %v", len(files), len(shapes), err)
	}
	for _, file := range files[:4] { // the others differ in their names only
		rel, _ := filepath.Rel(m.dir, file)
		if out := m.exec(0, "allele show -test '"+rel+"'"); !strings.Contains(out, "0, 51}") {
			m.t.Errorf("%s\n%s", rel, out)
		}
	}
}

// fuzzing runs the native fuzzer on a fuzz target whose fuzz function calls Check.
func (m shaped) fuzzing() {
	m.t.Helper()
	m.write("acct/acct.go", func(text string) string { return strings.Replace(text, "bug = true", "bug = false", 1) })
	// go test -fuzz would compile everything again, for coverage.
	out := m.exec(0, "go test -c -o .cache/acct.test ./acct && cd acct && ../.cache/acct.test -test.run '^$' -test.fuzz FuzzSum "+
		"-test.fuzztime 20x -test.fuzzcachedir ../.cache/fuzz")
	if !strings.Contains(out, "execs: 20 ") {
		m.t.Errorf("no fuzzing\n%s", out)
	}
}

// renamed renames a method of a suite. Its cases are kept and named, and the command fails.
func (m shaped) renamed() {
	m.t.Helper()
	m.write("acct/acct_test.go", func(text string) string { return strings.Replace(text, ") TestSum()", ") TestTotal()", 1) })
	out := m.exec(1, "allele test -tests 10 -suites ./...")
	want := "acct/testdata/allele/TestAccountSuite%2FTestSum is not run: no Check of TestAccountSuite has the name TestAccountSuite/TestSum"
	if !strings.Contains(out, want) {
		m.t.Errorf("not found: %s\n%s", want, out)
	}
	line := regexp.MustCompile(`run: (allele corpus mv \S+ \S+ \S+)[;\n]`).FindStringSubmatch(out)
	if line == nil {
		m.t.Fatalf("no command to move the cases\n%s", out)
	}
	m.exec(0, line[1])
	m.exec(0, "allele test -tests 10 ./...")
}
