//go:build go1.25

package main

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/allele-go/allele/internal/campaign/affected"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/launch"
	"github.com/allele-go/allele/internal/show/report"
	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/testbin"
	"github.com/allele-go/allele/internal/words"
)

// reporter writes events to the log of the campaign and shows them.
type reporter struct {
	program *testbin.Program
	report  *report.Report
	events  *event.Writer // the log
	sites   map[uint32]site.Site

	mu        sync.Mutex
	unwritten bool // an event could not be logged, and a warning was printed
}

func (t *reporter) add(e event.Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	e.Time = time.Now()
	if err := t.events.Write(e); err != nil && !t.unwritten {
		t.unwritten = true
		fmt.Fprintln(t.report.Stderr(), "allele test: the event log is incomplete:", err)
	}
	t.report.Show(e)
}

// Report writes an event of the campaign to its log and shows it. Only events are shown, so
// that a person and a program that reads -json get the same information.
func (t *reporter) Report(p launch.Property, b event.Body) {
	if s, ok := b.(event.Saved); ok {
		s.Folder = t.program.Relative(s.Folder)
		s.Text = savedText(s)
		b = s
	}
	t.add(event.Event{Package: p.Package, Property: p.Name, Body: b})
}

// noteSites records the sites by their numbers.
func (t *reporter) noteSites(all []site.Site) {
	t.sites = map[uint32]site.Site{}
	for _, s := range all {
		t.sites[s.ID] = s
	}
}

// placeOf returns a description of the site with this number. Test binaries report only
// the numbers of sites.
func (t *reporter) placeOf(id uint32) string {
	s, ok := t.sites[id]
	if !ok {
		return ""
	}
	return fmt.Sprintf("%s in %s, %s:%d", s.Kind, s.Func, t.program.Relative(s.File), s.Line)
}

// sinceChoice is what -since has chosen.
type sinceChoice struct {
	rev     string // git revision
	run     int    // properties that are run
	unsure  int    // tests that were not listed
	verbose bool   // each skipped property is listed
}

// reportChosen reports which properties -since has chosen, and why.
func (t *reporter) reportChosen(why []affected.Decided, a sinceChoice) {
	if len(why) == 0 {
		return
	}
	for _, d := range why {
		if d.Run {
			t.Report(d.Property, event.Chosen{Why: d.Why})
		} else {
			t.Report(d.Property, event.Skipped{Why: "nothing it reaches has changed since " + a.rev})
		}
	}
	skipped := len(why) - a.run
	switch {
	case a.run == 0:
		text := "nothing to run: no property"
		if a.unsure > 0 {
			text = fmt.Sprintf("nothing was run: except for %s not listed, see above, no property", words.Count(a.unsure, "test"))
		}
		t.Report(launch.Property{}, event.Stopped{Text: fmt.Sprintf(text+
			" reaches code that has changed since %s; without -since %s would run", a.rev, words.Properties(skipped))})
	case skipped > 0:
		text := fmt.Sprintf("skipped %s: nothing %s has changed since %s", words.Properties(skipped), theyReach(skipped), a.rev)
		if !a.verbose {
			text += "; -v lists " + them(skipped)
		}
		t.Report(launch.Property{}, event.Skipped{Why: text})
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

// savedText describes what -save has written.
func savedText(e event.Saved) string {
	var b strings.Builder
	switch {
	case e.Inputs > 0:
		fmt.Fprintf(&b, "saved %s in %s, for go test to start with", passing(e.Inputs), e.Folder)
	default:
		b.WriteString("nothing to save: no input in the corpus passes")
	}
	if e.Removed > 0 {
		fmt.Fprintf(&b, "; removed %s", words.Count(e.Removed, "older one"))
	}
	if e.Unreadable > 0 {
		fmt.Fprintf(&b, "\n    left out %s that go test could not read: go test does not find variants of interfaces in the source; "+
			"declare them with allele.Variants", words.Count(e.Unreadable, "input"))
	}
	return b.String()
}

func passing(n int) string {
	if n == 1 {
		return "1 passing input"
	}
	return words.Group(n) + " passing inputs"
}
