// Package campaign lets workers that search for one property share what they find.
//
// A worker offers every case that it keeps. The first with a trace wins; the others
// are told of it, with the trace, so that nobody runs it again:
//
//	won, err := x.Offer(worker, campaign.Case{Trace: h, Data: data})
//	cases, next, err := x.Follow(worker, after)   // what others offered since
//
// What is in a case is the business of the workers: they are processes of one
// binary. Traffic is one offer for each case that is kept and one delivery to each
// other worker, however many runs there are.
//
// An Exchange is what a transport between machines implements as well. There a
// finding is claimed and lists of work are handed out too; on one machine the
// command does both itself.
package campaign

import "sync"

// Case is a kept case on its way to others.
type Case struct {
	Trace uint64
	Data  []byte
}

// Exchange carries cases between workers. Its methods are for any goroutine.
type Exchange interface {
	// Offer gives a case to all others, unless one with its trace was given before.
	Offer(worker int, c Case) (won bool, err error)
	// Follow gives the cases of other workers behind a number, in the order in which
	// they won, and the number to ask with next. It begins with 0.
	Follow(worker, after int) (cases []Case, next int, err error)
	Close() error
}

// casesMax bounds what an exchange holds; a search does not keep as many.
const casesMax = 1 << 17

// NewMemory makes an exchange between processes of this machine.
func NewMemory() Exchange { return &memory{seen: map[uint64]bool{}} }

type memory struct {
	mu    sync.Mutex
	seen  map[uint64]bool
	cases []offered
}

type offered struct {
	worker int
	Case
}

func (m *memory) Offer(worker int, c Case) (won bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.seen[c.Trace] || len(m.cases) >= casesMax {
		return false, nil
	}
	m.seen[c.Trace] = true
	m.cases = append(m.cases, offered{worker, c})
	return true, nil
}

func (m *memory) Follow(worker, after int) (cases []Case, next int, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, o := range m.cases[min(max(0, after), len(m.cases)):] {
		if o.worker != worker {
			cases = append(cases, o.Case)
		}
	}
	return cases, len(m.cases), nil
}

func (m *memory) Close() error { return nil }
