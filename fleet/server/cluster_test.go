package server

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/allele-go/allele/fleet/access"
	"github.com/allele-go/allele/fleet/jet"
	"github.com/allele-go/allele/fleet/jet/cluster"
)

// addresses returns loopback addresses: nodes must know each other's addresses before they start.
func addresses(t *testing.T, n int) []string {
	t.Helper()
	list, err := cluster.Addresses(n)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// clusterConfigs makes the folders of three nodes. Only the first has the authority.
func clusterConfigs(t *testing.T, a *access.Authority, dir string) []Config {
	t.Helper()
	all := addresses(t, 6)
	routes, listen := all[:3], all[3:]
	var list []Config
	for i := range 3 {
		c := single(dir)
		c.Node = fmt.Sprintf("n%d", i+1)
		c.Listen = listen[i]
		c.Cluster = &Cluster{Name: "fleet", Listen: routes[i], Peers: routes}
		if i > 0 {
			c.Dir = filepath.Join(t.TempDir(), c.Node)
			if err := a.ExportNode(c.Dir, c.Names); err != nil {
				t.Fatal(err)
			}
		}
		list = append(list, c)
	}
	return list
}

func healthy(servers ...*Server) func() bool {
	return func() bool {
		for _, s := range servers {
			if s.Health() != nil {
				return false
			}
		}
		return true
	}
}

// accountsOn counts the accounts that the node has stored.
func accountsOn(t *testing.T, c Config) int {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(c.Dir, accountsFolder, "*.jwt"))
	if err != nil {
		t.Fatal(err)
	}
	return len(files)
}

// retry repeats a request while a cluster elects a leader.
func (c *client) retry(t *testing.T, subject, data string) *nats.Msg {
	t.Helper()
	var m *nats.Msg
	eventually(t, subject, func() bool {
		var err error
		m, err = c.Request(subject, []byte(data), 2*time.Second)
		return err == nil && !strings.Contains(string(m.Data), `"error":{`) && m.Header.Get("Status") == ""
	})
	return m
}

// Three nodes form a cluster. A campaign made through one is known to all. With one node down, workers
// write and read, campaigns are made, and the node catches up when it returns.
func TestCluster(t *testing.T) {
	if testing.Short() {
		t.Skip("three servers")
	}
	a, dir := newAuthority(t)
	configs := clusterConfigs(t, a, dir)
	var servers []*Server
	var urls []string
	for _, c := range configs {
		s := start(t, c)
		servers = append(servers, s)
		urls = append(urls, s.URL("127.0.0.1"))
	}
	eventually(t, "three nodes are healthy", healthy(servers...))
	if err := a.Campaign("three", testLimits); err != nil {
		t.Fatal(err)
	}
	push(t, a, "three", urls...) // all three confirm
	var workers []*client
	for _, url := range urls {
		workers = append(workers, dial(t, grant(t, a, "three", access.Worker, url)))
	}
	admin := dial(t, grant(t, a, "three", access.Admin, urls...))
	createReplicated(t, admin)
	for i, w := range workers {
		w.retry(t, fmt.Sprintf("corpus.00.%d", i), "case")
	}
	clusterIsClosed(t, a, configs, admin, urls[0])

	servers[2].Shutdown()
	w := dial(t, grant(t, a, "three", access.Worker, urls...))
	w.retry(t, "corpus.00.3", "while a node is down")
	if err := a.Campaign("four", testLimits); err != nil {
		t.Fatal(err)
	}
	revoked := grant(t, a, "three", access.Worker, urls[2])
	if err := a.Revoke("three", revoked.User); err != nil {
		t.Fatal(err)
	}
	if n, err := a.Push(t.Context(), "three", urls); n != 2 || err != nil {
		t.Errorf("push with a node down: %d servers, %v", n, err)
	}
	if n, err := a.Push(t.Context(), "four", urls); n != 2 || err != nil {
		t.Errorf("push with a node down: %d servers, %v", n, err)
	}
	servers[2] = start(t, configs[2])
	eventually(t, "the node is back", healthy(servers...))
	third := dial(t, grant(t, a, "four", access.Admin, urls[2])) // the node asks the others for the account
	if got := third.ConnectedServerName(); got != "n3" {
		t.Errorf("connected to %s", got)
	}
	for seq := 1; seq <= 4; seq++ {
		for _, w := range append(workers[:2:2], dial(t, grant(t, a, "three", access.Worker, urls[2]))) {
			w.retry(t, "$JS.API.DIRECT.GET."+jet.Corpus, fmt.Sprintf(`{"seq":%d}`, seq))
		}
	}
	eventually(t, "the node knows what was revoked", func() bool {
		nc, err := revoked.Connect(silent)
		if err == nil {
			nc.Close()
		}
		return err != nil
	})
	for _, c := range configs {
		eventually(t, "the accounts are on "+c.Node, func() bool { return accountsOn(t, c) >= 7 })
	}
}

