//go:build go1.25

package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/report"
)

// reporter writes events to the log of the campaign and shows them.
type reporter struct {
	report *report.Report
	events *event.Writer // the log

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

// redraw redraws the table until stop is called, which restores the terminal. The caller
// must handle signals all that time; otherwise a signal would kill the command while the
// cursor is hidden.
func redraw(on interface {
	Tick(time.Time)
	Close()
}) (stop func()) {
	tick := time.NewTicker(report.DrawEvery)
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case now := <-tick.C:
				on.Tick(now)
			case <-done:
				return
			}
		}
	}()
	return func() {
		tick.Stop()
		close(done)
		<-ended
		on.Close()
	}
}

// Report writes an event of the campaign to its log and shows it. Only events are shown, so
// that a person and a program that reads -json get the same information.
func (t *tester) Report(p property, e event.Event) {
	e.Package, e.Property = p.Package, p.Name
	if e.Kind == event.Saved {
		e.Case = t.relative(e.Case)
		e.Text = savedText(e)
	}
	t.reporter.add(e)
}

// show chooses how the campaign is shown. It also replaces t.stderr, so that texts that
// are not events do not damage the table.
func (t *tester) show(stdout, stderr io.Writer) {
	conf := report.Config{
		Verbose: t.verbose, Place: t.placeOf, Where: t.where, File: t.file, Commands: report.Commands(t.commandsWith(t.limitFlags.given)),
		Resumes: !t.params.Fresh && t.keeps(), Default: t.params.Default,
	}
	if conf.At(stdout, stderr, os.Getenv); t.json {
		conf.Mode = report.JSON
	}
	t.reporter.report = report.New(conf)
	t.stderr = t.reporter.report.Stderr()
}

// placeOf returns a description of the site with this number. Test binaries report only
// the numbers of sites.
func (t *tester) placeOf(id uint32) string {
	s, ok := t.sites[id]
	if !ok {
		return ""
	}
	return fmt.Sprintf("%s in %s, %s:%d", s.Kind, s.Func, t.relative(s.File), s.Line)
}

// reportStart reports the properties, and what was built for them.
func (t *tester) reportStart(all []property, workers int, took time.Duration) {
	for _, b := range t.overlay.Broken {
		text := strings.TrimSpace(b.String() + "\n" + advice(b.Text))
		t.Report(property{Package: b.Path}, event.Event{Kind: event.Omitted, Text: text})
	}
	for _, p := range all {
		t.Report(p, event.Event{Kind: event.Listed, Test: p.Test})
	}
	text := fmt.Sprintf("built %s · %s · %s", count(len(t.overlay.Dirs()), "package"), count(len(t.sites), "site"), properties(len(all)))
	t.Report(property{}, event.Event{Kind: event.Started, Seconds: took.Seconds(), Budget: t.params.Budget.Seconds(),
		Workers: workers, Text: text})
}

// savedText describes what -save has written.
func savedText(e event.Event) string {
	var b strings.Builder
	switch {
	case e.Passed > 0:
		fmt.Fprintf(&b, "saved %s in %s, for go test to start with", passing(e.Passed), e.Case)
	default:
		b.WriteString("nothing to save: no input in the corpus passes")
	}
	if e.Removed > 0 {
		fmt.Fprintf(&b, "; removed %s", count(e.Removed, "older one"))
	}
	if e.Unreadable > 0 {
		fmt.Fprintf(&b, "\n    left out %s that go test could not read: go test does not find variants of interfaces in the source; "+
			"declare them with allele.Variants", count(e.Unreadable, "input"))
	}
	return b.String()
}

func passing(n int) string {
	if n == 1 {
		return "1 passing input"
	}
	return group(n) + " passing inputs"
}
