package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	exchange "github.com/allele-go/allele/internal/ops/campaign"
	"github.com/allele-go/allele/internal/ops/event"
	"github.com/allele-go/allele/internal/ops/proc"
)

// crew is the processes that search for one property together.
type crew struct {
	*campaign
	property property
	folder   string
	kept     []string // what a process is told about what is kept
	workers  int
	start    time.Time
	budget   time.Duration
	post     *post // nil if there is one worker

	company company // asked to stop when one has failed: the others need not go on
}

// workersMost bounds the processes of a property; more do not find more on one machine.
const workersMost = 256

// workersFor is how many processes search for a property: one, unless more were asked
// for. Two were no faster than one in eval workers so far.
func (c *campaign) workersFor(kept []string) int {
	if kept == nil {
		return 1 // nothing is shared
	}
	return max(1, c.workers)
}

// run has all workers search, and puts together what came of it.
func (k *crew) run() (r result, err error) {
	if k.workers == 1 {
		return k.worker(0)
	}
	if k.post, err = newPost(k.work, k.workers); err != nil {
		return r, err
	}
	defer k.post.close()
	results, errs := make([]result, k.workers), make([]error, k.workers)
	var all sync.WaitGroup
	for i := range k.workers {
		all.Go(func() {
			results[i], errs[i] = k.worker(i)
			if results[i].failed && results[i].Verdict != "vacuous" || errs[i] != nil {
				k.company.stop()
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return r, err
		}
	}
	return together(results), nil
}

func (k *crew) stopped() bool { return k.company.asked() > 0 || k.campaign.stopped() }

// env is what a worker is told.
func (k *crew) env(worker, n int) []string {
	env := append(k.searchEnv(k.property, n), k.kept...)
	if k.workers == 1 {
		return env
	}
	if tests, err := strconv.Atoi(k.tests); err == nil {
		env = append(env, fmt.Sprintf("ALLELE_TESTS=%d", (tests+k.workers-1)/k.workers))
	}
	return append(env, fmt.Sprintf("ALLELE_WORKER=%d", worker),
		"ALLELE_INBOX="+k.post.file("in", worker), "ALLELE_OUTBOX="+k.post.file("out", worker))
}

// says ranks what came of a worker: what failed says the most, then what passed, and
// others say nothing.
func says(r result) int {
	return slices.Index([]string{"passed", "crashed", "flaky", "failed"}, r.Verdict)
}

// together is what came of all workers.
func together(results []result) (r result) {
	r = slices.MaxFunc(results, func(a, b result) int { return says(a) - says(b) })
	sum := event.Event{}
	sites := map[uint32]bool{}
	for _, o := range results {
		sum.Runs, sum.Passed, sum.Discarded, sum.Spawned = sum.Runs+o.Runs, sum.Passed+o.Passed, sum.Discarded+o.Discarded, sum.Spawned+o.Spawned
		sum.Shared, sum.Heard = sum.Shared+o.Shared, sum.Heard+o.Heard
		sum.Paths, sum.Resumed = max(sum.Paths, o.Paths), max(sum.Resumed, o.Resumed) // most are of all
		for _, id := range o.Sites {
			sites[id] = true
		}
	}
	r.Runs, r.Passed, r.Discarded, r.Spawned, r.Paths, r.Resumed = sum.Runs, sum.Passed, sum.Discarded, sum.Spawned, sum.Paths, sum.Resumed
	r.Shared, r.Heard = sum.Shared, sum.Heard
	r.Sites = r.Sites[:0:0]
	for id := range sites {
		r.Sites = append(r.Sites, id)
	}
	slices.Sort(r.Sites)
	r.failed = r.failed && r.Verdict != "passed"
	return r
}

// post carries what workers keep from one to the others. It looks at their boxes now
// and then: how often they run does not matter to it.
type post struct {
	dir       string
	exchange  exchange.Exchange
	out, in   []*proc.Box
	after     []int // of the exchange, delivered to each
	delivered []int

	mu    sync.Mutex
	slots []*proc.Slot // of the processes under way
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
	m := &post{dir: dir, exchange: exchange.NewMemory(), after: make([]int, workers), delivered: make([]int, workers), slots: make([]*proc.Slot, workers), done: make(chan struct{})}
	for i := range workers {
		out, err := proc.OpenBox(m.file("out", i))
		if err != nil {
			return nil, err
		}
		in, err := proc.OpenBox(m.file("in", i))
		if err != nil {
			return nil, err
		}
		m.out, m.in = append(m.out, out), append(m.in, in)
	}
	m.ended.Go(m.run)
	return m, nil
}

func (m *post) file(way string, worker int) string {
	return filepath.Join(m.dir, fmt.Sprintf("%s-%d", way, worker))
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
		if m.slots[i] != nil {
			m.slots[i].Mail(m.delivered[i])
		}
	}
}

func (m *post) close() {
	close(m.done)
	m.ended.Wait()
	m.exchange.Close()
	for i := range m.out {
		m.out[i].Close()
		m.in[i].Close()
	}
	os.RemoveAll(m.dir)
}
