//go:build go1.25

package campaign

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/proc/launch"
)

func endless(p *process) (proc.Death, []event.Event) { return passes(p, 1_000_000_000) }

// Without a budget properties are run one after the other, each to its end.
func TestOneAfterTheOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{answer: func(p *process) (proc.Death, []event.Event) {
			if p.Property.Name == "TestB" {
				return fails(p, 5)
			}
			return passes(p, 100)
		}}
		failed, err := New(f.config(t)).Run(named("TestA", "TestB", "TestC"))
		if err != nil || !failed || f.liveMost != 1 || len(f.recorded) != 3 {
			t.Errorf("failed %v, %v, %d processes at a time, %d results", failed, err, f.liveMost, len(f.recorded))
		}
		var order []string
		for _, e := range f.reported {
			if f, ok := e.Body.(event.Finished); ok {
				order = append(order, e.Property+" "+string(f.Verdict))
			}
		}
		if got := strings.Join(order, ", "); got != "TestA passed, TestB failed, TestC passed" {
			t.Error(got)
		}
		if end, ok := f.reported[len(f.reported)-1].Body.(event.Ended); !ok || end.Runs != 205 || end.Failures != 1 || end.Workers != 1 {
			t.Errorf("%+v", end)
		}
	})
}

// Within a budget properties take turns: each gets its share, at most one process runs
// for each cpu, and the campaign ends on time.
func TestTurns(t *testing.T) {
	for _, cpus := range []int{1, 2, 3} {
		t.Run(fmt.Sprint(cpus), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				busiest := 0
				f := &fake{answer: endless}
				conf := f.config(t)
				conf.Workers, conf.Search.Budget = cpus, 20*time.Second
				c := New(conf)
				done := make(chan struct{})
				var looking sync.WaitGroup
				looking.Go(func() {
					for {
						select {
						case <-done:
							return
						case <-time.After(5 * runTime):
						}
						f.mu.Lock()
						busy := 0
						for p := range f.live {
							if now := p.Slot.Look(); !now.Resting && now.Run > 0 && !p.Slot.Paused() {
								busy++
							}
						}
						busiest = max(busiest, busy)
						f.mu.Unlock()
					}
				})
				start := time.Now()
				failed, err := c.Run(named("TestA", "TestB", "TestC", "TestD", "TestE"))
				close(done)
				looking.Wait()
				if err != nil || failed || len(f.recorded) != 5 {
					t.Fatalf("failed %v, %v, %d results", failed, err, len(f.recorded))
				}
				if took := time.Since(start); took < 20*time.Second || took > 21*time.Second {
					t.Errorf("it took %v", took)
				}
				if busiest > cpus {
					t.Errorf("%d processes ran at a time on %d cpus", busiest, cpus)
				}
				for name, r := range f.recorded {
					if fair := 20 * float64(cpus) / 5; r.Seconds < fair/2 || r.Seconds > 2*fair {
						t.Errorf("%s had %.1fs of %.1fs", name, r.Seconds, fair)
					}
				}
			})
		})
	}
}

// The time since a property found something new is the time that a user waits, however many workers
// search, so it is not longer than the search.
func TestQuietIsNotLongerThanTheSearch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{answer: func(p *process) (proc.Death, []event.Event) {
			p.features = 100
			return endless(p)
		}}
		conf := f.config(t)
		conf.Workers, conf.Search.Budget = 4, 8*time.Second
		if failed, err := New(conf).Run(named("TestA")); err != nil || failed {
			t.Fatal(failed, err)
		}
		longest := 0.0
		for _, e := range f.reported {
			p, _ := e.Body.(event.Progress)
			longest = max(longest, p.Quiet)
			if p.State == event.Quiet {
				t.Errorf("quiet after %.1fs of 8s", p.Quiet)
			}
		}
		if longest < 4 || longest > 8 {
			t.Errorf("nothing new for %.1fs of 8s", longest)
		}
	})
}

// A property that has failed goes on with a small share, and all its failures are
// reported.
func TestKeepsGoing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{answer: func(p *process) (proc.Death, []event.Event) {
			if p.Property.Name != "TestA" {
				return endless(p)
			}
			for range 2 {
				p.search(100)
				p.OnEvent(event.Event{Body: event.Found{Verdict: event.Failed, Text: "report"}})
			}
			p.search(1_000_000_000)
			return proc.Death{Code: 1}, events(event.Finished{Verdict: event.Failed})
		}}
		conf := f.config(t)
		conf.Search.Budget, conf.Search.KeepGoing, conf.Workers = 60*time.Second, true, 1
		failed, err := New(conf).Run(named("TestA", "TestB", "TestC"))
		if err != nil || !failed {
			t.Fatalf("failed %v, %v", failed, err)
		}
		if got := f.reports("TestA"); got != "found failed, found failed, finished failed" {
			t.Error(got)
		}
		a, b := f.recorded["TestA"], f.recorded["TestB"]
		if a.Failures != 2 || a.Seconds > b.Seconds/2 || a.Seconds < 60*evenShare/3/2 {
			t.Errorf("%d failures; %.1fs for the property that failed, and %.1fs for another", a.Failures, a.Seconds, b.Seconds)
		}
	})
}

