package mu2

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/allele-go/allele/eval/papers"
	"github.com/allele-go/allele/eval/trial/harness"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/job"
)

// trial is one search.
type trial struct {
	target
	Arm    arm
	Seed   uint64
	Budget time.Duration // CPU time
}

func (tr trial) String() string { return fmt.Sprintf("%s, %s, seed %d", tr.name, tr.Arm, tr.Seed) }

// outcome is the result of a trial.
type outcome struct {
	Runs     int     `json:"runs"`
	CPU      float64 `json:"cpu"`      // seconds, from the first run on
	Saved    int     `json:"saved"`    // inputs that show new coverage or kill a fault
	Combined int     `json:"combined"` // other saved inputs
	Long     int     `json:"long"`     // saved inputs that are too long for the log, and judge nothing
	Blocks   int     `json:"blocks"`   // blocks of the module that runs reached
	Kills    []kill  `json:"kills,omitempty"`
	Pace     []point `json:"pace,omitempty"`  // CPU time over runs
	All      judged  `json:"all"`             // what all saved inputs kill
	Plain    *judged `json:"plain,omitempty"` // the same, if the property observes nothing
	Cut      *judged `json:"cut,omitempty"`   // what those kill that were saved in the first CutAt runs
	CutAt    int     `json:"cutAt,omitempty"`
}

// kill is a fault that the search has killed.
type kill struct {
	Fault int    `json:"fault"`
	By    string `json:"by"`
	Run   int    `json:"run"`
}

// point is a moment of a search.
type point struct {
	Run int     `json:"run"`
	CPU float64 `json:"cpu"`
}

// saved is an input that a search has saved.
type saved struct {
	Run     int
	Verdict string
	Input   string
}

const (
	// poll is how often a supervisor looks at the search.
	poll = 50 * time.Millisecond
	// A search on a busy machine gets a fraction of a core.
	wallFactor = 60
	wallMin    = 2 * time.Minute
	// exitWait is how long a search may take to end when it is interrupted.
	exitWait = 30 * time.Second
)

// args returns the arguments of the search.
func (tr trial) args(wall time.Duration, dir string) []string {
	args := []string{"test", "-json", "-run", "^" + property + "$", "-scope", tr.packages(), "-seed", fmt.Sprint(tr.Seed),
		"-for", wall.String(), "-workers", "1", "-fresh", "-log", filepath.Join(dir, "log"), "-coverprofile", filepath.Join(dir, "cover")}
	if tr.Arm != coverage {
		args = append(args, "-guide=faults", "-of", tr.packages())
	}
	return append(args, ".")
}

// search makes a search on one core. It ends when it has used its CPU time. The build is not part of
// that time.
func (m *module) search(tr trial, core int) (o outcome, inputs []saved, err error) {
	for _, old := range []string{filepath.Join(m.src(tr.target), "testdata"), m.corpus(tr.target)} {
		if err := os.RemoveAll(old); err != nil {
			return o, nil, err
		}
	}
	dir, err := os.MkdirTemp(m.dir, "trial")
	if err != nil {
		return o, nil, err
	}
	defer os.RemoveAll(dir)
	wall := max(wallMin, wallFactor*tr.Budget)
	cmd := m.exec(tr.target, tr.args(wall, dir)...)
	cmd.Env = append(cmd.Env, papers.Experiment(job.Experiment{Guide: guides[tr.Arm]}))
	if taskset, err := exec.LookPath("taskset"); err == nil {
		cmd.Path, cmd.Args = taskset, append([]string{taskset, "-c", fmt.Sprint(core)}, cmd.Args...)
	}
	if err := supervise(cmd, tr.Budget, wall, &o); err != nil {
		return o, nil, err
	}
	text, err := os.ReadFile(filepath.Join(dir, "log"))
	if err != nil {
		return o, nil, err
	}
	if inputs, err = readLog(text, &o); err != nil {
		return o, nil, err
	}
	profile, err := os.ReadFile(filepath.Join(dir, "cover"))
	o.Blocks = blocks(string(profile), tr.Path)
	return o, inputs, err
}

