// Package defaults measures allele test without any flag: which bugs it finds, and how long it
// takes.
package defaults

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/eval/scratch"
	"github.com/allele-go/allele/eval/suite"
	"github.com/allele-go/allele/eval/text"
	"github.com/allele-go/allele/internal/proc/event"
)

// Bugs runs the command on one program with a bug at a time.
var Bugs = lab.Experiment{
	Name: "defaultbugs",
	Doc:  "allele test without flags on programs with a bug: found, and time to it, against 1,000 runs",
	Run:  runBugs,
}

// arms are the flags that are compared. The second is what the command did without flags before
// it had a budget in seconds.
var arms = []struct {
	name  string
	flags []string
}{{"no flags", nil}, {"-tests 1000", []string{"-tests", "1000"}}, {"-for 60s", []string{"-for", "60s", "-keep-going=false"}}}

// moreRounds is how often the third arm runs, on programs whose bug the first has missed more often
// than not. It shows what more time would find.
const moreRounds = 3

// program is a property that fails for some input.
type program struct {
	name    string
	command func(args ...string) *exec.Cmd
	pkg     string
	run     string
	cases   string // folder with the stored failures
}

// trial is one run of the command.
type trial struct {
	found   bool
	seconds float64 // until the bug was found and shrunk, or the search ended
	cpu     float64 // of the command and the search
}

func runBugs(cfg lab.Config) (*lab.Result, error) {
	programs, release, err := open(cfg)
	if err != nil {
		return nil, err
	}
	defer release()
	rounds := len(cfg.SeedsOr(lab.Default[int]{Full: 10, Quick: 1}))
	res := &lab.Result{Summary: map[string]any{"n": rounds, "programs": len(programs)}}
	trials := map[string][]trial{}
	for _, p := range programs {
		if _, err := p.test("-tests", "1"); err != nil { // builds the test
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
		missed := 0
		for round := range rounds + moreRounds {
			for i, a := range arms {
				if more := i == 2; more != (round >= rounds) || more && (missed <= rounds/2 || cfg.Quick) {
					continue
				}
				t, err := p.test(a.flags...)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", p.name, err)
				}
				cfg.Logf("%s, %s: found %v after %.2f s", p.name, a.name, t.found, t.seconds)
				if i == 0 && !t.found {
					missed++
				}
				trials[p.name+a.name] = append(trials[p.name+a.name], t)
				trials[a.name] = append(trials[a.name], t)
			}
		}
	}
	for _, p := range programs {
		row := lab.Row{lab.Col("program", p.name)}
		for _, a := range arms {
			if ts := trials[p.name+a.name]; len(ts) > 0 {
				row = append(row, lab.Col(a.name, found(ts)), lab.Col("s p50, "+a.name, quantile(ts, 0.5)))
			} else if !cfg.Quick {
				row = append(row, lab.Col(a.name, ""), lab.Col("s p50, "+a.name, ""))
			}
		}
		res.Rows = append(res.Rows, row)
	}
	for _, a := range arms {
		if ts := trials[a.name]; len(ts) > 0 {
			res.Summary[a.name] = fmt.Sprintf("found %s; seconds of a search p50 %.2f, p95 %.2f; CPU seconds p50 %.2f",
				found(ts), quantile(ts, 0.5), quantile(ts, 0.95), lab.Median(values(ts, func(t trial) float64 { return t.cpu })))
		}
	}
	if cfg.Quick && !slices.ContainsFunc(trials[arms[0].name], func(t trial) bool { return t.found }) {
		return res, fmt.Errorf("no bug was found")
	}
	return res, nil
}

func values(ts []trial, of func(trial) float64) (all []float64) {
	for _, t := range ts {
		all = append(all, of(t))
	}
	return all
}

func quantile(ts []trial, q float64) float64 {
	return lab.Quantile(values(ts, func(t trial) float64 { return t.seconds }), q)
}

func found(ts []trial) string {
	n := 0
	for _, t := range ts {
		if t.found {
			n++
		}
	}
	return fmt.Sprintf("%d of %d", n, len(ts))
}

// open writes the programs.
func open(cfg lab.Config) (all []program, release func(), err error) {
	texts, err := text.NewPrograms(cfg.Quick)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range texts.Names {
		all = append(all, program{name: name, pkg: texts.Package(name), run: "TestFound",
			cases: filepath.Join(texts.Dir, name, "found", "testdata"),
			command: func(args ...string) *exec.Cmd {
				cmd := exec.Command(texts.Command, args...)
				cmd.Dir, cmd.Env = texts.Dir, append(os.Environ(), append(texts.Env, "XDG_CACHE_HOME="+texts.Cache(name))...)
				return cmd
			}})
	}
	if cfg.Quick { // the value is found after some thousand runs
		return slices.DeleteFunc(all, func(p program) bool { return p.name != "word" }), texts.Close, nil
	}
	m, err := suite.Module()
	if err != nil {
		texts.Close()
		return nil, nil, err
	}
	for _, name := range suite.Bugs() {
		all = append(all, program{name: name, pkg: ".", run: "^" + name + "$", command: m.Command,
			cases: filepath.Join(m.Dir(), "testdata")})
	}
	equal, err := scratch.New(map[string]string{"equal.go": equalProgram, "equal_test.go": equalTest})
	if err != nil {
		texts.Close()
		m.Close()
		return nil, nil, err
	}
	all = append(all, program{name: "equal", pkg: ".", run: "TestEqual", command: equal.Command,
		cases: filepath.Join(equal.Dir(), "testdata")})
	return all, func() { texts.Close(); m.Close(); equal.Close() }, nil
}

// equalProgram has a bug that is found long after the search has run every small change.
const equalProgram = `package scratch

type Record struct {
	A, B, C, D int
	S          string
	L          []int
}

func Bad(r Record) bool {
	if r.A == r.B {
		if r.B == r.C {
			return r.C == r.D && r.D > 1000
		}
	}
	return false
}
`

const equalTest = `package scratch

import (
	"testing"

	"github.com/allele-go/allele"
)

func TestEqual(t *testing.T) {
	allele.Check(t, func(t *allele.T, in Record) {
		if Bad(in) {
			t.Error("bad")
		}
	})
}
`

// test runs the command, which begins from scratch.
func (p program) test(flags ...string) (t trial, err error) {
	if err := os.RemoveAll(p.cases); err != nil {
		return t, err
	}
	cmd := p.command(slices.Concat([]string{"test", "-json", "-fresh", "-run", p.run}, flags, []string{p.pkg})...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return t, err
	}
	start := time.Now()
	for e, err := range event.Read(stdout) {
		if err != nil {
			return t, errors.Join(err, cmd.Wait())
		}
		result := func(v event.Verdict) {
			if t.seconds == 0 {
				t.seconds = time.Since(start).Seconds()
			}
			t.found = t.found || v == event.Failed
		}
		switch b := e.Body.(type) {
		case event.Started:
			start = time.Now()
		case event.Found:
			if b.Verdict == event.Failed {
				result(b.Verdict)
			}
		case event.Finished:
			result(b.Verdict)
		}
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() > 1 {
		return t, fmt.Errorf("allele test: %w\n%s", err, stderr.String())
	}
	t.cpu = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	return t, nil
}
