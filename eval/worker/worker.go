// Package worker runs search experiments inside an instrumented binary.
//
// The programs under test are in eval/workload and have probes. This package has none, so
// that it adds nothing to a path. Package search builds the test binary of this package,
// passes jobs to it and reads the results:
//
//	{"task": "ifc7", "strategy": "guided", "seed": 3, "cap": 1000000}
//	{"task": "ifc7", ..., "found": true, "runs": 431, "passed": 55, "cpu": 0.004}
//
// A job is one search for one bug. It ends with the first failure or at the cap.
package worker

import (
	"time"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/eval/papers"
	"github.com/allele-go/allele/eval/workload/etna"
	"github.com/allele-go/allele/eval/workload/ifc"
	"github.com/allele-go/allele/eval/workload/peers"
	"github.com/allele-go/allele/eval/workload/task"
	"github.com/allele-go/allele/internal/search/engine"
	"github.com/allele-go/allele/internal/search/trace"
	"github.com/allele-go/allele/internal/value/schema"
)

// Job is one search.
type Job struct {
	Task     string `json:"task"`
	Strategy string `json:"strategy"`
	Seed     uint64 `json:"seed"`
	Cap      int    `json:"cap"` // runs

	// A soak is limited by a time instead of a cap, and reports its state Samples times.
	Budget  float64 `json:"budget,omitempty"` // CPU seconds
	Samples int     `json:"samples,omitempty"`
}

// Result is the result of a job.
type Result struct {
	Job
	Found  bool    `json:"found"`
	Runs   int     `json:"runs"`
	Passed int     `json:"passed"`
	CPU    float64 `json:"cpu"` // seconds

	// For a soak only.
	Heap float64 `json:"heap,omitempty"` // MB in use
	Kept int     `json:"kept,omitempty"` // inputs saved so far
}

// Tasks returns all tasks by name.
func Tasks() map[string]task.Task {
	all := map[string]task.Task{}
	for _, list := range [][]task.Task{ifc.Tasks(ifc.SSNI), {ifc.Correct(ifc.SSNI)}, peers.Tasks(), peers.Correct(), etna.Tasks()} {
		for _, t := range list {
			all[t.Name] = t
		}
	}
	return all
}

// size is the size of fresh terms in a plain search. The papers used the same size for
// QuickCheck.
const size = 10

// hitsMax limits the hits of a run, that is, the probes that it reaches. It is far above
// the number of hits in any run of these programs.
const hitsMax = 1 << 22

// Search runs a job.
func Search(j Job, t task.Task, loop *papers.Loop) (Result, error) {
	s, err := start(j, t, loop)
	if err != nil {
		return Result{}, err
	}
	for s.step() {
	}
	return s.result(), nil
}

// searching is a search in progress.
type searching struct {
	task    task.Task
	builder *schema.Builder
	engine  *engine.Engine
	rec     trace.Recorder
	began   time.Duration
	res     Result
}

func start(j Job, t task.Task, loop *papers.Loop) (*searching, error) {
	w, err := schema.Derive(t.In, t.Decls())
	if err != nil {
		return nil, err
	}
	c := engine.Config{World: w, Seed: j.Seed, Size: size, Tests: j.Cap, Runs: j.Cap}
	loop.Config(&c)
	return &searching{
		task: t, builder: schema.NewBuilder(w), rec: trace.Recorder{Sites: 1}, res: Result{Job: j},
		engine: engine.New(c), began: lab.CPU(),
	}, nil
}

// step makes one run. It reports whether the search continues.
func (s *searching) step() bool {
	x, ok := s.engine.Next()
	if !ok {
		return false
	}
	s.rec.Begin(hitsMax)
	verdict := s.task.Call(s.builder, x)
	run := s.rec.End()
	s.engine.Done(verdicts[verdict], run)
	s.res.Found = verdict == task.Failed
	return !s.res.Found
}

// result updates the figures and returns them.
func (s *searching) result() Result {
	s.res.Runs, s.res.Passed, s.res.CPU = s.engine.Runs, s.engine.Passed, (lab.CPU() - s.began).Seconds()
	return s.res
}

var verdicts = [...]engine.Verdict{task.Passed: engine.Passed, task.Failed: engine.Failed, task.Discarded: engine.Discarded}
