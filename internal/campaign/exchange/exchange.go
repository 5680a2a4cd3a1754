//go:build go1.25

// Package exchange lets the workers of one property share the inputs they save.
//
// A worker is a process. It sends every input that it saves, as a case with the path of
// its run. The first case with a given path wins and is sent to the other workers, so
// that no other worker explores this path (proc/share). On one machine a case takes three steps:
//
//	client.Send(share.Case{Trace: h, Term: data})  // worker: I saved this
//	relay.Start()                                  // command: deliver it to the others
//	for _, c := range client.Receive(n) { ... }    // worker: what did others save?
//
// The relay uses an Exchange to decide which cases are new. Exchange is an interface
// because a transport between machines implements it too; on one machine it is a list in
// memory. The traffic is one message for each saved input and one delivery to each other
// worker, however many runs there are.
package exchange

import (
	"sync"

	"github.com/allele-go/allele/internal/proc/share"
)

// Exchange passes cases between workers. Its methods may be called from any goroutine.
type Exchange interface {
	// Offer gives a case to all other workers, unless a case with the same trace was
	// offered before.
	Offer(worker int, m share.Message) (won bool, err error)
	// Follow returns the cases that other workers have offered since an earlier call, in
	// the order in which they won. The caller passes as after the result next of the
	// earlier call. The first call passes 0.
	Follow(worker, after int) (messages []share.Message, next int, err error)
	Close() error
}

// casesMax bounds the cases in an exchange. A search saves fewer.
const casesMax = 1 << 17

// NewMemory returns an exchange between processes of this machine.
func NewMemory() Exchange { return &memory{seen: map[uint64]bool{}} }

type memory struct {
	mu    sync.Mutex
	seen  map[uint64]bool
	cases []offered
}

type offered struct {
	worker int
	share.Message
}

func (x *memory) Offer(worker int, m share.Message) (won bool, err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.seen[m.Trace] || len(x.cases) >= casesMax {
		return false, nil
	}
	x.seen[m.Trace] = true
	x.cases = append(x.cases, offered{worker, m})
	return true, nil
}

func (x *memory) Follow(worker, after int) (messages []share.Message, next int, err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, o := range x.cases[min(max(0, after), len(x.cases)):] {
		if o.worker != worker {
			messages = append(messages, o.Message)
		}
	}
	return messages, len(x.cases), nil
}

func (x *memory) Close() error { return nil }
