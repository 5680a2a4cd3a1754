package faults

import (
	"bytes"
	"os"
	"time"

	"github.com/allele-go/allele/internal/proc"
)

// firstWrite is a buffer that notes when it was first written to.
type firstWrite struct {
	bytes.Buffer
	at time.Time
}

func (w *firstWrite) Write(p []byte) (int, error) {
	if w.at.IsZero() {
		w.at = time.Now()
	}
	return w.Buffer.Write(p)
}

// memoryEvery is how often the memory of processes is measured.
const memoryEvery = 100 * time.Millisecond

// watchMemory measures the memory of the processes below this one, until the function that it returns is called. That
// returns the most, in bytes.
func watchMemory() (stop func() int64) {
	end, most := make(chan bool), make(chan int64)
	go func() {
		peak := int64(0)
		tick := time.NewTicker(memoryEvery)
		defer tick.Stop()
		for {
			select {
			case <-end:
				most <- peak
				return
			case <-tick.C:
			}
			sum := int64(0)
			for pid, bytes := range proc.Family() {
				if pid != os.Getpid() {
					sum += bytes
				}
			}
			peak = max(peak, sum)
		}
	}()
	return func() int64 {
		end <- true
		return <-most
	}
}
