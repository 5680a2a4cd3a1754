package main

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/allele-go/allele/fleet/observe"
	"github.com/allele-go/allele/fleet/order"
	"github.com/allele-go/allele/fleet/report"
	"github.com/allele-go/allele/internal/testkit"
)

// golden compares a text with a file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	testkit.Golden(t, filepath.Join("testdata", name), []byte(got))
}

var noon = time.Date(2026, 11, 17, 12, 0, 0, 0, time.UTC)

const (
	newBundle = "585b6144c51891fe53d4bda1a269370fefebca4da6faf4decdfb089360c46dfc"
	oldBundle = "73e84f1e728a3402206902e17847e2e4e61c4ab0a87e1e45e25235884d0e2f30"
)

// hostile has a colour, a title of the window, a line end, a change of direction and a character without width.
const hostile = "\x1b[31mred\x1b]0;title\x07\nline\u202eleft\u200b\u009b2J"

func failure(n int, host, property string) *report.Failure {
	return &report.Failure{Package: "example.com/tree", Property: property, Sign: "failed tree_test.go:16", Bundle: newBundle, Host: host,
		Time: noon.Add(-time.Duration(n) * time.Minute), Text: "property failed: insert broke the order\n\n\tcounterexample"}
}

// A campaign with agents in all states, one of which lies to terminals.
func TestShowStatus(t *testing.T) {
	agent := func(user, host string, state report.State, seen time.Duration, runs int) agentState {
		return agentState{report.Heartbeat{Host: host, State: state, Bundle: newBundle, Started: noon.Add(-26 * time.Hour), Workers: 16,
			Runs: runs, Sent: runs / 100, Received: 999, Failures: 1}, user + "5RLALK6BEKGC3CKCW5KTMG5QQMRD5GTWARDYH5O6ERGOGRW", noon.Add(-seen)}
	}
	s := state{now: noon, flags: "-dir fleet -campaign tree",
		order: order.Order{Campaign: "tree", Number: 4, Bundle: newBundle, Time: noon.Add(-3 * time.Hour)},
		agents: []agentState{agent("UAAAAAA", "build-1", report.Searching, 2*time.Second, 1234567890), agent("UBBBBBB", "build-2",
			report.Searching, time.Minute, 1000), agent("UCCCCCC", hostile, report.State(hostile), -time.Second, 999)},
		failures: []*report.Failure{failure(180, "build-1", "TestInsertKeepsOrder"), failure(1, hostile, hostile)}}
	s.agents[2].Trouble, s.agents[2].Waiting, s.agents[2].Bundle = hostile, 1, oldBundle
	var b strings.Builder
	s.show(&b)
	b.WriteString("\n--- many failures, no agents, drained\n")
	for i := range 8 {
		s.failures = append(s.failures, failure(i, "build-1", "TestInsertKeepsOrder"))
	}
	s.agents, s.order.Drain = nil, true
	s.show(&b)
	b.WriteString("\n--- no order\n")
	(&state{now: noon, flags: "-cred x.cred"}).show(&b)
	golden(t, "status.golden", b.String())
}

func TestShowFinding(t *testing.T) {
	var b strings.Builder
	k := &call{stdout: &b, stderr: io.Discard}
	showFinding(k, failure(1, "build-1", "TestInsertKeepsOrder"))
	f := failure(1, hostile, hostile)
	f.Package, f.Sign, f.Text, f.Bundle = hostile, hostile, hostile, hostile
	showFinding(k, f)
	golden(t, "findings.golden", b.String())
}

// What an agent shows on a terminal, as bytes, and in a log.
func TestConsole(t *testing.T) {
	for _, screen := range []bool{true, false} {
		var b bytes.Buffer
		var log observe.Log
		f := follower{at: noon, looks: logLooks - 2}
		if screen {
			f.on, log.JSON = &console{out: &b, size: func() (int, int) { return 100, 30 }}, true
			f.log = log.Logger(f.on)
		} else {
			f.log = log.Logger(&b)
		}
		h := report.Heartbeat{State: report.Searching, Workers: 2, Runs: 200_000, Sent: 6064, Received: 1}
		f.look(h, noon.Add(2*time.Second))
		h.Runs, h.Failures, h.Waiting, h.Trouble = 500_000, 1, 1, "no server can be reached"
		f.log.Info("found", "property", "tree.TestInsertKeepsOrder", "failure", "failed tree_test.go:16", "input", "in := struct {\n\tK int\n}{1}")
		f.look(h, noon.Add(4*time.Second))
		h.Trouble = ""
		f.look(h, noon.Add(6*time.Second))
		f.log.Warn(hostile, "error", hostile, "seed", "SUAIBDPBAUTWCWBKIO6XHQNINK5FWJW4OHLXC3HQ2KFE4PEJUA44CNHTC4")
		name := "log.golden"
		if screen {
			f.on.end()
			name = "console.golden"
		}
		text := regexpTime.ReplaceAllString(b.String(), "TIME")
		golden(t, name, strings.NewReplacer("\r", "<CR>", "\x1b[K", "<CLEAR>\n").Replace(text))
		if strings.ContainsAny(strings.ReplaceAll(b.String(), "\x1b[K", ""), "\x1b\x07\u202e\u009b") {
			t.Errorf("%s: a terminal would obey a text of others", name)
		}
	}
}
