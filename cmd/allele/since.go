package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/ops/change"
	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/source/load"
)

// affected is what -since is about: which properties a change may matter to, by what
// each has reached when it was last run. That is kept whether -since is given or not.
type affected struct {
	rev     string
	began   time.Time // the build, which saw the source
	listing *load.Listing
	tree    *change.Tree
	off     string // why nothing is kept of what was reached
	needs   map[string][]change.Part
	why     []decided
}

// decided is a property with what was decided of it.
type decided struct {
	property
	change.Decision
}

// checkSince looks for the revision before anything is built.
func (c *campaign) checkSince() error {
	if c.affected.rev == "" {
		return nil
	}
	if err := change.Check(c.affected.rev, c.dir); err != nil {
		return fmt.Errorf("-since: %w", err)
	}
	return nil
}

// choose gives the properties to run: all, or with -since those that a change may
// matter to.
func (c *campaign) choose(props []property) (chosen []property, err error) {
	a := &c.affected
	if a.rev == "" || len(props) == 0 {
		return props, nil
	}
	if err := c.loadTree(); err != nil {
		return nil, fmt.Errorf("-since: %w", err)
	}
	diff, err := change.Since(a.rev, c.dir, a.tree)
	if err != nil {
		return nil, fmt.Errorf("-since: %w", err)
	}
	for _, p := range props {
		folder, err := c.folderOf(p)
		if err != nil {
			return nil, err
		}
		d := diff.Decide(c.needsOf(p), change.Read(folder), c.builtAs())
		if d.Run {
			chosen = append(chosen, p)
		}
		a.why = append(a.why, decided{p, d})
	}
	return chosen, nil
}

// builtAs is what must be the same for two builds of one source to be the same
// program.
func (c *campaign) builtAs() string {
	return strings.Join(append([]string{"-scope=" + c.scope}, c.flags...), " ")
}

// needsOf is a property with what its test is built from.
func (c *campaign) needsOf(p property) change.Property {
	return change.Property{Package: p.Package, Name: p.Name, Test: p.Test, Parts: c.affected.needs[p.Package]}
}

// loadTree reads the source that was built.
func (c *campaign) loadTree() (err error) {
	a := &c.affected
	if a.tree != nil {
		return nil
	}
	a.needs = map[string][]change.Part{}
	var parts []change.Part
	for _, t := range c.overlay.Tests {
		for _, n := range a.listing.Needs(t.Path) {
			a.needs[t.Path] = append(a.needs[t.Path], change.Part(n))
		}
		parts = append(parts, a.needs[t.Path]...)
	}
	tags := strings.FieldsFunc(c.tags, func(r rune) bool { return r == ',' || r == ' ' })
	if c.race {
		tags = append(tags, "race")
	}
	a.tree, err = change.Load(parts, c.overlay.Sites, tags)
	return err
}

// remember keeps what a property has reached, for a later -since.
func (c *campaign) remember(p property, r result) {
	a := &c.affected
	if a.off != "" || r.Verdict == event.Aborted || c.stopped() && !r.failed {
		return // it was not run long enough to tell
	}
	err := c.loadTree()
	if err == nil && a.tree.Newest().After(a.began) {
		err = errors.New("files have changed since it was built")
	}
	folder, folderErr := c.folderOf(p)
	if err = errors.Join(err, folderErr); err == nil {
		var sites []site.Site
		for _, id := range append(r.Sites, r.Before...) {
			if s, ok := c.sites[id]; ok {
				sites = append(sites, s)
			}
		}
		seen := change.Reached{Sites: sites, Whole: !r.Partial, Passed: !r.failed, Build: c.builtAs()}
		err = a.tree.Record(c.needsOf(p), seen, change.Read(folder)).Write(folder)
	}
	if err != nil {
		a.off = err.Error()
		c.note(p, "what it and others reach is not kept, so -since will run them: %v", err)
	}
}

// whole is the last of the events that a process told, with the sites of those
// before it that had to be told apart.
func whole(events []event.Event) event.Event {
	last := events[len(events)-1]
	var sites []uint32
	for _, e := range events[:len(events)-1] {
		if e.Kind == event.Reached {
			sites = append(sites, e.Sites...)
		}
	}
	last.Sites = append(sites, last.Sites...)
	return last
}

// tellChosen says what -since has chosen, and why.
func (c *campaign) tellChosen(run int) {
	a := &c.affected
	if len(a.why) == 0 {
		return
	}
	for _, d := range a.why {
		if d.Run {
			c.tell(d.property, event.Event{Kind: event.Chosen, Why: d.Why})
		} else {
			c.tell(d.property, event.Event{Kind: event.Skipped, Why: "nothing it reaches has changed since " + a.rev})
		}
	}
	skipped := len(a.why) - run
	switch {
	case run == 0:
		c.tell(property{}, event.Event{Kind: event.Stopped, Text: fmt.Sprintf("nothing to run: no property reaches anything that has changed since %s; without -since %s would run", a.rev, properties(skipped))})
	case skipped > 0:
		c.tell(property{}, event.Event{Kind: event.Skipped, Text: fmt.Sprintf("skipped %s: nothing %s has changed since %s%s", properties(skipped), theyReach(skipped), a.rev, c.more("; -v names "+them(skipped)))})
	}
}

func (c *campaign) more(hint string) string {
	if c.verbose {
		return ""
	}
	return hint
}

func theyReach(n int) string {
	if n == 1 {
		return "it reaches"
	}
	return "they reach"
}

func them(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}
