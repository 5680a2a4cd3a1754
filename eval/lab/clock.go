package lab

import (
	"fmt"
	"runtime"
	"syscall"
	"time"
)

// CPU returns the CPU time that this process has used, in all threads, user and system.
// In the experiments, "cost" means the difference of two such values.
func CPU() time.Duration { return used(syscall.RUSAGE_SELF) }

// CPUWithChildren returns the CPU time of this process and of its finished child
// processes, with their descendants. It is for work that is partly done by commands.
func CPUWithChildren() time.Duration { return CPU() + used(syscall.RUSAGE_CHILDREN) }

// Spent returns the CPU time of a function, and of the processes that it starts and waits
// for. Nothing else may run in this process meanwhile.
func Spent(f func()) time.Duration {
	runtime.GC() // otherwise f would pay for garbage of earlier work
	start := CPUWithChildren()
	f()
	return CPUWithChildren() - start
}

func used(who int) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(who, &used); err != nil {
		panic(fmt.Sprintf("lab: getrusage: %v", err)) // fails only for a bad argument
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

const (
	// sliceMin is the minimal cost of a slice, which is one measurement. The kernel
	// accounts CPU time in steps of up to 4 ms, and a step must be small compared with a
	// slice.
	sliceMin = 50 * time.Millisecond
	// opsMax limits the number of operations in a slice. Without it, the calibration of a
	// function that costs nothing would not end.
	opsMax = 1 << 30
)

// A Subject is one of several functions whose costs are compared. Run does its work n
// times.
type Subject struct {
	Name string
	Run  func(n int)
}

// A Timing is the cost of a subject.
type Timing struct {
	Name    string
	N       int       // operations in a slice
	NsPerOp float64   // median over the rounds
	Rounds  []float64 // ns per operation, round by round
}

// Interleave compares the cost of subjects. For each subject it first determines the
// number of operations in a slice, which takes at least 50 ms of CPU time. Then it runs
// one slice of every subject in each round. So a change of the clock rate, or another
// busy process, affects all subjects alike, and ratios are far steadier than those of
// subjects measured one after the other.
func Interleave(rounds int, subjects ...Subject) []Timing {
	return interleave(CPU, rounds, subjects)
}

func interleave(clock func() time.Duration, rounds int, subjects []Subject) []Timing {
	if rounds < 1 {
		panic("lab: interleave needs at least one round")
	}
	timings := make([]Timing, len(subjects))
	for i, s := range subjects {
		timings[i] = Timing{Name: s.Name, N: calibrate(clock, s.Run)}
	}
	for round := range rounds {
		for k := range subjects {
			i := (round + k) % len(subjects) // rotate, so that no subject is always first or always follows the same one
			cost := slice(clock, subjects[i].Run, timings[i].N)
			timings[i].Rounds = append(timings[i].Rounds, float64(cost)/float64(timings[i].N))
		}
	}
	for i := range timings {
		timings[i].NsPerOp = Median(timings[i].Rounds)
	}
	return timings
}

// calibrate doubles n until a slice is long enough, which also warms up the subject.
func calibrate(clock func() time.Duration, run func(int)) int {
	n := 1
	for n < opsMax && slice(clock, run, n) < sliceMin {
		n *= 2
	}
	return n
}

// slice returns the cost of n operations. It collects garbage first, so that no
// subject pays for the garbage of another one.
func slice(clock func() time.Duration, run func(int), n int) time.Duration {
	runtime.GC()
	start := clock()
	run(n)
	return clock() - start
}

// Over returns the cost of t as a multiple of the cost of base. It is the median of the
// ratios within each round, because in a round both ran under the same conditions.
func (t Timing) Over(base Timing) float64 {
	ratios := make([]float64, len(t.Rounds))
	for i := range ratios {
		ratios[i] = t.Rounds[i] / base.Rounds[i]
	}
	return Median(ratios)
}

// Row returns the timing with its number of operations as a row.
func (t Timing) Row() Row {
	return Row{Col("subject", t.Name), Col("n", t.N), Col("cpu ns/op", t.NsPerOp)}
}
