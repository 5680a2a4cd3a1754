package server

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/allele-go/allele/fleet/access"
	"github.com/allele-go/allele/fleet/jet"
)

// A buffer may be written by several goroutines.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write appends.
func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) text() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// What is acknowledged survives a restart, the port is free after Shutdown, and the log shows no secret.
func TestRestart(t *testing.T) {
	a, dir := newAuthority(t)
	var log buffer
	c := single(dir)
	c.Listen = addresses(t, 1)[0]
	s, err := Start(c, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { s.Shutdown() }()
	if err := s.Health(); err != nil {
		t.Error(err)
	}
	url := s.URL("127.0.0.1")
	cred := grant(t, a, "one", access.Submitter, url)
	sub := dial(t, cred)
	makeStreams(t, sub, 1)
	if _, err := sub.ask("camp.state", "kept"); err != nil {
		t.Fatal(err)
	}
	address := s.Addr().String()
	s.Shutdown()
	if s.Health() == nil {
		t.Error("healthy after Shutdown")
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatalf("the port is not free: %v", err)
	}
	_ = l.Close()

	if s, err = Start(c, slog.New(slog.NewTextHandler(&log, nil))); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the client reconnects", sub.IsConnected)
	m, err := sub.ask("$JS.API.DIRECT.GET."+jet.Camp, `{"last_by_subj":"camp.state"}`)
	if err != nil || string(m.Data) != "kept" {
		t.Errorf("after a restart: %v, %v", m, err)
	}
	sub.Close()
	s.Shutdown()

	file := filepath.Join(t.TempDir(), "cred")
	if err := cred.Save(file); err != nil {
		t.Fatal(err)
	}
	secrets, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(log.text(), "Server is ready") {
		t.Error("the log has no lines of the server")
	}
	for line := range strings.Lines(log.text()) {
		for _, word := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune("\" =,:\n", r) }) {
			if len(word) >= 40 && strings.Contains(string(secrets), word) && !strings.HasPrefix(word, cred.User) {
				t.Errorf("the log has a part of the credential: %s", line)
			}
		}
	}
}

// Only one server can use a folder, and a folder without an authority or a node is refused with advice.
func TestStartRefuses(t *testing.T) {
	if _, err := Start(single(t.TempDir()), quiet()); err == nil || !strings.Contains(err.Error(), "run: allele-fleet serve") {
		t.Errorf("without a node: %v", err)
	}
	_, dir := newAuthority(t)
	s := start(t, single(dir))
	c := single(dir)
	c.Listen = s.Addr().String()
	if _, err := Start(c, quiet()); err == nil {
		t.Error("two servers on one port")
	}
}

func TestMonitor(t *testing.T) {
	_, dir := newAuthority(t)
	c := single(dir)
	c.Monitor = "127.0.0.1:0"
	s := start(t, c)
	r, err := http.Get(fmt.Sprintf("http://%s/healthz", s.MonitorAddr()))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		t.Errorf("%s %s %v", r.Status, text, err)
	}
	_, dir = newAuthority(t)
	if other := start(t, single(dir)); other.MonitorAddr() != nil {
		t.Error("monitoring without being asked")
	}
}

func TestLoadConfig(t *testing.T) {
	const cluster = `"cluster": {"name": "f", "listen": "0.0.0.0:6222", "peers": ["a:6222", "b:6222", "c:6222"]}`
	for _, row := range []struct{ name, text, want string }{
		{"single", `{"dir": "fleet", "listen": "0.0.0.0:4222", "names": ["n1"]}`, ""},
		{"node", `{"dir": "fleet", "node": "n1", "listen": "0.0.0.0:4222", "names": ["n1"], ` + cluster + `}`, ""},
		{"unknown", `{"dir": "fleet", "listn": "0.0.0.0:4222"}`, "listn"},
		{"no names", `{"dir": "fleet", "listen": "0.0.0.0:4222"}`, "names"},
		{"no host", `{"dir": "fleet", "listen": ":4222", "names": ["n1"]}`, "0.0.0.0"},
		{"port", `{"dir": "fleet", "listen": "a:70000", "names": ["n1"]}`, "host:port"},
		{"open pages", `{"dir": "fleet", "listen": "a:1", "names": ["n1"], "monitor": "0.0.0.0:8222"}`, "loopback"},
		{"node without name", `{"dir": "fleet", "listen": "a:1", "names": ["n1"], ` + cluster + `}`, "node"},
		{"peer", `{"dir": "f", "node": "n", "listen": "a:1", "names": ["n"],
			"cluster": {"name": "f", "listen": "a:1", "peers": ["a", "b"]}}`, "peer"},
		{"two", `{"dir": "fleet", "listen": "0.0.0.0:4222", "names": ["n1"]} {}`, "more than one"},
	} {
		file := filepath.Join(t.TempDir(), "serve.json")
		if err := os.WriteFile(file, []byte(row.text), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := LoadConfig(file)
		if row.want == "" && (err != nil || c.Dir != filepath.Join(filepath.Dir(file), "fleet")) {
			t.Errorf("%s: %v, %v", row.name, c, err)
		}
		if row.want != "" && (err == nil || !strings.Contains(err.Error(), row.want)) {
			t.Errorf("%s: %v, want %q", row.name, err, row.want)
		}
	}
}

// A campaign made while the server runs can be used after Push, and a revocation ends live connections.
func TestPush(t *testing.T) {
	a, dir := newAuthority(t)
	s := start(t, single(dir))
	url := s.URL("127.0.0.1")
	if err := a.Campaign("three", testLimits); err != nil {
		t.Fatal(err)
	}
	cred := grant(t, a, "three", access.Worker, url)
	if _, err := cred.Connect(silent); err == nil {
		t.Error("connected to a campaign that the server does not know")
	}
	push(t, a, "three", url)
	makeStreams(t, dial(t, grant(t, a, "three", access.Submitter, url)), 1)
	other := dial(t, grant(t, a, "three", access.Worker, url))
	live, err := other.listen("live.corpus.>")
	if err != nil {
		t.Fatal(err)
	}
	closed := make(chan struct{})
	nc, err := cred.Connect(silent, nats.ClosedHandler(func(*nats.Conn) { close(closed) }), nats.ReconnectWait(time.Millisecond),
		nats.ReconnectJitter(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	if err := a.Revoke("three", cred.User); err != nil {
		t.Fatal(err)
	}
	push(t, a, "three", url)
	select {
	case <-closed:
	case <-time.After(time.Minute):
		t.Error("a revoked connection is open")
	}
	if _, err := cred.Connect(silent); err == nil {
		t.Error("a revoked credential connects")
	}
	for i := range 20 { // others go on, whatever is pushed: the same accounts, or new limits
		if _, err := other.ask(fmt.Sprintf("corpus.00.%d", i), "case"); err != nil {
			t.Fatalf("the other worker after %d pushes: %v", i, err)
		}
		if _, err := live.NextMsg(20 * time.Second); err != nil {
			t.Fatalf("the other worker after %d pushes: %v", i, err)
		}
		limits := testLimits
		limits.Queues = int64(100 + i/2)
		if err := a.Campaign("three", limits); err != nil {
			t.Fatal(err)
		}
		push(t, a, "three", url)
	}
	if other.Stats().Reconnects != 0 {
		t.Error("a push disconnects the other worker")
	}
	c := single(dir) // the revocation survives a restart
	c.Listen = s.Addr().String()
	s.Shutdown()
	start(t, c)
	if _, err := cred.Connect(silent); err == nil {
		t.Error("a revoked credential connects after a restart")
	}
	eventually(t, "the other worker reconnects", other.IsConnected)
}
