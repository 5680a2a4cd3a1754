//go:build go1.25

package campaign

import (
	"fmt"
	"path/filepath"
	"regexp"

	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/store/corpus"
	"github.com/allele-go/allele/internal/words"
)

// Minimiser removes saved inputs that add nothing to the others. A test binary runs all saved
// inputs and reports which are not needed.
type Minimiser struct {
	*Supervisor
	// Kills writes to a file which inputs of a property kill which faults, and returns a note about
	// it. If it is nil, paths decide which inputs are needed.
	Kills func(p Property, folder string) (file, note string, err error)
	Save  bool // also write the needed inputs to testdata
}

// Minimised is what became of a corpus.
type Minimised struct {
	Before, After int // inputs
	Notes         []string
}

// Minimise minimises the corpus of a property, in a folder.
func (m *Minimiser) Minimise(p Property, folder string) (r Minimised, err error) {
	before, err := corpus.Read(folder)
	if err != nil || len(before.Entries) == 0 {
		return r, err
	}
	with, killed := Reduction{Folder: folder}, []string(nil)
	if m.Kills != nil {
		killed = make([]string, 1)
		if with.Kills, killed[0], err = m.Kills(p, folder); err != nil {
			return r, err
		}
	}
	events, crashers, err := m.Reduce(p, job.Reduce, with)
	if err != nil {
		return r, err
	}
	drop, notes := findings(p, m.Commands.Test, events, crashers)
	saved, err := m.saveCases(p, with)
	if err != nil {
		return r, err
	}
	notes = append(append(notes, killed...), saved...)
	if err := corpus.Compact(folder, func(e corpus.Entry) bool { return !drop[e.ID()] }); err != nil {
		return r, err
	}
	after, err := corpus.Read(folder)
	if err != nil {
		return r, err
	}
	if len(after.Entries) > len(before.Entries)-len(drop) {
		notes = append(notes, "another process is writing to this corpus, so some inputs that are not needed remain; "+
			"run the command again later")
	}
	return Minimised{len(before.Entries), len(after.Entries), notes}, nil
}

// findings returns the IDs of the inputs that are not needed, and notes for the user.
func findings(p Property, test string, events []event.Event, crashers []Crasher) (drop map[string]bool, notes []string) {
	drop = map[string]bool{}
	command := fmt.Sprintf("%s-run '^%s$' %s", test, regexp.QuoteMeta(p.Name), p.Package)
	misfits := 0
	for _, e := range events {
		switch b := e.Body.(type) {
		case event.Dropped:
			drop[b.Case] = true
			if b.Misfit {
				misfits++
			}
		case event.Found:
			notes = append(notes, fmt.Sprintf("%s fails now and is kept; to see the failure, run: %s", b.Case, command))
		}
	}
	for _, c := range crashers {
		notes = append(notes, fmt.Sprintf("%s crashed its process (%s) and is kept; to confirm it, run: %s", c.Name, c.How, command))
	}
	if misfits > 0 {
		notes = append(notes, words.Count(misfits, "input")+" did not fit the type any more")
	}
	return drop, notes
}

// saveCases writes the needed inputs of a property to testdata, with -save.
func (m *Minimiser) saveCases(p Property, with Reduction) (notes []string, err error) {
	if !m.Save {
		return nil, nil
	}
	events, crashers, err := m.Reduce(p, job.Save, with)
	if err != nil {
		return nil, err
	}
	for _, c := range crashers {
		notes = append(notes, fmt.Sprintf("%s crashed its process (%s) and was not written to testdata", c.Name, c.How))
	}
	e, ok := events[len(events)-1].Body.(event.Saved)
	if !ok || e.Error != "" {
		return nil, fmt.Errorf("cannot write to testdata: %s", e.Error)
	}
	return append(notes, fmt.Sprintf("%s: %s", filepath.Join(p.Dir, e.Folder), words.Count(e.Inputs, "input"))), nil
}
