// Package workers measures the gain from a second process that searches the same
// property. It compares the runs per second of wall time, and the wall time to find bugs.
//
// Searches with one and with two workers take turns, through the real command in a
// fresh module. This is the only experiment that measures wall time: it needs a machine
// with two cores that is otherwise idle.
package workers

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/allele-go/allele/eval/hard"
	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/eval/scratch"
	"github.com/allele-go/allele/eval/supervision"
)

// Experiment compares one worker with two.
var Experiment = lab.Experiment{
	Name: "workers",
	Doc:  "one worker and two workers for the same property: runs a second, and wall time to bugs",
	Run:  run,
}

// effort sets how much is measured.
type effort struct {
	rounds, seeds int
	seconds       int // length of a search that finds nothing
}

func run(cfg lab.Config) (*lab.Result, error) {
	e := effort{rounds: 6, seeds: 11, seconds: 6}
	if cfg.Quick {
		e = effort{rounds: 1, seeds: 1, seconds: 2}
	}
	files, err := hard.Sources()
	if err != nil {
		return nil, err
	}
	files["sorted_test.go"], files["fixed_test.go"] = supervision.Code, fixed
	m, err := scratch.New(files)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	if out, err := m.Command("test", "-tests", "1", ".").CombinedOutput(); err != nil && !strings.Contains(string(out), "FAILED") {
		return nil, fmt.Errorf("allele test: %w\n%s", err, out)
	}
	res := &lab.Result{Summary: map[string]any{"rounds": e.rounds, "seconds": e.seconds}}
	for i := range e.seeds {
		res.Seeds = append(res.Seeds, uint64(5001+i))
	}
	for _, test := range []string{"TestFixed", "TestSorted"} {
		row, err := throughput(cfg, m, e, test, res)
		if err != nil {
			return nil, err
		}
		res.Rows = append(res.Rows, row)
	}
	for _, p := range hard.Programs {
		row, err := bugs(cfg, m, p.Name, p.Test, res.Seeds)
		if err != nil {
			return nil, err
		}
		res.Rows = append(res.Rows, row)
	}
	return res, nil
}

// fixed is the source of a property whose runs always take the same time. The runs of
// TestSorted take longer as inputs grow, and two workers reach larger inputs.
const fixed = `package scratch

import (
	"testing"

	"github.com/allele-go/allele"
)

func TestFixed(t *testing.T) {
	allele.Check(t, func(t *allele.T, in [16]int) {
		for i := range in {
			for j := range i {
				if in[j] > in[i] {
					in[j], in[i] = in[i], in[j]
				}
			}
		}
		for i := 1; i < len(in); i++ {
			if in[i-1] > in[i] {
				t.Error("not sorted")
			}
		}
	})
}
`

// throughput measures the runs a second of a property without a bug.
func throughput(cfg lab.Config, m *scratch.Module, e effort, test string, res *lab.Result) (lab.Row, error) {
	var rates [2][]float64
	var ratios, parents, messages []float64
	for round := range e.rounds {
		cfg.Logf("runs a second of %s, round %d", test, round+1)
		before, err := one(m, 2, "-tests", "1", "-run", "^"+test+"$", "-seed", "1") // measures the CPU time that the command needs to start
		if err != nil {
			return nil, err
		}
		for i := range rates {
			t, err := one(m, i+1, "-for", fmt.Sprintf("%ds", e.seconds), "-run", "^"+test+"$", "-seed", fmt.Sprint(5001+round))
			if err != nil {
				return nil, err
			}
			rates[i] = append(rates[i], t.runs/t.wall)
			if i == 1 {
				parents = append(parents, max(0, t.parent-before.parent)/t.wall)
				messages = append(messages, t.messages)
			}
		}
		ratios = append(ratios, rates[1][round]/rates[0][round])
	}
	res.Summary[test+": cpu of the command, share of a core"] = fmt.Sprintf("%.3f", lab.Median(parents))
	res.Summary[test+": messages a case that was shared"] = fmt.Sprintf("%.2f", lab.Median(messages))
	return row("runs a second of "+test, rates, ratios), nil
}

// bugs measures the wall time until a bug is found.
func bugs(cfg lab.Config, m *scratch.Module, name, test string, seeds []uint64) (lab.Row, error) {
	var walls [2][]float64
	var ratios []float64
	for _, seed := range seeds {
		cfg.Logf("%s, seed %d", name, seed)
		for i := range walls {
			t, err := one(m, i+1, "-for", "600s", "-keep-going=false", "-run", "^"+test+"$", "-seed", fmt.Sprint(seed))
			if err != nil {
				return nil, err
			}
			if !t.failed {
				return nil, fmt.Errorf("%s, seed %d: nothing found", name, seed)
			}
			walls[i] = append(walls[i], t.wall)
		}
	}
	for i := range seeds {
		ratios = append(ratios, walls[1][i]/walls[0][i])
	}
	return row("seconds to "+name, walls, ratios), nil
}

func row(name string, values [2][]float64, ratios []float64) lab.Row {
	return lab.Row{lab.Col("what", name), lab.Col("n", len(ratios)),
		lab.Col("one p50", lab.Median(values[0])), lab.Col("two p50", lab.Median(values[1])),
		lab.Col("ratio of medians", lab.Median(values[1])/lab.Median(values[0])), lab.Col("ratio p50", lab.Median(ratios))}
}

// trial is one search.
type trial struct {
	runs, wall float64
	failed     bool
	parent     float64 // CPU seconds of the command itself
	messages   float64 // number of messages for each shared input
}

var (
	line   = regexp.MustCompile(`(?m)^scratch\.\S+ +([0-9,]+) .* (ok|FAILED)$`)
	shared = regexp.MustCompile(`workers sent ([0-9,]+) inputs? to each other and received ([0-9,]+)`)
	built  = regexp.MustCompile(`(?m)^built .* ([0-9.]+m?s)$`)
)

// one runs a search with the given number of workers.
func one(m *scratch.Module, workers int, args ...string) (t trial, err error) {
	if err := os.RemoveAll(m.Dir() + "/testdata"); err != nil {
		return t, err
	}
	cmd := m.Command(append([]string{"test", "-v", "-operands=off", "-workers", fmt.Sprint(workers)}, append(args, ".")...)...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return t, err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	for waiting := true; waiting; {
		select {
		case <-done:
			waiting = false
		case <-time.After(100 * time.Millisecond):
			t.parent = max(t.parent, own(cmd.Process.Pid))
		}
	}
	text := out.String()
	found, took := line.FindStringSubmatch(text), built.FindStringSubmatch(text)
	if found == nil || took == nil {
		return t, fmt.Errorf("the command printed no result:\n%s", text)
	}
	build, err := time.ParseDuration(took[1])
	t.wall = (time.Since(start) - build).Seconds()
	t.runs, t.failed = number(found[1]), found[2] == "FAILED"
	if s := shared.FindStringSubmatch(text); s != nil {
		t.messages = (number(s[1]) + number(s[2])) / max(1, number(s[1]))
	}
	return t, err
}

func number(s string) float64 {
	n, _ := strconv.ParseFloat(strings.ReplaceAll(s, ",", ""), 64) // only digits match
	return n
}

// own returns the CPU seconds of a process without its children, from /proc.
func own(pid int) float64 {
	fields := lab.Stat(pid)
	if len(fields) < 13 {
		return 0
	}
	return (number(fields[11]) + number(fields[12])) / ticks
}

// ticks is the number of clock ticks in a second, the unit of time in /proc/PID/stat.
const ticks = 100
