//go:build go1.25

package watch

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/hook"
)

// A run that takes more steps than the limit is stopped, always at the same step, or it goes
// on and gets more time.
func TestLimit(t *testing.T) {
	t.Cleanup(func() { hook.Spent, hook.Long = nil, nil })
	yes, no := func(string) bool { return true }, func(string) bool { return false }
	const endless = 1 << 40
	for _, c := range []struct {
		name  string
		limit Limit
		steps int
		want  string
	}{
		{"fewer steps", Limit{Steps: 1000}, 999, "ended"},
		{"no limit", Limit{}, 10_000_000, "ended"},
		{"more steps", Limit{Steps: 1000}, endless, "stopped after 1,000 steps"},
		{"it goes on, and ends", Limit{Steps: 1000, GoOn: yes, Time: time.Hour}, 1_000_000, "ended, long"},
		{"it ends soon after its last step", Limit{Steps: 1000, GoOn: yes, Time: time.Hour}, 1100, "ended, long"},
		{"it may not go on", Limit{Steps: 1000, GoOn: no, Time: time.Hour}, endless, "stopped after 1,000 steps"},
		{"it goes on, and does not end", Limit{Steps: 100_000, GoOn: yes, Time: 1}, endless, "stopped after 100,000 steps, later than 1ns, long"},
		{"it goes on, and uses too much memory", Limit{Steps: 1000, GoOn: yes, Time: time.Hour, Memory: 1}, endless, "stopped after 1,000 steps, with 1 bytes, long"},
	} {
		w := New(8)
		w.Limit(c.limit)
		var first int64
		for i := range 10 {
			r := &run{}
			w.Begin(r)
			done := make(chan bool)
			go func() {
				defer close(done)
				walk(c.steps)
				r.text = "ended"
			}()
			<-done
			text, hits := r.text, hook.Hits()
			if w.Long() > 0 {
				text += ", long"
			}
			if w.End(true); text != c.want {
				t.Errorf("%s: %s, want %s", c.name, text, c.want)
			}
			if first = max(first, hits); i > 0 && hits != first && c.limit.Time != 1 {
				t.Errorf("%s: %d steps, and %d in another run", c.name, hits, first)
			}
		}
	}
}

// Goroutines of a long run share its budget, and the race detector has nothing to report.
func TestLimitOfGoroutines(t *testing.T) {
	t.Cleanup(func() { hook.Spent, hook.Long = nil, nil })
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // as in a search
	w := New(8)
	w.Limit(Limit{Steps: 1000, GoOn: func(string) bool { return true }, Time: time.Hour})
	for range 10 {
		r := &run{}
		w.Begin(r)
		hook.Go()
		var wait sync.WaitGroup
		for range 4 {
			wait.Go(func() { walk(300_000) })
		}
		wait.Wait()
		if run := w.End(true); !run.Long || r.text != "" {
			t.Errorf("long %v, %s", run.Long, r.text)
		}
	}
}

// walk takes n steps.
func walk(n int) {
	for i := 0; i < n; i++ {
		hook.Hit(uint32(i % 3))
	}
}

// run records in words what the watcher reports.
type run struct{ text string }

func (r *run) Spent(after, _ string) { r.text = "stopped after " + after }
func (r *run) Looped(string)         {}
func (r *run) Exited() bool          { return false }
func (r *run) Outlasted(d time.Duration, memory int64) {
	if memory > 0 {
		r.text += fmt.Sprintf(", with %d bytes", memory)
		return
	}
	r.text += fmt.Sprint(", later than ", d)
}
