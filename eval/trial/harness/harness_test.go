package harness

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The test binary is also the process of a search, which is killed.
func TestMain(m *testing.M) {
	if os.Getenv(Variable) == "" {
		os.Exit(m.Run())
	}
	for _, in := range []string{"", "no", "yes", "panic", "yes", "again: yes"} {
		Run(in, func(in string) bool {
			if in == "panic" {
				panic(in)
			}
			return strings.HasSuffix(in, "yes")
		})
	}
	Run([]byte("bytes"), func([]byte) bool { return false })
	Run(17, func(n int) bool { return n == 17 })
	syscall.Kill(os.Getpid(), syscall.SIGKILL)
}

// The record of a process that was killed is complete.
func TestLog(t *testing.T) {
	file := filepath.Join(t.TempDir(), "log")
	log, err := Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	search := func(env ...string) {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(append(os.Environ(), Variable+"="+file), env...)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(err.Error(), "killed") {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	search(`ALLELE_JOB={"version":1,"mode":"list"}`) // not a search
	search()
	want := []string{"", "no", "YES", "panic", "YES", "AGAIN: YES", "bytes", "17+"}
	var got []string
	for in, ok := range log.Inputs() {
		switch {
		case ok && string(in) == "17":
			got = append(got, "17+")
		case ok:
			got = append(got, strings.ToUpper(string(in)))
		default:
			got = append(got, string(in))
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("recorded %q, want %q", got, want)
	}
	c := log.Counts()
	if c.Runs != 8 || c.Valid != 4 || c.FirstRun != 3 || c.Left != 0 || c.FirstCPU < 0 || c.FirstCPU > time.Minute {
		t.Errorf("counts %+v", c)
	}
	search(`ALLELE_JOB={"version":1,"mode":"search"}`)
	log.Stop()
	search()
	if again := log.Counts(); again.Runs != 16 || again.FirstRun != 3 {
		t.Errorf("after another process, and one that was stopped: %+v", again)
	}
}

// The CPU time of a session includes that of processes that have exited.
func TestSessionCPU(t *testing.T) {
	cmd := exec.Command("sh", "-c", "(i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done); echo; read line")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	out.Read(make([]byte, 1))
	if got := SessionCPU(cmd.Process.Pid); got < tick || session(cmd.Process.Pid) != cmd.Process.Pid {
		t.Errorf("a loop of a child takes %v", got)
	}
	defer in.Close()
	KillSession(cmd.Process.Pid)
	if err := cmd.Wait(); err == nil {
		t.Error("the session was not killed")
	}
}

// A supervisor that sees a run also sees when the search began, and one that sees a valid input also sees when that was.
// Otherwise the CPU time before the first run would count, and could use up the budget.
func TestOrder(t *testing.T) {
	for range 20 {
		log, err := Create(filepath.Join(t.TempDir(), "log"))
		if err != nil {
			t.Fatal(err)
		}
		go log.add("in", true)
		c := log.Counts()
		for ; c.Runs == 0; c = log.Counts() {
			runtime.Gosched()
		}
		if c.Began == 0 {
			t.Fatalf("a run without a beginning: %+v", c)
		}
		for ; c.FirstRun == 0; c = log.Counts() {
			runtime.Gosched()
		}
		if c.FirstRun != 1 || c.Valid != 1 || c.FirstCPU == 0 {
			t.Fatalf("a first valid input without its count or time: %+v", c)
		}
		// The log is not closed: the goroutine may still be recording the input.
	}
}
