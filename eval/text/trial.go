package text

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/allele-go/allele/eval/text/harness"
)

// trial is one search.
type trial struct {
	target
	Start  start
	Arm    arm
	Seed   uint64        // native fuzzing has no seed; there it is only a number
	Budget time.Duration // CPU time
	First  bool          // the search ends with the first valid input
}

func (tr trial) String() string {
	return fmt.Sprintf("%s from %s, %s, seed %d", tr.name, tr.Start, tr.Arm, tr.Seed)
}

// outcome is the result of a trial.
type outcome struct {
	Runs     int     `json:"runs"`
	Valid    int     `json:"valid"`
	CPU      float64 `json:"cpu"`      // seconds
	FirstRun int     `json:"firstRun"` // the first run with a valid input; 0 means none
	FirstCPU float64 `json:"firstCPU"`

	Distinct      int `json:"distinct"` // different inputs
	DistinctValid int `json:"distinctValid"`
	Blocks        int `json:"blocks"` // blocks of the parser that all inputs together reach
	BlocksAll     int `json:"blocksAll"`

	First bool   `json:"first,omitempty"` // the search ended with the first valid input
	Left  int    `json:"left,omitempty"`  // inputs that were not recorded
	Ended string `json:"ended,omitempty"` // output of a search that ended before its time was over
}

const (
	// poll is how often a supervisor looks at the search.
	poll = 50 * time.Millisecond
	// A search on a busy machine gets a fraction of a core.
	wallFactor = 60
	wallMin    = 2 * time.Minute
	// exitWait is how long a search may take to end when it is interrupted.
	exitWait = 20 * time.Second
)

// run makes a search on one core, and runs its inputs again to count blocks.
func (m *module) run(tr trial, core int) (o outcome, err error) {
	dir, err := os.MkdirTemp(m.dir, "trial")
	if err != nil {
		return o, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "log")
	log, err := harness.Create(file)
	if err != nil {
		return o, err
	}
	defer log.Close()
	if o, err = m.supervise(tr, core, dir, log); err != nil || tr.First {
		return o, err
	}
	return o, m.replay(tr.target, file, dir, &o)
}

// supervise starts a search, and stops it when it has used its CPU time.
func (m *module) supervise(tr trial, core int, dir string, log *harness.Log) (o outcome, err error) {
	wall := max(wallMin, wallFactor*tr.Budget)
	output, err := os.Create(filepath.Join(dir, "output"))
	if err != nil {
		return o, err
	}
	defer output.Close()
	line := m.line(tr, wall, filepath.Join(dir, "fuzz"))
	if taskset, err := exec.LookPath("taskset"); err == nil {
		line = append([]string{taskset, "-c", fmt.Sprint(core)}, line...)
	}
	cmd := m.exec(tr.target, tr.Arm.kind(), line[0], line[1:]...)
	if tr.Arm == native || tr.Arm == rapid {
		cmd.Dir = dir // for failing inputs
	}
	cmd.Env = append(cmd.Env, harness.Variable+"="+filepath.Join(dir, "log"))
	cmd.Stdout, cmd.Stderr = output, output
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return o, err
	}
	session := cmd.Process.Pid
	defer harness.KillSession(session)
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	cpu, stopped := watch(tr, wall, session, log, ended)
	log.Stop()
	c := log.Counts()
	o = outcome{Runs: c.Runs, Valid: c.Valid, CPU: cpu.Seconds(), FirstRun: c.FirstRun, FirstCPU: c.FirstCPU.Seconds(), First: tr.First}
	o.Left = c.Left
	if stopped {
		end(cmd.Process, session, ended)
	} else {
		text, _ := os.ReadFile(output.Name())
		o.Ended = tail(string(text))
	}
	if o.Runs == 0 {
		return o, fmt.Errorf("no run was counted\n%s", o.Ended)
	}
	return o, nil
}

// watch waits until a search has used its time, or has found what it is for. It returns the
// CPU time of the search, and whether the search is still going on.
func watch(tr trial, wall time.Duration, session int, log *harness.Log, ended <-chan error) (cpu time.Duration, going bool) {
	for began := time.Now(); time.Since(began) < wall; {
		select {
		case <-ended:
			return cpu, false
		case <-time.After(poll):
		}
		c := log.Counts()
		if c.Runs == 0 {
			continue
		}
		cpu = max(cpu, harness.SessionCPU(session)-c.Began)
		if cpu >= tr.Budget || tr.First && c.FirstRun > 0 {
			break
		}
	}
	return cpu, true
}

// end interrupts a search, and kills it if that does not end it.
func end(p *os.Process, session int, ended <-chan error) {
	p.Signal(os.Interrupt) // fails if the process has exited
	select {
	case <-ended:
	case <-time.After(exitWait):
		harness.KillSession(session)
		<-ended
	}
}

// tail returns the last lines of an output.
func tail(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-20):], "\n")
}

// replay runs the inputs of a search again, each once, and counts them and what they reach.
func (m *module) replay(t target, log, dir string, o *outcome) error {
	profile := filepath.Join(dir, "cover")
	cmd := m.exec(t, replayKind, m.binary(t, replayKind), "-test.run=^TestReplay$", "-test.timeout=0", "-test.coverprofile="+profile)
	cmd.Dir, cmd.Env = dir, append(cmd.Env, "REPLAY="+log)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("replay: %w\n%s", err, out)
	}
	_, rest, _ := strings.Cut(string(out), "REPLAYED ")
	line, _, ok := strings.Cut(rest, "\n")
	var all struct{ Distinct, Valid int }
	if err := json.Unmarshal([]byte(line), &all); !ok || err != nil {
		return fmt.Errorf("replay printed no counts\n%s", out)
	}
	o.Distinct, o.DistinctValid = all.Distinct, all.Valid
	text, err := os.ReadFile(profile)
	if err != nil {
		return err
	}
	o.Blocks, o.BlocksAll = blocks(string(text))
	if o.BlocksAll == 0 {
		return errors.New("replay: the profile has no blocks")
	}
	return nil
}

// blocks counts the blocks of a coverage profile: those that were reached, and all.
func blocks(profile string) (reached, all int) {
	seen := map[string]bool{}
	for lines := bufio.NewScanner(strings.NewReader(profile)); lines.Scan(); {
		f := strings.Fields(lines.Text())
		if len(f) == 3 {
			seen[f[0]] = seen[f[0]] || f[2] != "0"
		}
	}
	for _, r := range seen {
		if r {
			reached++
		}
	}
	return reached, len(seen)
}
