package worker

import (
	"runtime"

	"github.com/allele-go/allele/eval/papers"
	"github.com/allele-go/allele/eval/workload/task"
)

// endless is more runs than any soak makes. (A soak is a search that is limited by time.)
const endless = 1 << 40

// clockEvery is the number of runs after which a soak reads the clock. It does not read
// the clock after every run, because that takes longer than a run.
const clockEvery = 1024

// Soak searches for j.Budget seconds of CPU time. It calls report with the state of the
// search after each of j.Samples equal parts of that time.
func Soak(j Job, t task.Task, loop *papers.Loop, report func(Result)) error {
	j.Cap = endless
	s, err := start(j, t, loop)
	if err != nil {
		return err
	}
	for part := range j.Samples {
		until := j.Budget * float64(part+1) / float64(j.Samples)
		for s.res.CPU < until {
			for range clockEvery {
				if !s.step() {
					report(s.result())
					return nil
				}
			}
			s.result()
		}
		r := s.result()
		r.Heap, r.Kept = heap(), s.engine.Report().Kept
		report(r)
	}
	runtime.KeepAlive(s) // otherwise the search could be collected before the last sample
	return nil
}

// heap returns the memory in use after a garbage collection, with stacks, in MB.
func heap() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapInuse+m.StackInuse) / (1 << 20)
}
