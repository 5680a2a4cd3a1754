//go:build go1.25

package transport

import (
	"cmp"
	"slices"
	"time"
)

// record is one step of a campaign. The state of a campaign is what its records make of it, in
// their order. Every transport that stores records itself has the same state for the same records.
type record struct {
	Kind    kind
	Key     Key       `json:",omitzero"`
	Queue   string    `json:",omitzero"`
	ID      string    `json:",omitzero"`
	Worker  string    `json:",omitzero"`
	Attempt int       `json:",omitzero"`
	Until   time.Time `json:",omitzero"` // end of a lease
	Data    []byte    `json:",omitzero"`
}

type kind string

const (
	kindCase    kind = "case"
	kindFailure kind = "failure"
	kindJob     kind = "job"
	kindLease   kind = "lease"
	kindDone    kind = "done"
)

// state is what is known of a campaign.
type state struct {
	cases    []Case
	owners   map[Key]string // of cases
	failures map[Key]string // who was first
	queues   map[string]*queue
}

// queue is a list of jobs. The jobs that are not done are in order.
type queue struct {
	jobs map[string]*job
	open []*job
}

type job struct {
	id      string
	data    []byte
	attempt int
	until   time.Time
	done    bool
}

func newState() *state {
	return &state{owners: map[Key]string{}, failures: map[Key]string{}, queues: map[string]*queue{}}
}

// apply adds a record. A record that contradicts the state is without effect: a file may hold anything.
func (s *state) apply(r record) {
	switch r.Kind {
	case kindCase:
		if _, known := s.owners[r.Key]; !known {
			s.owners[r.Key] = r.Worker
			s.cases = append(s.cases, Case{r.Key, r.Worker, r.Data})
		}
	case kindFailure:
		if _, known := s.failures[r.Key]; !known {
			s.failures[r.Key] = r.Worker
		}
	case kindJob:
		q := s.queue(r.Queue)
		if q.jobs[r.ID] == nil {
			j := &job{id: r.ID, data: r.Data}
			q.jobs[r.ID] = j
			q.open = append(q.open, j)
		}
	case kindLease:
		if j := s.queue(r.Queue).jobs[r.ID]; j != nil && !j.done && r.Attempt >= j.attempt {
			j.attempt, j.until = r.Attempt, r.Until
		}
	case kindDone:
		q := s.queue(r.Queue)
		if j := q.jobs[r.ID]; j != nil && !j.done {
			j.done, j.data = true, nil
			q.open = slices.DeleteFunc(q.open, func(o *job) bool { return o == j })
		}
	}
}

func (s *state) queue(name string) *queue {
	q := s.queues[name]
	if q == nil {
		q = &queue{jobs: map[string]*job{}}
		s.queues[name] = q
	}
	return q
}

// free returns at most n jobs of a queue that nobody has. Those that were leased least often come first.
func (s *state) free(name string, n int, now time.Time) (jobs []*job) {
	for _, j := range s.queue(name).open {
		if !j.until.After(now) {
			jobs = append(jobs, j)
		}
	}
	slices.SortStableFunc(jobs, func(a, b *job) int { return cmp.Compare(a.attempt, b.attempt) })
	return jobs[:min(n, len(jobs))]
}
