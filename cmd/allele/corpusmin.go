//go:build go1.25

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
	"github.com/allele-go/allele/internal/ops/words"
)

// minimiser is the state of allele corpus min.
type minimiser struct {
	*cases
	program
	limitFlags
	killFlags
	supervisor *campaign.Supervisor
	names      map[string]string // package -> its name in the output
}

// min removes saved inputs that add nothing to the others. A test binary runs all saved
// inputs and reports which are not needed.
func (c *cases) min(args []string) (err error) {
	m := &minimiser{cases: c, program: program{stderr: c.stderr}}
	defer m.close()
	f := c.flags("min")
	m.buildFlags.register(f.FlagSet)
	m.buildFlags.registerSuites(f.FlagSet)
	m.limitFlags.register(f.FlagSet)
	m.killFlags.register(f.FlagSet)
	pattern := f.String("run", "", "only properties whose name matches this `pattern`")
	if err := f.parse(args); err != nil {
		return err
	}
	if err := m.choosePattern(*pattern); err != nil {
		return err
	}
	if err := errors.Join(m.limitFlags.check(f), m.killFlags.check()); err != nil {
		return err
	}
	m.choose(f.Args())
	m.program.faults = m.killFlags.faulty()
	if err := m.build(); err != nil {
		return err
	}
	if m.faults != nil && len(m.overlay.Faults) == 0 {
		return errNoFaults("-by faults")
	}
	defer listen(&m.launcher.All, c.stderr, stopping)()
	m.supervisor = m.program.supervisor(m.limitFlags, false)
	return m.all()
}

// all minimises the corpora of all properties. An error in one property does not stop the
// others.
func (m *minimiser) all() error {
	warnBroken(m.program.stderr, m.overlay.Broken)
	failed, done := len(m.overlay.Broken) > 0, 0
	var packages []string
	for _, t := range m.overlay.Tests {
		packages = append(packages, t.Path)
	}
	m.names = words.PackageNames(packages)
	for _, t := range m.overlay.Tests {
		props, err := m.program.list(t)
		if err != nil {
			m.warn("cannot list the properties of %v", err)
			failed = true
		}
		for _, p := range props {
			worked, err := m.one(p)
			if errors.Is(err, campaign.ErrStopped) {
				return fmt.Errorf("the saved inputs of %s and of the properties after it are unchanged: %w", p, err)
			}
			if err != nil {
				m.warn("the saved inputs of %s are unchanged: %v", p, err)
				failed = true
			}
			if worked {
				done++
			}
		}
	}
	if patterns := strings.Join(m.patterns, " "); done == 0 && !failed {
		fmt.Fprintf(m.stdout, "no saved inputs for the properties of %s; to save some, run: %s%s\n",
			patterns, m.supervisor.Commands.Test, patterns)
	}
	if failed {
		return errFailed
	}
	return nil
}

// one minimises the corpus of a property. It returns false if there are no saved inputs.
func (m *minimiser) one(p property) (worked bool, err error) {
	folder := corpus.Folder(m.root, p.Package, p.Name)
	before, err := corpus.Read(folder)
	if err != nil || len(before.Entries) == 0 {
		return false, err
	}
	with, killed, err := m.kills(p, folder)
	if err != nil {
		return false, err
	}
	events, crashers, err := m.supervisor.Reduce(p, job.Reduce, with)
	if err != nil {
		return false, err
	}
	drop, notes := findings(p, m.supervisor.Commands.Test, events, crashers)
	saved, err := m.saveCases(p, with)
	if err != nil {
		return false, err
	}
	notes = append(append(notes, killed...), saved...)
	if err := corpus.Compact(folder, func(e corpus.Entry) bool { return !drop[e.ID()] }); err != nil {
		return false, err
	}
	after, err := corpus.Read(folder)
	if err != nil {
		return false, err
	}
	if len(after.Entries) > len(before.Entries)-len(drop) {
		notes = append(notes, "another process is writing to this corpus, so some inputs that are not needed remain; "+
			"run the command again later")
	}
	fmt.Fprintf(m.stdout, "%-40s %9s -> %s inputs\n", m.names[p.Package]+"."+p.Name, group(len(before.Entries)), group(len(after.Entries)))
	for _, n := range notes {
		fmt.Fprintf(m.stdout, "    %s\n", printable(n))
	}
	return true, nil
}

// findings returns the IDs of the inputs that are not needed, and notes for the user.
func findings(p property, test string, events []event.Event, crashers []campaign.Crasher) (drop map[string]bool, notes []string) {
	drop = map[string]bool{}
	command := fmt.Sprintf("%s-run '^%s$' %s", test, regexp.QuoteMeta(p.Name), p.Package)
	misfits := 0
	for _, e := range events {
		switch e.Kind {
		case event.Dropped:
			drop[e.Case] = true
			if e.Misfit {
				misfits++
			}
		case event.Found:
			notes = append(notes, fmt.Sprintf("%s fails now and is kept; to see the failure, run: %s", e.Case, command))
		}
	}
	for _, c := range crashers {
		notes = append(notes, fmt.Sprintf("%s crashed its process (%s) and is kept; to confirm it, run: %s", c.Name, c.How, command))
	}
	if misfits > 0 {
		notes = append(notes, count(misfits, "input")+" did not fit the type any more")
	}
	return drop, notes
}
