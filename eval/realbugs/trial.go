package realbugs

import (
	"errors"
	"fmt"
	"os"
	"time"

	tool "github.com/allele-go/allele/eval/trial"
	"github.com/allele-go/allele/eval/trial/harness"
)

// trial is one search.
type trial struct {
	row
	Arm    arm
	Seed   uint64 // native fuzzing has no seed; there it is only a number
	Budget time.Duration
}

func (tr trial) String() string { return fmt.Sprintf("%s, %s, seed %d", tr.name, tr.Arm, tr.Seed) }

// outcome is the result of a search.
type outcome struct {
	Runs     int     `json:"runs"`
	CPU      float64 `json:"cpu"`   // seconds, of all processes after the first run
	First    int     `json:"first"` // the run that found the bug; 0 if none did
	FirstCPU float64 `json:"firstCPU"`
	Ended    string  `json:"ended,omitempty"` // output of a search that ended by itself without the bug
}

func (o outcome) found() bool { return o.First > 0 }

// spent is the number of runs to the bug, or of all runs.
func (o outcome) spent() int {
	if o.found() {
		return o.First
	}
	return o.Runs
}

// time is the CPU time to the bug, or of all runs.
func (o outcome) time() float64 {
	if o.found() {
		return o.FirstCPU
	}
	return o.CPU
}

func (o outcome) String() string {
	if !o.found() {
		return fmt.Sprintf("not found, %d runs in %.1f s %s", o.Runs, o.CPU, o.Ended)
	}
	return fmt.Sprintf("run %d, %.2f s", o.First, o.FirstCPU)
}

// run makes a search on one core.
func (m *module) run(tr trial, core int) (o outcome, err error) {
	dir, err := os.MkdirTemp(m.dir, "trial")
	if err != nil {
		return o, err
	}
	defer os.RemoveAll(dir)
	if err := m.clear(tr.row, core); err != nil {
		return o, err
	}
	search := tool.Search{Temp: dir, Core: core, Budget: tr.Budget}
	search.Cmd = m.search(tr, core, dir)
	search.Enough = func(c harness.Counts) bool { return c.FirstRun > 0 }
	done, err := search.Run()
	c := done.Counts
	o = outcome{Runs: c.Runs, CPU: done.CPU.Seconds()}
	if c.FirstRun > 0 && c.FirstCPU <= tr.Budget { // a search is stopped a little later than at its budget
		o.First, o.FirstCPU = c.FirstRun, c.FirstCPU.Seconds()
	} else if done.Ended {
		o.Ended = done.Output
	}
	if errors.Is(err, tool.ErrNoRun) && tr.Arm != guided { // rapid cannot derive a type that contains itself
		err = nil
	}
	return o, err
}
