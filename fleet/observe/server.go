package observe

import (
	"context"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// ServerState is what one server of a fleet knows at one moment.
type ServerState struct {
	Leader    bool  // whether this server leads the group that places streams; true if it is the only one
	Memory    int64 // bytes of memory streams and of the server's reservations for them
	Campaigns []CampaignState
}

// CampaignState is what one server knows of a campaign. Each server reports what its own copy
// has, so numbers of a server that is behind are lower.
type CampaignState struct {
	Name        string
	Cases       int
	Failures    int
	JobsWaiting int   // jobs without a stored result, leased or not
	Agents      int   // agents that reported within the last two minutes
	Stored      int64 // bytes on the disk of this server
}

// Server has the metrics of a server.
type Server struct {
	read     func(context.Context) (ServerState, error)
	errors   Counter
	registry *prometheus.Registry
}

// readMax bounds the time of one read. It is below the usual timeout of a scrape, 10 s, so that
// the other metrics arrive even if the read hangs.
const readMax = 5 * time.Second

// NewServer returns the metrics of a server. read is called at every scrape and must return when
// its context ends. If it fails, the scrape has no numbers of campaigns rather than old ones.
func NewServer(read func(context.Context) (ServerState, error)) *Server {
	s := &Server{read: read}
	s.registry = newRegistry(s)
	return s
}

// Gatherer returns the metrics for Handler.
func (s *Server) Gatherer() prometheus.Gatherer { return s.registry }

var serverMetrics = []metric[ServerState]{
	gauge("allele_server_memory_bytes", "Bytes of memory that this server uses for streams.", nil,
		func(s ServerState) float64 { return float64(s.Memory) }),
	gauge("allele_server_is_leader", "Whether this server leads the group that places streams: 1 or 0.", nil,
		func(s ServerState) float64 { return boolean(s.Leader) }),
}

var campaignMetrics = []metric[CampaignState]{
	gauge("allele_server_cases", "Kept cases of the campaign, in the copy of this server.", campaignLabel,
		func(c CampaignState) float64 { return float64(c.Cases) }),
	gauge("allele_server_failures", "Failures of the campaign, in the copy of this server.", campaignLabel,
		func(c CampaignState) float64 { return float64(c.Failures) }),
	gauge("allele_server_jobs_waiting", "Jobs of the campaign without a result, in the copy of this server.", campaignLabel,
		func(c CampaignState) float64 { return float64(c.JobsWaiting) }),
	gauge("allele_server_agents", "Agents of the campaign that reported within the last two minutes.", campaignLabel,
		func(c CampaignState) float64 { return float64(c.Agents) }),
	gauge("allele_server_stored_bytes", "Bytes of the campaign on the disk of this server.", campaignLabel,
		func(c CampaignState) float64 { return float64(c.Stored) }),
}

var readErrors = counter("allele_server_read_errors_total", "Scrapes that could not read the state of this server.", nil,
	func(s *Server) int { return s.errors.Count() })

// Describe sends the descriptions of all metrics. The registry calls it.
func (s *Server) Describe(to chan<- *prometheus.Desc) {
	for _, m := range serverMetrics {
		to <- m.desc
	}
	for _, m := range campaignMetrics {
		to <- m.desc
	}
	to <- readErrors.desc
}

// Collect reads and sends all metrics. The registry calls it.
func (s *Server) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), readMax)
	defer cancel()
	state, err := s.read(ctx)
	if err != nil {
		s.errors.Add(1)
	}
	readErrors.send(to, s)
	if err != nil {
		return
	}
	for _, m := range serverMetrics {
		m.send(to, state)
	}
	for _, c := range state.Campaigns {
		for _, m := range campaignMetrics {
			m.send(to, c, strings.ToValidUTF8(c.Name, "?"))
		}
	}
}
