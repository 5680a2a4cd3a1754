package lab

import (
	"fmt"
	"runtime"
	"syscall"
	"time"
)

// CPU is the processor time this process has used, all threads, user and system.
// Differences of it are what experiments call cost.
func CPU() time.Duration { return used(syscall.RUSAGE_SELF) }

// CPUWithChildren adds what child processes have used that were waited for, and
// theirs: the cost of work that is partly done by commands.
func CPUWithChildren() time.Duration { return CPU() + used(syscall.RUSAGE_CHILDREN) }

func used(who int) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(who, &used); err != nil {
		panic(fmt.Sprintf("lab: getrusage: %v", err)) // fails only for a bad argument
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

const (
	// sliceMin is how long one slice runs at least: the kernel accounts CPU time
	// in steps of up to 4 ms, which is then below a tenth.
	sliceMin = 50 * time.Millisecond
	// opsMax ends calibration of a function that costs nothing at all.
	opsMax = 1 << 30
)

// A Subject is one of the things compared. Run does its work n times.
type Subject struct {
	Name string
	Run  func(n int)
}

// A Timing is what a subject costs.
type Timing struct {
	Name    string
	N       int       // operations in a slice
	NsPerOp float64   // median over the rounds
	Rounds  []float64 // ns per operation, round by round
}

// Interleave measures subjects against each other. It first finds for each how many
// operations fill a slice, then runs one slice of every subject in each round. A
// clock that changes speed, or a busy neighbour, thus meets all of them, and
// ratios are far steadier than those of subjects measured one after the other.
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
			i := (round + k) % len(subjects) // nobody is always first, or always after the same one
			cost := slice(clock, subjects[i].Run, timings[i].N)
			timings[i].Rounds = append(timings[i].Rounds, float64(cost)/float64(timings[i].N))
		}
	}
	for i := range timings {
		timings[i].NsPerOp = Median(timings[i].Rounds)
	}
	return timings
}

// calibrate grows n by doubling, which also warms the subject up.
func calibrate(clock func() time.Duration, run func(int)) int {
	n := 1
	for n < opsMax && slice(clock, run, n) < sliceMin {
		n *= 2
	}
	return n
}

// slice collects garbage first, so that nobody pays for what another one left.
func slice(clock func() time.Duration, run func(int), n int) time.Duration {
	runtime.GC()
	start := clock()
	run(n)
	return clock() - start
}

// Over is how many times the cost of base this is: the median of the ratios
// within each round, where both met the same machine.
func (t Timing) Over(base Timing) float64 {
	ratios := make([]float64, len(t.Rounds))
	for i := range ratios {
		ratios[i] = t.Rounds[i] / base.Rounds[i]
	}
	return Median(ratios)
}

// Row shows the timing with the number of operations it rests on.
func (t Timing) Row() Row {
	return Row{Col("subject", t.Name), Col("n", t.N), Col("cpu ns/op", t.NsPerOp)}
}
