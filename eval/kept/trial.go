package kept

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/allele-go/allele/eval/papers"
	"github.com/allele-go/allele/internal/proc/event"
)

// trial is one search.
type trial struct {
	subject
	Arm    arm
	Seed   uint64
	Passes int // the search ends after so many runs that pass
}

func (tr trial) String() string { return fmt.Sprintf("%s, %s, seed %d", tr.name, tr.Arm, tr.Seed) }

// outcome is the result of a trial.
type outcome struct {
	Runs     int     `json:"runs"`
	Kept     int     `json:"kept"`
	Waiting  int     `json:"waiting"`  // kept inputs that are not dropped and have further changes
	Features int     `json:"features"` // edges with a range of hit counts
	Blocks   int     `json:"blocks"`   // blocks of the module that runs reached
	Failures int     `json:"failures"` // distinct failures
	Found    int     `json:"found"`    // run in which the bug was found; 0 means not found
	CPU      float64 `json:"cpu"`      // seconds of the command and its processes
}

func (o outcome) share() float64 { return float64(o.Kept) / float64(max(1, o.Runs)) }

// args returns the arguments of the command.
func (tr trial) args(profile string) []string {
	return []string{"test", "-json", "-run", "^TestProperty$", "-scope", tr.packages(),
		"-seed", fmt.Sprint(tr.Seed), "-tests", fmt.Sprint(tr.Passes), "-workers", "1", "-fresh",
		fmt.Sprintf("-keep-going=%v", tr.bug.name == ""), "-coverprofile", profile, "."}
}

// run makes a search.
func (m *module) run(tr trial) (o outcome, err error) {
	for _, old := range []string{filepath.Join(m.src(tr.subject), "testdata"), m.corpus(tr.subject)} {
		if err := os.RemoveAll(old); err != nil {
			return o, err
		}
	}
	profile := filepath.Join(m.dir, "profile")
	cmd := m.exec(tr.subject, tr.args(profile)...)
	cmd.Env = append(cmd.Env, papers.MustVariable(tr.Arm.strategy()))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) { // 1 is the code of a property that failed
		return o, fmt.Errorf("%w\n%s%s", err, out, stderr.String())
	}
	if o, err = read(out, tr.bug); err != nil {
		return o, fmt.Errorf("%w\n%s", err, stderr.String())
	}
	o.CPU = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	text, err := os.ReadFile(profile)
	o.Blocks = blocks(string(text), tr.Path)
	return o, err
}

// read reads the events of a search.
func read(out []byte, b bug) (o outcome, err error) {
	ended := false
	for e, err := range event.Read(bytes.NewReader(out)) {
		if err != nil {
			return o, fmt.Errorf("read an event: %w", err)
		}
		switch f := e.Body.(type) {
		case event.Found:
			if f.Verdict != event.Failed {
				break // it is flaky
			}
			if b.name != "" && !strings.Contains(f.Sign, b.sign) {
				return o, fmt.Errorf("another failure was found: %s", f.Sign)
			}
			if o.Failures++; b.name != "" {
				o.Found = f.Run
			}
		case event.Finished:
			n := f.Counts
			o.Runs, o.Kept, o.Features, ended = n.Runs, n.Kept, n.Features, true
			o.Waiting = n.Kept - f.Search.Whole - f.Search.Bounded - f.Search.Dropped
		}
	}
	if !ended || o.Runs == 0 {
		return o, errors.New("the command reports no runs")
	}
	return o, nil
}

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

// exec returns the command, to be run for a subject.
func (m *module) exec(x subject, args ...string) *exec.Cmd {
	cmd := exec.Command(m.command(), args...)
	cmd.Dir, cmd.Env = m.src(x), slices.Concat(os.Environ(), m.env, []string{"XDG_CACHE_HOME=" + m.cache(x)})
	return cmd
}
