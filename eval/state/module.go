package state

import (
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/eval/lab"
)

// sources are the machines. The names of the files end in .txt, so that the go command does not treat them as a
// part of this module.
//
//go:embed testdata
var sources embed.FS

var rapid = foreign.At("pgregory.net/rapid", "v1.3.0")

// module is a folder with a small module for each row.
type module struct {
	dir     string
	release func()
}

func prepare() (*module, error) {
	dir, release, err := foreign.Hold("state", "all")
	if err != nil {
		return nil, err
	}
	return &module{dir, release}, nil
}

func (m *module) in(r row, variant string) string { return filepath.Join(m.dir, r.name+variant) }

// The variants of a module: the machine is in the package itself, in its external test package, and in the package
// itself with a version of the library in which the bug is fixed.
const (
	internal = ""
	external = "_external"
	repaired = "_fixed"
)

func (r row) variants() []string {
	if r.fixed == "" && r.module.Path != "" {
		return []string{internal, external}
	}
	return []string{internal, external, repaired}
}

// write writes the modules of a row, and builds the test binary.
func (m *module) write(r row) error {
	for _, v := range r.variants() {
		dir, pkg := m.in(r, v), r.name
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
		if v == external {
			pkg += "_test"
		}
		files := map[string]string{"harness": "harness", "domains": "domains", "allele": "allele", "rapid": "rapid", "machine": r.name}
		for to, from := range files {
			text, err := sources.ReadFile("testdata/" + from + ".go.txt")
			if err != nil {
				return err
			}
			code := strings.Replace(string(text), "package NAME", "package "+pkg, 1)
			if v == repaired {
				code = strings.Replace(code, "const planted = true", "const planted = false", 1)
			}
			if err := lab.WriteFile(filepath.Join(dir, to+"_test.go"), []byte(code)); err != nil {
				return err
			}
		}
		if err := lab.WriteFile(filepath.Join(dir, "doc.go"), []byte("package "+r.name+"\n")); err != nil {
			return err
		}
		target := r.module
		if v == repaired && r.fixed != "" {
			target.Version = r.fixed
		}
		if err := require(dir, r.name, target); err != nil {
			return err
		}
	}
	_, err := foreign.Go(m.in(r, internal), foreign.UserCache, "test", "-c", "-vet=off", "-o", m.binary(r), ".")
	return err
}

func (m *module) binary(r row) string { return filepath.Join(m.dir, r.name+".test") }

// require writes go.mod, and downloads what it names.
func require(dir, name string, target foreign.Module) error {
	text := fmt.Sprintf("module %s\n\ngo 1.25\n\nrequire %s %s\n", name, rapid.Path, rapid.Version)
	if target.Path != "" {
		text += fmt.Sprintf("\nrequire %s %s\n", target.Path, target.Version)
	}
	if err := lab.WriteFile(filepath.Join(dir, "go.mod"), []byte(text)); err != nil {
		return err
	}
	return foreign.Require(dir, foreign.UserCache)
}

// outcome is what a process prints at its end: see testdata/harness.go.txt.
type outcome struct{ first, runs, length int }

// line is a call in the test that allele prints.
var line = regexp.MustCompile(`(?m)^\s+(?:[a-z0-9_, ]+ := )?m\.[A-Z]\w*\(`)

var printed = regexp.MustCompile(`(?m)^STATE (-?\d+) (\d+) (\d+)$`)

// search runs a test with a seed, in an empty folder. At most calls are made, if most is not 0. With first it ends when a
// run fails.
func (m *module) search(r row, test string, seed uint64, most int, first bool) (o outcome, err error) {
	dir, err := os.MkdirTemp("", "state")
	if err != nil {
		return o, err
	}
	defer os.RemoveAll(dir)
	cmd := exec.Command(m.binary(r), "-test.run=^Test"+test+"$", "-rapid.checks=1000000", "-rapid.nofailfile",
		"-rapid.seed="+fmt.Sprint(seed))
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "ALLELE_SEED="+fmt.Sprint(seed))
	if most > 0 {
		cmd.Env = append(cmd.Env, "STATE_CALLS="+strconv.Itoa(most))
	}
	if first {
		cmd.Env = append(cmd.Env, "STATE_FIRST=1")
	}
	out, _ := cmd.CombinedOutput() // the test fails
	f := printed.FindSubmatch(out)
	if f == nil {
		return o, fmt.Errorf("%s of %s: no result in\n%s", test, r.name, out)
	}
	for i, to := range []*int{&o.first, &o.runs, &o.length} {
		*to, _ = strconv.Atoi(string(f[1+i]))
	}
	if lines := line.FindAll(out, -1); lines != nil {
		o.length = len(lines) // a printed program does not call the Check that counts
	}
	if o.first < 0 && most == 0 {
		return o, fmt.Errorf("%s of %s found nothing", test, r.name)
	}
	return o, nil
}

var (
	headline = regexp.MustCompile(`property (?:failed|panicked): (.*) \(`)
	function = regexp.MustCompile(`(?ms)^ +(?:// imports ([^\n]*)\n +)?(func (Test\w+)\(t \*testing\.T\) \{\n.*?\n {12}\}\n)`)
)

// pasted lets allele print a test in each package, and runs it there. It returns what the table says about it.
func (m *module) pasted(r row) (string, error) {
	test, message := "", ""
	var said []string
	for _, v := range r.variants() {
		dir := m.in(r, v)
		if v != repaired {
			out, _ := goTest(dir, "^TestMachine$")
			f, h := function.FindStringSubmatch(out), headline.FindStringSubmatch(out)
			if f == nil || h == nil {
				return "", fmt.Errorf("no test in\n%s", out)
			}
			imports := []string{`"testing"`, `"` + foreign.Library + `"`}
			if f[1] != "" {
				imports = append(imports, strings.Split(f[1], ", ")...)
			}
			test = "import (\n\t" + strings.Join(imports, "\n\t") + "\n)\n\n" + f[2]
			message = h[1]
		}
		pkg := r.name
		if v == external {
			pkg += "_test"
		}
		if err := lab.WriteFile(filepath.Join(dir, "pasted_test.go"), []byte("package "+pkg+"\n\n"+test)); err != nil {
			return "", err
		}
		if _, err := foreign.Go(dir, foreign.UserCache, "vet", "."); err != nil {
			return "", err
		}
		out, err := goTest(dir, "^TestMachine_")
		switch {
		case v == repaired && err != nil:
			return "", fmt.Errorf("it fails although the bug is fixed:\n%s", out)
		case v == repaired:
			said = append(said, "passes when fixed")
		case err == nil || !strings.Contains(out, message):
			return "", errors.Join(err, fmt.Errorf("want %q in\n%s\nof\n%s", message, out, test))
		case !slices.Contains(said, "fails"):
			said = append(said, "fails")
		}
	}
	return strings.Join(said, ", "), nil
}

func goTest(dir, run string) (string, error) {
	cmd := exec.Command("go", "test", "-vet=off", "-count=1", "-run", run, ".")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), foreign.UserCache...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}
