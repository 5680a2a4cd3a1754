//go:build go1.25

package allele

import (
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/check/property"
)

// pause takes n microseconds if that is a millisecond or more, or until released. It uses no
// processor, so the runs that are left behind do not disturb other tests.
func pause(n uint64, release <-chan struct{}) {
	if n < 1000 {
		return
	}
	select {
	case <-release:
	case <-time.After(time.Duration(min(n, 1<<40)) * time.Microsecond):
	}
}

// shortly makes runs slow that take a quarter of a second.
func shortly(t *testing.T) {
	old := property.SlowMin
	t.Cleanup(func() { property.SlowMin = old })
	property.SlowMin = 250 * time.Millisecond
}

// checkUntil runs a Check in a test with a deadline.
func checkUntil[In any](t testing.TB, left time.Duration, prop func(*T, In), opts ...Option) {
	Check(deadlined{t.(*recorder), time.Now().Add(left)}, prop, append(opts, Tests(100))...)
}

// A slow run is abandoned and noted. The Check goes on without inputs that are as large, and
// nothing is stored.
func TestSlowRuns(t *testing.T) {
	shortly(t)
	release := make(chan struct{})
	defer close(release)
	abs := func(n int64) uint64 { return uint64(max(n, -n)) }
	for _, c := range []struct {
		what string
		run  func(t testing.TB)
		says []string
	}{
		{"a field", func(t testing.TB) {
			checkUntil(t, time.Minute, func(t *T, in struct{ Steps uint64 }) { pause(in.Steps, release) })
		}, []string{"the number in in.Steps", `allele.At("Steps", allele.Range[uint64](0, `}},
		{"a field beside a list, after a run that took long and ended", func(t testing.TB) {
			checkUntil(t, 10*time.Second, func(t *T, in struct {
				D time.Duration
				S []string
			}) {
				pause(uint64(max(0, in.D)/(4*time.Microsecond)), release)
			}, Seed(3255000899))
		}, []string{"the number in in.D", `allele.At("D", allele.Range[time.Duration](`}},
		{"a time", func(t testing.TB) {
			checkUntil(t, time.Minute, func(t *T, in struct{ From, To time.Time }) {
				pause(uint64(max(0, in.To.Unix()-in.From.Unix())), release)
			}, Seed(486773793))
		}, []string{"the seconds from 1970 in in.From", `allele.At("From", allele.Builder(func(seconds int64) time.Time { return time.Unix(seconds%`}},
		{"an argument of a builder, if the property is slow", func(t testing.TB) {
			checkUntil(t, time.Minute, func(t *T, a slowAmount) { pause(abs(a.exp), release) }, Builder(newSlowAmount))
		}, []string{"argument 1 of newSlowAmount", "allele.Builder(newSlowAmount, allele.Partial{Small: []int{1}})"}},
		{"a builder", func(t testing.TB) {
			checkUntil(t, time.Minute, func(t *T, a *slowMade) {}, Builder(newSlowMade))
		}, []string{"in := newSlowMade(", "argument 0 of newSlowMade", "allele.Builder(newSlowMade, allele.Partial{Small: []int{0}})"}},
		{"a precondition", func(t testing.TB) {
			checkUntil(t, time.Minute, func(t *T, n int64) {}, Given(func(n int64) bool { pause(abs(n), release); return true }))
		}, []string{"the number of the int64", "allele.Range[int64](-"}},
		{"a label, whose text is made under a lock", func(t testing.TB) {
			checkUntil(t, time.Minute, func(t *T, n uint64) { t.Label("n", slowText{n, release}) })
		}, []string{"allele.Range[uint64](0, "}},
	} {
		t.Run(c.what, func(t *testing.T) {
			r := record(t, "TestX", func(t testing.TB) {
				c.run(t)
				checkUntil(t, time.Minute, func(t *T, n int) {}) // it runs as if nothing had happened
			})
			if r.failed {
				t.Fatalf("it failed:\n%s", r.text())
			}
			if _, err := os.Stat("testdata"); err == nil {
				t.Error("something was stored")
			}
			r.has(t, append([]string{"note: slow: run ", "had not ended after", "its goroutine goes on"}, c.says...)...)
		})
	}
}

type slowAmount struct{ coef, exp int64 }

func newSlowAmount(coef, exp int64) slowAmount { return slowAmount{coef, exp} }

type slowMade struct{ n uint32 }

func newSlowMade(n uint32) *slowMade {
	pause(uint64(n), nil)
	return &slowMade{n}
}

type slowText struct {
	n       uint64
	release <-chan struct{}
}

func (s slowText) String() string { pause(s.n, s.release); return "" }

// A run that has not ended, and whose time does not depend on the size of anything, may be
// endless. It fails when half of the time before the deadline is over.
func TestEndlessRun(t *testing.T) {
	shortly(t)
	t.Setenv("ALLELE_RUN_TIMEOUT", "300ms")
	release := make(chan struct{})
	defer close(release)
	r := record(t, "TestX", func(t testing.TB) {
		checkUntil(t, 4*time.Second, func(t *T, n int) {
			if n > 5 {
				<-release
			}
		})
	})
	r.has(t, "property did not end: it was still running", "counterexample:", "saved")
	if strings.Contains(r.text(), "note: slow") {
		t.Errorf("an endless run is noted as slow:\n%s", r.text())
	}
}

