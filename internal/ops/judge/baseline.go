//go:build go1.25

package judge

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// Off runs each test and example once on the original program, with all faults off, and
// returns what it did: Left is empty if it passed. c needs no faults.
func Off(ctx context.Context, c Config) ([]Test, error) {
	if err := c.complete(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(c.Work, 0o777); err != nil {
		return nil, err
	}
	j := &judge{Config: c, leave: c.reasons()}
	var all []Test
	err := j.original(ctx, request{Mode: modeOff}, func() {
		for _, t := range j.tests {
			j.leave[t.Name] = "it has been run"
		}
		all = append(all, j.tests...)
	}, func(test, why string) { all = append(all, Test{Name: test, Left: why}) })
	return all, err
}

// baseline finds out what the tests do on the original program. A test that ends its process
// is left out.
func (j *judge) baseline(ctx context.Context) error {
	faults := make([]fault, 0, len(j.Faults))
	for _, f := range j.Faults {
		faults = append(faults, j.faults[f.ID])
	}
	err := j.original(ctx, request{Mode: modeBaseline, Faults: faults}, func() {}, func(string, string) {})
	for _, t := range j.tests {
		j.slowest = max(j.slowest, t.Time)
	}
	return err
}

// original runs the tests on the original program. After each process it calls ended, with
// what the process has reported in tests, and died for a test that has ended its process. Each
// process reports on more tests than the one before, or shows that a test ends its process.
func (j *judge) original(ctx context.Context, r request, ended func(), died func(test, why string)) error {
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
			case start:
				running = l.Test
			case tested:
				running = ""
				j.tests = append(j.tests, Test{l.Test, l.Detail, l.Steps, time.Duration(l.Nanos)})
			}
		}
		ended()
		switch {
		case e.has(done):
			return nil
		case running != "" && j.leave[running] == "":
			j.leave[running] = why(e)
			died(running, j.leave[running])
		case !e.has(busy) || len(j.tests) == before:
			return fmt.Errorf("the tests in %s did not finish on the original program (%s):\n%s",
				filepath.Base(j.Dir), e.death.Text, tail(e.death))
		}
	}
}

// why says why a test has ended its process on the original program.
func why(e *ending) string {
	if s := e.find(stuck); s != nil {
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
