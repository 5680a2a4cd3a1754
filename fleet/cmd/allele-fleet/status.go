package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/allele-go/allele/fleet/access"
	"github.com/allele-go/allele/fleet/jet"
	"github.com/allele-go/allele/fleet/order"
	"github.com/allele-go/allele/fleet/report"
	"github.com/allele-go/allele/internal/campaign/transport"
)

// status shows what the agents do.
func status(k *call) error {
	var p place
	p.register(k)
	c, err := p.join(k, access.Readers(jet.Camp, jet.Agents, jet.Fail)...)
	if err != nil {
		return err
	}
	defer c.close()
	k, cancel := k.within(readMax)
	defer cancel()
	s := state{now: time.Now(), flags: p.flags()}
	if s.order, err = c.readOrder(k); err != nil {
		return err
	}
	if s.agents, err = c.agents(k); err != nil {
		return err
	}
	if s.failures, err = c.failures(k); err != nil {
		return err
	}
	s.show(k.stdout)
	return nil
}

// agentState is an agent as it has reported itself.
type agentState struct {
	report.Heartbeat
	user string
	seen time.Time
}

// silence is how long an agent says nothing before status calls it silent: it reports every 5 s.
const silence = 20 * time.Second

func (c *connection) agents(k *call) (all []agentState, err error) {
	agents, err := c.AgentsNow(k)
	for _, a := range agents {
		h, err := report.DecodeHeartbeat(a.Data)
		if err != nil {
			h = report.Heartbeat{Host: "?", State: "?", Trouble: err.Error()}
		}
		all = append(all, agentState{h, a.ID, a.Seen})
	}
	slices.SortStableFunc(all, func(a, b agentState) int { return strings.Compare(a.Host+" "+a.user, b.Host+" "+b.user) })
	return all, err
}

// failures reads all failures, in the order in which they were found. One that cannot be read is told to stderr.
func (c *connection) failures(k *call) (all []*report.Failure, err error) {
	_, err = c.Failures(k, 0, func(t transport.Failure) error {
		f, err := report.DecodeFailure(t)
		if err != nil {
			fmt.Fprintln(k.stderr, k.Name()+": a failure cannot be read:", plain(err.Error()))
			return nil
		}
		all = append(all, f)
		return nil
	})
	return all, err
}

// state is the state of a campaign.
type state struct {
	now      time.Time
	flags    string // that name the campaign, for commands that are suggested
	order    order.Order
	agents   []agentState
	failures []*report.Failure
}

// lastMax is how many failures status shows.
const lastMax = 5

// show prints the state.
func (s *state) show(w io.Writer) {
	switch o := s.order; {
	case o.Number == 0:
		fmt.Fprintf(w, "no order yet; in the folder of the module, run: allele-fleet submit %s ./...\n", s.flags)
	case o.Drain:
		fmt.Fprintf(w, "campaign %s: drained %s ago; to go on, run: allele-fleet drain %s -undo\n", o.Campaign,
			age(s.now.Sub(o.Time)), s.flags)
	default:
		fmt.Fprintf(w, "campaign %s: order %d, %s ago, bundle %.12s\n", o.Campaign, o.Number, age(s.now.Sub(o.Time)), o.Bundle)
	}
	s.showAgents(w)
	s.showTrouble(w)
	if len(s.failures) == 0 {
		return
	}
	fmt.Fprintln(w)
	var rows [][]string
	first := max(0, len(s.failures)-lastMax)
	for _, f := range s.failures[first:] {
		rows = append(rows, []string{age(s.now.Sub(f.Time)) + " ago", short(f.Host, 30), short(f.Package, 60) + " " + short(f.Property, 60),
			short(f.Sign, 60)})
	}
	table(w, rows, 4)
	more := ""
	if first > 0 {
		more = fmt.Sprintf("and %s before; ", count(first, "failure"))
	}
	fmt.Fprintf(w, "%sto see the failures with their inputs, run: allele-fleet findings %s\n", more, s.flags)
}

// showAgents prints the table of the agents, and their sum.
func (s *state) showAgents(w io.Writer) {
	workers, runs := 0, 0
	rows := [][]string{{"host", "agent", "state", "bundle", "seen", "up", "workers", "runs", "sent", "received", "found"}}
	for _, a := range s.agents {
		bundle, state := head(a.Bundle), short(string(a.State), 12)
		if a.Bundle != s.order.Bundle && bundle != "" {
			bundle += " (old)"
		}
		if s.silent(a) {
			state, a.Workers = "silent", 0
		}
		rows = append(rows, []string{short(a.Host, 30), head(a.user), state, bundle, age(s.now.Sub(a.seen)) + " ago",
			age(s.now.Sub(a.Started)), comma(a.Workers), comma(a.Runs), comma(a.Sent), comma(a.Received), comma(a.Failures)})
		workers, runs = workers+a.Workers, runs+a.Runs
	}
	if len(s.agents) > 0 {
		fmt.Fprintln(w)
		table(w, rows, 4)
	}
	fmt.Fprintf(w, "\n%s · %s · %s · %s\n", count(len(s.agents), "agent"), count(workers, "worker"), count(runs, "run"),
		count(len(s.failures), "failure"))
}

// silent reports whether an agent should have reported since.
func (s *state) silent(a agentState) bool {
	return a.State != report.Stopped && s.now.Sub(a.seen) > silence
}

// showTrouble prints what is not as it should be.
func (s *state) showTrouble(w io.Writer) {
	if len(s.agents) == 0 && s.order.Number > 0 {
		fmt.Fprintln(w, "no agent has reported in the last two minutes; to start one, run: allele-fleet agent -cred FILE")
	}
	for _, a := range s.agents {
		name := short(a.Host, 30) + " " + head(a.user)
		if s.silent(a) {
			fmt.Fprintf(w, "%s: nothing was heard for %s; it was stopped, or cannot reach a server, or its credential was revoked\n",
				name, age(s.now.Sub(a.seen)))
		}
		if a.Trouble != "" {
			fmt.Fprintf(w, "%s: %s\n", name, short(a.Trouble, 500))
		}
		if a.Waiting > 0 {
			fmt.Fprintf(w, "%s: %s on its disk, not confirmed by a server yet\n", name, count(a.Waiting, "failure"))
		}
	}
}
