//go:build go1.25

package judge

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"time"

	"github.com/allele-go/allele/internal/proc/scoring"
)

// baseline finds out what the tests do on the original program. A test that ends its process
// is left out.
func (j *judge) baseline(ctx context.Context) error {
	faults := make([]scoring.Fault, 0, len(j.Faults))
	for _, f := range j.Faults {
		faults = append(faults, j.faults[f.ID])
	}
	err := j.original(ctx, scoring.Request{Mode: scoring.Baseline, Faults: faults})
	for _, t := range j.tests {
		j.slowest = max(j.slowest, t.Time)
	}
	return err
}

// original runs the tests on the original program, in as many processes as it takes. Each reports on more
// tests than the one before, or shows that a test ends its process.
func (j *judge) original(ctx context.Context, r scoring.Request) error {
	for before := -1; ; before = len(j.tests) {
		j.processes++
		e, err := j.run(ctx, "base", r, nil)
		if err != nil {
			return err
		}
		running := ""
		j.tests = nil // a process that continues a baseline also reports what is in there
		for _, l := range e.lines {
			switch l.Event {
			case scoring.Start:
				running = l.Test
			case scoring.Tested:
				running = ""
				j.tests = append(j.tests, Test{l.Test, l.Detail, l.Steps, time.Duration(l.Nanos)})
			}
		}
		switch {
		case e.has(scoring.Done):
			return nil
		case running != "" && j.leave[running] == "":
			j.leave[running] = why(e)
		case !e.has(scoring.Busy) || len(j.tests) == before:
			return fmt.Errorf("the tests in %s did not finish on the original program (%s):\n%s",
				filepath.Base(j.Dir), e.death.Text, tail(e.death))
		}
	}
}

// why says why a test has ended its process on the original program.
func why(e *ending) string {
	if s := e.find(scoring.Stuck); s != nil {
		return s.Detail
	}
	if e.silent {
		return "it did not end"
	}
	return "it ends its process: " + e.death.Text
}

// complete sets the settings that are not set.
func (c *Config) complete() (err error) {
	c.Workers = cmp.Or(max(c.Workers, 0), runtime.NumCPU())
	c.Wall = cmp.Or(c.Wall, wallDefault)
	c.Memory = cmp.Or(c.Memory, memoryDefault)
	for _, path := range []*string{&c.Binary, &c.Dir, &c.Work} {
		if *path, err = filepath.Abs(*path); err != nil {
			return err
		}
	}
	return nil
}

// reasons returns the tests to leave out, each with a reason.
func (c *Config) reasons() map[string]string {
	leave := map[string]string{}
	for test, why := range c.Leave {
		leave[test] = cmp.Or(why, "left out on request")
	}
	return leave
}
