//go:build go1.25

package judge

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/allele-go/allele/internal/proc/scoring"
	"github.com/allele-go/allele/internal/site"
)

// baseline finds out what the tests do on the original program. A test that ends its process
// is left out.
func (j *judge) baseline(ctx context.Context) error {
	list := j.Base.Faults
	if list == nil {
		list = j.Faults
	}
	faults := make([]scoring.Fault, 0, len(list))
	for _, f := range list {
		faults = append(faults, wire(f))
	}
	if j.Base.File != "" {
		copyFile(j.baselineFile(), j.Base.File) // if there is none, or it is of another program, the tests run again
		defer copyFile(j.Base.File, j.baselineFile())
	}
	r := scoring.Request{Mode: scoring.Baseline, Faults: faults, All: j.All != nil}
	err := j.original(ctx, r)
	for err == nil && fails(j.tests) && r.Again < triesMore {
		r.Again++
		err = j.original(ctx, r)
	}
	return err
}

// wire returns a fault as a request has it.
func wire(f site.Fault) scoring.Fault {
	return scoring.Fault{ID: f.ID, Package: f.Package, Site: f.Site, Variant: f.Variant}
}

// copyFile copies a file. What a reader sees is the whole file or nothing.
func copyFile(to, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err = os.WriteFile(to+".new", data, 0o666); err == nil {
		err = os.Rename(to+".new", to)
	}
	return err
}

// triesMore is how often tests that fail on the original program are tried again, each time in another process.
const triesMore = 2

// fails reports whether a test fails on the original program.
func fails(tests []Test) bool {
	return slices.ContainsFunc(tests, func(t Test) bool { return slices.Contains(scoring.Failing, t.Left) })
}

// original runs the tests on the original program, in as many processes as it takes. Each reports on more
// tests than the one before, or shows that a test ends its process.
func (j *judge) original(ctx context.Context, r scoring.Request) error {
	for before := -1; ; before = len(j.tests) {
		j.processes++
		j.found.at.Tested = 0
		e, err := j.run(ctx, "base", r, func(l scoring.Line) {
			j.mu.Lock()
			j.found.tested(l)
			j.mu.Unlock()
			j.show()
		})
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
				j.tests = append(j.tests, Test{Name: l.Test, Left: l.Detail, Steps: l.Steps, Time: time.Duration(l.Nanos)})
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

// reuse accepts the verdicts of an earlier program that still hold.
func reuse(j *judge) {
	if j.Base.Earlier == nil {
		return
	}
	base, err := scoring.ReadCases[scoring.Original](j.baselineFile())
	if err == nil {
		j.accept(j.Base.Earlier.Reuse(base, j.leave, j.Faults)...)
	}
}

// tested counts the tests of a process that runs the original program.
func (f *found) tested(l scoring.Line) {
	switch l.Event {
	case scoring.Begin:
		f.at.Tests = l.Tests
	case scoring.Start:
		f.at.Test = l.Test
	case scoring.Tested:
		f.at.Tested++
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
