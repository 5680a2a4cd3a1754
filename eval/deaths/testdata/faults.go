package scratch

import (
	"fmt"
	"os"
	"sort"
	"syscall"
)

// Panic panics in the property's own goroutine, where the panic can be recovered.
func Panic(size int) {
	if size >= 5 {
		panic("out of order")
	}
}

// Goroutine panics in another goroutine, where the panic cannot be recovered.
func Goroutine(size int) {
	if size >= 5 {
		go func() { panic("out of reach") }()
		select {}
	}
}

// Overflow recurses in code with probes.
func Overflow(size int) { descend(size) }

func descend(size int) int {
	if size < 5 {
		return size
	}
	return 1 + descend(size+1)
}

// First recurses through fmt, which has no probes.
func First(size int) {
	if size >= 5 {
		_ = Egg{}.String()
	}
}

type Chicken struct{}

func (Chicken) String() string { return fmt.Sprint("chicken of ", Egg{}) }

type Egg struct{}

func (Egg) String() string { return fmt.Sprint("egg of ", Chicken{}) }

// Exit0 exits with success. The testing package turns this into a panic.
func Exit0(size int) {
	if size >= 5 {
		os.Exit(0)
	}
}

// Exit3 exits with an error.
func Exit3(size int) {
	if size >= 5 {
		os.Exit(3)
	}
}

// Deadlock waits on a channel that has no sender.
func Deadlock(size int) {
	if size >= 5 {
		<-make(chan int)
	}
}

// Endless takes centuries to sort, and package sort has no probes.
type Endless struct{}

func (Endless) Len() int           { return 1 << 62 }
func (Endless) Less(i, j int) bool { return false }
func (Endless) Swap(i, j int)      {}

func Hang(size int) {
	if size >= 5 {
		sort.Sort(Endless{})
	}
}

var held []byte

// Memory allocates 100 GB.
func Memory(size int) {
	if size >= 5 {
		held = make([]byte, 100<<30)
	}
}

// Maps starts four goroutines that write to one map.
func Maps(size int) {
	if size >= 5 {
		counts := map[int]int{}
		done := make(chan bool)
		for range 4 {
			go func() {
				for i := range 20_000 {
					counts[i%7] = i
				}
				done <- true
			}()
		}
		for range 4 {
			<-done
		}
	}
}

// Kill does what the system does to a process when memory runs out.
func Kill(size int) {
	if size >= 5 {
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	}
}
