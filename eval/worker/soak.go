package worker

import (
	"runtime"

	"github.com/allele-go/allele/eval/workload/task"
	"github.com/allele-go/allele/internal/search/engine"
)

// endless is more runs than any soak makes.
const endless = 1 << 40

// clockEvery is after how many runs a soak looks at the clock, which takes longer
// than a run.
const clockEvery = 1024

// Soak searches for j.Budget seconds of CPU time and tells how it stands after
// each of j.Samples equal parts of it.
func Soak(j Job, t task.Task, strategy *engine.Strategy, tell func(Result)) error {
	j.Cap = endless
	s, err := start(j, t, strategy)
	if err != nil {
		return err
	}
	for part := range j.Samples {
		until := j.Budget * float64(part+1) / float64(j.Samples)
		for s.res.CPU < until {
			for range clockEvery {
				if !s.step() {
					tell(s.result())
					return nil
				}
			}
			s.result()
		}
		r := s.result()
		r.Heap, r.Kept = heap(), s.engine.Report().Kept
		tell(r)
	}
	runtime.KeepAlive(s) // or the last sample would be of an empty heap
	return nil
}

// heap is what is in use after a collection, with stacks, in MB.
func heap() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapInuse+m.StackInuse) / (1 << 20)
}
