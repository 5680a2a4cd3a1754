//go:build go1.25

package campaign

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/store/corpus"
)

// The verdict of a property depends on what its processes do.
func TestSearch(t *testing.T) {
	type processes = func(*process) (proc.Death, []event.Event)
	// crashes dies in its first processes, and passes after that.
	crashes := func(first, runs int, confirm event.Body) processes {
		return func(p *process) (proc.Death, []event.Event) {
			switch {
			case p.Job.Mode == job.Confirm:
				return proc.Death{Out: "report"}, events(confirm)
			case p.n < first:
				return dies(p, runs, "boom")
			}
			return passes(p, 10)
		}
	}
	unconfirmed := event.Unconfirmed{Input: "3"}
	for _, c := range []struct {
		name      string
		answer    processes
		keepGoing bool
		modes     string
		reports   string
		verdict   event.Verdict
		failed    bool
		runs      int
	}{
		{"passes", func(p *process) (proc.Death, []event.Event) { return passes(p, 10) }, false,
			"search", "finished passed", event.Passed, false, 10},
		{"fails", func(p *process) (proc.Death, []event.Event) { return fails(p, 5) }, false,
			"search", "found failed, finished failed", event.Failed, true, 5},
		{"dies, input is confirmed", crashes(1, 4, event.Found{Verdict: event.Failed}), false,
			"search confirm", "died boom, found failed, finished failed", event.Failed, true, 5},
		{"dies, input passes when run again", crashes(1, 4, unconfirmed), false,
			"search confirm search", "died boom, unconfirmed, finished passed", event.Passed, false, 15},
		{"dies twice in the same way, inputs pass when run again", crashes(2, 4, unconfirmed), false,
			"search confirm search confirm", "died boom, unconfirmed, died boom, unconfirmed, finished flaky", event.Unstable, true, 10},
		{"continues after a finding", crashes(1, 4, event.Found{Verdict: event.Failed}), true,
			"search confirm search", "died boom, found failed, finished failed", event.Failed, true, 15},
		{"dies of a known finding", crashes(2, 4, event.Found{Verdict: event.Failed, Known: true}), true,
			"search confirm search confirm search", "died boom, found known, found known, finished passed", event.Passed, false, 20},
		{"dies, input cannot be read", crashes(1, 4, event.Note{Text: "no such type"}), false,
			"search confirm search", "died boom, note cannot read the input that crashed a process (no such type); the input is left in SLOT.unread, which may be deleted, finished passed",
			event.Passed, false, 15},
		{"dies of slow runs", crashes(3, 4, event.Note{Text: "slow", Slow: "1 2 3 4"}), false,
			"search confirm search confirm search confirm search", "died boom, note slow, died boom, note slow, died boom, note slow, finished passed",
			event.Passed, false, 25},
		{"dies before its first run", func(p *process) (proc.Death, []event.Event) {
			return proc.Death{Kind: proc.Exit, Code: 3, Text: "exit code 3"}, nil
		}, false, "search search search", "died exit code 3, died exit code 3, died exit code 3, finished crashed", event.Crashed, true, 3},
		{"passes, and then its test fails", func(p *process) (proc.Death, []event.Event) {
			_, events := passes(p, 10)
			return proc.Death{Code: 1, Text: "exit code 1"}, events
		}, false, "search", "finished crashed", event.Crashed, true, 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fake{answer: c.answer}
				conf := f.config(t)
				conf.Search.KeepGoing = c.keepGoing
				failed, err := New(conf).Run(named("TestA"))
				if err != nil {
					t.Fatal(err)
				}
				reports := f.reports("TestA")
				for _, file := range slots(t, conf) {
					reports = strings.ReplaceAll(reports, file, "SLOT.unread")
				}
				if f.modes() != c.modes || reports != c.reports {
					t.Errorf("modes   %s\nwant    %s\nreports %s\nwant    %s", f.modes(), c.modes, reports, c.reports)
				}
				r := f.recorded["TestA"]
				if r.Verdict != c.verdict || r.Failed != c.failed || failed != c.failed || r.Counts.Runs != c.runs {
					t.Errorf("%s, failed %v and %v, %d runs; want %s, %v, %d", r.Verdict, r.Failed, failed, r.Counts.Runs, c.verdict, c.failed, c.runs)
				}
			})
		})
	}
}

