// Package exchange lets workers that search for one property share what they find.
//
// A worker is a process. It sends every case that it keeps with the path of its run;
// the first with a path wins, and the other workers learn of it, so that nobody runs
// it again. Between processes of one machine a case goes through three hands:
//
//	client.Send(exchange.Case{Trace: h, Term: data})  // worker: I kept this
//	relay.Start()                                     // command: carry it to the others
//	for _, c := range client.Receive() { ... }        // worker: what did others keep?
//
// The relay asks an Exchange which cases are new. It is an interface because a
// transport between machines implements it too; on one machine it is a list in memory.
// Traffic is one message for each kept case and one delivery to each other worker,
// however many runs there are.
package exchange

import "sync"

// Message is a case on its way, and the hash of the path that tells it from others.
type Message struct {
	Trace uint64
	Data  []byte // see Case
}

// Exchange carries cases between workers. Its methods are for any goroutine.
type Exchange interface {
	// Offer gives a case to all others, unless one with its trace was given before.
	Offer(worker int, m Message) (won bool, err error)
	// Follow gives the cases of other workers behind a number, in the order in which
	// they won, and the number to ask with next. It begins with 0.
	Follow(worker, after int) (messages []Message, next int, err error)
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
	Message
}

func (x *memory) Offer(worker int, m Message) (won bool, err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.seen[m.Trace] || len(x.cases) >= casesMax {
		return false, nil
	}
	x.seen[m.Trace] = true
	x.cases = append(x.cases, offered{worker, m})
	return true, nil
}

func (x *memory) Follow(worker, after int) (messages []Message, next int, err error) {
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
