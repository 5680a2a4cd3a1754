//go:build go1.25

package main

import (
	"errors"
	"flag"
	"fmt"
	"strings"

	"github.com/allele-go/allele/internal/campaign"
	"github.com/allele-go/allele/internal/proc/launch"
	"github.com/allele-go/allele/internal/score"
	"github.com/allele-go/allele/internal/score/members"
	"github.com/allele-go/allele/internal/source/build"
	"github.com/allele-go/allele/internal/store/corpora"
	"github.com/allele-go/allele/internal/store/corpus"
	"github.com/allele-go/allele/internal/testbin"
	"github.com/allele-go/allele/internal/testbin/list"
	"github.com/allele-go/allele/internal/words"
)

// minimiser is the state of allele corpus min.
type minimiser struct {
	testbin.Program
	lister list.Lister
	limitFlags
	killFlags
	corpora  *corpora.Set
	campaign campaign.Minimiser
	names    map[string]string // package -> its name in the output
}

// corpusMin sets up allele corpus min, which removes saved inputs that add nothing to the others.
func corpusMin(f *flagSet) action {
	m := &minimiser{}
	m.lister.Program = &m.Program
	buildFlags(f, &m.Settings)
	suitesFlag(f, &m.lister.Suites)
	m.limitFlags.register(f.FlagSet)
	m.killFlags.register(f.FlagSet)
	pattern := runFlag(f)
	return func(c *call) (err error) {
		if m.corpora, err = userCorpora(c); err != nil {
			return err
		}
		m.Stderr = c.stderr
		if err := choose(&m.Settings, c.Args(), *pattern); err != nil {
			return err
		}
		if err := errors.Join(m.limitFlags.check(f), m.killFlags.check()); err != nil {
			return err
		}
		return m.minimise()
	}
}

// minimise builds the tests, and minimises the corpora of all their properties.
func (m *minimiser) minimise() error {
	defer m.Close()
	m.Faults = m.killFlags.faulty()
	if err := m.Build(); err != nil {
		return err
	}
	if m.Faults != nil && len(m.Overlay.Faults) == 0 {
		return errNoFaults("-by faults")
	}
	defer listen(&m.Launcher.All, m.Stderr, stopping)()
	m.campaign = campaign.Minimiser{Supervisor: supervisor(&m.Program, m.limitFlags, false), Save: m.save}
	if m.Faults != nil {
		m.campaign.Kills = m.kills
	}
	return m.each()
}

// each minimises the corpora of all properties. An error in one property does not stop the
// others.
func (m *minimiser) each() error {
	warnBroken(m.Stderr, m.Overlay.Broken)
	failed, done := len(m.Overlay.Broken) > 0, 0
	var packages []string
	for _, t := range m.Overlay.Tests {
		packages = append(packages, t.Path)
	}
	m.names = words.PackageNames(packages)
	for _, t := range m.Overlay.Tests {
		props, err := m.lister.List(t)
		if err != nil {
			m.corpora.Warn("cannot list the properties of %v", err)
			failed = true
		}
		for _, p := range props {
			worked, err := m.one(p)
			if errors.Is(err, campaign.ErrStopped) {
				return fmt.Errorf("the saved inputs of %s and of the properties after it are unchanged: %w", p, err)
			}
			if err != nil {
				m.corpora.Warn("the saved inputs of %s are unchanged: %v", p, err)
				failed = true
			}
			if worked {
				done++
			}
		}
	}
	if patterns := strings.Join(m.Patterns, " "); done == 0 && !failed {
		fmt.Fprintf(m.corpora.Out, "no saved inputs for the properties of %s; to save some, run: %s%s\n",
			patterns, m.campaign.Commands.Test, patterns)
	}
	if failed {
		return errFailed
	}
	return nil
}

// one minimises the corpus of a property. It returns false if there are no saved inputs.
func (m *minimiser) one(p launch.Property) (worked bool, err error) {
	r, err := m.campaign.Minimise(p, corpus.Folder(m.corpora.Root, p.Package, p.Name))
	if err != nil || r.Before == 0 {
		return false, err
	}
	fmt.Fprintf(m.corpora.Out, "%-40s %9s -> %s inputs\n", m.names[p.Package]+"."+p.Name, words.Group(r.Before), words.Group(r.After))
	for _, n := range r.Notes {
		fmt.Fprintf(m.corpora.Out, "    %s\n", words.Printable(n))
	}
	return true, nil
}

// killFlags are the flags of allele corpus min that are about faults.
type killFlags struct {
	by   string
	of   string
	save bool
}

func (k *killFlags) register(f *flag.FlagSet) {
	f.StringVar(&k.by, "by", "paths", "which inputs are needed: the `kind` is paths, for a few that take all paths, or faults, "+
		"for a few that notice all faults that any saved input notices; a fault is a small change of the code")
	f.StringVar(&k.of, "of", "", "with -by faults, put faults into these packages instead of those that are tested: "+
		"a comma-separated `list` of import paths; x/... is x and all packages below it")
	f.BoolVar(&k.save, "save", false, "with -by faults, also write the needed inputs to testdata, for go test to run")
}

func (k *killFlags) check() error {
	switch {
	case k.by != "paths" && k.by != "faults":
		return fmt.Errorf("-by: want paths or faults, not %q", k.by)
	case k.save && k.by != "faults":
		return errors.New("-save: only with -by faults; to save inputs that take all paths, use allele test -save")
	case k.of != "" && k.by != "faults":
		return errors.New("-of: only -by faults uses faults; add that flag")
	}
	return nil
}

// faulty returns which packages get faults, or nil if paths decide.
func (k *killFlags) faulty() *build.Faults {
	if k.by != "faults" {
		return nil
	}
	return &build.Faults{Of: commaList(k.of)}
}

// kills finds out which inputs of a property kill which faults.
func (m *minimiser) kills(p launch.Property, folder string) (file, note string, err error) {
	found, err := members.KilledBy(&m.Program, p, folder, m.campaign.Limits)
	if errors.Is(err, score.ErrStopped) {
		err = campaign.ErrStopped
	}
	return found.File, fmt.Sprintf("the inputs kill %s of %s", words.Group(found.Killed), words.Count(found.Judged, "fault")), err
}