// With many properties a resting process is asked to exit, and another process continues
// its runs later.
func TestEviction(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{answer: endless}
		conf := f.config(t)
		conf.Search.Budget, conf.Workers = 20*time.Second, 1
		var names []string
		for i := range 30 {
			names = append(names, fmt.Sprintf("Test%d", i))
		}
		failed, err := New(conf).Run(named(names...))
		if err != nil || failed || len(f.recorded) != 30 {
			t.Fatalf("failed %v, %v, %d results", failed, err, len(f.recorded))
		}
		if f.liveMost > liveMax+2 { // the one that runs, and one that is about to exit
			t.Errorf("%d processes at a time, want at most %d", f.liveMost, liveMax+2)
		}
		again := 0
		for _, j := range f.jobs {
			if j.Search.Past.Worker > 0 {
				if again++; j.Search.Isolate || j.Search.Fresh {
					t.Errorf("%+v", j.Search)
				}
			}
		}
		if again == 0 {
			t.Error("no process was evicted")
		}
		if got := f.reports("Test0"); got != "finished passed" {
			t.Error(got)
		}
	})
}

// After the first signal processes finish their runs, and the number of properties that
// were not tried is reported. The second signal kills them.
func TestInterrupt(t *testing.T) {
	for _, c := range []struct {
		signals int
		verdict event.Verdict
		modes   string
		reports string
	}{{1, event.Passed, "search", "finished passed"}, {2, event.Aborted, "search", "finished stopped"}} {
		synctest.Test(t, func(t *testing.T) {
			f := &fake{answer: func(p *process) (proc.Death, []event.Event) {
				if c.signals < 2 {
					return endless(p)
				}
				p.Slot.Begin([]byte("it hangs"))
				<-p.killed
				return proc.Death{Kind: proc.Killed, Text: "killed by SIGKILL", Running: true}, nil
			}}
			conf := f.config(t)
			go func() {
				for range c.signals {
					time.Sleep(time.Second)
					f.processes.Ask()
				}
			}()
			failed, err := New(conf).Run(named("TestA", "TestB", "TestC"))
			if err != nil || failed || f.modes() != c.modes || f.recorded["TestA"].Verdict != c.verdict {
				t.Errorf("%d signals: failed %v, %v, modes %s, %+v", c.signals, failed, err, f.modes(), f.recorded)
			}
			if got := f.reports("TestA"); got != c.reports {
				t.Errorf("%d signals: %s, want %s", c.signals, got, c.reports)
			}
			if got := f.reports(""); got != "stopped stopped; 2 properties not tried, ended" {
				t.Error(got)
			}
			if left := slots(t, conf); len(left) != c.signals-1 {
				t.Errorf("%d signals: want %d slots left, have %v", c.signals, c.signals-1, left)
			}
		})
	}
}

// A property that the user has stopped before enough distinct inputs have passed is stopped, and has not failed.
func TestStoppedSoon(t *testing.T) {
	for _, c := range []struct {
		runs    int
		verdict event.Verdict
	}{{3, event.Aborted}, {event.DistinctMin, event.Passed}} {
		synctest.Test(t, func(t *testing.T) {
			f := &fake{answer: func(p *process) (proc.Death, []event.Event) {
				seen, _ := p.search(c.runs)
				for !p.Slot.Stopped() {
					time.Sleep(runTime)
				}
				return proc.Death{}, events(event.Finished{Verdict: event.Passed, Counts: counts(seen)})
			}}
			conf := f.config(t)
			conf.Search.Budget = time.Minute
			time.AfterFunc(time.Second, func() { f.processes.Ask() })
			failed, err := New(conf).Run(named("TestA"))
			if r := f.recorded["TestA"]; err != nil || failed || r.Verdict != c.verdict {
				t.Errorf("%d runs: failed %v, %v, %s, want %s", c.runs, failed, err, r.Verdict, c.verdict)
			}
			if got := f.reports(""); got != "stopped stopped, ended" {
				t.Error(got)
			}
		})
	}
}

// An error of one property ends the campaign.
func TestError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{answer: endless}
		conf := f.config(t)
		conf.Builds = noHash{f}
		if _, err := New(conf).Run(named("TestA", "TestB")); err == nil || err.Error() != "no hash" || !f.processes.Stopped() {
			t.Errorf("%v, stopped %v", err, f.processes.Stopped())
		}
	})
}

