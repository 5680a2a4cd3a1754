package e2e

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/testkit"
)

// A case that one program stores is read by others: go test and allele test know different
// builders, facts -write declares more, and functions are renamed. The table shows how the
// case of each type is read: as an input, made by its fields, or not at all. If it is
// read, the property gets an equal value and fails again.
func TestMeaning(t *testing.T) {
	m := meaning{t, t.TempDir()}
	m.exec("go", "mod", "init", "example.com/meaning")
	m.exec("go", "mod", "edit", "-require=github.com/allele-go/allele@v0.0.0", "-replace=github.com/allele-go/allele="+testkit.Root(t))
	m.source()
	plain, command := m.run("go", ""), m.run("allele", "")
	readings := []struct {
		column  string
		change  func()
		command string
	}{
		{"go test", func() {}, "go"},
		{"allele test", func() {}, "allele"},
		{"declared", m.declare, "go"},
		{"renamed: go test", m.rename, "go"},
		{"allele test", func() {}, "allele"}, // still renamed
	}
	writers := []cases{plain, command}
	reads := [2][]cases{}
	heading := fmt.Sprintf("%-14s", "")
	for _, r := range readings {
		r.change()
		for i, w := range writers {
			reads[i] = append(reads[i], m.run(r.command, w.dir))
		}
		heading += "  " + r.column
	}
	var table strings.Builder
	for i, w := range writers {
		fmt.Fprintf(&table, "stored by %s\n%s\n", readings[i].column, heading)
		for _, name := range slices.Sorted(maps.Keys(w.stored)) {
			row := fmt.Sprintf("%-14s", name)
			for j, r := range reads[i] {
				how, value := r.read(name)
				if value != "" && value != w.stored[name] {
					t.Errorf("%s, stored by %s, %s: the value is %s, but %s was stored", name, readings[i].column, readings[j].column, value, w.stored[name])
				}
				row += fmt.Sprintf("  %-*s", len(readings[j].column), how)
			}
			table.WriteString(strings.TrimRight(row, " ") + "\n")
		}
		table.WriteString("\n")
	}
	table.WriteString("what go test says about a case that it does not run\n" + reads[1][0].says["TestCycle"])
	table.WriteString("\nwhat allele test says, after the function was renamed\n" + reads[1][4].says["TestCycle"])
	if n := len(command.stored); n < 25 {
		t.Errorf("only %d types", n)
	}
	testkit.Golden(t, filepath.Join("testdata", "meaning.golden"), []byte(table.String()))
}

// meaning runs commands on the module in testdata/meaning.
type meaning struct {
	t   *testing.T
	dir string
}

// source writes the source of the module.
func (m meaning) source() {
	m.t.Helper()
	for _, file := range []string{"types.go", "types_test.go", "other/other.go"} {
		src, err := os.ReadFile(filepath.Join("testdata", "meaning", file))
		if err != nil {
			m.t.Fatal(err)
		}
		m.write(file, src)
	}
}

func (m meaning) write(file string, src []byte) {
	m.t.Helper()
	to := filepath.Join(m.dir, file)
	if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o777), os.WriteFile(to, src, 0o666)); err != nil {
		m.t.Fatal(err)
	}
}

// declare declares the builders that are found in the source.
func (m meaning) declare() { m.exec(filepath.Join(bin, "allele"), "facts", "-write", ".") }

// rename gives all functions that build values other names. It also removes what declare
// wrote.
func (m meaning) rename() {
	m.t.Helper()
	for _, file := range []string{"types.go", "other/other.go"} {
		src, err := os.ReadFile(filepath.Join(m.dir, file))
		if err != nil {
			m.t.Fatal(err)
		}
		src = regexp.MustCompile(`func (New|Leaf|Join|Word)`).ReplaceAll(src, []byte("func Make$1"))
		m.write(file, regexp.MustCompile(`\) (Push|Hit)\(`).ReplaceAll(src, []byte(") Do$1(")))
	}
	if err := os.Remove(filepath.Join(m.dir, "allele_facts_test.go")); err != nil {
		m.t.Fatal(err)
	}
}

func (m meaning) exec(args ...string) string {
	m.t.Helper()
	c := exec.Command(args[0], args[1:]...)
	c.Dir = m.dir
	c.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off",
		"GOCACHE="+strings.TrimSpace(goEnv(m.t, "GOCACHE")), "XDG_CACHE_HOME="+filepath.Join(m.dir, ".cache"))
	out, err := c.CombinedOutput()
	if exit, ok := err.(*exec.ExitError); err != nil && (!ok || exit.ExitCode() != 1) {
		m.t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return string(out)
}

// cases is what a run of all tests says about stored cases, by test.
type cases struct {
	dir    string            // the cases that are there now
	stored map[string]string // the values that were stored
	inputs map[string]string // the values of cases that were read as inputs of the property
	fields map[string]string // the values of cases that were made by fields
	says   map[string]string // what is said about cases that were not run
}

var (
	failedLine = regexp.MustCompile(`property failed: value (.*) \(types_test`)
	savedLine  = regexp.MustCompile(`saved +testdata/allele/(\w+)/`)
	fromLine   = regexp.MustCompile(`from +testdata/allele/(\w+)/\S+\.case(, made by fields)?$`)
	notRunLine = regexp.MustCompile(`(Test\w+|_test\.go:\d+): 1 stored case not run$`)
	testLine   = regexp.MustCompile(`^--- FAIL: (Test\w+) `) // before the log of a test that failed
)

// run runs all tests of the module with a command, go or allele. It begins with the stored
// cases of an earlier run, or with none.
func (m meaning) run(command, before string) cases {
	m.t.Helper()
	stored := filepath.Join(m.dir, "testdata")
	err := os.RemoveAll(stored)
	if before != "" {
		err = errors.Join(err, os.CopyFS(stored, os.DirFS(before)))
	}
	args := []string{"go", "test", "."}
	if command == "allele" {
		args = []string{filepath.Join(bin, "allele"), "test", "-fresh", "."}
	}
	out := m.exec(args...)
	c := cases{m.t.TempDir(), map[string]string{}, map[string]string{}, map[string]string{}, map[string]string{}}
	if err := errors.Join(err, os.CopyFS(c.dir, os.DirFS(stored))); err != nil {
		m.t.Fatal(err)
	}
	test, value, lines := "", "", strings.Split(out, "\n")
	for i, line := range lines {
		if f := testLine.FindStringSubmatch(line); f != nil {
			test = f[1]
		} else if f := failedLine.FindStringSubmatch(line); f != nil {
			value = f[1]
		} else if f := savedLine.FindStringSubmatch(line); f != nil {
			c.stored[f[1]] = value
		} else if f := fromLine.FindStringSubmatch(line); f != nil && f[2] == "" {
			c.inputs[f[1]] = value
		} else if f != nil {
			c.fields[f[1]] = value
		} else if f := notRunLine.FindStringSubmatch(line); f != nil {
			if !strings.HasPrefix(f[1], "Test") {
				f[1] = test
			}
			c.says[f[1]] = strings.Join(lines[i:min(i+3, len(lines))], "\n") + "\n"
		}
	}
	return c
}

// read returns how the case of a test was read, and its value.
func (c cases) read(name string) (how, value string) {
	if v, ok := c.inputs[name]; ok {
		return "input", v
	}
	if v, ok := c.fields[name]; ok {
		return "fields", v
	}
	if c.says[name] != "" {
		return "not run", ""
	}
	return "-", ""
}
