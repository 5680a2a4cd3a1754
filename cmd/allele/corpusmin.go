package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/allele-go/allele/internal/ops/campaign"
	"github.com/allele-go/allele/internal/ops/corpus"
	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/job"
)

// minimiser is allele corpus min.
type minimiser struct {
	*cases
	program
	limitFlags
	match      *regexp.Regexp // names of properties
	supervisor *campaign.Supervisor
}

// min keeps as few cases as show the same: a test binary runs them all and reports
// which are not needed.
func (c *cases) min(args []string) (err error) {
	m := &minimiser{cases: c, program: program{stderr: c.stderr}}
	defer m.close()
	f := c.flags("min")
	m.buildFlags.register(f)
	m.limitFlags.register(f)
	pattern := f.String("run", "", "only properties whose name matches this `pattern`")
	if err := f.Parse(args); err != nil {
		return err
	}
	if m.match, err = regexp.Compile(*pattern); err != nil {
		return fmt.Errorf("-run: %w", err)
	}
	if err := m.check(); err != nil {
		return err
	}
	m.choose(f.Args())
	if err := m.build(); err != nil {
		return err
	}
	defer listen(&m.launcher.All, c.stderr)()
	m.supervisor = m.program.supervisor(m.limits, false)
	return m.all()
}

// all goes from property to property. What goes wrong with one does not keep others
// from being done.
func (m *minimiser) all() error {
	failed, done := false, 0
	for _, t := range m.overlay.Tests {
		props, err := m.program.list(t, m.match)
		if err != nil {
			m.warn("list the properties of %v", err)
			failed = true
		}
		for _, p := range props {
			worked, err := m.one(p)
			if errors.Is(err, campaign.ErrStopped) {
				return fmt.Errorf("%s and what comes behind it stay as they are: %w", p, err)
			}
			if err != nil {
				m.warn("%s stays as it is: %v", p, err)
				failed = true
			}
			if worked {
				done++
			}
		}
	}
	if patterns := strings.Join(m.patterns, " "); done == 0 && !failed {
		fmt.Fprintf(m.stdout, "nothing is kept for the properties of %s; go tool allele test %s keeps what shows something new\n",
			patterns, patterns)
	}
	if failed {
		return errFailed
	}
	return nil
}

// one reports false if nothing is kept for a property.
func (m *minimiser) one(p property) (worked bool, err error) {
	folder := corpus.Folder(m.root, p.Package, p.Name)
	before, err := corpus.Read(folder)
	if err != nil || len(before.Entries) == 0 {
		return false, err
	}
	events, crashers, err := m.supervisor.Reduce(p, job.Reduce, folder)
	if err != nil {
		return false, err
	}
	drop, notes := findings(p, events, crashers)
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
	fmt.Fprintf(m.stdout, "%-40s %9s -> %s cases\n", p, group(len(before.Entries)), group(len(after.Entries)))
	for _, n := range notes {
		fmt.Fprintf(m.stdout, "    %s\n", printable(n))
	}
	return true, nil
}

// findings are the cases that are not needed, and what a person should know of others.
func findings(p property, events []event.Event, crashers []campaign.Crasher) (drop map[string]bool, notes []string) {
	drop = map[string]bool{}
	command := fmt.Sprintf("go tool allele test -run '^%s$' %s", regexp.QuoteMeta(p.Name), p.Package)
	misfits := 0
	for _, e := range events {
		switch e.Kind {
		case event.Dropped:
			drop[e.Case] = true
			if e.Misfit {
				misfits++
			}
		case event.Found:
			notes = append(notes, fmt.Sprintf("%s fails now and stays; %s shows it", e.Case, command))
		}
	}
	for _, c := range crashers {
		notes = append(notes, fmt.Sprintf("%s ended its process (%s) and stays; %s looks into it", c.Name, c.How, command))
	}
	if misfits > 0 {
		notes = append(notes, count(misfits, "case")+" did not fit the type any more")
	}
	return drop, notes
}
