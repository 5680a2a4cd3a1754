package sim

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/allele-go/allele/fleet/jet"
	"github.com/allele-go/allele/fleet/jet/cluster"
)

// The number of paths grows with the logarithm of the runs, for few and for many agents.
func TestModel(t *testing.T) {
	m := Model{}.orDefault()
	for _, agents := range []int{1, 10, 100} {
		for _, after := range []time.Duration{time.Second, 30 * time.Second} {
			got := float64(paths(m.schedule(Config{Agents: agents, Time: after, Seed: 1})))
			// The sum over all paths of the probability to be found is this much more than the formula, at most.
			want := m.Paths(agents, after)
			if math.Abs(got-want) > 1.5*m.Fold {
				t.Errorf("%d agents find %v paths in %v, want about %.0f", agents, got, after, want)
			}
		}
	}
}

// All agents get all cases, and each path is accepted once.
func TestSim(t *testing.T) {
	s, stop, err := cluster.Embedded(t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	connect := func(int) (*nats.Conn, error) {
		return nats.Connect(s.ClientURL(), jet.ConnOptions("_INBOX_test")...)
	}
	conn, err := connect(0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // only a run that hangs takes so long
	defer cancel()
	if err := jet.Create(ctx, conn, jet.Options{}); err != nil {
		t.Fatal(err)
	}
	const agents = 20
	sim, err := Start(ctx, connect, Config{Agents: agents, Time: time.Second, Ramp: time.Second / 2, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(sim.Close)
	if err := sim.Play(ctx); err != nil {
		t.Fatal(err)
	}
	if err := sim.Settle(ctx); err != nil {
		t.Fatal(err)
	}
	c := sim.Counts()
	t.Logf("%+v", c)
	if c.Accepted != c.Paths || c.Delivered != c.Accepted*(agents-1) || c.Complete != agents || c.Dropped > 0 ||
		c.Offers < c.Accepted || c.Offers > c.Found {
		t.Errorf("the counts do not agree with each other: %+v", c)
	}
}
