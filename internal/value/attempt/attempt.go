//go:build go1.25

// Package attempt calls methods of types to see what they accept.
//
// While schemas are derived, allele tries how a type reads and writes texts, for example. A
// method that is called for this may panic, never return, or recurse without end. So each call
// has a goroutine of its own and a time limit:
//
//	text := attempt.Call(t, "MarshalText", func() string { return write(v) }) // "" if it panics or does not return
//	method := attempt.Endless(t)                                             // the method that did not return
//
// A type with such a method is not tried again.
package attempt

import (
	"fmt"
	"os"
	"reflect"
	"runtime/metrics"
	"sync"
	"time"
)

var (
	// Max is how long one call may take. Calls take microseconds, also on a loaded machine. Tests change it.
	Max = 2 * time.Second
	// stackMax is how much memory stacks may use before the method is named. If the recursion has no end, the
	// runtime ends the process soon after.
	stackMax uint64 = 16 << 20
)

// lookEvery is the time between two looks at the stacks. It is short compared with the time in which a
// stack becomes too large.
const lookEvery = 2 * time.Millisecond

// stopMax is how long a loop may need to reach a probe.
const stopMax = 200 * time.Millisecond

// endless has a message for each method that did not return.
var endless = struct {
	sync.Mutex
	of map[reflect.Type]string
}{of: map[reflect.Type]string{}}

// Call returns the result of a function that calls a method of a type. It returns zero if the function panics or does not
// return in time; then no method of the type is called again. The function must not write to variables outside of it, because it may
// still run when Call has returned.
func Call[R any](t reflect.Type, method string, call func() R) (result R) {
	if Endless(t) != "" {
		return result
	}
	done := make(chan R, 1)
	go func() {
		var r R
		defer func() {
			recover()
			done <- r
		}()
		r = call()
	}()
	step := time.NewTimer(lookEvery)
	defer step.Stop()
	named := false
	for began := time.Now(); ; step.Reset(lookEvery) {
		select {
		case result = <-done:
			return result
		case <-step.C:
		}
		if !named && stacks() > stackMax {
			named = true
			fmt.Fprintf(os.Stderr, "allele: %s of %v uses much stack; allele calls it to learn how values are made; "+
				"if it recurses without end, fix it, or declare allele.Builder for %[2]v\n", method, t)
		}
		if time.Since(began) > Max {
			endless.Lock()
			endless.of[t] = method
			endless.Unlock()
			stopProbes(done)
			return result
		}
	}
}

// EndCalls makes goroutines end at their next probe, until the function that it returns is called. It is nil in programs without
// probes.
var EndCalls func() (restore func())

// stopProbes ends a call that has not returned. Otherwise a loop in code with probes would spend the steps of all runs.
func stopProbes[R any](done chan R) {
	if EndCalls == nil {
		return
	}
	defer EndCalls()()
	wait := time.NewTimer(stopMax)
	defer wait.Stop()
	select {
	case <-done:
	case <-wait.C:
	}
}

// Endless returns the method of t that did not return, or "".
func Endless(t reflect.Type) string {
	endless.Lock()
	defer endless.Unlock()
	return endless.of[t]
}

// stacks returns the memory of all stacks.
func stacks() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return sample[0].Value.Uint64()
}
