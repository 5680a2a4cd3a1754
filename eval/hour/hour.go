// Package hour measures the memory, processes and files of a realistic, long
// campaign: the examples, and properties of two widely used modules, on all cores.
//
// Every few seconds it measures the memory of all processes. At half time it kills
// the command with SIGKILL: its processes must exit at once, and the same command,
// started again, must continue with the whole corpus. At the end no files may be
// left except the corpus, and memory must not have grown in the last third of the
// second half.
//
//	m, err := module()
//	c.first() // killed
//	c.second()
//	c.result()
package hour

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/eval/scratch"
)

// Experiment fails if a process or file is left over, an input is lost, or memory
// grows.
var Experiment = lab.Experiment{
	Name: "hour",
	Doc:  "an hour on the examples and two real modules, killed once: memory, processes and files",
	Run:  run,
}

const (
	sampleMost  = 5 * time.Second // the longest time between two samples
	sampleLeast = 500 * time.Millisecond
	logEvery    = time.Minute
	// overtime is the additional time for the command to build and to exit.
	overtime = 3 * time.Minute
)

func run(cfg lab.Config) (*lab.Result, error) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		return nil, fmt.Errorf("the processes of a campaign are found in /proc: %w", err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	m, err := module()
	if err != nil {
		return nil, err
	}
	defer m.Close()
	c := &campaign{Config: cfg, ctx: ctx, module: m, root: filepath.Dir(m.Dir()),
		budget: cfg.BudgetOr(lab.Default[time.Duration]{Full: time.Hour, Quick: 16 * time.Second})}
	for _, do := range []func() error{c.build, c.first, c.second} {
		if err := do(); err != nil {
			return nil, err
		}
	}
	return c.result()
}

// campaign holds both halves and the measurements.
type campaign struct {
	lab.Config
	ctx     context.Context
	module  *scratch.Module
	root    string // the folder of all files of the campaign
	budget  time.Duration
	sources []string // the files of the module at the start
	began   time.Time
	half    int
	samples [2][]sample
	logged  time.Time // when progress was last logged

	goneAfter time.Duration // time from the kill until all processes had exited
	firstKept kept          // the corpus when the command was killed
	leftFiles int           // temporary files that the killed command did not remove
	log       eventLog      // the events of the second half
	kept      kept          // the corpus at the end
	problems  []string
}

func (c *campaign) temp() string { return filepath.Join(c.root, "temp") }

func (c *campaign) problem(format string, args ...any) {
	c.problems = append(c.problems, fmt.Sprintf(format, args...))
}

// build runs the command once so that everything is built, because the experiment does
// not measure builds.
func (c *campaign) build() error {
	if err := os.Mkdir(c.temp(), 0o777); err != nil {
		return err
	}
	var err error
	if c.sources, err = sources(c.module.Dir()); err != nil {
		return err
	}
	c.Logf("building")
	code, text, err := c.allele(overtime*5, "-tests", "1")
	if err == nil && code != 0 && code != 1 { // 1 is allowed, because a property with a single run may be vacuous
		err = fmt.Errorf("allele test exits with %d\n%s", code, text)
	}
	if err != nil {
		return err
	}
	c.samples = [2][]sample{}
	return os.RemoveAll(filepath.Join(c.module.Cache(), "allele", "corpus"))
}

// first runs the first half. At its end it kills the command.
func (c *campaign) first() error {
	c.began = time.Now()
	code, text, err := c.allele(c.budget/2, "-for", c.budget.String())
	if err != nil {
		return err
	}
	if code != killed {
		return fmt.Errorf("allele test was to be killed after %v, but exited with code %d before\n%s", c.budget/2, code, text)
	}
	var left []process
	if c.goneAfter, left = gone(c.root); len(left) > 0 {
		c.problem("%d processes are left %v after their command was killed: %s", len(left), goneWithin, names(left))
	}
	c.leftFiles = len(temporary(c.module.Cache(), c.temp()))
	if c.firstKept, err = readKept(c.module.Cache()); err != nil {
		return err
	}
	if c.firstKept.count() == 0 {
		c.problem("no input was saved in the first half")
	}
	return nil
}

