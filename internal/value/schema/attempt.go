//go:build go1.25

package schema

import (
	"fmt"
	"os"
	"reflect"
	"runtime/metrics"
	"sync"
	"time"
)

// While schemas are derived, methods of types are called to see what they accept. Such a method
// may never return, or recurse without end. So each call has a goroutine of its own and a time limit.

var (
	// attemptMax is how long one call may take. Calls take microseconds, also on a loaded machine.
	attemptMax = 2 * time.Second
	// attemptStack is how much memory stacks may use before the method is named. If the recursion has no end, the
	// runtime ends the process soon after.
	attemptStack uint64 = 16 << 20
)

// attemptStep is the time between two looks at the stacks. It is short compared with the time in which a
// stack becomes too large.
const attemptStep = 2 * time.Millisecond

// attemptStop is how long a loop may need to reach a probe.
const attemptStop = 200 * time.Millisecond

// endless has a message for each method that did not return.
var endless = struct {
	sync.Mutex
	of map[reflect.Type]string
}{of: map[reflect.Type]string{}}

// attempted returns the result of a function that calls a method of a type. It returns zero if the function panics or does not
// return in time; then no method of the type is called again. The function must not write to variables outside of it, because it may
// still run when attempted has returned.
func attempted[R any](t reflect.Type, method string, call func() R) (result R) {
	if endlessOf(t) != "" {
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
	step := time.NewTimer(attemptStep)
	defer step.Stop()
	named := false
	for began := time.Now(); ; step.Reset(attemptStep) {
		select {
		case result = <-done:
			return result
		case <-step.C:
		}
		if !named && stacks() > attemptStack {
			named = true
			fmt.Fprintf(os.Stderr, "allele: %s of %v uses much stack; allele calls it to learn how values are made; "+
				"if it recurses without end, fix it, or declare allele.Builder for %[2]v\n", method, t)
		}
		if time.Since(began) > attemptMax {
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
	wait := time.NewTimer(attemptStop)
	defer wait.Stop()
	select {
	case <-done:
	case <-wait.C:
	}
}

// endlessOf returns the method of t that did not return, or "".
func endlessOf(t reflect.Type) string {
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

// endlessNote adds a message if a method of t did not return.
func (d *deriver) endlessNote(t reflect.Type, path string) {
	method := endlessOf(t)
	if method == "" {
		return
	}
	d.note(&d.world.Unset, "endless "+t.String(), fmt.Sprintf("%s: method %s of %v did not return within %v; "+
		"allele calls it to learn how values are made, and does without it now; fix the method, or %s",
		path, method, t, attemptMax, d.advise(t, "declare allele.Builder for %s")))
}