// A budget that is spent before ten distinct inputs have passed fails the property. It also
// fails if a property was not tried at all.
func TestBudgetTooShort(t *testing.T) {
	type processes = func(*process) (proc.Death, []event.Event)
	few := func(distinct int, change func(*event.Finished)) processes {
		return func(p *process) (proc.Death, []event.Event) {
			d, events := passes(p, 1<<30)
			e := events[0].Body.(event.Finished)
			e.Counts.Distinct = distinct
			if change != nil {
				change(&e)
			}
			if e.Verdict != event.Passed {
				d.Code = 1
			}
			events[0].Body = e
			return d, events
		}
	}
	vacuous := func(runs int) func(*event.Finished) {
		return func(e *event.Finished) { e.Verdict, e.Counts.Runs = event.Vacuous, runs }
	}
	for _, c := range []struct {
		name    string
		answer  processes
		verdict event.Verdict
		failed  bool
	}{
		{"enough", few(10, nil), event.Passed, false},
		{"too few", few(9, nil), event.Aborted, true},
		{"few, but all of them", few(9, func(e *event.Finished) { e.Enough = true }), event.Passed, false},
		{"few, and nothing is left", few(9, func(e *event.Finished) { e.Exhausted = true }), event.Passed, false},
		{"nothing passed in few runs", few(0, vacuous(900)), event.Aborted, true},
		{"nothing passed in many runs", few(0, vacuous(1000)), event.Vacuous, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			f := &fake{answer: c.answer}
			conf := f.config(t)
			conf.Search.Budget = time.Second
			failed, err := New(conf).Run(named("TestA"))
			if r := f.recorded["TestA"]; err != nil || failed != c.failed || r.Verdict != c.verdict || (r.Verdict == event.Aborted) != (r.Why != "") {
				t.Errorf("%s: %s %q, failed %v, %v", c.name, r.Verdict, r.Why, failed, err)
			}
		})
	}
}

// The jobs of a property have all fields that its processes need.
func TestJobs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{answer: func(p *process) (proc.Death, []event.Event) {
			switch {
			case p.Job.Mode == job.Confirm:
				return proc.Death{}, events(event.Unconfirmed{})
			case p.n == 0:
				return dies(p, 4, "boom")
			}
			return passes(p, 10)
		}}
		conf := f.config(t)
		seed := uint64(3)
		conf.Search = job.Params{Tests: 100, Seed: &seed, Fresh: true, Log: "log"}
		if _, err := New(conf).Run(named("TestA")); err != nil {
			t.Fatal(err)
		}
		folder, _ := Folder(conf.Corpus, named("TestA")[0])
		first, confirm, second := f.jobs[0], f.jobs[1], f.jobs[2]
		if s := first.Search; !s.Fresh || s.Isolate || s.Past.Worker != 0 || s.Tests != 100 || *s.Seed != 3 || s.Log != "log" {
			t.Errorf("the first process: %+v", s)
		}
		if s := second.Search; s.Fresh || !s.Isolate || s.Past.Worker != 5 || s.Tests != 100 {
			t.Errorf("the second process: %+v", s)
		}
		if want := (job.Program{Sites: 7, Hash: "hash of p", Operands: "p.operands"}); first.Program != want || first.Corpus != folder {
			t.Errorf("%+v, corpus %s; want %+v, %s", first.Program, first.Corpus, want, folder)
		}
		if confirm.Confirm.Slot == "" || filepath.Dir(confirm.Confirm.Slot) != folder || first.Claims == "" || first.Claims != confirm.Claims {
			t.Errorf("%+v", confirm)
		}
		task := f.tasks[0]
		if task.Path != "p.test" || task.Hang != time.Second || task.Idle != idleMax || f.tasks[1].Idle != confirmMax ||
			!slices.Contains(task.Env, "GOMAXPROCS=1") || !slices.Contains(task.Args, "-test.run=^TestA$") {
			t.Errorf("%+v", task)
		}
		if left := slots(t, conf); len(left) > 0 {
			t.Errorf("slots are left: %v", left)
		}
	})
}

