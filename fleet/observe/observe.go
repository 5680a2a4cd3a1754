// Package observe shows operators what an agent or a server is doing: metrics, health and logs.
//
// The program counts where it works, and observe reads the counts when somebody asks. There is
// no global state: each Agent or Server has a registry of its own.
//
//	agent := observe.NewAgent(campaign, observe.AgentSources{Cases: hubCases, Connected: conn.IsConnected})
//	health := observe.NewHealth()
//	health.Check("connection", connected)
//	page, err := observe.Serve("127.0.0.1:9798", observe.Handler(agent.Gatherer(), health))
//	defer page.Close()
//	agent.JobsTaken.Add(1)
//
// An address without a host means this host only, and nothing secret may be put in a metric, a
// reason of the health page or a log line: all three are read by programs of other people.
package observe

import (
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// A Counter counts events. Its zero value is ready, and goroutines may share it.
type Counter struct {
	n atomic.Int64
}

// Add adds n events. It panics if n is negative, because a count that falls looks like a restart.
func (c *Counter) Add(n int) {
	if n < 0 {
		panic("observe: a counter cannot fall")
	}
	c.n.Add(int64(n))
}

// Count returns the number of events so far.
func (c *Counter) Count() int { return int(c.n.Load()) }

// newRegistry returns a registry with the metrics of the Go runtime, of the process and of the
// build, which every program has.
func newRegistry(own prometheus.Collector) *prometheus.Registry {
	registry := prometheus.NewRegistry()
	registry.MustRegister(
		own,
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		collectors.NewBuildInfoCollector(),
	)
	return registry
}

// A metric is one row of a table of metrics: its description and how it is read from a state.
type metric[S any] struct {
	desc  *prometheus.Desc
	kind  prometheus.ValueType
	value func(S) float64
}

func counter[S any](name, help string, labels []string, value func(S) int) metric[S] {
	return metric[S]{prometheus.NewDesc(name, help, labels, nil), prometheus.CounterValue,
		func(s S) float64 { return float64(value(s)) }}
}

func gauge[S any](name, help string, labels []string, value func(S) float64) metric[S] {
	return metric[S]{prometheus.NewDesc(name, help, labels, nil), prometheus.GaugeValue, value}
}

func (m metric[S]) send(to chan<- prometheus.Metric, state S, labels ...string) {
	to <- prometheus.MustNewConstMetric(m.desc, m.kind, m.value(state), labels...)
}

// campaignLabel is the label of all metrics that belong to a campaign.
var campaignLabel = []string{"campaign"}

func boolean(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
