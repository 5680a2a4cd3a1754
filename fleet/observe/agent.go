package observe

import (
	"strings"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"
)

// Agent has the metrics of an agent. The agent adds to the counters; all other counts are read
// from AgentSources.
type Agent struct {
	Findings  Counter // failures that this agent was the first to report
	JobsTaken Counter // leases of jobs that this agent was given
	JobsDone  Counter // jobs whose result this agent was the first to store
	JobsLost  Counter // jobs whose lease ended before the result was stored

	campaign string
	sources  AgentSources
	bundle   atomic.Pointer[string]
	registry *prometheus.Registry
}

// AgentSources says where counts of an agent are read. The functions are called at every scrape,
// by several goroutines, and must not block. A function that is nil counts as zero.
type AgentSources struct {
	Runs      func() int   // runs of properties by all workers since the start
	Workers   func() int   // worker processes that are running
	Cases     func() Cases // the exchange of cases with other hosts
	Spooled   func() int   // failures on disk that no server has confirmed
	Connected func() bool  // whether a server can be reached now
}

// Cases says how many cases an agent exchanged with other hosts.
type Cases struct {
	Sent     int // offers that a server answered
	Won      int // offers that no other host had made before
	Received int // cases of other hosts
	Dropped  int // cases that were never sent, because the queue was full
	Queued   int // cases that wait to be sent
	Errors   int // calls of the transport that failed and were repeated
}

// NewAgent returns the metrics of an agent of a campaign.
func NewAgent(campaign string, sources AgentSources) *Agent {
	a := &Agent{campaign: strings.ToValidUTF8(campaign, "?"), sources: sources}
	a.registry = newRegistry(a)
	return a
}

// Gatherer returns the metrics for Handler.
func (a *Agent) Gatherer() prometheus.Gatherer { return a.registry }

// SetBundle sets the version of the bundle that workers run. Before the first call, and after a
// call with "", there is no metric of a bundle.
func (a *Agent) SetBundle(version string) {
	version = strings.ToValidUTF8(version, "?")
	a.bundle.Store(&version)
}

// agentState holds all counts of an agent at one scrape.
type agentState struct {
	runs, workers, spooled      int
	cases                       Cases
	connected                   bool
	findings, taken, done, lost int
}

func (a *Agent) state() agentState {
	s := agentState{
		findings: a.Findings.Count(), taken: a.JobsTaken.Count(), done: a.JobsDone.Count(), lost: a.JobsLost.Count(),
	}
	if f := a.sources.Runs; f != nil {
		s.runs = f()
	}
	if f := a.sources.Workers; f != nil {
		s.workers = f()
	}
	if f := a.sources.Cases; f != nil {
		s.cases = f()
	}
	if f := a.sources.Spooled; f != nil {
		s.spooled = f()
	}
	if f := a.sources.Connected; f != nil {
		s.connected = f()
	}
	return s
}

var agentMetrics = []metric[agentState]{
	counter("allele_agent_runs_total", "Runs of properties by all workers of this agent.", campaignLabel,
		func(s agentState) int { return s.runs }),
	gauge("allele_agent_workers", "Worker processes that are running.", campaignLabel,
		func(s agentState) float64 { return float64(s.workers) }),
	counter("allele_agent_cases_sent_total", "Cases that were offered to the campaign and answered.", campaignLabel,
		func(s agentState) int { return s.cases.Sent }),
	counter("allele_agent_cases_won_total", "Offered cases that no other agent had offered before.", campaignLabel,
		func(s agentState) int { return s.cases.Won }),
	counter("allele_agent_cases_received_total", "Cases that came from other agents.", campaignLabel,
		func(s agentState) int { return s.cases.Received }),
	counter("allele_agent_cases_dropped_total", "Cases that were never sent, because the queue was full.", campaignLabel,
		func(s agentState) int { return s.cases.Dropped }),
	gauge("allele_agent_queue_cases", "Cases that wait to be sent.", campaignLabel,
		func(s agentState) float64 { return float64(s.cases.Queued) }),
	counter("allele_agent_transport_errors_total", "Calls to the servers that failed and were repeated.", campaignLabel,
		func(s agentState) int { return s.cases.Errors }),
	counter("allele_agent_findings_total", "Failures that this agent was the first to report.", campaignLabel,
		func(s agentState) int { return s.findings }),
	gauge("allele_agent_spooled_failures", "Failures on this agent's disk that no server has confirmed.", campaignLabel,
		func(s agentState) float64 { return float64(s.spooled) }),
	counter("allele_agent_jobs_taken_total", "Leases of jobs that this agent was given.", campaignLabel,
		func(s agentState) int { return s.taken }),
	counter("allele_agent_jobs_done_total", "Jobs whose result this agent was the first to store.", campaignLabel,
		func(s agentState) int { return s.done }),
	counter("allele_agent_jobs_lost_total", "Jobs whose lease ended before this agent stored the result.", campaignLabel,
		func(s agentState) int { return s.lost }),
	gauge("allele_agent_connected", "Whether this agent reaches a server: 1 or 0.", campaignLabel,
		func(s agentState) float64 { return boolean(s.connected) }),
}

var bundleInfo = prometheus.NewDesc("allele_agent_bundle_info", "The bundle of test binaries that workers run.",
	[]string{"campaign", "version"}, nil)

// Describe sends the descriptions of all metrics. The registry calls it.
func (a *Agent) Describe(to chan<- *prometheus.Desc) {
	for _, m := range agentMetrics {
		to <- m.desc
	}
	to <- bundleInfo
}

// Collect reads and sends all metrics. The registry calls it.
func (a *Agent) Collect(to chan<- prometheus.Metric) {
	state := a.state()
	for _, m := range agentMetrics {
		m.send(to, state, a.campaign)
	}
	if version := a.bundle.Load(); version != nil && *version != "" {
		to <- prometheus.MustNewConstMetric(bundleInfo, prometheus.GaugeValue, 1, a.campaign, *version)
	}
}
