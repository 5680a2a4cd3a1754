package campaign

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/ops/launch"
	"github.com/allele-go/allele/internal/ops/proc"
)

// Crasher is a saved input that ended the process it was run in.
type Crasher struct {
	Name string // its ID, or its file
	How  string // what was said of the end
}

// ErrStopped is the error of Reduce if the processes were asked to stop.
var ErrStopped = errors.New("somebody stopped it")

// Reduce has a test binary run all saved inputs of a property again, in the mode
// job.Reduce or job.Save, and returns its events. An input that ends its process is
// not run in the next one.
func (s *Supervisor) Reduce(p Property, mode job.Mode, folder string) (events []event.Event, crashers []Crasher, err error) {
	for range restartsMax {
		d, events, err := s.reduceOnce(p, mode, folder, crashers)
		if err != nil {
			return nil, crashers, err
		}
		if len(events) > 0 {
			switch last := events[len(events)-1]; {
			case last.Kind == event.Finished || last.Kind == event.Saved:
				return events, crashers, nil
			case s.stopped():
				return nil, crashers, ErrStopped
			case last.Kind == event.Progress && d.Running:
				crashers = append(crashers, Crasher{last.Case, d.Text})
				continue
			}
		}
		return nil, crashers, fmt.Errorf("its process ended (%s) before all kept inputs were run\n%s",
			d.Text, strings.TrimSpace(d.Out+d.Err+d.Stack))
	}
	return nil, crashers, fmt.Errorf("%d kept inputs ended their processes; allele test -run '%s' looks into them", len(crashers), p.Name)
}

func (s *Supervisor) reduceOnce(p Property, mode job.Mode, folder string, crashers []Crasher) (proc.Death, []event.Event, error) {
	slot, err := s.slot(folder)
	if err != nil {
		return proc.Death{}, nil, err
	}
	defer slot.Remove() // the input stays where it is, and the next search confirms it
	j := s.job(mode, p)
	j.Corpus = folder
	for _, c := range crashers {
		j.Skip = append(j.Skip, c.Name)
	}
	return s.process(launch.Task{Property: p, Config: proc.Config{Slot: slot, Job: j, Env: onOneCPU()}})
}

// save has inputs of a property that pass written to its package, if it did not fail. A
// vacuous one has hardly any, which is why they are wanted.
func (c *Campaign) save(p Property, r Result) {
	if r.Failed && r.Verdict != event.Vacuous || c.stopped() {
		if c.stopped() {
			c.note(p, "-save: nothing was saved, because somebody stopped the search; the same command goes on from here")
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
	events, crashers, err := c.Reduce(p, job.Save, folder)
	if err != nil {
		return err
	}
	for _, x := range crashers {
		c.note(p, "-save: kept input %s ended its process (%s) and was left out; the same command looks into it", x.Name, x.How)
	}
	e := events[len(events)-1]
	if e.Unkept != "" {
		return errors.New(e.Unkept)
	}
	e.Case = filepath.Join(p.Dir, e.Case)
	c.tell(p, e)
	return nil
}
