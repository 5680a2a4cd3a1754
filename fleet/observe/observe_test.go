package observe

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

var update = flag.Bool("update", false, "write testdata/metrics.txt")

// everything returns an agent and a server whose metrics all have values.
func everything() (*Agent, *Server) {
	agent := NewAgent("parser", AgentSources{
		Runs:      func() int { return 1_000_000 },
		Workers:   func() int { return 8 },
		Cases:     func() Cases { return Cases{Sent: 70, Won: 60, Received: 50, Dropped: 40, Queued: 30, Errors: 20} },
		Spooled:   func() int { return 3 },
		Connected: func() bool { return true },
	})
	agent.Findings.Add(2)
	agent.JobsTaken.Add(9)
	agent.JobsDone.Add(7)
	agent.JobsLost.Add(1)
	agent.SetBundle("v7")
	server := NewServer(func(context.Context) (ServerState, error) {
		return ServerState{Leader: true, Memory: 1 << 20, Campaigns: []CampaignState{
			{Name: "parser", Cases: 11, Failures: 2, JobsWaiting: 5, Agents: 4, Stored: 1 << 30},
			{Name: "codec", Cases: 12},
		}}, nil
	})
	return agent, server
}

func TestMetricsOverHTTP(t *testing.T) {
	agent, server := everything()
	seen := scrape(t, agent.Gatherer())
	maps.Copy(seen, scrape(t, server.Gatherer()))
	for _, want := range []struct {
		metric string
		value  float64
	}{
		{"allele_agent_runs_total campaign=parser", 1e6},
		{"allele_agent_workers campaign=parser", 8},
		{"allele_agent_cases_sent_total campaign=parser", 70},
		{"allele_agent_cases_won_total campaign=parser", 60},
		{"allele_agent_cases_received_total campaign=parser", 50},
		{"allele_agent_cases_dropped_total campaign=parser", 40},
		{"allele_agent_queue_cases campaign=parser", 30},
		{"allele_agent_transport_errors_total campaign=parser", 20},
		{"allele_agent_spooled_failures campaign=parser", 3},
		{"allele_agent_findings_total campaign=parser", 2},
		{"allele_agent_jobs_taken_total campaign=parser", 9},
		{"allele_agent_jobs_done_total campaign=parser", 7},
		{"allele_agent_jobs_lost_total campaign=parser", 1},
		{"allele_agent_connected campaign=parser", 1},
		{"allele_agent_bundle_info campaign=parser version=v7", 1},
		{"allele_server_memory_bytes", 1 << 20},
		{"allele_server_is_leader", 1},
		{"allele_server_read_errors_total", 0},
		{"allele_server_cases campaign=parser", 11},
		{"allele_server_cases campaign=codec", 12},
		{"allele_server_failures campaign=parser", 2},
		{"allele_server_jobs_waiting campaign=parser", 5},
		{"allele_server_agents campaign=parser", 4},
		{"allele_server_stored_bytes campaign=parser", 1 << 30},
	} {
		if got, ok := seen[want.metric]; !ok || got != want.value {
			t.Errorf("%s: got %v, want %v", want.metric, got, want.value)
		}
	}
}

func TestEmptyAgent(t *testing.T) {
	agent := NewAgent("parser", AgentSources{})
	seen := scrape(t, agent.Gatherer())
	if got, ok := seen["allele_agent_runs_total campaign=parser"]; !ok || got != 0 {
		t.Errorf("runs: got %v, %v, want 0", got, ok)
	}
	for _, version := range []string{"v1\xff", ""} {
		agent.SetBundle(version)
		_, shown := scrape(t, agent.Gatherer())["allele_agent_bundle_info campaign=parser version=v1?"]
		if shown != (version != "") {
			t.Errorf("bundle %q: shown is %v", version, shown)
		}
	}
}

func TestServerThatCannotBeRead(t *testing.T) {
	var broken error = errors.New("no leader")
	server := NewServer(func(context.Context) (ServerState, error) {
		return ServerState{Campaigns: []CampaignState{{Name: "parser"}}}, broken
	})
	for scrapes := 1; scrapes <= 2; scrapes++ {
		seen := scrape(t, server.Gatherer())
		if _, old := seen["allele_server_cases campaign=parser"]; old || seen["allele_server_read_errors_total"] != float64(scrapes) {
			t.Errorf("scrape %d: got %v", scrapes, seen)
		}
	}
	broken = nil
	if _, ok := scrape(t, server.Gatherer())["allele_server_cases campaign=parser"]; !ok {
		t.Error("no cases after the server could be read again")
	}
}

// TestNames checks the naming rules of Prometheus, and that the list of metrics in testdata,
// which the dashboard is checked with, is up to date.
func TestNames(t *testing.T) {
	agent, server := everything()
	var list []string
	for _, gatherer := range []prometheus.Gatherer{agent.Gatherer(), server.Gatherer()} {
		families, err := gatherer.Gather()
		if err != nil {
			t.Fatal(err)
		}
		own := slices.DeleteFunc(families, func(f *dto.MetricFamily) bool { return !strings.HasPrefix(f.GetName(), "allele_") })
		problems, err := promlint.NewWithMetricFamilies(own).Lint()
		if err != nil || len(problems) > 0 {
			t.Errorf("promlint: %v, %v", problems, err)
		}
		for _, f := range own {
			words := []string{f.GetName(), strings.ToLower(f.GetType().String())}
			for _, label := range f.Metric[0].Label {
				words = append(words, label.GetName())
			}
			list = append(list, strings.Join(words, " "))
		}
	}
	golden(t, "testdata/metrics.txt", strings.Join(list, "\n")+"\n")
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || string(want) != got {
		t.Errorf("%s is outdated, run go test -update: %v\n%s", file, err, got)
	}
}

func TestCounterCannotFall(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("Add(-1) did not panic")
		}
	}()
	new(Counter).Add(-1)
}

// scrape reads /metrics over HTTP, parses it and returns the values by name and labels.
func scrape(t *testing.T, metrics prometheus.Gatherer) map[string]float64 {
	t.Helper()
	body, code := get(t, page(t, metrics, NewHealth()), "/metrics")
	if code != http.StatusOK {
		t.Fatalf("status %d: %s", code, body)
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]float64{}
	for name, family := range families {
		for _, m := range family.Metric {
			key := name
			for _, l := range m.Label {
				key += fmt.Sprintf(" %s=%s", l.GetName(), l.GetValue())
			}
			values[key] = m.GetCounter().GetValue() + m.GetGauge().GetValue()
		}
	}
	return values
}

func page(t *testing.T, metrics prometheus.Gatherer, health *Health) *Page {
	t.Helper()
	p, err := Serve(":0", Handler(metrics, health))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func get(t *testing.T, p *Page, path string) (body []byte, code int) {
	t.Helper()
	response, err := http.Get("http://" + p.Addr() + path)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err = io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return body, response.StatusCode
}