func createReplicated(t *testing.T, c *client) {
	t.Helper()
	js, err := jetstream.New(c.Conn, jetstream.WithDefaultTimeout(2*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range jet.Streams(jet.Options{Replicas: 3}) {
		if s.Name == jet.Corpus { // one stream shows it; each costs three logs
			eventually(t, "stream "+s.Name, func() bool { _, err := js.CreateStream(t.Context(), s); return err == nil })
		}
	}
}

// clusterIsClosed checks that the certificate of a client opens no route, and that the admin of a campaign
// cannot manage the cluster.
func clusterIsClosed(t *testing.T, a *access.Authority, configs []Config, admin *client, url string) {
	t.Helper()
	p := takeApart(t, grant(t, a, "three", access.Admin, url))
	stolen := p.config(t)
	stolen.InsecureSkipVerify = true // a thief does not care who answers
	if err := openRoute(configs[0].Cluster.Listen, stolen); err == nil {
		t.Error("the certificate of a client opens a route")
	}
	node, err := access.LoadNode(configs[1].Dir)
	if err != nil {
		t.Fatal(err)
	}
	good := node.RouteTLS.Clone()
	good.ServerName = "127.0.0.1"
	if err := openRoute(configs[0].Cluster.Listen, good); err != nil {
		t.Errorf("the certificate of a node: %v", err)
	}
	server := node.TLS.Clone() // towards clients a node is a server, never a client
	server.ServerName = "127.0.0.1"
	server.RootCAs = x509.NewCertPool()
	server.InsecureSkipVerify = true
	if err := openRoute(configs[0].Cluster.Listen, server); err == nil {
		t.Error("the certificate for clients opens a route")
	}
	m, err := admin.Request("$JS.API.META.LEADER.STEPDOWN", nil, 2*time.Second)
	if err == nil && !strings.Contains(string(m.Data), `"error":{`) {
		t.Errorf("the admin of a campaign restarts an election: %s", m.Data)
	}
	m, err = admin.Request("$JS.API.SERVER.REMOVE", []byte(`{"peer":"n2"}`), 2*time.Second)
	if err == nil && !strings.Contains(string(m.Data), `"error":{`) {
		t.Errorf("the admin of a campaign removes a node: %s", m.Data)
	}
}

// openRoute connects as another server does: TLS first, then it reads the first byte. With TLS 1.3 the
// refusal of a client's certificate comes with the first read.
func openRoute(address string, c *tls.Config) error {
	raw, err := net.DialTimeout("tcp", address, 20*time.Second)
	if err != nil {
		return err
	}
	defer raw.Close()
	_ = raw.SetDeadline(time.Now().Add(20 * time.Second))
	conn := tls.Client(raw, c)
	if _, err := conn.Write([]byte("PING\r\n")); err != nil {
		return err
	}
	_, err = conn.Read(make([]byte, 1))
	return err
}