// second runs the second half to its end.
func (c *campaign) second() error {
	c.half = 1
	code, text, err := c.allele(c.budget/2+overtime, "-for", (c.budget / 2).String())
	if err != nil {
		return err
	}
	if code != 0 {
		c.problem("allele test exits with %d\n%s", code, text)
	}
	if took, left := gone(c.root); len(left) > 0 {
		c.problem("%d processes are left %v after their command exited: %s", len(left), took, names(left))
	}
	if c.kept, err = readKept(c.module.Cache()); err != nil {
		return err
	}
	if c.log, err = readLog(c.module.Cache()); err != nil {
		return err
	}
	c.problems = append(c.problems, c.log.problems...)
	if left := temporary(c.module.Cache(), c.temp()); len(left) > 0 {
		c.problem("%d temporary files are left: %s", len(left), strings.Join(left[:min(10, len(left))], " "))
	}
	now, err := sources(c.module.Dir())
	if strings.Join(now, "\n") != strings.Join(c.sources, "\n") {
		c.problem("the files of the module are\n%s\nand were\n%s", strings.Join(now, "\n"), strings.Join(c.sources, "\n"))
	}
	return err
}

func names(of []process) string {
	var all []string
	for _, p := range of {
		all = append(all, fmt.Sprintf("%d %s", p.pid, p.exe))
	}
	return strings.Join(all, ", ")
}

// killed is the exit code that package exec reports for a process that was killed.
const killed = -1

// allele runs the command on all packages and measures it. It kills the command
// when the time is up or the experiment is interrupted.
func (c *campaign) allele(may time.Duration, args ...string) (code int, text string, err error) {
	out, err := os.Create(filepath.Join(c.root, "out")) // with a pipe, Wait would wait for all processes that inherit it
	if err != nil {
		return 0, "", err
	}
	defer out.Close()
	cmd := c.module.Command(append(append([]string{"test", "-scope", scope}, args...), "./...")...)
	cmd.Env = append(cmd.Env, "TMPDIR="+c.temp())
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		return 0, "", err
	}
	if err := c.watch(cmd, may); err != nil {
		gone(c.root) // wait for the processes, so that the folder can be removed
		return 0, "", err
	}
	data, err := os.ReadFile(out.Name())
	return cmd.ProcessState.ExitCode(), string(data), err
}

// watch takes samples until the command exits.
func (c *campaign) watch(cmd *exec.Cmd, may time.Duration) error {
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	every := time.NewTicker(min(max(c.budget/samplesMax, sampleLeast), sampleMost))
	defer every.Stop()
	end := time.After(may)
	for {
		select {
		case err := <-done:
			var exit *exec.ExitError
			if errors.As(err, &exit) {
				err = nil // the caller reads the exit code
			}
			return err
		case <-c.ctx.Done():
			cmd.Process.Kill()
			<-done
			return errors.New("interrupted")
		case <-end:
			if c.half == 0 && !c.started() && time.Since(c.began) < overtime {
				end = time.After(sampleLeast) // a busy machine still builds
				continue
			}
			cmd.Process.Kill()
		case <-every.C:
			c.look(cmd.Process.Pid)
		}
	}
}

// started reports whether the campaign has saved an input.
func (c *campaign) started() bool {
	now, err := readKept(c.module.Cache())
	return err == nil && now.count() > 0
}

// look takes a sample. It drops a sample in which the command uses no memory: the command
// is about to exit then.
func (c *campaign) look(command int) {
	s := measure(c.root, command)
	if s.at = time.Since(c.began).Seconds(); s.command == 0 {
		return
	}
	c.samples[c.half] = append(c.samples[c.half], s)
	if time.Since(c.logged) >= logEvery && !c.began.IsZero() {
		c.logged = time.Now()
		c.Logf("%.1f minutes: %d processes with %.0f MB (the command %.0f, the largest %.0f: %s), corpus %.1f MB",
			s.at/60, s.processes, s.all, s.command, s.largest, s.whose, s.kept)
	}
}
