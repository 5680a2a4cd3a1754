//go:build go1.25

package transport

import (
	"context"
	"sync"
)

// storage keeps the records of a campaign.
type storage interface {
	// change calls do with the state that all records make, and appends the records that do returns. No other change
	// happens meanwhile.
	change(ctx context.Context, do func(*state) []record) error
	// wait returns when there may be more than this number of cases, or ctx is done.
	wait(ctx context.Context, cases uint64) error
	close() error
}

// store is a transport over a storage.
type store struct {
	storage
	done chan struct{}
	once sync.Once
}

func newStore(s storage) *store {
	return &store{storage: s, done: make(chan struct{})}
}

func (s *store) Close() error {
	err := ErrClosed
	s.once.Do(func() {
		close(s.done)
		err = s.close()
	})
	return err
}

// do is change for a transport that is open.
func (s *store) do(ctx context.Context, do func(*state) []record) error {
	select {
	case <-s.done:
		return ErrClosed
	default:
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.change(ctx, do)
}

func (s *store) Offer(ctx context.Context, c Case) (won bool, err error) {
	err = s.do(ctx, func(st *state) []record {
		if owner, known := st.owners[c.Key]; known {
			won = owner == c.Worker
			return nil
		}
		won = true
		return []record{{Kind: kindCase, Key: c.Key, Worker: c.Worker, Data: c.Data}}
	})
	return won && err == nil, err
}

func (s *store) Report(ctx context.Context, f Failure) (first bool, err error) {
	err = s.do(ctx, func(st *state) []record {
		if owner, known := st.failures[f.Key]; known {
			first = owner == f.Worker
			return nil
		}
		first = true
		return []record{{Kind: kindFailure, Key: f.Key, Worker: f.Worker, Data: f.Data}}
	})
	return first && err == nil, err
}

// followMax is how many cases are copied at a time.
const followMax = 256

func (s *store) Follow(ctx context.Context, after uint64, fn func(Accepted) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-s.done:
			cancel()
		case <-ctx.Done():
		}
	}()
	for {
		var some []Case
		err := s.do(ctx, func(st *state) []record {
			from := min(after, uint64(len(st.cases)))
			some = st.cases[from:min(from+followMax, uint64(len(st.cases)))]
			return nil
		})
		if err != nil {
			return err
		}
		for _, c := range some {
			after++
			if err := fn(Accepted{c, after}); err != nil {
				return err
			}
		}
		if len(some) == 0 {
			if err := s.wait(ctx, after); err != nil {
				return err
			}
		}
	}
}
