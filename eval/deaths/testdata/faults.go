package scratch

import (
	"fmt"
	"os"
	"sort"
	"syscall"
)

// Panic does what can be recovered.
func Panic(size int) {
	if size >= 5 {
		panic("out of order")
	}
}

// Goroutine panics where nobody recovers.
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

// First recurses through fmt, which has none.
func First(size int) {
	if size >= 5 {
		_ = Egg{}.String()
	}
}

type Chicken struct{}

func (Chicken) String() string { return fmt.Sprint("chicken of ", Egg{}) }

type Egg struct{}

func (Egg) String() string { return fmt.Sprint("egg of ", Chicken{}) }

// Exit0 says that all is well; the testing package makes a panic of it.
func Exit0(size int) {
	if size >= 5 {
		os.Exit(0)
	}
}

// Exit3 says that it is not.
func Exit3(size int) {
	if size >= 5 {
		os.Exit(3)
	}
}

// Deadlock waits for nobody.
func Deadlock(size int) {
	if size >= 5 {
		<-make(chan int)
	}
}

// Endless takes centuries to sort, in code without probes.
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

// Memory takes 100 GB.
func Memory(size int) {
	if size >= 5 {
		held = make([]byte, 100<<30)
	}
}

// Maps has four goroutines write to one map.
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

// Kill is what the system does to a process that it cannot feed.
func Kill(size int) {
	if size >= 5 {
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	}
}
