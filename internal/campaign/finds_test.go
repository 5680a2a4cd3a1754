//go:build go1.25

package campaign

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/job"
)

// A failure that a process has stored is reported, and fails the property, whatever ends the process.
func TestStoredIsReported(t *testing.T) {
	type processes = func(*process) (proc.Death, []event.Event)
	stored := event.Stored{Found: event.Found{Verdict: event.Failed, Sign: "a", Case: "a.case", Text: "report of a"}}
	found := event.Found{Verdict: event.Failed, Sign: "a", Case: "a2.case", Text: "shrunk a"}
	killed := proc.Death{Kind: proc.Killed, Code: -1, Text: "killed by SIGKILL", Running: true}
	// shrinks stores a failure and shrinks it. then is what happens when the user has interrupted twice.
	shrinks := func(then proc.Death, more ...event.Body) processes {
		return func(p *process) (proc.Death, []event.Event) {
			if p.Job.Mode != job.Confirm {
				p.Slot.Begin([]byte("simpler"))
			}
			p.emit(stored)
			<-p.killed
			return then, events(append([]event.Body{stored}, more...)...)
		}
	}
	confirms := func(then processes) processes {
		return func(p *process) (proc.Death, []event.Event) {
			if p.Job.Mode == job.Search {
				return dies(p, 4, "boom")
			}
			return then(p)
		}
	}
	crash := proc.Death{Kind: proc.Panic, Code: 2, Text: "boom", Running: true}
	for _, c := range []struct {
		name      string
		answer    processes
		keepGoing bool
		signals   int
		reports   string
		text      string // of the reports
		slots     int    // left behind
	}{
		{"killed while it shrinks", shrinks(killed), false, 2, "found failed, finished failed", "report of a", 0},
		{"the same, and the search goes on", shrinks(killed), true, 2, "found failed, finished failed", "report of a", 0},
		{"killed after it has found the failure", shrinks(killed, found), false, 2, "found failed, found failed, finished failed", "shrunk a", 1},
		{"killed after it has finished", shrinks(killed, found, event.Finished{Verdict: event.Failed, Text: "shrunk a"}), false, 2,
			"found failed, finished failed", "shrunk a", 0},
		{"killed while it confirms", confirms(shrinks(killed)), false, 2, "died boom, found failed, finished failed", "report of a", 0},
		{"killed after it has confirmed", confirms(shrinks(killed, found)), false, 2, "died boom, found failed, finished failed", "shrunk a", 0},
		{"crashes while it shrinks", func(p *process) (proc.Death, []event.Event) {
			switch {
			case p.Job.Mode == job.Confirm:
				return proc.Death{Out: "report of b"}, events(event.Found{Verdict: event.Failed, Sign: "b"})
			case p.n > 0:
				return passes(p, 10)
			}
			p.Slot.Begin([]byte("simpler"))
			return crash, events(stored)
		}, false, 0, "died boom, found failed, found failed, finished failed", "report of a\nreport of b", 0},
		{"another process reports it", func(p *process) (proc.Death, []event.Event) {
			switch {
			case p.Job.Mode == job.Confirm:
				return proc.Death{}, events(event.Unconfirmed{})
			case p.n > 0:
				return proc.Death{Code: 1, Out: "shrunk a"}, events(found, event.Finished{Verdict: event.Failed})
			}
			p.Slot.Begin([]byte("simpler"))
			return crash, events(stored)
		}, true, 0, "died boom, unconfirmed, found failed, finished failed", "shrunk a", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fake{answer: c.answer}
				conf := f.config(t)
				conf.Search.KeepGoing = c.keepGoing
				go func() {
					for range c.signals {
						time.Sleep(10 * time.Second)
						f.processes.Ask()
					}
				}()
				failed, err := New(conf).Run(named("TestA"))
				if err != nil || !failed || f.recorded["TestA"].Verdict != event.Failed {
					t.Errorf("failed %v, %v, %+v", failed, err, f.recorded)
				}
				if got := f.reports("TestA"); got != c.reports {
					t.Errorf("%s\nwant %s", got, c.reports)
				}
				if got := texts(f); got != c.text {
					t.Errorf("texts %q, want %q", got, c.text)
				}
				if left := slots(t, conf); len(left) != c.slots {
					t.Errorf("want %d slots, have %v", c.slots, left)
				}
			})
		})
	}
}

// texts returns the texts of the reports of a campaign, each once.
func texts(f *fake) string {
	var all []string
	for _, e := range f.reported {
		switch b := e.Body.(type) {
		case event.Found:
			all = append(all, strings.TrimSpace(b.Text))
		case event.Finished:
			all = append(all, strings.TrimSpace(b.Text))
		}
	}
	all = slices.DeleteFunc(all, func(s string) bool { return s == "" })
	return strings.Join(slices.Compact(all), "\n")
}

// Progress shows that a failure is shrunk if that takes a while. The first interruption asks the process to end it.
func TestShrinkingShows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stored := event.Stored{Found: event.Found{Sign: "a"}}
		var longest atomic.Int64 // several workers search
		f := &fake{answer: func(p *process) (proc.Death, []event.Event) {
			p.search(5)
			begin := time.Now()
			p.emit(stored)
			for !proc.Interrupted(p.Slot) {
				time.Sleep(runTime)
			}
			longest.Store(int64(time.Since(begin)))
			return proc.Death{Code: 1, Out: "report"}, events(stored, event.Found{Sign: "a", Verdict: event.Failed}, event.Finished{Verdict: event.Failed})
		}}
		conf := f.config(t)
		conf.Search.Budget = 2 * time.Second // its end does not end shrinking
		time.AfterFunc(10*time.Second, func() { f.processes.Ask() })
		failed, err := New(conf).Run(named("TestA"))
		if took := time.Duration(longest.Load()); err != nil || !failed || took < 9*time.Second || took > 11*time.Second {
			t.Errorf("failed %v, %v, shrinking took %v", failed, err, took)
		}
		var states []event.State
		for _, e := range f.reported {
			// After one worker has reported the failure, progress may be shown once more before the others end.
			if b, ok := e.Body.(event.Progress); ok && b.State != event.Broken {
				states = append(states, b.State)
			}
		}
		if got := slices.Compact(states); !slices.Equal(got, []event.State{event.Running, event.Shrinking}) {
			t.Errorf("states %v", got)
		}
	})
}
