// Package sim runs a campaign of many agents whose searches are simulated. Everything else is
// real: each agent has a connection, a transport of package jet and a hub of package exchange.
//
//	s, err := sim.Start(ctx, connect, sim.Config{Agents: 1000})  // all agents follow
//	err = s.Play(ctx)                                            // they find cases
//	err = s.Settle(ctx)                                          // all have got all cases
//	counts := s.Counts()
//
// The caller measures the servers between these calls.
package sim

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/allele-go/allele/fleet/jet"
	"github.com/allele-go/allele/internal/campaign/exchange"
	"github.com/allele-go/allele/internal/proc/share"
)

// Config describes a campaign. The zero value of a field means the default.
type Config struct {
	Agents int
	Size   int           // bytes of the text of a case; 1000
	Time   time.Duration // how long the agents search; 30 s
	Ramp   time.Duration // the agents begin one after the other, over this time; 0 means all at once
	Seed   uint64
	Model  Model
	Jet    jet.Options
}

const (
	sizeDefault = 1000
	timeDefault = 30 * time.Second
	opening     = 32 // connections that are opened at a time
	lookEvery   = 100 * time.Millisecond
)

// Sim is a campaign.
type Sim struct {
	config Config
	agents []*agent
	events []event
	late   time.Duration
}

// agent is a host.
type agent struct {
	conn *nats.Conn
	jet  *jet.Transport
	hub  *exchange.Hub
	room exchange.Exchange
}

// Counts is what has happened.
type Counts struct {
	Paths     int // that some agent finds, by the model
	Found     int // finds of all agents, by the model, if nobody told them anything
	Offers    int // that were sent to the servers
	Accepted  int
	Delivered int           // cases that agents got from others
	Complete  int           // agents that have all cases
	Dropped   int           // cases that did not fit into the queue of a hub
	Errors    int           // calls that failed and were repeated
	Lost      int           // connections that were lost and made again
	Late      time.Duration // how far the simulation was behind its clock, at most
}

// Start connects all agents.
func Start(ctx context.Context, connect func(agent int) (*nats.Conn, error), c Config) (*Sim, error) {
	if c.Size == 0 {
		c.Size = sizeDefault
	}
	if c.Time == 0 {
		c.Time = timeDefault
	}
	c.Model = c.Model.orDefault()
	s := &Sim{config: c, agents: make([]*agent, c.Agents), events: c.Model.schedule(c)}
	var all sync.WaitGroup
	free, errs := make(chan struct{}, opening), make([]error, c.Agents)
	for i := range s.agents {
		free <- struct{}{}
		all.Go(func() {
			s.agents[i], errs[i] = open(connect, i, c.Jet)
			<-free
		})
		if ctx.Err() != nil {
			break
		}
	}
	all.Wait()
	if err := errors.Join(append(errs, ctx.Err())...); err != nil {
		s.Close()
		return nil, fmt.Errorf("sim: %w", err)
	}
	return s, nil
}

func open(connect func(int) (*nats.Conn, error), i int, o jet.Options) (*agent, error) {
	conn, err := connect(i)
	if err != nil {
		return nil, err
	}
	a := &agent{conn: conn, jet: jet.Open(conn, o)}
	a.hub = exchange.NewHub(a.jet, fmt.Sprint("agent ", i))
	a.room = a.hub.Exchange("sim", "property", "version")
	return a, nil
}

// Play lets the agents search, in real time.
func (s *Sim) Play(ctx context.Context) error {
	messages := map[int]share.Message{}
	began := time.Now()
	for _, e := range s.events {
		if early := e.at - time.Since(began); early > 0 {
			select {
			case <-time.After(early):
			case <-ctx.Done():
				return ctx.Err()
			}
		} else {
			s.late = max(s.late, -early)
		}
		m, known := messages[e.path]
		if !known {
			m = s.message(e.path)
			messages[e.path] = m
		}
		if _, err := s.agents[e.agent].room.Offer(0, m); err != nil { // the hub knows whether it is new to this host
			return err
		}
	}
	return nil
}

// message is the case of a path.
func (s *Sim) message(path int) share.Message {
	head := fmt.Sprintf("case %d ", path)
	text := head + strings.Repeat("x", max(0, s.config.Size-len(head)))
	return share.Case{Trace: uint64(path + 1), Text: text, Term: []byte{1}}.Encode()
}

// Settle waits until all agents have all cases.
func (s *Sim) Settle(ctx context.Context) error {
	for {
		if c := s.Counts(); c.Complete == len(s.agents) {
			return nil
		} else if ctx.Err() != nil {
			return fmt.Errorf("sim: %d of %d agents have all %d cases: %w", c.Complete, len(s.agents), c.Accepted, ctx.Err())
		}
		select {
		case <-time.After(lookEvery):
		case <-ctx.Done():
		}
	}
}

// Counts returns what has happened so far.
func (s *Sim) Counts() Counts {
	c := Counts{Paths: paths(s.events), Found: len(s.events), Late: s.late}
	has := make([]int, len(s.agents))
	waiting := make([]bool, len(s.agents))
	for i, a := range s.agents {
		h := a.hub.Counts()
		c.Offers += h.Sent
		c.Accepted += h.Won
		c.Delivered += h.Received
		c.Dropped += h.Dropped
		c.Errors += h.Errors
		c.Lost += int(a.conn.Stats().Reconnects)
		has[i], waiting[i] = h.Won+h.Received, h.Waiting > 0
	}
	for i := range has {
		if has[i] == c.Accepted && !waiting[i] {
			c.Complete++
		}
	}
	return c
}

// Close disconnects all agents.
func (s *Sim) Close() {
	var all sync.WaitGroup
	for _, a := range s.agents {
		if a != nil {
			all.Go(func() {
				a.hub.Close()
				a.jet.Close()
				a.conn.Close()
			})
		}
	}
	all.Wait()
}
