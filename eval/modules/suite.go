package modules

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/allele-go/allele/internal/source/build"
)

// Limits of the tests of one package. The CPU time is the one that counts. The wall time
// only ends tests that wait for something that never comes.
const (
	cpuMax  = 3 * time.Minute
	wallMax = 10 * time.Minute
)

// errLong is returned for tests that take more than cpuMax.
var errLong = errors.New("more than 3 minutes of CPU time")

// verdicts maps the name of each test and subtest to pass, fail or skip. The whole package
// has the name "".
type verdicts map[string]string

// suite is the test binary of a package.
type suite struct {
	pkg, dir, binary string
	output           string // a file for its output
	env              []string
}

// run runs the tests, or only one of them, and returns their verdicts and the CPU time.
func (s suite) run(test string) (verdicts, time.Duration, error) {
	args := []string{"-test.v=test2json", "-test.short", "-test.paniconexit0", "-test.timeout=" + wallMax.String()}
	if test != "" {
		args = append(args, "-test.run="+pattern(test))
	}
	out, err := os.Create(s.output)
	if err != nil {
		return nil, 0, err
	}
	defer out.Close()
	limit := fmt.Sprintf("ulimit -t %d; exec \"$@\"", int(cpuMax.Seconds()))
	cmd := exec.Command("sh", append([]string{"-c", limit, "sh", s.binary}, args...)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.dir, out, out
	cmd.Env = slices.Concat(os.Environ(), []string{"GOWORK=off", "PWD=" + s.dir}, s.env)
	cmd.WaitDelay = time.Minute // for tests that leave processes behind which hold the file
	err = cmd.Run()
	if cmd.ProcessState == nil {
		return nil, 0, err
	}
	spent := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if spent > cpuMax-5*time.Second || killed(cmd.ProcessState) {
		return nil, spent, errLong
	}
	v, err := s.verdicts()
	if err == nil {
		v[""] = cmd.ProcessState.String()
	}
	return v, spent, err
}

// killed reports whether the limit has ended a process.
func killed(s *os.ProcessState) bool {
	w, ok := s.Sys().(syscall.WaitStatus)
	return ok && w.Signaled() && (w.Signal() == syscall.SIGXCPU || w.Signal() == syscall.SIGKILL)
}

// verdicts reads the output of the last run.
func (s suite) verdicts() (verdicts, error) {
	in, err := os.Open(s.output)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	cmd := exec.Command("go", "tool", "test2json", "-p", s.pkg)
	cmd.Dir, cmd.Stdin = filepath.Dir(s.output), in
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("test2json: %w", err)
	}
	v := verdicts{}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var e struct{ Action, Test string }
		if json.Unmarshal(lines.Bytes(), &e) != nil || e.Test == "" || e.Test == build.SuiteTest {
			continue
		}
		name := address.ReplaceAllString(e.Test, "0xADDRESS")
		switch e.Action {
		case "run":
			v[name] = "began" // the process may end before the test does
		case "pass", "fail", "skip":
			v[name] = e.Action
		}
	}
	return v, lines.Err()
}

// address matches what is different in each process, or in each binary, in the names of subtests:
// addresses, also without 0x, and points in time.
var address = regexp.MustCompile(`0x[0-9a-f]{6,}|\(0x[0-9a-f]+\)|/[0-9a-f]{11,12}$|time\.Date\([^()]*\)`)

// pattern returns a pattern for -test.run that matches one test.
func pattern(test string) string {
	names := strings.Split(test, "/")
	for i, n := range names {
		names[i] = "^" + regexp.QuoteMeta(n) + "$"
	}
	return strings.Join(names, "/")
}
