// Package scratch makes a fresh module outside of the repository, as a user would
// have, and runs the real command in it.
//
//	m, err := scratch.New(map[string]string{"tree.go": ..., "tree_test.go": ...})
//	defer m.Close()
//	run, err := m.Test("-run", "^TestTree$", "-for", "60s")
//
// A run leaves nothing behind: the work folder of the command is in the same
// temporary folder, and stored cases are removed before each run. Only the go
// command's build cache stays.
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

// Module is a module on disk.
type Module struct {
	dir, command string
	env          []string
	pin          []string // prefix of a command line that restricts the command to one core
}

// meter is a TestMain that prints the cost of the search, without the build: the CPU time
// of the test binary and of its child process that records operands. The command also
// runs test binaries for other jobs, so meter checks that the mode is search.
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

// New writes a module with package scratch, and builds the command. If there is a file
// go.mod, its text is appended to the generated go.mod; a file go.sum is used unchanged.
// The names of files of other packages begin with a folder.
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

// Close removes the module.
func (m *Module) Close() { os.RemoveAll(m.dir) }

// Dir returns the folder of the module.
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
	// Override the user's workspace and flags.
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

// Cache returns the command's cache folder, with its builds and the corpus.
func (m *Module) Cache() string { return filepath.Join(m.dir, "cache") }

// Command returns an allele command with the given arguments, to be run in the module.
func (m *Module) Command(args ...string) *exec.Cmd {
	cmd := exec.Command(m.command, args...)
	cmd.Dir, cmd.Env = m.Dir(), m.env
	return cmd
}

// Pinned reports whether all processes of a run are restricted to one core.
func (m *Module) Pinned() bool { return m.pin != nil }

// Run is the command's report on one property.
type Run struct {
	Failed bool    // the property failed: its bug was found
	Runs   int     // runs of the property, up to the failure
	CPU    float64 // seconds, without the build
	Wall   float64 // seconds, without the build
	Text   string
}

// Test runs allele test -v on the module, on one core if taskset is available.
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

// Allele runs allele test on all cores and returns its output. Unlike Test it can be
// used for several properties, and for properties that crash their process.
func (m *Module) Allele(args ...string) (text string, err error) { return m.allele(nil, args) }

func (m *Module) allele(pin, args []string) (text string, err error) {
	if err := os.RemoveAll(filepath.Join(m.Dir(), "testdata")); err != nil {
		return "", err
	}
	return m.exec(slices.Concat(pin, []string{m.command, "test"}, args, []string{"."}))
}

// GoTest runs plain go test, which runs the stored cases.
func (m *Module) GoTest(args ...string) (text string, err error) {
	return m.exec(append([]string{"go", "test"}, append(args, ".")...))
}

// exec runs a program. An exit code of 1 is not an error: it means that a test
// failed, as experiments expect.
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

// read extracts the figures from the command's output.
func read(text string) (Run, error) {
	row, took, meter := rowLine.FindStringSubmatch(text), timeLine.FindStringSubmatch(text), meterRow.FindStringSubmatch(text)
	if row == nil || took == nil || meter == nil {
		return Run{Text: text}, errors.New("the command printed no result for a property")
	}
	run := Run{Failed: row[2] == "FAILED", Text: text}
	run.Runs, _ = strconv.Atoi(strings.ReplaceAll(row[1], ",", "")) // only digits match
	run.Wall, _ = strconv.ParseFloat(took[1], 64)
	ns, _ := strconv.ParseFloat(meter[1], 64)
	run.CPU = ns / 1e9
	return run, nil
}

// counterexample matches the Go code of a counterexample in a report.
var counterexample = regexp.MustCompile(`(?s)(?:in := |var in ).*?allele\.Replay\(`)

// Literals returns the size of the counterexample: the number of composite literals in
// its source, one for each node of a tree. 0 means that there is no counterexample.
func (r Run) Literals() int { return strings.Count(counterexample.FindString(r.Text), "{") }
