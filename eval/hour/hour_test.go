package hour

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/proc/event"
)

// steady returns samples with the given memory, one a second.
func steady(from int, mbs ...float64) (all []sample) {
	for i, v := range mbs {
		all = append(all, sample{at: float64(from + i), processes: 3, command: v / 10, all: v})
	}
	return all
}

// good returns a campaign without problems.
func good() *campaign {
	had := kept{"p.TestA": {"1": "x"}, "p.TestB": {}}
	return &campaign{budget: 2 * flatLeast, samples: [2][]sample{steady(0, 10, 50, 90), steady(5, 20, 60, 100, 90, 105, 100)},
		firstKept: had, kept: kept{"p.TestA": {"1": "x", "2": "y"}, "p.TestB": {}},
		log: eventLog{finished: map[string]event.Finished{"p.TestA": {Counts: event.Counts{Resumed: event.Resumed{Inputs: 1}}}, "p.TestB": {}}}}
}

// fill adds inputs until the corpus is full.
func fill(inputs map[string]string) {
	for i := 0; len(inputs) < full; i++ {
		inputs[fmt.Sprint("more", i)] = "z"
	}
}

func TestResult(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*campaign)
		want   string // part of the error; empty if there is none
	}{
		{"no problems", func(*campaign) {}, ""},
		{"memory grows", func(c *campaign) { c.samples[1] = steady(5, 20, 60, 100, 100, 120, 120) }, "memory grows: the last third of the second half has 1.200 times"},
		{"memory grows in a short campaign, where it is not checked", func(c *campaign) { c.budget, c.samples[1] = time.Minute, steady(5, 1, 2, 3, 4, 5, 6) }, ""},
		{"only the command grows", func(c *campaign) { c.samples[1][5].command = 20 }, "the command 1."},
		{"an input is lost", func(c *campaign) { delete(c.kept["p.TestA"], "1") }, "1 of 1 saved inputs are lost"},
		{"an input of a full corpus is dropped", func(c *campaign) { fill(c.firstKept["p.TestA"]) }, ""},
		{"an input of a corpus that became full is dropped", func(c *campaign) {
			delete(c.kept["p.TestA"], "1")
			c.log.finished["p.TestA"] = event.Finished{Counts: event.Counts{Resumed: event.Resumed{Inputs: 1}, Kept: full}}
		}, ""},
		{"a full corpus is lost", func(c *campaign) { fill(c.firstKept["p.TestA"]); clear(c.kept["p.TestA"]) }, "1500 of 1500 saved inputs are lost"},
		{"an input has changed", func(c *campaign) { c.kept["p.TestA"]["1"] = "y" }, "1 of 1 saved inputs are lost"},
		{"a property starts over", func(c *campaign) { c.log.finished["p.TestA"] = event.Finished{Counts: event.Counts{Runs: 7}} }, "p.TestA started over although 1 inputs were saved: 7 runs"},
		{"a property has no run in a short campaign", func(c *campaign) { c.budget, c.log.finished["p.TestA"] = time.Minute, event.Finished{} }, ""},
		{"a property has no run in a long campaign", func(c *campaign) { c.log.finished["p.TestA"] = event.Finished{} }, "p.TestA started over"},
		{"a property does not finish", func(c *campaign) { delete(c.log.finished, "p.TestB") }, "p.TestB was not continued"},
		{"a process is left", func(c *campaign) { c.problem("1 processes are left") }, "1 processes are left"},
	} {
		camp := good()
		c.change(camp)
		res, err := camp.result()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
		if len(res.Rows) != 4 || len(res.Samples) != 9 || !strings.Contains(string(res.Plot), ">killed<") {
			t.Errorf("%s: figures are missing: %v", c.name, res)
		}
	}
}

func TestThinned(t *testing.T) {
	c := good()
	c.samples[1] = steady(5, make([]float64, 1000)...)
	if some := c.thinned(); len(some) > samplesMax || len(some) < samplesMax/2 || some[0].at != 0 {
		t.Errorf("%d samples of 1003", len(some))
	}
}

// A process is found by its folder and by its parent, until it exits.
func TestProcessesOf(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("processes are found in /proc")
	}
	if left := processesOf(dir, 0); len(left) > 0 {
		t.Errorf("%v in an empty folder", left)
	}
	cmd := exec.Command("cat")
	cmd.Dir = dir
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if all := processesOf(dir, 0); len(all) == 0 {
		t.Error("the process is not found by its folder")
	}
	found := func(p process) bool { return p.pid == cmd.Process.Pid }
	for _, by := range []int{cmd.Process.Pid, os.Getpid()} {
		if !slices.ContainsFunc(processesOf("/none", by), found) {
			t.Errorf("the process is not found by %d, its own pid or its parent's", by)
		}
	}
	if s := measure(dir, cmd.Process.Pid); s.command <= 0 || s.all < s.command || s.processes == 0 {
		t.Errorf("sample %+v", s)
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if _, left := gone(dir); len(left) > 0 {
		t.Errorf("%s are left", names(left))
	}
}

func TestTemporary(t *testing.T) {
	cache, temp := t.TempDir(), t.TempDir()
	for _, file := range []string{"allele/p-1/run-7/lock", "allele/p-1/events.jsonl", "allele/corpus/p/TestA/3.slot", "allele/corpus/p/TestA/3.cases"} {
		file = filepath.Join(cache, file)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(temp, "allele-last-1"), 0o777); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, path := range temporary(cache, temp) {
		got = append(got, filepath.Base(path))
	}
	if want := "3.slot run-7 allele-last-1"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

func TestReadLog(t *testing.T) {
	cache := t.TempDir()
	dir := filepath.Join(cache, "allele", "p-1")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	const log = `{"v":2,"kind":"progress","package":"p","property":"TestA","progress":{"counts":{"runs":3}}}
{"v":2,"kind":"died","package":"p","property":"TestA","died":{}}
{"v":2,"kind":"finished","package":"p","property":"TestA","finished":{"counts":{"runs":9,"resumed":{"inputs":4}}}}
{"v":2,"kind":"ended","ended":{"workers":2,"runs":9}}
`
	if _, err := readLog(cache); err == nil {
		t.Error("no error without a log")
	}
	if err := os.WriteFile(filepath.Join(dir, "events.jsonl"), []byte(log), 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := readLog(cache)
	if err != nil || got.died != 1 || got.finished["p.TestA"].Counts.Resumed.Inputs != 4 || got.whole.Workers != 2 || len(got.problems) > 0 {
		t.Errorf("%+v, %v", got, err)
	}
}
