//go:build go1.25

// Package affected decides which properties a change of the source may affect, and records what a
// property reaches for a later decision.
//
//	s := &affected.Since{Program: p, Rev: "main", Corpus: root}
//	chosen, why, err := s.Choose(properties)   // before the campaign
//	err := s.Remember(property, result, sites) // after each property
//
// It decides by the functions that each property reached in its last run. These are recorded in
// every search, with and without a revision. Package change compares the source of two revisions;
// this package knows what was built from it.
package affected

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/allele-go/allele/internal/campaign"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/source/change"
	"github.com/allele-go/allele/internal/source/load"
	"github.com/allele-go/allele/internal/testbin"
)

// Since implements -since for the properties of a program.
type Since struct {
	*testbin.Program
	Rev    string // git revision; "" means that all properties run
	Corpus string // folder of the corpora of all properties

	tree  *change.Tree
	needs map[string][]change.Part // package -> what its test binary is built from
	off   bool                     // recording has failed: the error was returned, and nothing more is recorded
}

// Decided is a property with the decision whether to run it.
type Decided struct {
	campaign.Property
	change.Decision
}

// Check returns an error if the revision does not exist. It is called before the build.
func (a *Since) Check() error {
	if a.Rev == "" {
		return nil
	}
	if err := change.Check(a.Rev, a.Dir); err != nil {
		return fmt.Errorf("-since: %w", err)
	}
	return nil
}

// Choose returns the properties to run: all, or with a revision those that a change may
// affect, and then each decision.
func (a *Since) Choose(props []campaign.Property) (chosen []campaign.Property, why []Decided, err error) {
	if a.Rev == "" || len(props) == 0 {
		return props, nil, nil
	}
	if err := a.loadTree(); err != nil {
		return nil, nil, fmt.Errorf("-since: %w", err)
	}
	diff, err := change.Since(a.Rev, a.Dir, a.tree)
	if err != nil {
		return nil, nil, fmt.Errorf("-since: %w", err)
	}
	for _, p := range props {
		folder, err := campaign.Folder(a.Corpus, p)
		if err != nil {
			return nil, nil, err
		}
		d := diff.Decide(a.needsOf(p), change.Read(folder), a.builtAs())
		if d.Run {
			chosen = append(chosen, p)
		}
		why = append(why, Decided{p, d})
	}
	return chosen, why, nil
}

// builtAs returns the settings that must be equal for two builds of the same source to be
// the same program.
func (a *Since) builtAs() string {
	return strings.Join(append([]string{"-scope=" + a.Scope}, a.Flags()...), " ")
}

// needsOf returns a property in the form that package change needs: with the packages
// that its test is built from.
func (a *Since) needsOf(p campaign.Property) change.Property {
	return change.Property{Package: p.Package, Name: p.Name, Test: p.Test, Parts: a.needs[p.Package]}
}

// loadTree reads the source that was built.
func (a *Since) loadTree() (err error) {
	if a.tree != nil {
		return nil
	}
	a.needs = map[string][]change.Part{}
	var parts []change.Part
	declined := a.declined()
	for _, t := range a.Overlay.Tests {
		for _, n := range a.Listing.Needs(t.Path) {
			n.Own = n.Own && !declined[n.Path] // without probes, nobody knows what is reached
			a.needs[t.Path] = append(a.needs[t.Path], change.Part(n))
		}
		parts = append(parts, a.needs[t.Path]...)
	}
	tags := append(load.SplitTags(cmp.Or(a.Tags, a.InForce.Tags)), job.Tag)
	for tag, on := range map[string]bool{"race": a.Race, "msan": a.InForce.MSan, "asan": a.InForce.ASan} {
		if on {
			tags = append(tags, tag)
		}
	}
	a.tree, err = change.Load(parts, a.Overlay.Sites, tags)
	return err
}

// Remember records what a property has reached, for a later -since. After an error, later
// calls record nothing.
func (a *Since) Remember(p campaign.Property, r campaign.Result, sites map[uint32]site.Site) error {
	if a.off {
		return nil
	}
	err := a.record(p, r, sites)
	a.off = err != nil
	return err
}

func (a *Since) record(p campaign.Property, r campaign.Result, sites map[uint32]site.Site) error {
	err := a.loadTree()
	if err == nil && a.tree.Newest().After(a.Began) {
		err = errors.New("files have changed since the build")
	}
	folder, folderErr := campaign.Folder(a.Corpus, p)
	if err = errors.Join(err, folderErr); err != nil {
		return err
	}
	seen := change.Reached{Whole: !r.Reach.Partial, Passed: !r.Failed, Build: a.builtAs()}
	for _, id := range slices.Concat(r.Reach.Sites, r.Reach.Before) {
		if s, ok := sites[id]; ok {
			seen.Sites = append(seen.Sites, s)
		}
	}
	return a.tree.Record(a.needsOf(p), seen, change.Read(folder)).Write(folder)
}

// declined returns the packages that have no probes, or whose external tests have none.
func (a *Since) declined() map[string]bool {
	all := map[string]bool{}
	for _, d := range a.Overlay.Declined {
		all[strings.TrimSuffix(d.Path, "_test")] = true
	}
	return all
}