// The inputs that were run again are those of earlier campaigns, without the inputs that another worker of
// the same campaign, or an earlier process, has saved in the meantime.
func TestResumedAreOfEarlierCampaigns(t *testing.T) {
	for _, c := range []struct {
		name  string
		saved int
		fresh bool
		want  int
	}{{"first campaign", 0, false, 0}, {"second campaign", 2, false, 2}, {"fresh", 2, true, 0}} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fake{answer: func(p *process) (proc.Death, []event.Event) {
					p.Slot.End(proc.Seen{Passed: 1, Replayed: 7})
					time.Sleep(time.Second)
					return proc.Death{}, events(event.Finished{Verdict: event.Passed,
						Counts: event.Counts{Runs: 10, Passed: 10, Distinct: 10, Resumed: event.Resumed{Inputs: 7, Seconds: 0.5}}})
				}}
				conf := f.config(t)
				conf.Search.Fresh = c.fresh
				folder, err := Folder(conf.Corpus, named("TestA")[0])
				if err != nil {
					t.Fatal(err)
				}
				w, err := corpus.Create(folder, "p", "TestA")
				if err != nil {
					t.Fatal(err)
				}
				for i := range c.saved {
					w.Add(corpus.Entry{Input: fmt.Sprint(i), Verdict: event.Passed, Binary: "x"})
				}
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
				if _, err := New(conf).Run(named("TestA")); err != nil {
					t.Fatal(err)
				}
				most := 0
				for _, e := range f.reported {
					switch b := e.Body.(type) {
					case event.Progress:
						most = max(most, b.Counts.Resumed.Inputs)
					case event.Finished:
						n := b.Counts.Resumed
						if most = max(most, n.Inputs); n.Inputs != c.want || (n.Seconds > 0) != (c.want > 0) {
							t.Errorf("%+v, want %d", n, c.want)
						}
					}
				}
				if most != c.want {
					t.Errorf("%d inputs, want %d", most, c.want)
				}
			})
		})
	}
}

// The runs of a campaign are numbered from the last run of earlier campaigns, also in a process that takes the place
// of one that died. Then the corpus has the number of all runs, of all workers.
func TestRunsAreNumbered(t *testing.T) {
	for _, c := range []struct {
		name          string
		fresh         bool
		workers       int
		earlier, runs int
	}{{"one worker", false, 1, 1000, 17}, {"fresh", true, 1, 0, 17}, {"three workers", false, 3, 1000, 51}} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var died [3]bool // of which worker a process
				f := &fake{answer: func(p *process) (proc.Death, []event.Event) {
					s := p.Job.Search
					switch w := s.Others.Worker; {
					case p.Job.Mode == job.Confirm:
						return proc.Death{Out: "report"}, events(event.Found{Verdict: event.Failed, Known: true})
					case !died[w]:
						died[w] = true
						haveRuns(t, p.Job.Corpus, s.Past.Searches+6) // as a process does every second
						p.Slot.Start(s.Past.Searches + 7)            // four runs pass, two fail in a known way
						return dies(p, 4, "boom")
					case s.Past.Worker != 7:
						t.Errorf("%d runs before, want 7", s.Past.Worker)
					}
					return passes(p, 10)
				}}
				conf := f.config(t)
				conf.Search.Fresh, conf.Search.KeepGoing, conf.Search.Tests, conf.Workers = c.fresh, true, 1000, c.workers
				folder, err := Folder(conf.Corpus, named("TestA")[0])
				if err != nil {
					t.Fatal(err)
				}
				haveRuns(t, folder, 1000)
				if _, err := New(conf).Run(named("TestA")); err != nil {
					t.Fatal(err)
				}
				for _, j := range f.jobs {
					if j.Mode == job.Search && j.Search.Past.Searches != c.earlier {
						t.Errorf("%d runs of earlier campaigns, want %d", j.Search.Past.Searches, c.earlier)
					}
				}
				saved, err := corpus.Read(folder)
				if n := f.recorded["TestA"].Counts.Runs; err != nil || n != c.runs || saved.Runs != 1000+c.runs {
					t.Errorf("%d runs, and %d in the corpus; want %d and %d; %v", n, saved.Runs, c.runs, 1000+c.runs, err)
				}
			})
		})
	}
}

// haveRuns writes a number of runs to a corpus.
func haveRuns(t *testing.T, folder string, runs int) {
	t.Helper()
	w, err := corpus.Create(folder, "p", "TestA")
	if err == nil {
		err = errors.Join(w.Ran(runs, "x"), w.Close())
	}
	if err != nil {
		t.Error(err)
	}
}

