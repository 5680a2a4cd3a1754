//go:build go1.25

package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/ops/campaign"
	"github.com/allele-go/allele/internal/ops/change"
	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/site"
)

// affected implements -since: it finds the properties that a change may affect, by the
// functions that each property reached in its last run. These functions are recorded in
// every search, with and without -since.
type affected struct {
	*program
	rev    string
	corpus string // folder of the corpora of all properties
	tree   *change.Tree
	needs  map[string][]change.Part // package -> what its test binary is built from
	unsure int                      // tests that were not listed, so nobody knows what their properties reach
	off    bool                     // recording has failed: the error was printed, and nothing more is recorded
	why    []decided
}

// decided is a property with the decision whether to run it.
type decided struct {
	property
	change.Decision
}

// check returns an error if the revision does not exist. It is called before the build.
func (a *affected) check() error {
	if a.rev == "" {
		return nil
	}
	if err := change.Check(a.rev, a.dir); err != nil {
		return fmt.Errorf("-since: %w", err)
	}
	return nil
}

// choose returns the properties to run: all, or with -since those that a change may
// affect.
func (a *affected) choose(props []property) (chosen []property, err error) {
	if a.rev == "" || len(props) == 0 {
		return props, nil
	}
	if err := a.loadTree(); err != nil {
		return nil, fmt.Errorf("-since: %w", err)
	}
	diff, err := change.Since(a.rev, a.dir, a.tree)
	if err != nil {
		return nil, fmt.Errorf("-since: %w", err)
	}
	for _, p := range props {
		folder, err := campaign.Folder(a.corpus, p)
		if err != nil {
			return nil, err
		}
		d := diff.Decide(a.needsOf(p), change.Read(folder), a.builtAs())
		if d.Run {
			chosen = append(chosen, p)
		}
		a.why = append(a.why, decided{p, d})
	}
	return chosen, nil
}

// builtAs returns the settings that must be equal for two builds of the same source to be
// the same program.
func (a *affected) builtAs() string {
	return strings.Join(append([]string{"-scope=" + a.scope}, a.goFlags()...), " ")
}

// needsOf returns a property in the form that package change needs: with the packages
// that its test is built from.
func (a *affected) needsOf(p property) change.Property {
	return change.Property{Package: p.Package, Name: p.Name, Test: p.Test, Parts: a.needs[p.Package]}
}

// loadTree reads the source that was built.
func (a *affected) loadTree() (err error) {
	if a.tree != nil {
		return nil
	}
	a.needs = map[string][]change.Part{}
	var parts []change.Part
	declined := a.declined()
	for _, t := range a.overlay.Tests {
		for _, n := range a.listing.Needs(t.Path) {
			n.Own = n.Own && !declined[n.Path] // without probes, nobody knows what is reached
			a.needs[t.Path] = append(a.needs[t.Path], change.Part(n))
		}
		parts = append(parts, a.needs[t.Path]...)
	}
	tags := strings.FieldsFunc(cmp.Or(a.tags, a.goflags.Tags), func(r rune) bool { return r == ',' || r == ' ' })
	for tag, on := range map[string]bool{"race": a.race, "msan": a.goflags.MSan, "asan": a.goflags.ASan} {
		if on {
			tags = append(tags, tag)
		}
	}
	a.tree, err = change.Load(parts, a.overlay.Sites, tags)
	return err
}

// remember records what a property has reached, for a later -since. After an error, later
// calls record nothing.
func (a *affected) remember(p property, r campaign.Result, sites map[uint32]site.Site) error {
	if a.off {
		return nil
	}
	err := a.record(p, r, sites)
	a.off = err != nil
	return err
}

func (a *affected) record(p property, r campaign.Result, sites map[uint32]site.Site) error {
	err := a.loadTree()
	if err == nil && a.tree.Newest().After(a.began) {
		err = errors.New("files have changed since the build")
	}
	folder, folderErr := campaign.Folder(a.corpus, p)
	if err = errors.Join(err, folderErr); err != nil {
		return err
	}
	seen := change.Reached{Whole: !r.Partial, Passed: !r.Failed, Build: a.builtAs()}
	for _, id := range slices.Concat(r.Sites, r.Before) {
		if s, ok := sites[id]; ok {
			seen.Sites = append(seen.Sites, s)
		}
	}
	return a.tree.Record(a.needsOf(p), seen, change.Read(folder)).Write(folder)
}

// reportChosen reports which properties -since has chosen, and why.
func (t *tester) reportChosen(run int) {
	a := &t.affected
	if len(a.why) == 0 {
		return
	}
	for _, d := range a.why {
		if d.Run {
			t.Report(d.property, event.Event{Kind: event.Chosen, Why: d.Why})
		} else {
			t.Report(d.property, event.Event{Kind: event.Skipped, Why: "nothing it reaches has changed since " + a.rev})
		}
	}
	skipped := len(a.why) - run
	switch {
	case run == 0:
		text := "nothing to run: no property"
		if a.unsure > 0 {
			text = fmt.Sprintf("nothing was run: except for %s not listed, see above, no property", count(a.unsure, "test"))
		}
		t.Report(property{}, event.Event{Kind: event.Stopped, Text: fmt.Sprintf(text+
			" reaches code that has changed since %s; without -since %s would run", a.rev, properties(skipped))})
	case skipped > 0:
		text := fmt.Sprintf("skipped %s: nothing %s has changed since %s", properties(skipped), theyReach(skipped), a.rev)
		if !t.verbose {
			text += "; -v lists " + them(skipped)
		}
		t.Report(property{}, event.Event{Kind: event.Skipped, Text: text})
	}
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

// declined returns the packages that have no probes, or whose external tests have none.
func (a *affected) declined() map[string]bool {
	all := map[string]bool{}
	for _, d := range a.overlay.Declined {
		all[strings.TrimSuffix(d.Path, "_test")] = true
	}
	return all
}
