package server

import (
	"context"
	"crypto/ed25519"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/allele-go/allele/fleet/access"
	"github.com/allele-go/allele/fleet/jet"
)

var update = flag.Bool("update", false, "accept changed golden files")

// testLimits leave room on a small disk: a stream reserves nothing, but the sum must be available.
var testLimits = access.Limits{Disk: 256 << 20}

// quiet is a logger for servers in tests: errors of clients that must fail are not interesting.
func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// newAuthority makes an authority for servers on the loopback address, with two campaigns.
func newAuthority(t *testing.T) (*access.Authority, string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	a, err := access.Create(dir, []string{"127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"one", "two"} {
		if err := a.Campaign(name, testLimits); err != nil {
			t.Fatal(err)
		}
	}
	return a, dir
}

func single(dir string) Config {
	return Config{Dir: dir, Listen: "127.0.0.1:0", Names: []string{"127.0.0.1"}, Disk: 1 << 30}
}

func start(t *testing.T, c Config) *Server {
	t.Helper()
	s, err := Start(c, quiet())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Shutdown)
	return s
}

// owner is the public key that agents pin. These tests sign nothing with it.
var owner = ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)).Public().(ed25519.PublicKey)

func grant(t *testing.T, a *access.Authority, campaign string, r access.Role, servers ...string) *access.Credential {
	t.Helper()
	c, err := a.Grant(access.Grant{Campaign: campaign, Role: r, Owner: owner, Lifetime: time.Hour, Servers: servers})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A client is a connection of one role, which remembers what the server has refused.
type client struct {
	*nats.Conn
	cred *access.Credential
}

// silent drops the errors that the server sends to a client: refused looks at the last one.
var silent = nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {})

func dial(t *testing.T, c *access.Credential) *client {
	t.Helper()
	nc, err := c.Connect(silent)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	return &client{nc, c}
}

var errRefused = errors.New("refused")

// refused reports whether the server has refused this subject. Call it after Flush: the server answers
// in order.
func (c *client) refused(subject string) error {
	err := c.LastError()
	if err != nil && strings.Contains(strings.ToLower(err.Error()), `"`+strings.ToLower(subject)+`"`) {
		return fmt.Errorf("%w: permissions", errRefused)
	}
	return nil
}

// send publishes with any reply subject.
func (c *client) send(subject, reply, data string) error {
	if err := c.PublishMsg(&nats.Msg{Subject: subject, Reply: reply, Data: []byte(data)}); err != nil {
		return err
	}
	if err := c.FlushTimeout(20 * time.Second); err != nil {
		return err
	}
	return c.refused(subject)
}

// ask sends a request and returns the answer. An answer that is an error of JetStream is an error.
func (c *client) ask(subject, data string) (*nats.Msg, error) {
	inbox := c.NewInbox()
	sub, err := c.SubscribeSync(inbox)
	if err != nil {
		return nil, err
	}
	defer func() { _ = sub.Unsubscribe() }()
	if err := c.send(subject, inbox, data); err != nil {
		return nil, err
	}
	m, err := sub.NextMsg(20 * time.Second)
	if err != nil {
		return nil, err
	}
	if status := m.Header.Get("Status"); status != "" && status != "204" {
		return nil, fmt.Errorf("%w: status %s", errRefused, status)
	}
	if strings.Contains(string(m.Data), `"error":{`) {
		return nil, fmt.Errorf("%w: %s", errRefused, m.Data)
	}
	return m, nil
}

// listen subscribes and returns the server's opinion.
func (c *client) listen(subject string) (*nats.Subscription, error) {
	sub, err := c.SubscribeSync(subject)
	if err != nil {
		return nil, err
	}
	if err := c.FlushTimeout(20 * time.Second); err != nil {
		return nil, err
	}
	return sub, c.refused(subject)
}

// makeStreams makes the streams of a campaign as package jet does.
func makeStreams(t *testing.T, c *client, replicas int) {
	t.Helper()
	if err := jet.Create(t.Context(), c.Conn, jet.Options{Replicas: replicas}); err != nil {
		t.Fatal(err)
	}
}

// eventually polls until f is true.
func eventually(t *testing.T, what string, f func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if f() {
			return
		}
	}
	t.Fatalf("not after a minute: %s", what)
}

func push(t *testing.T, a *access.Authority, campaign string, servers ...string) {
	t.Helper()
	n, err := a.Push(context.Background(), campaign, servers)
	if err != nil || n != len(servers) {
		t.Fatalf("push: %d of %d servers, %v", n, len(servers), err)
	}
}
