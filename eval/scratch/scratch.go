// Package scratch is a fresh module outside of the repository, as a user has one,
// with the real command to run in it.
//
//	m, err := scratch.New(map[string]string{"tree.go": ..., "tree_test.go": ...})
//	defer m.Close()
//	run, err := m.Test("-run", "^TestTree$", "-for", "60s")
//
// Nothing of a run is left behind: the work folder of the command is in the same
// temporary folder, and stored cases are removed before each run. Only what the go
// command has compiled stays in its cache.
package scratch

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Module is one on disk.
type Module struct {
	dir, command string
	env          []string
	pin          []string // before a command that is to run on one core
}

// meter is a TestMain that tells what the search cost: processor time of the test
// binary and of the process that it asks about operands, without the build. The
// command runs binaries for other ends too, hence the question.
const meter = `package scratch

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
)

func TestMain(m *testing.M) {
	code := m.Run()
	if strings.Contains(os.Getenv("ALLELE_JOB"), ` + "`\"mode\":\"search\"`" + `) {
		var self, children syscall.Rusage
		syscall.Getrusage(syscall.RUSAGE_SELF, &self)
		syscall.Getrusage(syscall.RUSAGE_CHILDREN, &children)
		fmt.Printf("METER %d\n", self.Utime.Nano()+self.Stime.Nano()+children.Utime.Nano()+children.Stime.Nano())
	}
	os.Exit(code)
}
`

const gomod = `module scratch

go 1.25

require github.com/allele-go/allele v0.0.0

replace github.com/allele-go/allele => %s
`

// New writes a module of package scratch, and builds the command. A file go.mod is
// added to the one that is made, go.sum is taken as it is. Files of other packages
// have a folder in their name.
func New(files map[string]string) (*Module, error) {
	dir, err := os.MkdirTemp("", "allele-eval-")
	if err != nil {
		return nil, err
	}
	m := &Module{dir: dir, command: filepath.Join(dir, "allele")}
	if err := m.make(files); err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

// Close removes it.
func (m *Module) Close() { os.RemoveAll(m.dir) }

// Dir is where its files are.
func (m *Module) Dir() string { return filepath.Join(m.dir, "scratch") }

func (m *Module) make(files map[string]string) error {
	root, err := filepath.Abs("..")
	if err != nil {
		return err
	}
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		return fmt.Errorf("go env GOCACHE: %w", err)
	}
	// A workspace or flags of the user stay out.
	m.env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-buildvcs=false",
		"GOCACHE="+strings.TrimSpace(string(cache)), "XDG_CACHE_HOME="+m.Cache())
	if taskset, err := exec.LookPath("taskset"); err == nil {
		m.pin = []string{taskset, "-c", "0"}
	}
	if err := os.MkdirAll(m.Dir(), 0o777); err != nil {
		return err
	}
	for name, text := range files {
		if name == "go.mod" {
			continue
		}
		file := filepath.Join(m.Dir(), filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			return err
		}
	}
	for name, text := range map[string]string{"go.mod": fmt.Sprintf(gomod, root) + files["go.mod"], "meter_test.go": meter} {
		if err := os.WriteFile(filepath.Join(m.Dir(), name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	build := exec.Command("go", "build", "-o", m.command, "./cmd/allele")
	build.Dir, build.Env = root, m.env
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build the command: %w\n%s", err, out)
	}
	return nil
}

// Cache is where the command keeps what it builds and what it learns.
func (m *Module) Cache() string { return filepath.Join(m.dir, "cache") }

// Command is the command, to be run in the module.
func (m *Module) Command(args ...string) *exec.Cmd {
	cmd := exec.Command(m.command, args...)
	cmd.Dir, cmd.Env = m.Dir(), m.env
	return cmd
}

// Pinned reports whether runs have one core to themselves: all their processes share it.
func (m *Module) Pinned() bool { return m.pin != nil }

// Run is what the command said about one property.
type Run struct {
	Failed bool    // the property, which is what experiments hope for
	Runs   int     // of the property, up to the failure
	CPU    float64 // seconds, without the build
	Wall   float64 // seconds, without the build
	Text   string
}

// Test runs allele test -v on the module, on one core if the system can.
func (m *Module) Test(args ...string) (Run, error) {
	text, err := m.allele(m.pin, append([]string{"-v"}, args...))
	if err != nil {
		return Run{}, err
	}
	run, err := read(text)
	if err != nil {
		return run, fmt.Errorf("allele test %s: %w\n%s", strings.Join(args, " "), err, text)
	}
	return run, nil
}

// Allele is Test for several properties, or ones that end their process, on all cores:
// what the command printed is for the caller to read.
func (m *Module) Allele(args ...string) (text string, err error) { return m.allele(nil, args) }

func (m *Module) allele(pin, args []string) (text string, err error) {
	if err := os.RemoveAll(filepath.Join(m.Dir(), "testdata")); err != nil {
		return "", err
	}
	return m.exec(slices.Concat(pin, []string{m.command, "test"}, args, []string{"."}))
}

// GoTest runs plain go test, on the cases that were stored.
func (m *Module) GoTest(args ...string) (text string, err error) {
	return m.exec(append([]string{"go", "test"}, append(args, ".")...))
}

// exec runs a program. A test that fails is what experiments hope for.
func (m *Module) exec(line []string) (text string, err error) {
	cmd := exec.Command(line[0], line[1:]...)
	cmd.Dir, cmd.Env = m.Dir(), m.env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
		return "", fmt.Errorf("%s: %w\n%s%s", strings.Join(line, " "), err, out, stderr.String())
	}
	return string(out), nil
}

var (
	rowLine  = regexp.MustCompile(`(?m)^scratch\.\S+ +([0-9,]+) .* (ok|FAILED)(;.*)?$`)
	timeLine = regexp.MustCompile(`(?m)^--- (?:PASS|FAIL): \S+ \(([0-9.]+)s\)$`)
	meterRow = regexp.MustCompile(`(?m)^METER ([0-9]+)$`)
)

// read finds the figures in what the command printed.
func read(text string) (Run, error) {
	row, took, meter := rowLine.FindStringSubmatch(text), timeLine.FindStringSubmatch(text), meterRow.FindStringSubmatch(text)
	if row == nil || took == nil || meter == nil {
		return Run{Text: text}, errors.New("the command did not say how a property went")
	}
	run := Run{Failed: row[2] == "FAILED", Text: text}
	run.Runs, _ = strconv.Atoi(strings.ReplaceAll(row[1], ",", "")) // only digits match
	run.Wall, _ = strconv.ParseFloat(took[1], 64)
	ns, _ := strconv.ParseFloat(meter[1], 64)
	run.CPU = ns / 1e9
	return run, nil
}

// counterexample is the Go code of one in a report.
var counterexample = regexp.MustCompile(`(?s)(?:in := |var in ).*?allele\.Replay\(`)

// Literals is how large the counterexample is: how many composite literals it takes
// to write it down, one for each node of a tree. 0 means that there is none.
func (r Run) Literals() int { return strings.Count(counterexample.FindString(r.Text), "{") }
