package fleet

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/fleet/jet"
	"github.com/allele-go/allele/fleet/jet/cluster"
	"github.com/allele-go/allele/fleet/sim"
)

// Sim fails if an agent does not get a case.
var Sim = lab.Experiment{
	Name: "fleetsim",
	Doc:  "10 to 10,000 agents with simulated searches on three servers: messages, bytes, memory and CPU time of the servers",
	Run:  runSim,
}

// crowd is a number of agents that begin to search at once, or one after the other over a time.
type crowd struct {
	agents int
	ramp   time.Duration
	fold   float64 // see sim.Model
	try    bool    // it may be too many for this machine: then the row says how many agents have all cases
}

func (c crowd) begin() string {
	if c.ramp == 0 {
		return "at once"
	}
	return fmt.Sprintf("over %.0f s", c.ramp.Seconds())
}

// simulation is the sizes of the experiment.
type simulation struct {
	crowds []crowd
	search time.Duration // the agents search for this time
	rest   time.Duration // and then find nothing for this time
}

var simSizes = lab.Default[simulation]{
	Full: simulation{[]crowd{{agents: 10, fold: 25}, {agents: 100, fold: 25}, {agents: 1000, fold: 25},
		{agents: 1000, fold: 25, ramp: 20 * time.Second}, {agents: 3000, fold: 25, ramp: 20 * time.Second, try: true},
		{agents: 10000, fold: 2.5, ramp: 20 * time.Second, try: true}}, 30 * time.Second, 20 * time.Second},
	Quick: simulation{[]crowd{{agents: 10, fold: 25}}, time.Second / 2, time.Second / 5},
}

const (
	simText    = 1000    // bytes of a case
	simFirst   = 100_000 // see sim.Model
	simRate    = 40_000
	settleMax  = 3 * time.Minute // agents that have not got all cases then never get them
	sampleEach = time.Second
)

