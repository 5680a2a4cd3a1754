//go:build go1.25

package judge_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/ops/judge"
	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/testkit"
)

// places are the names of the faults in testdata/sick, in the order of their numbers.
var places = strings.Fields(`Wrong Unnoticed Same Unreached Loop Recursion HugeMake GuardedPanic LoosePanic Deadlock Pollute
	PanicLocked ExitCode ExitZero Init Once SubtestPanic Parallel InExample Overflow Memory Recovers Leaks Uncounted Moves
	Panics Both NotThere`)

func build(t *testing.T) (binary string) {
	t.Helper()
	binary = filepath.Join(t.TempDir(), "sick.test")
	if out, exit := testkit.Go(t, testkit.Root(t), nil, "test", "-c", "-vet=off", "-o", binary, "./internal/ops/judge/testdata/sick"); exit != 0 {
		t.Fatal(out)
	}
	return binary
}

func config(t *testing.T, binary string) judge.Config {
	c := judge.Config{Binary: binary, Dir: "testdata/sick", Work: t.TempDir(), Wall: time.Second, Memory: 512 << 20}
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
	for i, v := range r.Verdicts {
		fmt.Fprintf(&b, "%-12s %s [tests %d, runs %d]\n", places[i], v, v.Tests, v.Runs)
	}
	return b.String()
}

// Whatever a fault does to its process, each fault gets its own verdict, with any number of
// workers, and each time the same.
func TestVerdicts(t *testing.T) {
	binary := build(t)
	for _, workers := range []int{1} {
		began := time.Now()
		c := config(t, binary)
		c.Workers = workers
		r, err := judge.Run(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d workers, %d processes, %v", workers, r.Processes, time.Since(began))
		testkit.Golden(t, "testdata/verdicts.golden", []byte(table(r)))
	}
}
