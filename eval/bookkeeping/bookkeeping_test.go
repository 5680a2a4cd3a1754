package bookkeeping

import (
	"strings"
	"testing"

	"github.com/allele-go/allele/eval/papers"
	"github.com/allele-go/allele/eval/worker"
)

// Each ratio is computed within one round, so a machine that is slow in one round
// does not distort it.
func TestRow(t *testing.T) {
	r := row("x", "y", 5, []float64{50, 5, 50}, []float64{100, 10, 200})
	if r.Get("ratio") != 0.5 || r.Get("least") != 0.25 || r.Get("most") != 0.5 || r.Get("n") != 5 {
		t.Errorf("%v", r)
	}
}

const stacks = `File: worker.test
Type: cpu
Duration: 2.10s, Total samples = 50ms
-----------+-------------------------------------------------------
      10ms   runtime.mallocgc
             runtime.newobject
             github.com/allele-go/allele/internal/value/schema.(*Builder).Build
             github.com/allele-go/allele/eval/workload/task.Of[go.shape.struct {}].func2
-----------+-------------------------------------------------------
      20ms   github.com/allele-go/allele/eval/workload/peers.(*Tree).ordered (inline)
             github.com/allele-go/allele/eval/worker.Search
-----------+-------------------------------------------------------
      10ms   github.com/allele-go/allele/internal/value/schema.(*World).Of
             github.com/allele-go/allele/internal/value/mutate.(*frame).next
-----------+-------------------------------------------------------
      10ms   runtime.gcBgMarkWorker
-----------+-------------------------------------------------------
`

func TestShares(t *testing.T) {
	got, err := shares(stacks)
	if want := "property 40 %, build value 20 %, generate 0 %, mutate 20 %"; err != nil || !strings.HasPrefix(got, want) || !strings.HasSuffix(got, rest+" 20 % (of 0.1 s)") {
		t.Errorf("%v\n%s", err, got)
	}
	if _, err := shares("File: worker.test\n"); err == nil {
		t.Error("an empty profile has shares")
	}
}

// All searches of a subject make the same number of runs.
func TestEqualRuns(t *testing.T) {
	const runs = 1000
	tasks := worker.Tasks()
	for _, s := range subjects {
		for _, u := range append([]unguided{{strategy: guided}}, s.unguided...) {
			loop, err := papers.Named(u.strategy)
			if err != nil {
				t.Fatal(err)
			}
			r, err := worker.Search(worker.Job{Task: s.task, Strategy: u.strategy, Seed: 1, Cap: runs}, tasks[s.task], loop)
			if err != nil || r.Found || r.Runs != runs {
				t.Errorf("%s, %s: %d runs, want %d, found: %v, %v", s.name, u.strategy, r.Runs, runs, r.Found, err)
			}
		}
	}
}
