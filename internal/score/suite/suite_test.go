//go:build go1.25

package suite

import (
	"flag"
	"log"
	"os"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/fate"
)

// What the tests of a package do under faults is tested in package judge, with a binary that
// has tests and faults of all kinds.

// The test package and the external test package may have tests of the same name.
func TestNames(t *testing.T) {
	defer func(old []unit) { units = old }(units)
	units = nil
	Add([]testing.InternalTest{{Name: "TestA"}, {Name: "TestB"}}, []testing.InternalExample{{Name: "ExampleA"}})
	Add([]testing.InternalTest{{Name: "TestA"}, {Name: "TestA"}}, nil)
	var names []string
	for _, u := range units {
		names = append(names, u.name)
	}
	if got := strings.Join(names, " "); got != "TestA TestB ExampleA TestA#01 TestA#02" {
		t.Error(got)
	}
	if units[2].example.Name != "ExampleA" || units[3].test.Name != "TestA" {
		t.Error(units)
	}
}

var testFlag = flag.String("suite.test", "before", "for the test of flags")

// What a test changes in its process is changed back.
func TestHome(t *testing.T) {
	h := remember()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	old := []any{os.Stdin, os.Stdout, os.Stderr, log.Writer(), flag.CommandLine, os.Getenv("PATH"), len(os.Args)}
	h.silence(null)
	os.Chdir("/")
	os.Setenv("SUITE_TEST", "1")
	os.Setenv("PATH", "/none")
	os.Args = append(os.Args, "more")
	flag.Set("suite.test", "after")
	flag.CommandLine = flag.NewFlagSet("other", flag.PanicOnError)
	h.restore()
	now := []any{os.Stdin, os.Stdout, os.Stderr, log.Writer(), flag.CommandLine, os.Getenv("PATH"), len(os.Args)}
	if !reflect.DeepEqual(old, now) {
		t.Errorf("%v\n%v", old, now)
	}
	if _, err := os.Stat("suite.go"); err != nil || os.Getenv("SUITE_TEST") != "" || *testFlag != "before" {
		t.Error(err, os.Getenv("SUITE_TEST"), *testFlag)
	}
	if n := testing.AllocsPerRun(10, h.restore); n > 20 {
		t.Errorf("%v allocations if nothing has changed", n)
	}
}

// The clock decides nothing but whether a run has hung.
func TestStuck(t *testing.T) {
	now := time.Hour
	for _, c := range []struct {
		about string
		run   run
		want  string
	}{
		{"no run", run{began: 0}, ""},
		{"takes no steps for a while", run{running: true, began: now, moved: now - time.Second}, ""},
		{"takes no steps", run{running: true, began: now, moved: now - 11*time.Second}, "the test did not end within 10s"},
		{"usually takes long", run{running: true, began: now, moved: now - 11*time.Second, usual: time.Second}, ""},
		{"takes steps", run{running: true, began: now - 9*time.Second, moved: now}, ""},
		{"takes steps for too long", run{running: true, began: now - 11*time.Second, moved: now}, "the test did not end within 10s"},
		{"has just panicked", run{running: true, by: fate.ByPanic, noted: now}, ""},
		{"goes on after a panic", run{running: true, by: fate.ByPanic, noted: now - time.Second}, "the test did not end after the panic"},
	} {
		r := &runner{wall: 10 * time.Second, current: c.run}
		r.current.steps = 0
		if got := r.stuck(now); got != c.want {
			t.Errorf("a run that %s: %q, want %q", c.about, got, c.want)
		}
	}
}

func TestFirstLine(t *testing.T) {
	if got := firstLine("a\nb"); got != "a" {
		t.Error(got)
	}
	if got := firstLine(strings.Repeat("ä", 300)); got != strings.Repeat("ä", 100)+"..." {
		t.Error(got)
	}
}

// A select may wait for a timer, so it is no deadlock.
func TestAllWait(t *testing.T) {
	release := make(chan bool)
	var group sync.WaitGroup
	group.Go(func() {
		select {
		case <-release:
		case <-time.After(time.Minute):
		}
	})
	for range 100 {
		if allWait() {
			t.Fatal("a goroutine in a select counts as waiting")
		}
	}
	close(release)
	group.Wait()
}

// A goroutine that computes after the end of its test is found, though it takes no steps. One that waits, or that ends soon,
// does no harm.
func TestComputing(t *testing.T) {
	var end atomic.Bool
	done := make(chan bool)
	for _, c := range []struct {
		about string
		left  func()
		want  bool
	}{
		{"waits", func() { <-done }, false},
		{"sleeps", func() { time.Sleep(time.Hour) }, false},
		{"ends soon", func() {
			for i := range 1000 {
				_ = i * i
			}
		}, false},
		{"computes", func() {
			for !end.Load() {
			}
		}, true},
	} {
		before := runtime.NumGoroutine()
		go c.left()
		runtime.Gosched()
		if got := busy(before); got != c.want {
			t.Errorf("a goroutine that %s: %v, want %v", c.about, got, c.want)
		}
	}
	end.Store(true)
	close(done)
}
