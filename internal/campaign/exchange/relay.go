//go:build go1.25

package exchange

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/share"
)

// Relay delivers the cases of each worker of a property to the other workers. A worker
// writes its cases to a file, its outbox, and reads the cases of other workers from
// another file, its inbox. The relay reads the outboxes at fixed intervals, so its cost
// does not depend on the number of runs. With one worker and no other host there is nothing
// to deliver, and its inbox stays empty.
type Relay struct {
	dir       string
	exchange  Exchange
	out, in   []*proc.Box
	after     []int // by worker, the number for the next call of Follow
	delivered []int // by worker, messages put into its inbox

	mu    sync.Mutex
	slots []*proc.Slot // of the running processes
	open  bool
	done  chan struct{}
	ended sync.WaitGroup
}

// relayEvery is how often the boxes are read.
const relayEvery = 20 * time.Millisecond

// NewRelay returns a relay for the given number of workers, which share an exchange. It creates
// a folder for their boxes in the folder work.
func NewRelay(work string, workers int, x Exchange) (*Relay, error) {
	dir, err := os.MkdirTemp(work, "exchange-*")
	if err != nil {
		return nil, err
	}
	return &Relay{dir: dir, exchange: x, after: make([]int, workers), delivered: make([]int, workers),
		slots: make([]*proc.Slot, workers), done: make(chan struct{})}, nil
}

// Boxes returns the paths of a worker's boxes, for its job.
func (r *Relay) Boxes(worker int) (inbox, outbox string) {
	return filepath.Join(r.dir, fmt.Sprintf("in-%d", worker)), filepath.Join(r.dir, fmt.Sprintf("out-%d", worker))
}

// Start starts the deliveries. It is called when a second worker begins, or at once if there are
// other hosts.
func (r *Relay) Start() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.open {
		return nil
	}
	for i := range r.slots {
		inbox, outbox := r.Boxes(i)
		out, err := proc.OpenBox(outbox)
		if err != nil {
			return err
		}
		in, err := proc.OpenBox(inbox)
		if err != nil {
			return err
		}
		r.out, r.in = append(r.out, out), append(r.in, in)
	}
	r.open = true
	for _, s := range r.slots {
		if s != nil {
			s.Others(true)
		}
	}
	r.ended.Go(r.run)
	return nil
}

// Attach sets the slot of a worker's process, where the worker reads how many messages
// were delivered. The slot is nil if the worker has no process.
func (r *Relay) Attach(worker int, s *proc.Slot) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.slots[worker] = s
	if s != nil {
		s.Others(r.open)
		s.SetMessages(r.delivered[worker])
	}
}

func (r *Relay) run() {
	tick := time.NewTicker(relayEvery)
	defer tick.Stop()
	for {
		select {
		case <-r.done:
			return
		case <-tick.C:
			r.collect()
			r.deliver()
		}
	}
}

func (r *Relay) collect() {
	for i, box := range r.out {
		for _, message := range box.Next() {
			if k, ok := share.Open(message); ok {
				r.exchange.Offer(i, k)
			}
		}
	}
}

func (r *Relay) deliver() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, box := range r.in {
		if r.slots[i] == nil {
			continue // the next process of the worker gets the cases
		}
		cases, next, err := r.exchange.Follow(i, r.after[i])
		if err != nil || len(cases) == 0 {
			continue
		}
		r.after[i] = next
		for _, c := range cases {
			if ok, _ := box.Put(c.Data); ok {
				r.delivered[i]++
			}
		}
		r.slots[i].SetMessages(r.delivered[i])
	}
}

// Close ends the deliveries and removes the boxes.
func (r *Relay) Close() {
	if r == nil {
		return
	}
	close(r.done)
	r.ended.Wait()
	r.exchange.Close()
	for i := range r.out {
		r.out[i].Close()
		r.in[i].Close()
	}
	os.RemoveAll(r.dir)
}
