//go:build go1.25

package transport

import (
	"context"
	"sync"
)

// Memory returns a transport between goroutines. Each call of the function that it returns opens one end.
func Memory() (open func() Transport) {
	m := &memory{state: newState(), news: make(chan struct{})}
	return func() Transport { return newStore(m) }
}

type memory struct {
	mu    sync.Mutex
	state *state
	news  chan struct{} // closed when there are records, and replaced
}

func (m *memory) change(_ context.Context, do func(*state) []record) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	rs := do(m.state)
	for _, r := range rs {
		m.state.apply(r)
	}
	if len(rs) > 0 {
		close(m.news)
		m.news = make(chan struct{})
	}
	return nil
}

func (m *memory) wait(ctx context.Context, cases uint64) error {
	m.mu.Lock()
	news, more := m.news, uint64(len(m.state.cases)) > cases
	m.mu.Unlock()
	if more {
		return nil
	}
	select {
	case <-news:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (m *memory) close() error { return nil }
