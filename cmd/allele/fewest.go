package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/ops/proc"
)

// skipped is a kept case that ended the process it was run in.
type skipped struct {
	name string // its ID, or its file
	how  string
}

// fewest has a test binary run all kept cases of a property once more, in the mode
// min or save, and gives what it tells. A case that ends its process is not run in
// the next one.
func (c *campaign) fewest(p property, mode job.Mode, folder string) (events []event.Event, ended []skipped, err error) {
	for range restartsMax {
		slot, err := c.slot(folder)
		if err != nil {
			return nil, ended, err
		}
		j := c.workJob(mode, p)
		j.Corpus = folder
		for _, s := range ended {
			j.Skip = append(j.Skip, s.name)
		}
		d, events, err := c.process(p, proc.Config{Slot: slot, Job: j, Env: onOne()})
		slot.Remove() // the case stays where it is, and the next search looks into it
		if err != nil {
			return nil, ended, err
		}
		if len(events) > 0 {
			switch last := events[len(events)-1]; {
			case last.Kind == event.Finished || last.Kind == event.Saved:
				return events, ended, nil
			case c.stopped():
				return nil, ended, errStopped
			case last.Kind == event.Progress && d.Running:
				ended = append(ended, skipped{last.Case, d.Text})
				continue
			}
		}
		return nil, ended, fmt.Errorf("its process ended (%s) before all kept inputs were run\n%s", d.Text, strings.TrimSpace(d.Out+d.Err+d.Stack))
	}
	return nil, ended, fmt.Errorf("%d kept inputs ended their processes; allele test -run '%s' looks into them", len(ended), p.Name)
}

var errStopped = errors.New("somebody stopped it")

// save has passing inputs of a property written to its package, if it did not
// fail. One that is vacuous has hardly any, which is why they are wanted.
func (c *campaign) save(p property, r result) {
	if r.failed && r.Verdict != event.Vacuous || c.stopped() {
		if c.stopped() {
			c.note(p, "-save: nothing was saved, because somebody stopped the search; the same command goes on from here")
		}
		return
	}
	folder, err := c.folderOf(p)
	if err == nil {
		err = c.saveIn(p, folder)
	}
	if err != nil {
		c.note(p, "-save: nothing was saved: %v", err)
	}
}

func (c *campaign) saveIn(p property, folder string) error {
	events, ended, err := c.fewest(p, job.Save, folder)
	if err != nil {
		return err
	}
	for _, s := range ended {
		c.note(p, "-save: kept input %s ended its process (%s) and was left out; the same command looks into it", s.name, s.how)
	}
	e := events[len(events)-1]
	if e.Unkept != "" {
		return errors.New(e.Unkept)
	}
	e.Case = c.relative(filepath.Join(p.Dir, e.Case))
	e.Text = savedText(e)
	c.tell(p, e)
	return nil
}

func passing(n int) string {
	if n == 1 {
		return "1 input that passes"
	}
	return group(n) + " inputs that pass"
}

// savedText says what was saved.
func savedText(e event.Event) string {
	var b strings.Builder
	switch {
	case e.Passed > 0:
		fmt.Fprintf(&b, "saved %s in %s, for go test to begin with", passing(e.Passed), e.Case)
	default:
		b.WriteString("nothing to save: no input that was kept passes")
	}
	if e.Removed > 0 {
		fmt.Fprintf(&b, "; removed %s", count(e.Removed, "older one"))
	}
	if e.Unreadable > 0 {
		fmt.Fprintf(&b, "\n    left out %s that go test could not read: it does not look for variants of interfaces in the source; declare them with allele.Variants", count(e.Unreadable, "input"))
	}
	return b.String()
}
