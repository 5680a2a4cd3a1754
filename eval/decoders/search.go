package decoders

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/eval/papers"
	"github.com/allele-go/allele/eval/trial"
)

// search is one trial of an arm.
type search struct {
	target
	arm  arm
	Seed uint64
	Base int // index of the value that a blind arm starts from
}

func (tr search) String() string {
	return fmt.Sprintf("%s, %s, value %d, seed %d", tr.name, tr.arm, tr.Base+1, tr.Seed)
}

// outcome is the result of a trial.
type outcome struct {
	Runs     int     `json:"runs"`
	CPU      float64 `json:"cpu"` // seconds
	Left     int     `json:"left,omitempty"`
	Distinct int     `json:"distinct"`
	Accepted int     `json:"accepted"`
	Ended    string  `json:"ended,omitempty"` // last lines of a search that ended by itself

	// What was reached after how many runs, and how many runs were made in how many milliseconds of CPU time.
	Statements []step `json:"statements"`
	Paths      []step `json:"paths"`
	Marks      []step `json:"marks"`
	Other      int    `json:"other,omitempty"` // statements of the other decoder
}

type step [2]int

// at returns the value after a number of runs.
func at(steps []step, runs int) (value int) {
	for _, s := range steps {
		if s[0] > runs {
			break
		}
		value = s[1]
	}
	return value
}

// runsAt returns how many runs were made in a CPU time.
func (o outcome) runsAt(cpu time.Duration) (runs int) {
	for _, m := range o.Marks {
		if m[1] > int(cpu.Milliseconds()) {
			return runs
		}
		runs = m[0]
	}
	return o.Runs
}

// run makes a search on one core, and runs its inputs again.
func (m *module) run(tr search, budget time.Duration, core int) (o outcome, err error) {
	temp, err := os.MkdirTemp(m.dir, "trial")
	if err != nil {
		return o, err
	}
	defer os.RemoveAll(temp)
	if err := m.forget(tr); err != nil {
		return o, err
	}
	s := m.search(tr, budget, core, temp)
	done, err := s.Run()
	if err != nil {
		return o, err
	}
	o = outcome{Runs: done.Counts.Runs, CPU: done.CPU.Seconds(), Left: done.Counts.Left, Ended: done.Output}
	for _, k := range done.Marks {
		if n := len(o.Marks); n == 0 || k.Runs > o.Marks[n-1][0] {
			o.Marks = append(o.Marks, step{k.Runs, int(k.CPU.Milliseconds())})
		}
	}
	r, err := m.replay(tr.target, "replay", temp, s.Log())
	if err != nil {
		return o, err
	}
	o.Distinct, o.Accepted, o.Paths = r.Distinct, r.Accepted, r.Paths
	sum, reached := 0, 0
	for _, b := range r.Blocks {
		for ; reached < b[1]; reached++ {
			sum += r.weights[r.Reached[reached]]
		}
		o.Statements = append(o.Statements, step{b[0], sum})
	}
	if len(tr.other) > 0 {
		r, err := m.replay(tr.target, "replayother", temp, s.Log())
		if err != nil {
			return o, err
		}
		for _, b := range r.Reached {
			o.Other += r.weights[b]
		}
	}
	return o, nil
}

// forget removes what an earlier trial has left: a search that is killed leaves the input that it was running, and a
// failure leaves a case.
func (m *module) forget(tr search) error {
	old, err := filepath.Glob(filepath.Join(m.cache(tr.target), "allele", "corpus", "*", tr.test()+"-*"))
	for _, dir := range append(old, filepath.Join(m.src(), tr.name, "property", "testdata")) {
		err = errors.Join(err, os.RemoveAll(dir))
	}
	return err
}

// search returns a search of a trial.
func (m *module) search(tr search, budget time.Duration, core int, temp string, flags ...string) *trial.Search {
	line := append(m.line(tr, budget, filepath.Join(temp, "fuzz")), flags...)
	s := &trial.Search{Cmd: m.exec(tr.target, line[0], line[1:]...), Temp: temp, Core: core, Budget: budget}
	s.Cmd.Env = append(s.Cmd.Env, papers.MustVariable(tr.arm.strategy()))
	switch {
	case tr.arm == native:
		s.Cmd.Dir = temp // for failing inputs
	case tr.arm.strategy() != "":
		// Trials of a target share its builds, but not the inputs that they save.
		s.Cmd.Args = append(s.Cmd.Args[:2:2], append([]string{"-fresh"}, s.Cmd.Args[2:]...)...)
	}
	return s
}

// block is a block of statements: the numbers of its package and function, and its own.
type block [3]int

// replayed is what the program replay prints.
type replayed struct {
	Distinct, Accepted int
	Blocks, Paths      []step
	Reached            []block
	Groups             map[int][]block
	Inputs             map[int]int

	weights map[block]int // statements of the blocks
}

// replay runs the inputs of a search again.
func (m *module) replay(t target, program, temp string, args ...string) (r replayed, err error) {
	counters := filepath.Join(temp, program)
	if err := os.MkdirAll(counters, 0o777); err != nil {
		return r, err
	}
	cmd := m.exec(t, m.binary(t, program), args...)
	cmd.Dir, cmd.Env = temp, append(cmd.Env, "GOCOVERDIR="+counters)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &r)
	}
	if err != nil {
		return r, fmt.Errorf("%s: %w\n%s", program, err, stderr.String())
	}
	dump, err := foreign.Go(m.src(), foreign.UserCache, "tool", "covdata", "debugdump", "-i="+counters)
	if err != nil {
		return r, err
	}
	if r.weights = weights(dump); len(r.weights) == 0 {
		return r, errors.New("no blocks in the list of go tool covdata")
	}
	return r, nil
}

var unit = regexp.MustCompile(`^(\d+): L\d+:C\d+ -- L\d+:C\d+ NS=(\d+) = `)

// weights reads the list of all blocks, and returns how many statements each has. Those of the program replay itself have none.
func weights(dump string) map[block]int {
	all := map[block]int{}
	pkg, fn, own := -1, -1, false
	for line := range strings.Lines(dump) {
		path, isPackage := strings.CutPrefix(line, "Package path: ")
		u := unit.FindStringSubmatch(line)
		switch {
		case isPackage:
			pkg, fn, own = pkg+1, -1, strings.HasPrefix(path, "decoders/")
		case strings.HasPrefix(line, "Func: "):
			fn++
		case u != nil && !own:
			i, _ := strconv.Atoi(u[1])
			all[block{pkg, fn, i}], _ = strconv.Atoi(u[2])
		}
	}
	return all
}
