package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/allele-go/allele/internal/ops/corpus"
	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/job"
)

// min keeps as few cases as show the same: a test binary runs them all and says
// which are not needed.
func (c *cases) min(args []string) error {
	camp := &campaign{stdout: c.stdout, stderr: c.stderr}
	defer camp.removeTemp()
	f := c.flags("min")
	camp.buildFlags(f)
	memory := camp.limitFlags(f)
	f.StringVar(&camp.run, "run", "", "only properties whose name matches this `pattern`")
	if err := f.Parse(args); err != nil {
		return err
	}
	if _, err := regexp.Compile(camp.run); err != nil {
		return fmt.Errorf("-run: %w", err)
	}
	if err := camp.parseNumbers(*memory); err != nil {
		return err
	}
	if camp.patterns = f.Args(); len(camp.patterns) == 0 {
		camp.patterns = []string{"."}
	}
	camp.goFlags()
	if err := camp.build(); err != nil {
		return err
	}
	defer camp.listen()()
	return c.minAll(camp)
}

// minAll goes from property to property. What goes wrong with one does not keep
// others from being done.
func (c *cases) minAll(camp *campaign) error {
	failed, done := false, 0
	for _, t := range camp.overlay.Tests {
		props, err := camp.list(t.Path, t.Names)
		if err != nil {
			c.warn("list the properties of %v", err)
			failed = true
		}
		for _, p := range props {
			worked, err := c.minOne(camp, p)
			if errors.Is(err, errStopped) {
				return fmt.Errorf("%s and what comes behind it stay as they are: %w", p, err)
			}
			if err != nil {
				c.warn("%s stays as it is: %v", p, err)
				failed = true
			}
			if worked {
				done++
			}
		}
	}
	if done == 0 && !failed {
		fmt.Fprintf(c.stdout, "nothing is kept for the properties of %s; go tool allele test %s keeps what shows something new\n", strings.Join(camp.patterns, " "), strings.Join(camp.patterns, " "))
	}
	if failed {
		return errFailed
	}
	return nil
}

// minOne reports false if nothing is kept for a property.
func (c *cases) minOne(camp *campaign, p property) (worked bool, err error) {
	folder := corpus.Folder(c.root, p.Package, p.Name)
	before, err := corpus.Read(folder)
	if err != nil || len(before.Entries) == 0 {
		return false, err
	}
	events, ended, err := camp.fewest(p, job.Reduce, folder)
	if err != nil {
		return false, err
	}
	drop, notes := map[string]bool{}, []string(nil)
	misfits := 0
	for _, e := range events {
		switch e.Kind {
		case event.Dropped:
			drop[e.Case] = true
			if e.Misfit {
				misfits++
			}
		case event.Found:
			notes = append(notes, fmt.Sprintf("%s fails now and stays; go tool allele test -run '^%s$' %s shows it", e.Case, regexp.QuoteMeta(p.Name), p.Package))
		}
	}
	for _, s := range ended {
		notes = append(notes, fmt.Sprintf("%s ended its process (%s) and stays; go tool allele test -run '^%s$' %s looks into it", s.name, s.how, regexp.QuoteMeta(p.Name), p.Package))
	}
	if misfits > 0 {
		notes = append(notes, count(misfits, "case")+" did not fit the type any more")
	}
	if err := corpus.Compact(folder, func(e corpus.Entry) bool { return !drop[e.ID()] }); err != nil {
		return false, err
	}
	after, err := corpus.Read(folder)
	if err != nil {
		return false, err
	}
	if len(after.Entries) > len(before.Entries)-len(drop) {
		notes = append(notes, "somebody else is writing to it, so some stay that are not needed; do it again later")
	}
	fmt.Fprintf(c.stdout, "%-40s %9s -> %s cases\n", p, group(len(before.Entries)), group(len(after.Entries)))
	for _, n := range notes {
		fmt.Fprintf(c.stdout, "    %s\n", printable(n))
	}
	return true, nil
}
