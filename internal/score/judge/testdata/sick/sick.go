//go:build go1.25

package sick

import (
	"os"
	"sync"
	"time"

	"github.com/allele-go/allele/internal/hook"
)

// start is computed by an initialiser.
var start = begin()

func begin() int {
	if on(Init, true) {
		return 8
	}
	return 7
}

func Add(a, b int) int {
	tick()
	if on(Wrong, b != 0) {
		return a - b
	}
	on(Same, false)
	return a + b
}

func Unused() bool { return on(Unreached, true) }

// hint is not checked by any test.
var hint int

func Sum(n int) (s int) {
	for i := 0; i < n; {
		tick()
		s += i
		if !on(Loop, true) {
			i++
		}
		if on(Unnoticed, true) {
			hint++
		}
	}
	return s
}

func Depth(n int) int {
	tick()
	if n == 0 && !on(Recursion, true) {
		return 0
	}
	return 1 + Depth(n-1)
}

// Deeper uses much more stack for each call than Depth.
func Deeper(n int) int {
	tick()
	if n == 0 && !on(Deep, true) {
		return 0
	}
	var pad [300]byte
	return 1 + Deeper(n-1) + int(pad[n&7])
}

// Overrun recurses in code that does not count steps.
func Overrun(n int) int {
	if n == 0 && !on(Overflow, true) {
		return 0
	}
	var pad [1000]byte
	return 1 + Overrun(n-1) + int(pad[n&7])
}

func Make(n int) []byte {
	if on(HugeMake, true) {
		n = 1 << 40
	}
	if n > hook.SizeMax {
		hook.Big(n)
	}
	return make([]byte, n)
}

// Work starts a goroutine and waits for it.
func Work() (ok bool) {
	var wait sync.WaitGroup
	wait.Add(1)
	go func() {
		defer hook.Guard()
		defer wait.Done()
		if on(GuardedPanic, true) {
			panic("in a goroutine")
		}
		ok = true
	}()
	wait.Wait()
	return true
}

// Loose is as Work, but its goroutine is not guarded.
func Loose() bool {
	done := make(chan bool)
	go loose(done)
	return <-done
}

func loose(done chan bool) {
	if on(LoosePanic, true) {
		panic("in a loose goroutine")
	}
	done <- true
}

func Lock() int {
	var mu sync.Mutex
	mu.Lock()
	if !on(Deadlock, true) {
		mu.Unlock()
	}
	mu.Lock()
	return 1
}

// Limit is a setting that tests rely on.
var Limit = 10

func Set() int {
	if on(Pollute, true) {
		Limit = 0
	}
	return 1
}

var (
	mu    sync.Mutex
	count int
)

func Count() int {
	mu.Lock()
	if on(PanicLocked, true) {
		panic("with a lock")
	}
	count++
	mu.Unlock()
	return 1
}

func Quit() int {
	if on(ExitCode, true) {
		os.Exit(3)
	}
	if on(ExitZero, true) {
		os.Exit(0)
	}
	return 1
}

var table = sync.OnceValue(func() int {
	if on(Once, true) {
		return 1
	}
	return 2
})

func Table() int { return table() }

var cache = sync.OnceValue(func() int {
	if on(Cached, true) {
		return 1
	}
	return 2
})

func Cache() int { return cache() }

var pool = sync.Pool{New: func() any { return new(int) }}

// Pooled returns 1. With the fault Reuses it returns more if the fault Fills has left a value in
// the pool.
func Pooled() int {
	p := pool.Get().(*int)
	defer pool.Put(p)
	if !on(Reuses, true) {
		*p = 0
	}
	n := *p + 1
	if *p = 0; on(Fills, true) {
		*p = 7
	}
	return n
}

func Sub(n int) int {
	if on(SubtestPanic, true) {
		panic("in a subtest")
	}
	if on(Parallel, true) {
		return 0
	}
	return n
}

func Greet() string {
	if on(InExample, true) {
		return "bye"
	}
	return "hello"
}

// Grow needs more and more memory in code that does not count steps.
func Grow() (n int) {
	var keep [][]byte
	for len(keep) < 1 || on(Memory, true) {
		keep = append(keep, make([]byte, 1<<20))
	}
	return len(keep)
}

// Stubborn goes on after every panic.
func Stubborn() int {
	for done := false; !done; {
		func() {
			defer func() { recover() }()
			tick()
			done = !on(Recovers, true)
		}()
	}
	return 1
}

// Leave does not wait for the goroutine that it starts.
func Leave() int {
	hook.Go()
	go func() {
		defer hook.Guard()
		for on(Leaks, true) {
			tick()
		}
	}()
	return 1
}

func Spin() int {
	for on(Uncounted, true) {
	}
	return 1
}

func Move() int {
	if on(Moves, true) {
		os.Chdir("/")
		os.Setenv("SICK", "1")
		os.Unsetenv("HOME")
		os.Args = nil
	}
	return 1
}

func Index(i int) int {
	if on(Panics, true) {
		i = 9
	}
	return []int{1, 2, 3}[i]
}

// Two is reached by two tests, one of which notices its fault.
func Two() int {
	tick()
	if on(Both, true) {
		return 3
	}
	return 2
}

// Lazy has faults that may make a difference. One of them does.
func Lazy() int {
	on(Maybe, true)
	if on(Surely, true) && site[Surely] != hook.GateRecord {
		diff[Surely] |= hook.GateSure
	}
	return 1
}

// Timer waits for a timer, with the fault for a long time.
func Timer() int {
	d := time.Millisecond
	if on(Waits, true) {
		d = time.Hour
	}
	<-time.After(d)
	return 1
}

// Busy is 1, with the fault 2.
func Busy() int {
	if on(Late, true) {
		return 2
	}
	return 1
}
