package main

import (
	"errors"
	"fmt"
	"regexp"
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

// askMost is how long a test binary may take to answer a question that runs no input.
const askMost = 5 * time.Minute

// list asks the binary of a package for its properties that match; nil matches all.
// Only tests that may have one are run. If one of them ends the process, they are
// asked one by one; the error then says which could not be, and the properties of the
// others are returned all the same.
func (p *program) list(t build.Test, match *regexp.Regexp) (found []property, err error) {
	if len(t.Names) == 0 {
		return nil, nil
	}
	events, err := p.listTests(t.Path, t.Names)
	if err != nil && len(t.Names) > 1 {
		var errs []error
		events = nil
		for _, name := range t.Names {
			some, err := p.listTests(t.Path, []string{name})
			events, errs = append(events, some...), append(errs, err)
		}
		if err = errors.Join(errs...); err == nil {
			err = fmt.Errorf("%s: its tests can be listed one by one only; one ends the process after another", t.Path)
		}
		return p.properties(t.Path, events, match), err
	}
	if err == nil && len(events) == 0 {
		fmt.Fprintf(p.stderr, "allele test: %s has %s with allele.Check in the source, and none came to it: "+
			"are they skipped, or does TestMain not run them?\n", t.Path, count(len(t.Names), "test"))
	}
	return p.properties(t.Path, events, match), err
}

// listTests asks some tests for their properties.
func (p *program) listTests(pkg string, tests []string) ([]event.Event, error) {
	conf := proc.Config{Job: &job.Job{Mode: job.List}, Idle: askMost, Args: []string{launch.TestsFlag(tests)}}
	d, events, err := p.exec(property{Package: pkg, Dir: p.folder(pkg)}, conf)
	if err != nil {
		return nil, err
	}
	if d.Code != 0 {
		return events, fmt.Errorf("%s, %s: %s\n%s", pkg, strings.Join(tests, ", "), d.Text, strings.TrimSpace(d.Out+d.Err+d.Stack))
	}
	return events, nil
}

// properties are those that were reported and match, sorted: parallel tests report in
// any order.
func (p *program) properties(pkg string, events []event.Event, match *regexp.Regexp) (found []property) {
	slices.SortStableFunc(events, func(a, b event.Event) int { return strings.Compare(a.Property, b.Property) })
	for _, e := range events {
		one := property{Package: pkg, Dir: p.folder(pkg), Name: e.Property, Test: e.Test}
		if (match == nil || match.MatchString(e.Property)) && !slices.Contains(found, one) {
			found = append(found, one)
		}
	}
	return found
}