func runSim(cfg lab.Config) (*lab.Result, error) {
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	match, err := cfg.Match()
	if err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp("", "fleet-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	program := filepath.Join(temp, "nats-server")
	if err := cluster.Build(ctx, program); err != nil {
		return nil, err
	}
	size := simSizes.Full
	if cfg.Quick {
		size = simSizes.Quick
	}
	res, p := &lab.Result{Seeds: []uint64{1}}, problems{}
	for _, c := range size.crowds {
		if !match(fmt.Sprintf("%d %s", c.agents, c.begin())) {
			continue
		}
		m := &measurement{Config: cfg, crowd: c, simulation: size, program: program}
		if err := m.run(ctx); err != nil {
			return res, fmt.Errorf("%d agents that begin %s: %w", c.agents, c.begin(), err)
		}
		res.Rows = append(res.Rows, m.row())
		res.Samples = append(res.Samples, m.rows()...)
		m.check(&p)
		cfg.Logf("%s", lab.Text([]lab.Row{m.row()}))
	}
	res.Plot = growth(res.Rows)
	return res, p.err()
}

// load is what the servers have done since their start, together.
type load struct {
	cluster.Traffic
	cpu, memory float64 // CPU seconds, MB of the largest one
}

// measurement is one crowd.
type measurement struct {
	lab.Config
	crowd
	simulation
	program string
	cluster *cluster.Cluster

	counts               sim.Counts
	begin0, idle0, idle1 load // before the search, after it, and after the rest
	behind, rested       time.Duration
	at, out              []float64 // samples
}

func (m *measurement) run(ctx context.Context) error {
	files(m.agents)
	c, stop, err := servers(ctx, cluster.Options{Program: m.program})
	if err != nil {
		return err
	}
	defer stop()
	m.cluster = c
	conn, err := c.Connect()
	if err != nil {
		return err
	}
	defer conn.Close()
	o := jet.Options{Replicas: cluster.Nodes}
	if err := jet.Create(ctx, conn, o); err != nil {
		return err
	}
	// Each agent stays with one server while it can, so that the servers have as many each.
	connect := func(i int) (*nats.Conn, error) { return c.ConnectTo(i % cluster.Nodes) }
	began := time.Now()
	s, err := sim.Start(ctx, connect, sim.Config{Agents: m.agents, Time: m.search, Ramp: m.ramp, Size: simText, Seed: 1, Jet: o,
		Model: sim.Model{Fold: m.fold, First: simFirst, Rate: simRate}})
	if err != nil {
		return err
	}
	defer s.Close()
	m.Logf("%d agents are connected after %.1f s", m.agents, time.Since(began).Seconds())
	return m.phases(ctx, s)
}

// phases measures the search, the rest of the deliveries, and silence.
func (m *measurement) phases(ctx context.Context, s *sim.Sim) (err error) {
	if m.begin0, err = m.load(ctx); err != nil {
		return err
	}
	sampling, stop := context.WithCancel(ctx)
	sampled := make(chan struct{})
	go func() {
		m.sample(sampling)
		close(sampled)
	}()
	defer func() {
		stop()
		<-sampled
	}()
	if err := s.Play(ctx); err != nil {
		return err
	}
	began := time.Now()
	settle, cancel := context.WithTimeout(ctx, settleMax)
	defer cancel()
	err = s.Settle(settle)
	m.behind, m.counts = time.Since(began), s.Counts()
	m.Logf("%+v", m.counts)
	if err != nil && !(m.try && ctx.Err() == nil) {
		return err
	}
	if m.idle0, err = m.load(ctx); err != nil {
		return err
	}
	began = time.Now()
	time.Sleep(m.rest)
	m.idle1, err = m.load(ctx)
	m.rested = time.Since(began)
	m.counts.Lost = s.Counts().Lost
	return err
}

// sample measures the messages of each second.
func (m *measurement) sample(ctx context.Context) {
	began, last := time.Now(), m.begin0
	for before := began; ; {
		select {
		case <-ctx.Done():
			return
		case <-time.After(sampleEach):
		}
		now, err := m.load(ctx)
		if err != nil {
			continue
		}
		m.at = append(m.at, time.Since(began).Seconds())
		m.out = append(m.out, float64(now.OutMsgs-last.OutMsgs)/time.Since(before).Seconds())
		before, last = time.Now(), now
	}
}

// load adds up the servers.
func (m *measurement) load(ctx context.Context) (sum load, err error) {
	for i := range cluster.Nodes {
		t, err := m.cluster.Traffic(ctx, i)
		if err != nil {
			return sum, err
		}
		sum.InMsgs += t.InMsgs
		sum.OutMsgs += t.OutMsgs
		sum.InBytes += t.InBytes
		sum.OutBytes += t.OutBytes
		sum.Slow += t.Slow
		sum.Connections += t.Connections
		sum.cpu += seconds(m.cluster.Pid(i))
		sum.memory = max(sum.memory, resident(m.cluster.Pid(i)))
	}
	return sum, nil
}

func (m *measurement) row() lab.Row {
	n, cases, rest := m.counts, float64(max(1, m.counts.Accepted)), m.rested.Seconds()
	return lab.Row{lab.Col("agents", m.agents), lab.Col("begin", m.begin()), lab.Col("fold", m.fold),
		lab.Col("cases", n.Accepted), lab.Col("offers", n.Offers),
		lab.Col("deliveries", n.Delivered), lab.Col("agents with all", n.Complete),
		lab.Col("messages in", m.idle0.InMsgs-m.begin0.InMsgs), lab.Col("out", m.idle0.OutMsgs-m.begin0.OutMsgs),
		lab.Col("MB in", float64(m.idle0.InBytes-m.begin0.InBytes)/megabytes),
		lab.Col("MB out", float64(m.idle0.OutBytes-m.begin0.OutBytes)/megabytes),
		lab.Col("most out/s", m.peak()), lab.Col("s late", max(m.behind, n.Late).Seconds()),
		lab.Col("CPU ms for a case", (m.idle0.cpu-m.begin0.cpu)*1000/cases), lab.Col("memory MB of a server", m.idle1.memory),
		lab.Col("idle: in/s", float64(m.idle1.InMsgs-m.idle0.InMsgs)/rest), lab.Col("idle: CPU %", 100*(m.idle1.cpu-m.idle0.cpu)/rest),
		lab.Col("connections lost", n.Lost)}
}

// peak is the most messages in a second.
func (m *measurement) peak() float64 {
	if len(m.out) == 0 {
		return 0
	}
	return slices.Max(m.out)
}

func (m *measurement) rows() (rows []lab.Row) {
	for i := range m.at {
		rows = append(rows, lab.Row{lab.Col("agents", m.agents), lab.Col("begin", m.begin()),
			lab.Col("second", m.at[i]), lab.Col("out/s", m.out[i])})
	}
	return rows
}

// growth plots what the servers do over the number of agents.
func growth(rows []lab.Row) []byte {
	plot := lab.Lines{Title: "What three servers do for so many agents", Axis: "agents, as a power of ten"}
	for _, panel := range []struct {
		name, column string
		each         bool // for each case
	}{
		{"messages sent, for each case", "out", true},
		{"MB sent, for each case", "MB out", true},
		{"MB of memory of a server", "memory MB of a server", false},
		{"CPU ms of all servers, for each case", "CPU ms for a case", false},
		{"CPU % of all servers while nothing is found", "idle: CPU %", false},
	} {
		lines := map[string]*lab.Line{}
		var of []string
		for _, r := range rows {
			begin := fmt.Sprint("begin ", r.Get("begin"))
			if lines[begin] == nil {
				lines[begin] = &lab.Line{Name: begin}
				of = append(of, begin)
			}
			y := number(r.Get(panel.column))
			if panel.each {
				y /= max(1, number(r.Get("cases")))
			}
			l := lines[begin]
			l.At, l.To = append(l.At, math.Log10(number(r.Get("agents")))), append(l.To, y)
		}
		p := lab.Panel{Name: panel.name}
		for _, name := range of {
			p.Of = append(p.Of, *lines[name])
		}
		plot.Panels = append(plot.Panels, p)
	}
	return plot.SVG()
}

// number returns a value of a table as a number.
func number(x any) (f float64) {
	fmt.Sscan(fmt.Sprint(x), &f) // all values that are asked for are numbers
	return f
}

func (m *measurement) check(p *problems) {
	n := m.counts
	if m.try {
		return
	}
	p.check(n.Accepted == n.Paths && n.Dropped == 0,
		"%d agents: %d of %d cases are accepted, %d were dropped", m.agents, n.Accepted, n.Paths, n.Dropped)
	p.check(n.Complete == m.agents && n.Delivered == n.Accepted*(m.agents-1), "%d agents: %d have all cases", m.agents, n.Complete)
}

// files raises the limit of open files, if that is allowed. Otherwise connections fail, and say so.
func files(agents int) {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) == nil && limit.Cur < uint64(2*agents) {
		limit.Cur, limit.Max = uint64(2*agents), max(limit.Max, uint64(2*agents))
		syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit)
	}
}
