// Package hour is a campaign as long as people run them: the examples and properties
// of two modules that people use, on all cores, and what it takes of the machine.
//
// Every few seconds the memory of all its processes is looked at. After half of the
// time the command is ended with SIGKILL: its processes must be gone at once, and the
// same command goes on with all that was kept. In the end nothing may be left but what
// was kept, and memory must not have grown any more when the second half was well
// under way.
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

// Experiment fails if anything is left or lost, or if memory grows.
var Experiment = lab.Experiment{
	Name: "hour",
	Doc:  "an hour on the examples and two real modules, killed once: memory, processes and files",
	Run:  run,
}

const (
	sampleMost  = 5 * time.Second // between two samples
	sampleLeast = 500 * time.Millisecond
	sayEvery    = time.Minute
	// overtime is how long the command may take to build and to come to its end.
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
		budget: cfg.BudgetOr(lab.Default[time.Duration]{Full: time.Hour, Quick: 24 * time.Second})}
	for _, do := range []func() error{c.build, c.first, c.second} {
		if err := do(); err != nil {
			return nil, err
		}
	}
	return c.result()
}

// campaign is both halves, and what was seen of them.
type campaign struct {
	lab.Config
	ctx     context.Context
	module  *scratch.Module
	root    string // of all that belongs to it
	budget  time.Duration
	sources []string // of the module
	began   time.Time
	half    int
	samples [2][]sample
	said    time.Time

	goneAfter time.Duration // of the processes, when the command was killed
	cut       kept          // what the first half left
	cutFiles  int           // and what it had no time to remove
	told      told          // of the second half
	kept      kept
	problems  []string
}

func (c *campaign) temp() string { return filepath.Join(c.root, "temp") }

func (c *campaign) problem(format string, args ...any) {
	c.problems = append(c.problems, fmt.Sprintf(format, args...))
}

// build has the command build everything, which is not what is looked at here.
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
	if err == nil && code != 0 && code != 1 { // one run may be vacuous
		err = fmt.Errorf("allele test exits with %d\n%s", code, text)
	}
	if err != nil {
		return err
	}
	c.samples = [2][]sample{}
	return os.RemoveAll(filepath.Join(c.module.Cache(), "allele", "corpus"))
}

// first is half a campaign: its command is killed.
func (c *campaign) first() error {
	c.began = time.Now()
	code, text, err := c.allele(c.budget/2, "-for", c.budget.String())
	if err != nil {
		return err
	}
	if code != killed {
		return fmt.Errorf("allele test was to be killed after %v and ended by itself, with %d\n%s", c.budget/2, code, text)
	}
	var left []process
	if c.goneAfter, left = gone(c.root); len(left) > 0 {
		c.problem("%d processes are left %v after their command was killed: %s", len(left), goneWithin, names(left))
	}
	c.cutFiles = len(temporary(c.module.Cache(), c.temp()))
	if c.cut, err = readKept(c.module.Cache()); err != nil {
		return err
	}
	if c.cut.count() == 0 {
		c.problem("nothing was kept in the first half")
	}
	return nil
}

// second is the other half, to its end.
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
		c.problem("%d processes are left %v after their command has ended: %s", len(left), took, names(left))
	}
	if c.kept, err = readKept(c.module.Cache()); err != nil {
		return err
	}
	if c.told, err = readTold(c.module.Cache()); err != nil {
		return err
	}
	c.problems = append(c.problems, c.told.problems...)
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

// killed is the exit code of who was.
const killed = -1

// allele runs the command on all packages and takes samples of it. If it runs longer
// than it may it is killed, and so it is if somebody interrupts.
func (c *campaign) allele(may time.Duration, args ...string) (code int, text string, err error) {
	out, err := os.Create(filepath.Join(c.root, "out")) // a pipe would wait for all who hold it
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
		gone(c.root) // so that the folder can be removed
		return 0, "", err
	}
	data, err := os.ReadFile(out.Name())
	return cmd.ProcessState.ExitCode(), string(data), err
}

// watch takes samples until the command is over.
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
				err = nil // its code says it
			}
			return err
		case <-c.ctx.Done():
			cmd.Process.Kill()
			<-done
			return errors.New("interrupted")
		case <-end:
			cmd.Process.Kill()
		case <-every.C:
			c.look(cmd.Process.Pid)
		}
	}
}

// look takes a sample. One without the command is of a campaign that is about to end.
func (c *campaign) look(command int) {
	s := measure(c.root, command)
	if s.at = time.Since(c.began).Seconds(); s.command == 0 {
		return
	}
	c.samples[c.half] = append(c.samples[c.half], s)
	if time.Since(c.said) >= sayEvery && !c.began.IsZero() {
		c.said = time.Now()
		c.Logf("%.1f minutes: %d processes with %.0f MB (the command %.0f, the largest %.0f: %s), %.1f MB kept",
			s.at/60, s.processes, s.all, s.command, s.largest, s.whose, s.kept)
	}
}
