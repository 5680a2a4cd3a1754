//go:build go1.25

package campaign

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/proc/launch"
)

// Crasher is a saved input that crashed the process it was run in.
type Crasher struct {
	Name string // its ID, or its file
	How  string // how the process died
}

// ErrStopped is returned by Reduce if the processes were asked to stop.
var ErrStopped = errors.New("stopped by a signal")

// Reduction is which saved inputs are needed, and where they are.
type Reduction struct {
	Folder string // of the corpus
	Kills  string // file with the faults that each input kills; empty if paths decide
}

// Reduce runs all saved inputs of a property again in a test binary, in the mode
// job.Reduce or job.Save, and returns the events. If an input crashes the process, Reduce
// starts another process that skips this input.
func (s *Supervisor) Reduce(p Property, mode job.Mode, with Reduction) (events []event.Event, crashers []Crasher, err error) {
	for range restartsMax {
		d, events, err := s.reduceOnce(p, mode, with, crashers)
		if err != nil {
			return nil, crashers, err
		}
		if len(events) > 0 {
			switch last := events[len(events)-1].Body.(type) {
			case event.Finished, event.Saved:
				return events, crashers, nil
			case event.Rerun:
				if d.Running && !s.stopped() {
					crashers = append(crashers, Crasher{last.Case, d.Text})
					continue
				}
			}
			if s.stopped() {
				return nil, crashers, ErrStopped
			}
		}
		return nil, crashers, fmt.Errorf("the test process exited (%s) before all saved inputs were run\n%s",
			d.Text, strings.TrimSpace(d.Out+d.Err+d.Stack))
	}
	return nil, crashers, fmt.Errorf("%d saved inputs crashed their processes; run allele test -run '%s' to confirm them",
		len(crashers), p.Name)
}

func (s *Supervisor) reduceOnce(p Property, mode job.Mode, with Reduction, crashers []Crasher) (proc.Death, []event.Event, error) {
	slot, err := s.slot(with.Folder)
	if err != nil {
		return proc.Death{}, nil, err
	}
	defer slot.Remove() // the input stays in the corpus, and the next search confirms it
	j := s.job(mode, p)
	j.Corpus, j.Text.Request = with.Folder, with.Kills
	for _, c := range crashers {
		j.Skip = append(j.Skip, c.Name)
	}
	return s.process(launch.Task{Property: p, Config: proc.Config{Slot: slot, Job: j, Env: onOneCPU()}})
}

// save writes passing inputs to testdata in the package of a property, unless the
// property failed. A vacuous property counts as failed, but save writes its inputs too:
// passing inputs are rare there, so they are useful.
func (c *Campaign) save(p Property, r Result) {
	if r.Failed && r.Verdict != event.Vacuous || c.stopped() {
		if c.stopped() {
			c.note(p, "-save: nothing was saved, because the search was stopped; run the same command again to continue")
		}
		return
	}
	folder, err := Folder(c.Corpus, p)
	if err == nil {
		err = c.saveIn(p, folder)
	}
	if err != nil {
		c.note(p, "-save: nothing was saved: %v", err)
	}
}

func (c *Campaign) saveIn(p Property, folder string) error {
	events, crashers, err := c.Reduce(p, job.Save, Reduction{Folder: folder})
	if err != nil {
		return err
	}
	for _, x := range crashers {
		c.note(p, "-save: saved input %s crashed its process (%s) and was left out; run the same command again to confirm it",
			x.Name, x.How)
	}
	e, ok := events[len(events)-1].Body.(event.Saved)
	if !ok {
		return errors.New("the test process reported no files")
	}
	if e.Error != "" {
		return errors.New(e.Error)
	}
	e.Folder = filepath.Join(p.Dir, e.Folder)
	c.report(p, e)
	return nil
}
