package jet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
)

// ErrNoState means that a state was never put.
var ErrNoState = errors.New("no such state")

// stateName is what the names of states look like: parts of a subject.
var stateName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}(\.[a-zA-Z0-9_-]{1,64}){0,7}$`)

// PutState replaces a state of the campaign, such as which bundle runs. Only a submitter may call it. A try that got lost on the
// way and arrives late has no effect.
func (t *Transport) PutState(ctx context.Context, name string, data []byte) error {
	ctx, end := t.begin(ctx)
	defer end()
	if !stateName.MatchString(name) {
		return fmt.Errorf("jet: %.80q cannot be the name of a state", name)
	}
	if len(data) > stateMax {
		return fmt.Errorf("jet: state %s has %d bytes: at most %d can be stored", name, len(data), stateMax)
	}
	subject := "camp." + name
	return t.insist(ctx, "put state "+name, func(ctx context.Context) error {
		before, err := t.leader(ctx, Camp, request{LastFor: subject})
		if err != nil && !errors.Is(err, errNone) {
			return err
		}
		if err == nil && bytes.Equal(before.data, data) {
			return nil
		}
		h := nats.Header{"Nats-Expected-Last-Subject-Sequence": {strconv.FormatUint(before.seq, 10)}}
		_, err = t.send(ctx, claim{stream: Camp, subject: subject, header: h, data: data})
		return err
	})
}

// State returns a state of the campaign, and its sequence, which grows with every change. It may be a moment old, but is never
// older than what this transport has returned before. The error is ErrNoState if there is none.
func (t *Transport) State(ctx context.Context, name string) (data []byte, seq uint64, err error) {
	ctx, end := t.begin(ctx)
	defer end()
	if !stateName.MatchString(name) {
		return nil, 0, fmt.Errorf("jet: %.80q cannot be the name of a state", name)
	}
	t.mu.Lock()
	seen := t.states[name]
	t.mu.Unlock()
	var m message
	err = t.insist(ctx, "read state "+name, func(ctx context.Context) (err error) {
		subject := "camp." + name
		if m, err = t.last(ctx, Camp, subject); errors.Is(err, errNone) || err == nil && m.seq < seen {
			m, err = t.leader(ctx, Camp, request{LastFor: subject})
		}
		if errors.Is(err, errNone) {
			return final{ErrNoState}
		}
		return err
	})
	if err != nil {
		return nil, 0, err
	}
	t.mu.Lock()
	t.states[name] = max(t.states[name], m.seq)
	t.mu.Unlock()
	return m.data, m.seq, nil
}

// Heartbeat stores what an agent reports of itself. It is kept for two minutes.
func (t *Transport) Heartbeat(ctx context.Context, id string, data []byte) error {
	ctx, end := t.begin(ctx)
	defer end()
	if err := checkText("agent", id); err != nil {
		return err
	}
	if len(data) > agentMax {
		return fmt.Errorf("jet: a heartbeat has %d bytes: at most %d can be stored", len(data), agentMax)
	}
	return t.insist(ctx, "heartbeat", func(ctx context.Context) error {
		_, err := t.send(ctx, claim{stream: Agents, subject: AgentSubject(id), id: id, data: data})
		return err
	})
}

// AgentSubject is the subject of the heartbeats of an agent.
func AgentSubject(id string) string { return "agent." + token(id) }

// Agent is what an agent has last reported of itself.
type Agent struct {
	ID   string
	Data []byte
	Seen time.Time // by the clock of a server
}

// agentsMax is how many agents a campaign can have.
const agentsMax = 1 << 16

// AgentsNow returns the agents that have reported in the last two minutes.
func (t *Transport) AgentsNow(ctx context.Context) (agents []Agent, err error) {
	ctx, end := t.begin(ctx)
	defer end()
	at := map[string]int{} // an agent may report while we read
	err = t.scan(ctx, Agents, "agent.*", 1, func(m message) error {
		id, err := text(m.header, headID)
		if err != nil || AgentSubject(id) != m.subject {
			return nil
		}
		i, known := at[id]
		if !known {
			if len(agents) == agentsMax {
				return fmt.Errorf("jet: more than %d agents", agentsMax)
			}
			i = len(agents)
			at[id], agents = i, append(agents, Agent{})
		}
		agents[i] = Agent{ID: id, Data: m.data, Seen: m.time}
		return nil
	})
	return agents, err
}
