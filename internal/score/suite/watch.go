//go:build go1.25

package suite

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/hook"
	"github.com/allele-go/allele/internal/proc/scoring"
)

const (
	watchEvery = 50 * time.Millisecond
	// notedWait is how long a run may go on after a panic or a spent budget was noted, in
	// addition to twice its usual time, and notedMax is the maximum. The verdict is known,
	// whether the run ends or not. Waiting saves the time to start another process.
	notedWait = 250 * time.Millisecond
	notedMax  = 2 * time.Second
	// blockedWait is how long all goroutines of a run may wait for each other, unless the
	// wall limit is lower. blockedTimes is how many times in a row they must be seen waiting.
	blockedWait  = 2 * time.Second
	blockedTimes = 3
	// slowShare is how many times its usual time a run may take, whether or not it takes
	// steps. A run with a fault may take 20 times the usual steps, on a machine that is busy.
	slowShare = 100
)

// watch ends the process if a run does not end. None of that is a kill, except that a panic
// or a spent budget was noted before, or that the run is in a deadlock.
//
// Whether it is, only the runtime knows: a goroutine that waits may be woken by a timer. So watch stops
// watching if all of them wait. Then nothing but the run is left in the process, and the runtime ends it if nothing can
// wake a goroutine. If something can, the command ends it.
//
// Its clock goes on by the same amount each time that it wakes up. So it is slow if the machine
// is too busy to run this process.
func (r *runner) watch() {
	for {
		time.Sleep(watchEvery)
		r.heap.fit()
		r.mu.Lock()
		r.clock += watchEvery
		if why := r.stuck(r.clock); why != "" {
			r.put(scoring.Line{Event: scoring.Stuck, Fault: r.current.fault, Test: r.current.test, Detail: why})
			if why == scoring.Asleep {
				r.mu.Unlock()
				return
			}
			os.Exit(CodeStuck)
		}
		r.mu.Unlock()
	}
}

// stuck returns why the current run will not end, or "".
func (r *runner) stuck(now time.Duration) string {
	c := &r.current
	if !c.running {
		return ""
	}
	if c.by != "" {
		if now-c.noted > min(notedWait+2*c.usual, notedMax) {
			return "the test did not end after the " + c.by
		}
		return ""
	}
	if steps := hook.Hits(); steps != c.steps {
		c.steps, c.moved, c.blocked = steps, now, 0
	}
	still, took := now-c.moved, now-c.began
	if still > min(blockedWait, r.wall/2)+4*c.usual && allWait() {
		if c.blocked++; c.blocked >= blockedTimes {
			return scoring.Asleep
		}
	}
	if still > r.wall+4*c.usual || took > r.wall+slowShare*c.usual {
		return fmt.Sprintf("the test did not end within %v", r.wall)
	}
	return ""
}

// allWait reports whether all other goroutines wait for each other. A select may wait for a
// timer, so a goroutine in a select does not count as one that waits.
func allWait() bool {
	buf := make([]byte, dumpMax)
	dump := string(buf[:runtime.Stack(buf, true)])
	if len(dump) == dumpMax {
		return false // not all goroutines are in it
	}
	own := true
	for block := range strings.SplitSeq(dump, "\n\n") {
		if own { // this goroutine is the first
			own = false
			continue
		}
		_, state, _ := strings.Cut(block, "[")
		state, _, _ = strings.Cut(state, "]")
		state, _, _ = strings.Cut(state, ",")
		if !strings.HasPrefix(state, "chan ") && !strings.HasPrefix(state, "sync.") && !strings.HasPrefix(state, "semacquire") {
			return false
		}
	}
	return true
}
