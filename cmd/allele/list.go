package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/ops/proc"
)

// list asks a binary for its properties. Only tests that may have one are run. If
// one of them ends the process, they are asked one by one; the error then says which
// could not be, and what others have is given all the same.
func (c *campaign) list(pkg string, tests []string) (found []property, err error) {
	if len(tests) == 0 {
		return nil, nil
	}
	events, err := c.listTests(pkg, tests)
	if err != nil && len(tests) > 1 {
		var errs []error
		events = nil
		for _, t := range tests {
			some, err := c.listTests(pkg, []string{t})
			events, errs = append(events, some...), append(errs, err)
		}
		err = errors.Join(errs...)
		if err == nil {
			err = fmt.Errorf("%s: its tests can be listed one by one only; one ends the process after another", pkg)
		}
		return c.properties(pkg, events), err
	}
	if err == nil && len(events) == 0 {
		fmt.Fprintf(c.stderr, "allele test: %s has %s with allele.Check in the source, and none came to it: are they skipped, or does TestMain not run them?\n", pkg, count(len(tests), "test"))
	}
	return c.properties(pkg, events), err
}

// listTests asks some tests for their properties.
func (c *campaign) listTests(pkg string, tests []string) ([]event.Event, error) {
	p := property{Package: pkg, Dir: c.folder(pkg)}
	d, events, err := c.exec(p, proc.Config{Job: &job.Job{Mode: job.List}, Idle: listMost, Args: []string{"-test.run=^(" + strings.Join(tests, "|") + ")$"}})
	if err != nil {
		return nil, err
	}
	if d.Code != 0 {
		return events, fmt.Errorf("%s, %s: %s\n%s", pkg, strings.Join(tests, ", "), d.Text, strings.TrimSpace(d.Out+d.Err+d.Stack))
	}
	return events, nil
}

// properties are those that were told of and asked for, in order: parallel tests tell
// in any.
func (c *campaign) properties(pkg string, events []event.Event) (found []property) {
	match := regexp.MustCompile(c.run)
	slices.SortStableFunc(events, func(a, b event.Event) int { return strings.Compare(a.Property, b.Property) })
	for _, e := range events {
		p := property{Package: pkg, Dir: c.folder(pkg), Name: e.Property, Test: e.Test}
		if match.MatchString(e.Property) && !slices.Contains(found, p) {
			found = append(found, p)
		}
	}
	return found
}

// goOn says what was not done, and how to.
func (c *campaign) goOn(left int) string {
	text := fmt.Sprintf("stopped; %s not tried", properties(left))
	if c.seed == nil && !c.anew {
		text += "\nwhat was kept is kept: the same command goes on from here"
	}
	return text
}
