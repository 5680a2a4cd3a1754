package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	exchange "github.com/allele-go/allele/internal/ops/campaign"
	"github.com/allele-go/allele/internal/ops/proc"
)

// post carries what workers of a crew keep from one to the others. It looks at their
// boxes now and then: how often they run does not matter to it. As long as there is
// one worker there is nothing to carry, and its box stays empty.
type post struct {
	dir       string
	workers   int
	exchange  exchange.Exchange
	out, in   []*proc.Box
	after     []int // of the exchange, delivered to each
	delivered []int

	mu    sync.Mutex
	slots []*proc.Slot // of the processes under way
	open  bool
	done  chan struct{}
	ended sync.WaitGroup
}

// postEvery is how often the boxes are looked at.
const postEvery = 20 * time.Millisecond

func newPost(work string, workers int) (*post, error) {
	dir, err := os.MkdirTemp(work, "mail-*")
	if err != nil {
		return nil, err
	}
	return &post{dir: dir, workers: workers, exchange: exchange.NewMemory(), after: make([]int, workers), delivered: make([]int, workers),
		slots: make([]*proc.Slot, workers), done: make(chan struct{})}, nil
}

func (m *post) file(way string, worker int) string {
	return filepath.Join(m.dir, fmt.Sprintf("%s-%d", way, worker))
}

// start begins to carry: there is a second worker.
func (m *post) start() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.open {
		return nil
	}
	for i := range m.workers {
		out, err := proc.OpenBox(m.file("out", i))
		if err != nil {
			return err
		}
		in, err := proc.OpenBox(m.file("in", i))
		if err != nil {
			return err
		}
		m.out, m.in = append(m.out, out), append(m.in, in)
	}
	m.open = true
	for _, s := range m.slots {
		if s != nil {
			s.Others(true)
		}
	}
	m.ended.Go(m.run)
	return nil
}

// attach says where a worker hears that there is mail.
func (m *post) attach(worker int, s *proc.Slot) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.slots[worker] = s
	if s != nil {
		s.Others(m.open)
		s.Mail(m.delivered[worker])
	}
}

func (m *post) run() {
	tick := time.NewTicker(postEvery)
	defer tick.Stop()
	for {
		select {
		case <-m.done:
			return
		case <-tick.C:
			m.collect()
			m.deliver()
		}
	}
}

func (m *post) collect() {
	for i, box := range m.out {
		for _, message := range box.Next() {
			if len(message) > 8 {
				m.exchange.Offer(i, exchange.Case{Trace: binary.LittleEndian.Uint64(message), Data: message})
			}
		}
	}
}

func (m *post) deliver() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, box := range m.in {
		if m.slots[i] == nil {
			continue // it gets them when it has begun
		}
		cases, next, err := m.exchange.Follow(i, m.after[i])
		if err != nil || len(cases) == 0 {
			continue
		}
		m.after[i] = next
		for _, c := range cases {
			if ok, _ := box.Put(c.Data); ok {
				m.delivered[i]++
			}
		}
		m.slots[i].Mail(m.delivered[i])
	}
}

func (m *post) close() {
	if m == nil {
		return
	}
	close(m.done)
	m.ended.Wait()
	m.exchange.Close()
	for i := range m.out {
		m.out[i].Close()
		m.in[i].Close()
	}
	os.RemoveAll(m.dir)
}
