//go:build go1.25

// Package list finds out which properties the test binaries of a program have.
//
//	l := list.Lister{Program: p, Suites: true}
//	properties, err := l.List(test)    // test is one of p.Overlay.Tests
//
// Only a test binary knows its properties, so it is run in a mode in which a Check reports its name
// and returns. The source shows most tests that call Check, and only these are run. It does not
// show all: a suite calls its methods by reflection, and a test may call a function that another
// one has put into a variable. Such tests are run once to find out (try.go). They are ordinary
// tests, so those without a Check run once for each test binary, and not for long; the result is
// stored in the work folder.
//
// The same knowledge tells which stored cases belong to no property (strays.go).
package list

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/proc/launch"
	"github.com/allele-go/allele/internal/source/build"
	"github.com/allele-go/allele/internal/testbin"
	"github.com/allele-go/allele/internal/words"
)

// property is a Check in a test binary.
type property = launch.Property

// AskMax is how long a test binary may take for a job that runs no inputs.
const AskMax = 5 * time.Minute

// Lister lists the properties of the packages of a program.
type Lister struct {
	*testbin.Program
	Suites   bool            // run tests to find out whether they call Check
	Tell     func(string)    // prints a line about tests that were run to list them; may be nil
	Unlisted []error         // errors of tests that Match does not name
	ran      map[string]*ran // package -> which tests have run in list mode
}

// List runs the test binary of a package to list the properties whose names match. It runs
// only tests that may have such a property. If a test crashes the process, List runs the
// tests one by one. It then returns the properties of the other tests, and an error that
// names the tests that could not be listed. A test whose own name does not match is not
// what the user asked for: its error is only added to Unlisted.
func (p *Lister) List(t build.Test) (found []property, err error) {
	pick := func(names []string) []string {
		return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !p.Selected(t.Path, name) })
	}
	names := pick(t.Names)
	tried := p.try(t, pick)
	if len(names) == 0 {
		return p.properties(t.Path, tried), nil
	}
	events, err := p.listTests(t.Path, names)
	if err != nil {
		var errs []error
		others := len(p.Unlisted)
		alone := events
		events = nil
		for _, name := range names {
			if len(names) > 1 {
				alone, err = p.listTests(t.Path, []string{name})
			}
			if events = append(events, alone...); err != nil && p.Match != nil && !p.Match.MatchString(name) {
				p.Unlisted, err = append(p.Unlisted, err), nil
			}
			errs = append(errs, err)
		}
		if err = errors.Join(errs...); err == nil && len(p.Unlisted) == others {
			err = fmt.Errorf("%s: its tests can be listed only one by one; together they crash the process", t.Path)
		}
		return p.properties(t.Path, append(events, tried...)), err
	}
	if p.seedless(t.Path, names, events); len(events)+len(tried) == 0 {
		fmt.Fprintf(p.Stderr, "allele test: %s has %s with allele.Check in the source, but none called it: "+
			"are they skipped, or does TestMain not run them?\n", t.Path, words.Count(len(names), "test"))
	}
	return p.properties(t.Path, append(events, tried...)), nil
}

// seedless names the fuzz targets that have a Check, but no seed to run it with.
func (p *Lister) seedless(pkg string, tests []string, events []event.Event) {
	for _, test := range tests {
		under := func(e event.Event) bool { return topTest(testOf(e)) == test }
		if !strings.HasPrefix(test, "Fuzz") || slices.ContainsFunc(events, under) || slices.Contains(p.ranOf(pkg).skipped, test) {
			continue
		}
		fmt.Fprintf(p.Stderr, "allele test: %s of %s calls allele.Check in its fuzz function, which did not run; "+
			"add a seed: f.Add(...)\n", test, pkg)
	}
}

// testOf returns the test of a listed property.
func testOf(e event.Event) string {
	listed, _ := e.Body.(event.Listed)
	return listed.Test
}

// listTests runs some tests to list their properties.
func (p *Lister) listTests(pkg string, tests []string) ([]event.Event, error) {
	d, events, err := p.ask(pkg, tests, AskMax)
	if err != nil {
		return nil, err
	}
	if d.Code != 0 {
		return events, fmt.Errorf("%s, %s: %s\n%s", pkg, strings.Join(tests, ", "), d.Text, strings.TrimSpace(d.Out+d.Err+d.Stack))
	}
	return events, nil
}

// ask runs some tests in list mode for a limited time, and records which of them ran.
func (p *Lister) ask(pkg string, tests []string, limit time.Duration) (proc.Death, []event.Event, error) {
	conf := proc.Config{Job: &job.Job{Mode: job.List}, Idle: limit, Args: []string{launch.TestsFlag(tests), "-test.v"}}
	d, events, err := p.Exec(property{Package: pkg, Dir: p.Folder(pkg)}, conf)
	if err == nil {
		p.ranOf(pkg).note(outcomes(d))
	}
	return d, events, err
}

// properties returns the reported properties whose names match. It sorts them, because
// parallel tests report in any order.
func (p *Lister) properties(pkg string, events []event.Event) (found []property) {
	slices.SortStableFunc(events, func(a, b event.Event) int { return strings.Compare(a.Property, b.Property) })
	for _, e := range events {
		listed, ok := e.Body.(event.Listed)
		if !ok {
			continue
		}
		one := property{Package: pkg, Dir: p.Folder(pkg), Name: e.Property, Test: listed.Test, Encoder: listed.Encoder}
		known := func(p property) bool { return p.Name == one.Name } // once for each seed of a fuzz target
		if (p.Match == nil || p.Match.MatchString(e.Property)) && !slices.ContainsFunc(found, known) {
			found = append(found, one)
		}
	}
	return found
}
