//go:build go1.25

package judge_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/score/judge"
	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/testkit"
)

// places are the names of the faults in testdata/sick, in the order of their numbers. The last
// one is a fault that the binary does not have.
var places = strings.Fields(`Wrong Unnoticed Same Unreached Loop Recursion HugeMake GuardedPanic LoosePanic Deadlock Pollute
	PanicLocked ExitCode ExitZero Init Once SubtestPanic Parallel InExample Overflow Memory Recovers Leaks Uncounted Moves
	Panics Both Deep Cached Fills Reuses Maybe Surely Waits Late NotThere`)

func build(t *testing.T) (binary string) {
	t.Helper()
	binary = filepath.Join(t.TempDir(), "sick.test")
	out, exit := testkit.Go(t, testkit.Root(t), nil, "test", "-c", "-vet=off", "-o", binary, "./internal/score/judge/testdata/sick")
	if exit != 0 {
		t.Fatal(out)
	}
	return binary
}

func config(t *testing.T, binary string) judge.Config {
	c := judge.Config{Binary: binary, Dir: "testdata/sick", Work: t.TempDir(), Wall: 4 * time.Second, Memory: 512 << 20}
	for i := range places {
		c.Faults = append(c.Faults, site.Fault{ID: 100 + i, Package: "sick", Site: i})
	}
	return c
}

// table writes a result as text, without times.
func table(r *judge.Result) string {
	var b strings.Builder
	for _, t := range r.Tests {
		if t.Left != "" {
			fmt.Fprintf(&b, "left out %s: %s\n", t.Name, t.Left)
		}
	}
	slices.SortFunc(r.Verdicts, func(a, b fate.Verdict) int { return a.Fault - b.Fault })
	for _, v := range r.Verdicts {
		fmt.Fprintf(&b, "%-12s %s [tests %d, runs %d]\n", places[v.Fault-100], v, v.Tests, v.Runs)
	}
	return b.String()
}

// Whatever a fault does to its process, each fault gets its own verdict: with any number of
// workers, in any order, and each time the same.
func TestVerdicts(t *testing.T) {
	binary := build(t)
	for _, workers := range []int{1, 2} {
		for _, reversed := range []bool{false, true} {
			t.Run(fmt.Sprint(workers, reversed), func(t *testing.T) {
				t.Parallel() // most of the time is spent waiting for runs that do not end
				c := config(t, binary)
				if c.Workers = workers; reversed {
					slices.Reverse(c.Faults)
				}
				r, err := judge.Run(context.Background(), c)
				if err != nil {
					t.Fatal(err)
				}
				testkit.Golden(t, "testdata/verdicts.golden", []byte(table(r)))
			})
		}
	}
}

// troublesome are the tests that take time on the original program.
var troublesome = map[string]string{"TestBlocks": "it does not end", "TestDies": "it ends its process"}

// An interrupted run returns the verdicts so far.
func TestInterrupted(t *testing.T) {
	c := config(t, build(t))
	c.Workers, c.Leave = 1, troublesome
	c.Faults = slices.DeleteFunc(c.Faults, func(f site.Fault) bool {
		return slices.Contains([]string{"Deadlock", "Uncounted", "Recovers", "Memory"}, places[f.Site])
	})
	ctx, cancel := context.WithCancel(context.Background())
	c.Progress = func(p judge.Progress) {
		if p.Judged > p.Total/2 {
			cancel()
		}
	}
	r, err := judge.Run(ctx, c)
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	known := 0
	for _, v := range r.Verdicts {
		if v.Kind != "" {
			known++
		}
	}
	if known == 0 || known == len(c.Faults) {
		t.Errorf("%d of %d faults have a verdict", known, len(c.Faults))
	}
}

// A fault that makes tests fail later is found, and does not count for the others.
func TestPollution(t *testing.T) {
	c := config(t, build(t))
	c.Workers, c.Leave = 1, troublesome
	c.Faults = nil
	for i := range 60 {
		f := site.Fault{ID: 100 + i, Package: "sick", Site: slices.Index(places, "Unnoticed")}
		if i == 30 {
			f.Site = slices.Index(places, "Pollute")
		}
		c.Faults = append(c.Faults, f)
	}
	r, err := judge.Run(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range r.Verdicts {
		if v.Kind != fate.Survived || v.Fault != 100+i {
			t.Error(i, v)
		}
	}
	// Three processes for the baseline, as tests that fail are tried again, one for all faults, three for groups, 25 for the
	// faults of the second group.
	if r.Processes != 3+1+3+25 {
		t.Errorf("%d processes", r.Processes)
	}
}

// A test that fails because the machine is busy is tried again in other processes, and takes part. A kill by such a test
// counts if it fails each time.
func TestBusyMachine(t *testing.T) {
	c := config(t, build(t))
	c.Leave = troublesome
	c.Faults = slices.DeleteFunc(c.Faults, func(f site.Fault) bool { return places[f.Site] != "Late" })
	for failures, want := range []string{"killed by test: TestBusy", "killed by test: TestBusy", "killed by test: TestBusy", "not reached"} {
		t.Run(fmt.Sprint(failures), func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "busy")
			if err := os.WriteFile(file, []byte(strings.Repeat("x", failures)), 0o666); err != nil {
				t.Fatal(err)
			}
			c.Work, c.Env = t.TempDir(), append(os.Environ(), "SICK_BUSY="+file)
			r, err := judge.Run(context.Background(), c)
			if err != nil {
				t.Fatal(err)
			}
			left, _ := os.ReadFile(file)
			if got := r.Verdicts[0].String(); got != want || len(left) != 0 {
				t.Errorf("%s, %d failures left", got, len(left))
			}
		})
	}
}

// A binary that does not run the suite is an error with its output.
func TestBroken(t *testing.T) {
	c := config(t, build(t))
	script := filepath.Join(t.TempDir(), "broken.test")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho no such thing\nexit 3\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	c.Binary = script
	if _, err := judge.Run(context.Background(), c); err == nil || !strings.Contains(err.Error(), "no such thing") {
		t.Error(err)
	}
	c.Binary = filepath.Join(t.TempDir(), "missing")
	if _, err := judge.Run(context.Background(), c); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// A test binary that has another version of the protocol is refused with what to do about it.
func TestOtherVersion(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the test binary is a shell script")
	}
	for _, c := range []struct{ begin, want string }{
		{`{"event":"begin"}`, "so the tests are older: run go get -tool "},
		{`{"event":"begin","version":99}`, "so the command is older: run go get -tool "},
	} {
		binary := filepath.Join(t.TempDir(), "a.test")
		script := "#!/bin/sh\nto=$(sed 's/.*\"results\":\"\\([^\"]*\\)\".*/\\1/' \"$ALLELE_REQUEST\")\necho '" + c.begin + "' >>\"$to\"\nexit 1\n"
		if err := os.WriteFile(binary, []byte(script), 0o777); err != nil {
			t.Fatal(err)
		}
		if _, err := judge.Run(context.Background(), config(t, binary)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.begin, err)
		}
	}
}