type noHash struct{ *fake }

func (noHash) Hash(string) (string, error) { return "", errors.New("no hash") }

// CPUs returns one by default, and with a seed or a log.
func TestCPUs(t *testing.T) {
	seed := uint64(1)
	for _, c := range []struct {
		name string
		Config
		one bool
	}{
		{"by default", Config{}, true},
		{"seed", Config{Search: job.Params{Budget: time.Second, Seed: &seed}}, true},
		{"log", Config{Search: job.Params{Budget: time.Second, Log: "x"}}, true},
		{"explicit number of workers", Config{Workers: 5, Search: job.Params{Seed: &seed}}, false},
	} {
		if got := c.CPUs(); got != 1 && c.one || got != 5 && !c.one {
			t.Errorf("%s: %d", c.name, got)
		}
	}
}

// A random search has one worker and no corpus, and so has an experiment that starts from scratch.
func TestStrategy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{answer: func(p *process) (proc.Death, []event.Event) { return passes(p, 10) }}
		conf := f.config(t)
		conf.Workers, conf.Search.Strategy = 4, job.Random
		if _, err := New(conf).Run(named("TestA")); err != nil || len(f.jobs) != 1 {
			t.Fatalf("%v, %d jobs", err, len(f.jobs))
		}
		if j := f.jobs[0]; j.Corpus != "" || j.Search.Strategy != job.Random || j.Search.Others.Inbox != "" {
			t.Errorf("%+v", j)
		}
	})
	for _, p := range []job.Params{{Strategy: job.Random}, {Experiment: &job.Experiment{Scratch: true}}} {
		if p.Keeps() || p.Breaks() {
			t.Errorf("%+v keeps inputs", p)
		}
	}
}

// The next process does not run a saved input that crashed its process.
func TestReduce(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer func(*process) (proc.Death, []event.Event)
		want   string
	}{
		{"all run", func(p *process) (proc.Death, []event.Event) {
			return proc.Death{}, events(event.Dropped{}, event.Finished{})
		}, "2 events, [], <nil>; skipped []"},
		{"two crash", func(p *process) (proc.Death, []event.Event) {
			if p.n < 2 {
				return proc.Death{Text: "boom", Running: true}, events(event.Rerun{Case: fmt.Sprint("case", p.n)})
			}
			return proc.Death{}, events(event.Finished{})
		}, "1 events, [{case0 boom} {case1 boom}], <nil>; skipped [case0 case1]"},
		{"process exits early", func(p *process) (proc.Death, []event.Event) {
			return proc.Death{Text: "exit code 3", Out: "oh"}, nil
		}, "0 events, [], the test process exited (exit code 3) before all saved inputs were run\noh; skipped []"},
	} {
		f := &fake{answer: c.answer}
		conf := f.config(t)
		events, crashers, err := conf.Reduce(named("TestA")[0], job.Reduce, Reduction{Folder: conf.Corpus})
		last := f.jobs[len(f.jobs)-1]
		if got := fmt.Sprintf("%d events, %v, %v; skipped %v", len(events), crashers, err, last.Skip); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
		if last.Corpus != conf.Corpus || last.Mode != job.Reduce {
			t.Errorf("%+v", last)
		}
	}
	f := &fake{answer: func(*process) (proc.Death, []event.Event) {
		return proc.Death{}, events(event.Rerun{})
	}}
	f.processes.Ask()
	conf := f.config(t)
	if _, _, err := conf.Reduce(named("TestA")[0], job.Reduce, Reduction{Folder: conf.Corpus}); !errors.Is(err, ErrStopped) {
		t.Error(err)
	}
}

// Inputs that pass are saved when a property is over, unless it failed.
func TestSave(t *testing.T) {
	for _, c := range []struct {
		fails   bool
		reports string
	}{
		{false, "finished passed, saved"},
		{true, "found failed, finished failed"},
	} {
		synctest.Test(t, func(t *testing.T) {
			f := &fake{answer: func(p *process) (proc.Death, []event.Event) {
				switch {
				case p.Job.Mode == job.Save:
					return proc.Death{}, events(event.Saved{Inputs: 3, Folder: "testdata/x"})
				case c.fails:
					return fails(p, 5)
				}
				return passes(p, 10)
			}}
			conf := f.config(t)
			conf.Search.Save = true
			if _, err := New(conf).Run(named("TestA")); err != nil || f.reports("TestA") != c.reports {
				t.Errorf("%v, %s, want %s", err, f.reports("TestA"), c.reports)
			}
			for _, e := range f.reported {
				if s, ok := e.Body.(event.Saved); ok && s.Folder != "dir/testdata/x" {
					t.Errorf("%+v", e)
				}
			}
		})
	}
}

var _ launch.Process = (*process)(nil)