// A run that ends while it is examined counts like any other.
func TestRunEndsWhileExamined(t *testing.T) {
	shortly(t)
	for _, c := range []struct {
		what  string
		after func(t *T)
		says  string
	}{
		{"it passes", func(t *T) {}, ""},
		{"it is discarded", func(t *T) { t.Assume(false) }, ""},
		{"it fails", func(t *T) { t.Error("at last") }, "at last"},
		{"it panics", func(t *T) { panic("at last") }, "property panicked: at last"},
	} {
		t.Run(c.what, func(t *testing.T) {
			var runs atomic.Int64
			r := record(t, "TestX", func(t testing.TB) {
				checkUntil(t, time.Minute, func(t *T, n uint64) {
					if runs.Add(1) == 50 {
						time.Sleep(2 * property.SlowMin)
						c.after(t)
					}
				})
			})
			if r.failed != (c.says != "") || strings.Contains(r.text(), "note: slow") {
				t.Errorf("failed is %v:\n%s", r.failed, r.text())
			}
			r.has(t, c.says)
		})
	}
}

// A run that was abandoned may do anything later, even when its test has ended. What it had
// changed for the whole process was undone before.
func TestAbandonedRun(t *testing.T) {
	shortly(t)
	const key = "ALLELE_TEST_ABANDONED"
	for _, c := range []struct {
		what  string
		later func(t *T, outer testing.TB)
	}{
		{"fails", func(t *T, _ testing.TB) { t.Fatal("late") }},
		{"panics", func(t *T, _ testing.TB) { panic("late") }},
		{"logs to the test that has ended", func(t *T, outer testing.TB) { outer.Log("late") }},
		{"sets a variable", func(t *T, _ testing.TB) { t.Setenv(key, "late"); panic("it goes on") }},
		{"changes the folder", func(t *T, _ testing.TB) { t.Chdir("/"); panic("it goes on") }},
	} {
		t.Run(c.what, func(t *testing.T) {
			release, ended := make(chan struct{}), make(chan struct{})
			var cleaned atomic.Bool
			var once sync.Once
			var outer testing.TB
			t.Run("inner", func(t *testing.T) {
				outer = t
				inEmptyPackage(t)
				wd, _ := os.Getwd()
				Check(until{t, time.Now().Add(time.Minute)}, func(run *T, n uint64) {
					if n < 1e9 {
						pause(n, release)
						return
					}
					first := false
					once.Do(func() { first = true })
					if !first {
						<-release
						return
					}
					defer close(ended)
					run.Cleanup(func() { cleaned.Store(true) })
					run.Setenv(key, "set")
					run.Chdir(os.TempDir())
					<-release
					c.later(run, outer)
				}, Tests(50))
				if now, _ := os.Getwd(); now != wd || os.Getenv(key) != "" {
					t.Errorf("the run is abandoned, the folder is %s, and the variable is %q", now, os.Getenv(key))
				}
			})
			wd, _ := os.Getwd()
			close(release)
			<-ended
			for !cleaned.Load() {
				runtime.Gosched()
			}
			if now, _ := os.Getwd(); now != wd || os.Getenv(key) != "" {
				t.Errorf("the run has ended, the folder is %s, and the variable is %q", now, os.Getenv(key))
			}
		})
	}
}

// until is a test with another deadline.
type until struct {
	*testing.T
	end time.Time
}

func (u until) Deadline() (time.Time, bool) { return u.end, true }

// Shrinking leaves out simpler inputs whose runs are slow.
func TestShrinkingMeetsSlowRun(t *testing.T) {
	shortly(t)
	for _, c := range []struct {
		slow int64 // so many of the simpler inputs are slow
		says string
	}{
		{1, "note: 1 simpler input left out, whose run was slow"},
		{1000, "note: shrinking ended early: the runs of 3 simpler inputs were slow"},
	} {
		release := make(chan struct{})
		defer close(release)
		var slow atomic.Int64
		r := record(t, "TestX", func(t testing.TB) {
			checkUntil(t, time.Minute, func(t *T, in struct{ A, B int }) {
				if in.B > 5 && in.A == 0 && slow.Add(1) <= c.slow {
					<-release
				}
				if in.B > 5 && in.A > 5 {
					t.Error("large")
				}
			})
		})
		r.has(t, "property failed: large", c.says, "A: 6, B: 6")
	}
}

// A Check that makes slow runs only leaves half of the time to the tests after it.
func TestHalfOfTheTime(t *testing.T) {
	r := record(t, "TestX", func(t testing.TB) {
		checkUntil(t, 2*time.Second, func(t *T, in int) { time.Sleep(20 * time.Millisecond) })
	})
	if r.failed {
		t.Errorf("it failed: %s", r.text())
	}
	r.has(t, "note: ", " of 100 tests passed: no run is started after half of the time before the test's deadline; go test -timeout ")
}
