//go:build go1.25

package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/ops/launch"
	"github.com/allele-go/allele/internal/ops/proc"
	"github.com/allele-go/allele/internal/source/build"
)

// property is a Check in a test binary.
type property = launch.Property

// askMax is how long a test binary may take for a job that runs no inputs.
const askMax = 5 * time.Minute

// lister lists the properties of the packages of a program.
type lister struct {
	*program
	unlisted []error         // errors of tests that match does not name
	ran      map[string]*ran // package -> which tests have run in list mode
	tell     func(string)    // prints a line about tests that were run to list them; may be nil
}

func (p *program) lister() *lister {
	if p.lists == nil {
		p.lists = &lister{program: p, ran: map[string]*ran{}}
	}
	return p.lists
}

// list returns the properties of a package whose names match.
func (p *program) list(t build.Test) ([]property, error) { return p.lister().list(t) }

// list runs the test binary of a package to list the properties whose names match. It runs
// only tests that may have such a property. If a test crashes the process, list runs the
// tests one by one. It then returns the properties of the other tests, and an error that
// names the tests that could not be listed. A test whose own name does not match is not
// what the user asked for: its error is only added to unlisted.
func (p *lister) list(t build.Test) (found []property, err error) {
	pick := func(names []string) []string {
		return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !p.selected(t.Path, name) })
	}
	names := pick(t.Names)
	tried := p.try(t, pick)
	if len(names) == 0 {
		return p.properties(t.Path, tried), nil
	}
	events, err := p.listTests(t.Path, names)
	if err != nil {
		var errs []error
		others := len(p.unlisted)
		alone := events
		events = nil
		for _, name := range names {
			if len(names) > 1 {
				alone, err = p.listTests(t.Path, []string{name})
			}
			if events = append(events, alone...); err != nil && p.match != nil && !p.match.MatchString(name) {
				p.unlisted, err = append(p.unlisted, err), nil
			}
			errs = append(errs, err)
		}
		if err = errors.Join(errs...); err == nil && len(p.unlisted) == others {
			err = fmt.Errorf("%s: its tests can be listed only one by one; together they crash the process", t.Path)
		}
		return p.properties(t.Path, append(events, tried...)), err
	}
	if p.seedless(t.Path, names, events); len(events)+len(tried) == 0 {
		fmt.Fprintf(p.stderr, "allele test: %s has %s with allele.Check in the source, but none called it: "+
			"are they skipped, or does TestMain not run them?\n", t.Path, count(len(names), "test"))
	}
	return p.properties(t.Path, append(events, tried...)), nil
}

// seedless names the fuzz targets that have a Check, but no seed to run it with.
func (p *lister) seedless(pkg string, tests []string, events []event.Event) {
	for _, test := range tests {
		under := func(e event.Event) bool { return topTest(e.Test) == test }
		if !strings.HasPrefix(test, "Fuzz") || slices.ContainsFunc(events, under) || slices.Contains(p.ranOf(pkg).skipped, test) {
			continue
		}
		fmt.Fprintf(p.stderr, "allele test: %s of %s calls allele.Check in its fuzz function, which did not run; "+
			"add a seed: f.Add(...)\n", test, pkg)
	}
}

// listTests runs some tests to list their properties.
func (p *lister) listTests(pkg string, tests []string) ([]event.Event, error) {
	d, events, err := p.ask(pkg, tests, askMax)
	if err != nil {
		return nil, err
	}
	if d.Code != 0 {
		return events, fmt.Errorf("%s, %s: %s\n%s", pkg, strings.Join(tests, ", "), d.Text, strings.TrimSpace(d.Out+d.Err+d.Stack))
	}
	return events, nil
}

// ask runs some tests in list mode for a limited time, and records which of them ran.
func (p *lister) ask(pkg string, tests []string, limit time.Duration) (proc.Death, []event.Event, error) {
	conf := proc.Config{Job: &job.Job{Mode: job.List}, Idle: limit, Args: []string{launch.TestsFlag(tests), "-test.v"}}
	d, events, err := p.exec(property{Package: pkg, Dir: p.folder(pkg)}, conf)
	if err == nil {
		p.ranOf(pkg).note(outcomes(d))
	}
	return d, events, err
}

// properties returns the reported properties whose names match. It sorts them, because
// parallel tests report in any order.
func (p *lister) properties(pkg string, events []event.Event) (found []property) {
	slices.SortStableFunc(events, func(a, b event.Event) int { return strings.Compare(a.Property, b.Property) })
	for _, e := range events {
		one := property{Package: pkg, Dir: p.folder(pkg), Name: e.Property, Test: e.Test, Encoder: e.Encoder}
		known := func(p property) bool { return p.Name == one.Name } // once for each seed of a fuzz target
		if (p.match == nil || p.match.MatchString(e.Property)) && !slices.ContainsFunc(found, known) {
			found = append(found, one)
		}
	}
	return found
}
