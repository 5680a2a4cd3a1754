//go:build go1.25 && linux

package program

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/outside"
)

// compile compiles a program of testdata.
func compile(t *testing.T, compiler, name string, flags ...string) string {
	t.Helper()
	if _, err := exec.LookPath(compiler); err != nil {
		t.Skipf("%s is not installed", compiler)
	}
	to := filepath.Join(t.TempDir(), name)
	cmd := exec.Command(compiler, append(flags, "-o", to, filepath.Join("testdata", name+".c"))...)
	cmd.Env = append(os.Environ(), "AFL_QUIET=1", "AFL_DONT_OPTIMIZE=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return to
}

func run(t *testing.T, p *Program, input string) Result {
	t.Helper()
	return runWithin(t, p, 0, input)
}

func runWithin(t *testing.T, p *Program, limit time.Duration, input string) Result {
	t.Helper()
	r, err := p.RunWithin(limit, []byte(input))
	if err != nil {
		t.Fatalf("%q: %v", input, err)
	}
	return r
}

// runRecorded makes a run, and returns what guides the search.
func runRecorded(t *testing.T, p *Program, limit time.Duration, input string) (Result, []uint32) {
	t.Helper()
	outside.Begin()
	r := runWithin(t, p, limit, input)
	return r, outside.End(nil)
}

// marked returns the processes that programs of this process have left.
func marked() (left []int) {
	for p := range processes() {
		env, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", p.pid))
		if strings.Contains(string(env), markVariable+"="+owner()+".") && p.state != 'Z' && p.pid != os.Getpid() {
			left = append(left, p.pid)
		}
	}
	return left
}

// A run ends as the program ends, whatever the program tries, and leaves nothing behind.
func TestRun(t *testing.T) {
	temp := t.TempDir()
	odd := compile(t, "gcc", "odd")
	precious := filepath.Join(t.TempDir(), "precious")
	if err := os.WriteFile(precious, []byte("precious"), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PRECIOUS", precious)
	old := filepath.Join(temp, folderPrefix+gone(namespace())+"-1") // of a process that was killed
	if err := os.MkdirAll(filepath.Join(old, "run"), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", temp)
	for _, args := range [][]string{{odd, "@@"}, {odd}} {
		p := &Program{Args: args, Suffix: ".txt", Timeout: 2 * time.Minute, Memory: 1 << 30, Disk: 4 << 20}
		for _, c := range []struct {
			input   string
			code    int
			stopped Stop
			how     string // empty if one of two limits may be noticed first
			crashed bool
		}{
			{"anything", 0, NotStopped, "exited with code 0", false},
			{"exit 3", 3, NotStopped, "exited with code 3", false},
			{"exit 143", 143, NotStopped, "exited with code 143", false},
			{"exit 139", 139, NotStopped, "exited with code 139", true},
			{"abort", -int(syscall.SIGABRT), NotStopped, "was ended by signal 6 (aborted)", true},
			{"null", -int(syscall.SIGSEGV), NotStopped, "was ended by signal 11 (segmentation fault)", true},
			{"hang", -9, OutOfTime, "was stopped: 200ms had passed", true},
			{"deaf", -9, OutOfTime, "was stopped: 200ms had passed", true},
			{"spin", -9, OutOfTime, "was stopped: 200ms had passed", true},
			{"bomb", -9, OutOfTime, "was stopped: 200ms had passed", true},
			{"fork", 0, NotStopped, "exited with code 0", false},
			{"daemon", 0, NotStopped, "exited with code 0", false},
			{"file", -int(syscall.SIGXFSZ), OutOfDisk, "", true},
			{"files", -9, OutOfDisk, "was stopped: its files had more than 4 MiB", true},
			{"talk", -int(syscall.SIGXFSZ), OutOfDisk, "", true},
			{"alloc", 0, NotStopped, "exited with code 0", false},
			{"litter", 0, NotStopped, "exited with code 0", false},
			{"link", 0, NotStopped, "exited with code 0", false},
			{"again", 0, NotStopped, "exited with code 0", false},
			{"pipe", 0, NotStopped, "exited with code 0", false},
			{"again", 0, NotStopped, "exited with code 0", false},
			{"rmdir", 0, NotStopped, "exited with code 0", false},
			{"again", 0, NotStopped, "exited with code 0", false},
		} {
			limit := time.Duration(0)
			if c.stopped == OutOfTime {
				limit = 200 * time.Millisecond
			}
			r := runWithin(t, p, limit, c.input)
			if r.Code != c.code || r.Stopped != c.stopped || c.how != "" && r.how() != c.how || r.Crashed() != c.crashed {
				t.Errorf("%v, %q: %d, %v, %s; want %d, %v, %s", args[1:], c.input, r.Code, r.Stopped, r.how(), c.code, c.stopped, c.how)
			}
		}
		if r := run(t, p, "four"); !strings.Contains(r.Stderr, "read 4 bytes") {
			t.Errorf("standard output %q, standard error %q", r.Stdout, r.Stderr)
		}
		p.Close()
		if left := marked(); len(left) > 0 {
			t.Errorf("processes %v are left", left)
		}
		if left, _ := os.ReadDir(temp); len(left) > 0 {
			t.Errorf("%v is left", left)
		}
		if text, err := os.ReadFile(precious); string(text) != "precious" {
			t.Errorf("a file that the program has linked to is %q, %v", text, err)
		}
	}
}

// A program that cannot be run is an error, each time.
func TestNoProgram(t *testing.T) {
	for _, p := range []*Program{{}, {Args: []string{"no-such-program", "@@"}}, {Args: []string{"/etc/passwd"}}} {
		for range 2 {
			if _, err := p.Run(nil); err == nil || !strings.HasPrefix(err.Error(), "program: ") {
				t.Errorf("%v: %v", p.Args, err)
			}
		}
		p.Close()
	}
}

// gone returns what owner would return for a process that does not exist.
func gone(namespace string) string { return "1073741824.5." + namespace }

// A process whose starter was killed is killed by the next program. A process of a container is not: its starter has
// another number here.
func TestOrphans(t *testing.T) {
	odd := compile(t, "gcc", "odd")
	start := func(owner string) *exec.Cmd {
		cmd := exec.Command("sleep", "1000")
		cmd.Env = append(os.Environ(), markVariable+"="+owner+".1")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	orphan, contained := start(gone(namespace())), start(gone("1"))
	p := &Program{Args: []string{odd}}
	defer p.Close()
	run(t, p, "")
	if signal := endedBy(orphan.Wait()); signal != syscall.SIGKILL {
		t.Errorf("the orphan was ended by signal %d", signal)
	}
	contained.Process.Signal(syscall.SIGTERM)
	if signal := endedBy(contained.Wait()); signal != syscall.SIGTERM {
		t.Errorf("the process of a container was ended by signal %d, before this test has ended it", signal)
	}
}

// endedBy returns the signal that has ended a process.
func endedBy(err error) syscall.Signal {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return 0
	}
	return exit.ProcessState.Sys().(syscall.WaitStatus).Signal()
}

// The edges of a program guide the search: new conditions are new places. Runs by a fork server, by a process that makes
// many, and by a process each end in the same way.
func TestEdges(t *testing.T) {
	simple := compile(t, "afl-cc", "edges")
	many := compile(t, "afl-cc", "edges", "-DPERSISTENT")
	for name, p := range map[string]*Program{
		"file":       {Args: []string{simple, "@@"}},
		"input":      {Args: []string{simple}},
		"persistent": {Args: []string{many}},
	} {
		var sets [][]uint32
		for _, input := range []string{"", "a", "b", "bu", "bug", "bug!", "b"} {
			r, places := runRecorded(t, p, 0, input)
			if crash := input == "bug!"; r.Crashed() != crash {
				t.Errorf("%s: %q: %+v", name, input, r)
			}
			sets = append(sets, places)
		}
		if !p.Guided() {
			t.Errorf("%s: it is not guided", name)
		}
		if slices.Equal(sets[1], sets[2]) || slices.Equal(sets[2], sets[3]) || slices.Equal(sets[3], sets[4]) {
			t.Errorf("%s: conditions are not told apart: %v", name, sets)
		}
		if len(sets[2]) == 0 || !slices.IsSorted(sets[2]) || outside.Place(sets[2][0]) < outside.First {
			t.Errorf("%s: places %v", name, sets[2])
		}
		if r := runWithin(t, p, 200*time.Millisecond, "wait"); r.Stopped != OutOfTime {
			t.Errorf("%s: wait: %+v", name, r)
		}
		if r := run(t, p, "x"); r.Code != 7 {
			t.Errorf("%s: exit: %+v", name, r)
		}
		if r := run(t, p, "a"); r.Crashed() {
			t.Errorf("%s: after others: %+v", name, r)
		}
		// The fork server is killed by its child: it is started again, and then it is an error.
		if _, err := p.Run([]byte("kill")); err == nil || !strings.Contains(err.Error(), "twice") {
			t.Errorf("%s: kill: %v", name, err)
		}
		if r := run(t, p, "bug!"); r.Code != -int(syscall.SIGABRT) {
			t.Errorf("%s: after its server was killed: %+v", name, r)
		}
		p.Close()
		if left := marked(); len(left) > 0 {
			t.Errorf("%s: processes %v are left", name, left)
		}
	}
	plain := &Program{Args: []string{simple, "@@"}, Plain: true}
	defer plain.Close()
	if r := run(t, plain, "bug!"); r.Code != -int(syscall.SIGABRT) {
		t.Errorf("plain: %+v", r)
	}
}