// supervise runs a search until it has used its CPU time, and sets the number of its runs and the time.
func supervise(cmd *exec.Cmd, budget, wall time.Duration, o *outcome) error {
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	session := cmd.Process.Pid
	defer harness.KillSession(session)
	w := &watch{session: session, began: make(chan struct{}), ended: make(chan error, 1)}
	go func() { w.ended <- w.events(out) }()
	err = w.spend(budget, wall)
	if err == errGoing {
		cmd.Process.Signal(os.Interrupt) // fails if the process has exited
		select {
		case err = <-w.ended:
		case <-time.After(exitWait):
			harness.KillSession(session)
			err = errors.Join(<-w.ended, errors.New("the search did not end when it was interrupted"))
		}
	}
	exit := cmd.Wait() // the code says that the search was interrupted, or that nothing failed
	o.Runs, o.CPU, o.Pace = int(w.runs.Load()), w.cpu.Seconds(), thin(w.pace)
	if err == nil && o.Runs == 0 {
		err = fmt.Errorf("the command reports no runs: %w", exit)
	}
	if err != nil {
		return fmt.Errorf("%w\n%s", err, stderr.Bytes())
	}
	return nil
}

// errGoing is returned for a search that has used its time, and is still going on.
var errGoing = errors.New("time is up")

// watch is what a supervisor knows of a search.
type watch struct {
	session int
	began   chan struct{}
	ended   chan error
	runs    atomic.Int64
	cpu     time.Duration
	pace    []point
}

// spend waits until a search has used its CPU time, counted from the end of the build, or has ended.
func (w *watch) spend(budget, wall time.Duration) error {
	limit := time.After(wall)
	select {
	case <-w.began:
	case err := <-w.ended:
		return err
	}
	before := harness.SessionCPU(w.session)
	for {
		select {
		case err := <-w.ended:
			return err
		case <-limit:
			return errGoing
		case <-time.After(poll):
		}
		w.cpu = max(w.cpu, harness.SessionCPU(w.session)-before)
		if n := int(w.runs.Load()); n > 0 && (len(w.pace) == 0 || w.pace[len(w.pace)-1].Run != n) {
			w.pace = append(w.pace, point{n, w.cpu.Seconds()})
		}
		if w.cpu >= budget {
			return errGoing
		}
	}
}

// paceMax is about how many points of the pace of a search are kept.
const paceMax = 100

// thin leaves out points if there are many.
func thin(pace []point) (some []point) {
	step := max(1, len(pace)/paceMax)
	for i := 0; i < len(pace); i += step {
		some = append(some, pace[i])
	}
	return some
}

// events reads the events of a search. It closes began when the build has ended.
func (w *watch) events(in io.Reader) (err error) {
	once := false
	for e := range event.Read(in) { // an error is about one line
		switch b := e.Body.(type) {
		case event.Started:
			if !once {
				close(w.began)
			}
			once = true
		case event.Found:
			if b.Verdict == event.Failed {
				err = errors.Join(err, fmt.Errorf("the property fails: %s", b.Sign))
			}
		case event.Progress:
			w.runs.Store(max(w.runs.Load(), int64(b.Counts.Runs)))
		case event.Finished:
			w.runs.Store(max(w.runs.Load(), int64(b.Counts.Runs)))
			if b.Verdict == event.Crashed {
				err = errors.Join(err, errors.New(b.Why))
			}
		}
	}
	return err
}

// readLog reads the log of a search: a line for each saved input and for each fault that was killed.
func readLog(text []byte, o *outcome) (inputs []saved, err error) {
	for line := range bytes.Lines(text) {
		var l struct {
			Run     int
			ID      int
			Verdict string
			Why     string
			Input   string
			Kill    *struct {
				Fault int
				By    string
			}
		}
		if err := json.Unmarshal(line, &l); err != nil {
			return nil, fmt.Errorf("read the log of a search: %w", err)
		}
		switch {
		case l.Kill != nil:
			o.Kills = append(o.Kills, kill{l.Kill.Fault, l.Kill.By, l.Run})
		case l.ID > 0 && l.Why == combination:
			o.Combined++
		case l.ID > 0 && len(l.Input) >= inputMax:
			o.Long++
		case l.ID > 0:
			inputs = append(inputs, saved{l.Run, l.Verdict, l.Input})
		}
	}
	o.Saved = len(inputs) + o.Long
	return inputs, nil
}

// combination is why an input is saved that shows neither a new edge, nor a new hit count of an edge,
// nor a killed fault. Such inputs judge no faults: the paper saves an input for new coverage, and means
// edges and their hit counts.
const combination = "a new combination of edges"

// inputMax is the length at which the log shortens inputs.
const inputMax = 4000

// blocks counts the blocks of a module that a coverage profile reports as reached.
func blocks(profile, path string) int {
	reached := map[string]bool{}
	for line := range strings.Lines(profile) {
		if f := strings.Fields(line); len(f) == 3 && f[2] != "0" && strings.HasPrefix(f[0], path) {
			reached[f[0]] = true
		}
	}
	return len(reached)
}