// A slot that an earlier campaign has left is confirmed before the search.
func TestLeftFromEarlier(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{answer: func(p *process) (proc.Death, []event.Event) {
			if p.Job.Mode == job.Confirm {
				return proc.Death{}, events(event.Found{Verdict: event.Failed})
			}
			return passes(p, 10)
		}}
		conf := f.config(t)
		folder, err := Folder(conf.Corpus, named("TestA")[0])
		if err != nil {
			t.Fatal(err)
		}
		slot, err := proc.NewSlot(filepath.Join(folder, proc.SlotName(99)))
		if err != nil {
			t.Fatal(err)
		}
		slot.Begin([]byte("bad"))
		slot.Close()
		failed, err := New(conf).Run(named("TestA"))
		if err != nil || !failed || f.modes() != "confirm" {
			t.Errorf("failed %v, %v, modes %s", failed, err, f.modes())
		}
		if _, err := os.Stat(slot.Path()); err == nil {
			t.Error("the slot is still there")
		}
	})
}

// Inputs that start goroutines are run again on several cores, without probes, and a
// crash there is confirmed in the same way.
func TestMulticore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{answer: func(p *process) (proc.Death, []event.Event) {
			switch p.Job.Mode {
			case job.Multicore:
				return dies(p, 0, "concurrent map writes")
			case job.Confirm:
				return proc.Death{Out: "report"}, events(event.Found{Verdict: event.Failed})
			}
			d, passed := passes(p, 10)
			end := passed[0].Body.(event.Finished)
			end.Counts.Spawned = 10
			return d, events(end)
		}}
		failed, err := New(f.config(t)).Run(named("TestA"))
		if err != nil || !failed || f.modes() != "search multicore confirm" {
			t.Errorf("failed %v, %v, modes %s", failed, err, f.modes())
		}
		for i, want := range []string{"p.test", "p.plain", "p.plain"} {
			j := f.jobs[i]
			if f.tasks[i].Path != want || i > 0 && (j.Repeat.Tries != multicoreTries || j.Program != job.Program{}) {
				t.Errorf("%s: binary %s, want %s; %+v", j.Mode, f.tasks[i].Path, want, j)
			}
		}
	})
}

// The workers of a property divide its tests, and the first finding ends all of them.
func TestWorkersTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{answer: func(p *process) (proc.Death, []event.Event) {
			if p.Job.Search.Others.Worker == 1 {
				return fails(p, 5)
			}
			return passes(p, 1_000_000)
		}}
		conf := f.config(t)
		conf.Workers, conf.Search.Tests = 3, 100
		failed, err := New(conf).Run(named("TestA"))
		r := f.recorded["TestA"]
		if err != nil || !failed || r.Verdict != event.Failed || r.Failures != 1 || len(f.jobs) != 3 {
			t.Errorf("failed %v, %v, %+v", failed, err, r)
		}
		if r.Counts.Runs < 10 || r.Counts.Runs > 1000 {
			t.Errorf("%d runs: all workers count, and stop when one has failed", r.Counts.Runs)
		}
		seen := map[int]bool{}
		for _, j := range f.jobs {
			seen[j.Search.Others.Worker] = j.Search.Tests == 34 && j.Search.Others.Inbox != "" && j.Search.Others.Outbox != ""
		}
		if len(seen) != 3 || !seen[0] || !seen[1] || !seen[2] {
			t.Errorf("%v", seen)
		}
	})
}

// A search whose turn ended while it was being prepared waits for its next turn. Such a
// search was once treated as stopped.
func TestTurnEndsEarly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := New((&fake{}).config(t)).newSearch(Property{}, 1)
		k.grant(0)
		k.revoke(0)
		done := make(chan Result)
		go func() {
			r, _ := k.together()
			done <- r
		}()
		for !k.resting(0) {
			select {
			case r := <-done:
				t.Fatalf("it was over before its turn: %+v", r)
			case <-time.After(time.Millisecond):
			}
		}
		k.group.Stop()
		if r := <-done; r.Verdict != "stopped" {
			t.Errorf("%+v", r)
		}
	})
}

// A worker that never gets a cpu has no result, and the search does not wait for it.
func TestWorkerThatNeverRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{answer: func(p *process) (proc.Death, []event.Event) { return passes(p, 10) }}
		k := New(f.config(t)).newSearch(named("TestA")[0], 2)
		k.grant(0)
		if r, err := k.search(); err != nil || r.Verdict != event.Passed || r.Counts.Runs != 10 {
			t.Errorf("%+v, %v", r, err)
		}
		if k.all[1].begun || f.modes() != "search" {
			t.Errorf("modes %s", f.modes())
		}
	})
}
