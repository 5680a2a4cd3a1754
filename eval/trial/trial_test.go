package trial

import (
	"os"
	"os/exec"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/allele-go/allele/eval/trial/harness"
)

// TestProcess is the search of the other tests: it runs in a process of its own, and takes numbers as
// inputs, either a few of them or without end.
func TestProcess(t *testing.T) {
	switch os.Getenv("TRIAL") {
	case "few":
		for i := range 10 {
			harness.Run(i, func(int) bool { return true })
		}
	case "endless":
		for i := 0; ; i++ {
			harness.Run(i, func(x int) bool { return x == 1000 })
		}
	}
}

func search(t *testing.T, kind string, budget time.Duration) *Search {
	cmd := exec.Command(os.Args[0], "-test.run=^TestProcess$", "-test.timeout=0")
	cmd.Env = append(os.Environ(), "TRIAL="+kind)
	return &Search{Cmd: cmd, Temp: t.TempDir(), Budget: budget}
}

// A search that is over is not waited for, one that has used its time is stopped, and so is one that has found
// what it is for.
func TestRun(t *testing.T) {
	few, err := search(t, "few", time.Hour).Run()
	if err != nil || few.Counts.Runs != 10 || !few.Ended || few.Output == "" {
		t.Errorf("few: %+v, %v", few, err)
	}
	endless, err := search(t, "endless", 200*time.Millisecond).Run()
	if err != nil || endless.Counts.Runs < 10 || endless.Ended || endless.CPU < 200*time.Millisecond || len(endless.Marks) == 0 {
		t.Errorf("endless: %+v, %v", endless, err)
	}
	if last := endless.Marks[len(endless.Marks)-1]; last.CPU != endless.CPU || last.Runs > endless.Counts.Runs {
		t.Errorf("last mark %+v of %+v", last, endless)
	}
	first := search(t, "endless", time.Hour)
	first.Enough = func(c harness.Counts) bool { return c.Valid > 0 }
	if o, err := first.Run(); err != nil || o.Ended || o.Counts.FirstRun != 1001 {
		t.Errorf("first: %+v, %v", o, err)
	}
	if o, err := search(t, "none", time.Hour).Run(); err == nil {
		t.Errorf("a search without runs: %+v", o)
	}
}

// Everything is done once.
func TestOnCores(t *testing.T) {
	var mu sync.Mutex
	var done []int
	left := OnCores([]int{3, 1, 2}, func(i, core int) {
		mu.Lock()
		defer mu.Unlock()
		done = append(done, i)
	})
	slices.Sort(done)
	if left != 0 || !slices.Equal(done, []int{1, 2, 3}) {
		t.Errorf("done %v, left %d", done, left)
	}
}
