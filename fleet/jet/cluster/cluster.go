// Package cluster runs three nats-server processes on this machine, for tests. The processes
// can be killed and started again.
//
//	c, err := cluster.Start(ctx, cluster.Options{Folder: dir})
//	conn, err := c.Connect()
//	leader, err := c.Leader(ctx, jet.Corpus)
//	c.Kill(leader)
//	err = c.Restart(ctx, leader)
//
// The servers sync every write to the disk before they confirm it. Each one stores its data in
// its own folder, so that a server that was killed goes on with what it had.
package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/allele-go/allele/fleet/jet"
)

// Nodes is the number of servers.
const Nodes = 3

// Options say how the servers run.
type Options struct {
	Folder  string // for the program, data and logs
	Program string // nats-server; it is built in Folder if this is empty
	// Proxies puts a proxy in front of each server, and between each two. Only then can a node be cut off.
	Proxies bool
}

// Cluster is three servers. Its methods must not be called at the same time, except Connect.
type Cluster struct {
	opts    Options
	nodes   [Nodes]*node
	routes  [Nodes][Nodes]*Proxy // from one server to another
	clients [Nodes]*Proxy
}

// node is a server.
type node struct {
	name                  string
	folder                string
	client, route, health string        // addresses
	cmd                   *exec.Cmd     // nil if it was killed
	exited                chan struct{} // closed when the process is gone
}

const (
	askEvery = 50 * time.Millisecond
	askTime  = 2 * time.Second
)

var errExited = errors.New("the process has exited")

// Build builds the nats-server that this module requires.
func Build(ctx context.Context, file string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-o", file, "github.com/nats-io/nats-server/v2")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build nats-server: %w\n%s", err, out)
	}
	return nil
}

// Start starts the servers, and waits until they are ready.
func Start(ctx context.Context, o Options) (*Cluster, error) {
	if o.Program == "" {
		o.Program = filepath.Join(o.Folder, "nats-server")
		if err := Build(ctx, o.Program); err != nil {
			return nil, err
		}
	}
	c := &Cluster{opts: o}
	if err := c.configure(); err != nil {
		c.Stop()
		return nil, err
	}
	for i := range Nodes {
		if err := c.nodes[i].start(o.Program); err != nil {
			c.Stop()
			return nil, err
		}
	}
	if err := c.Ready(ctx); err != nil {
		c.Stop()
		return nil, err
	}
	return c, nil
}

// configure writes the files of the servers.
func (c *Cluster) configure() error {
	free, err := Addresses(3 * Nodes)
	if err != nil {
		return err
	}
	for i := range Nodes {
		name := fmt.Sprint("n", i)
		folder := filepath.Join(c.opts.Folder, name)
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return err
		}
		c.nodes[i] = &node{name: name, folder: folder, client: free[3*i], route: free[3*i+1], health: free[3*i+2]}
	}
	for i := range Nodes {
		if err := c.connect(i); err != nil {
			return err
		}
	}
	for i, n := range c.nodes {
		if err := os.WriteFile(n.file("conf"), []byte(c.config(i)), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// connect makes the proxies of a server.
func (c *Cluster) connect(i int) (err error) {
	if !c.opts.Proxies {
		return nil
	}
	if c.clients[i], err = NewProxy(c.nodes[i].client); err != nil {
		return err
	}
	for j := range Nodes {
		if j != i {
			if c.routes[i][j], err = NewProxy(c.nodes[j].route); err != nil {
				return err
			}
		}
	}
	return nil
}

// config is the configuration of a server.
func (c *Cluster) config(i int) string {
	n := c.nodes[i]
	var routes []string
	advertise := ""
	if c.opts.Proxies {
		// Servers tell each other their addresses. Nobody listens at this one, so that there are no routes but those
		// through proxies.
		advertise = "advertise: \"127.0.0.1:1\", pool_size: -1,"
	}
	for j := range Nodes {
		switch {
		case j == i:
		case c.opts.Proxies:
			routes = append(routes, fmt.Sprintf("%q", "nats://"+c.routes[i][j].Address()))
		default:
			routes = append(routes, fmt.Sprintf("%q", "nats://"+c.nodes[j].route))
		}
	}
	return fmt.Sprintf(`server_name: %s
listen: %q
http: %q
max_payload: 1MB
jetstream { store_dir: %q, sync_interval: always, max_mem: 1GB, max_file: 20GB }
cluster { name: test, listen: %q, no_advertise: true, ping_interval: 2, ping_max: 2, %s
  routes: [ %s ] }
`, n.name, n.client, n.health, filepath.Join(n.folder, "data"), n.route, advertise, strings.Join(routes, ", "))
}

// Addresses returns n loopback addresses for servers that stop and start again. The kernel takes the ports of outgoing
// connections, and of listeners on port 0, from the upper half: a port from there can belong to somebody else when the
// server returns. These ports are below, and nobody uses them at the moment.
func Addresses(n int) (all []string, err error) {
	const first, last, tries = 10_000, 32_000, 1000
	for range tries {
		if len(all) == n {
			return all, nil
		}
		l, busy := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", first+rand.IntN(last-first)))
		if busy != nil {
			err = busy
			continue
		}
		defer l.Close() // after all were chosen, so that they are different
		all = append(all, l.Addr().String())
	}
	return nil, fmt.Errorf("no free port in %d tries: %w", tries, err)
}

func (n *node) file(name string) string { return filepath.Join(n.folder, name) }

func (n *node) start(program string) error {
	log, err := os.OpenFile(n.file("log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close() // the process has its own
	cmd := exec.Command(program, "-c", n.file("conf"))
	cmd.Stdout, cmd.Stderr = log, log
	dieWithParent(cmd)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", n.name, err)
	}
	n.cmd, n.exited = cmd, make(chan struct{})
	go func(exited chan struct{}) {
		cmd.Wait() // killed, or its log says why
		close(exited)
	}(n.exited)
	return nil
}

// kill ends the process at once.
func (n *node) kill() {
	if n == nil || n.cmd == nil {
		return
	}
	n.cmd.Process.Kill() // fails if it has exited
	<-n.exited
	n.cmd = nil
}

// Kill kills a server with SIGKILL.
func (c *Cluster) Kill(i int) { c.nodes[i].kill() }

// KillAll kills all servers at once.
func (c *Cluster) KillAll() {
	for _, n := range c.nodes {
		if n.cmd != nil {
			n.cmd.Process.Kill() // fails if it has exited
		}
	}
	for _, n := range c.nodes {
		n.kill()
	}
}

// Restart starts servers that were killed, and waits until all servers are ready.
func (c *Cluster) Restart(ctx context.Context, nodes ...int) error {
	for _, i := range nodes {
		if err := c.nodes[i].start(c.opts.Program); err != nil {
			return err
		}
	}
	return c.Ready(ctx)
}

// Stop kills all servers.
func (c *Cluster) Stop() {
	for i, n := range c.nodes {
		n.kill()
		c.clients[i].Close()
		for _, p := range c.routes[i] {
			p.Close()
		}
	}
}

// URLs returns the addresses of the servers for clients.
func (c *Cluster) URLs() []string {
	var all []string
	for i, n := range c.nodes {
		if c.opts.Proxies {
			all = append(all, "nats://"+c.clients[i].Address())
		} else {
			all = append(all, "nats://"+n.client)
		}
	}
	return all
}

// Connect connects to any server, and to another one when that is gone.
func (c *Cluster) Connect() (*nats.Conn, error) {
	return nats.Connect(strings.Join(c.URLs(), ","), append(jet.ConnOptions("_INBOX_test"), nats.RetryOnFailedConnect(true))...)
}

// ConnectTo connects to one server, and to no other one.
func (c *Cluster) ConnectTo(i int) (*nats.Conn, error) {
	return nats.Connect(c.URLs()[i], append(jet.ConnOptions("_INBOX_test"), nats.RetryOnFailedConnect(true))...)
}

// Isolate cuts a server off from the other servers, and from clients. Heal ends it. Silent means that connections stay
// open, and nothing comes through.
func (c *Cluster) Isolate(i int, silent bool) {
	for _, p := range c.around(i) {
		p.Cut(silent)
	}
}

// Heal connects a server again.
func (c *Cluster) Heal(i int) {
	for _, p := range c.around(i) {
		p.Heal()
	}
}

// around are the proxies to and from a server.
func (c *Cluster) around(i int) []*Proxy {
	all := []*Proxy{c.clients[i]}
	for j := range Nodes {
		if j != i {
			all = append(all, c.routes[i][j], c.routes[j][i])
		}
	}
	return all
}

// Ready waits until all servers that run are healthy and JetStream answers.
func (c *Cluster) Ready(ctx context.Context) error {
	for _, n := range c.nodes {
		if err := wait(ctx, n.name+" is not healthy", n.healthy); err != nil {
			return fmt.Errorf("%w: see %s", err, n.file("log"))
		}
	}
	conn, err := c.Connect()
	if err != nil {
		return err
	}
	defer conn.Close()
	return wait(ctx, "JetStream does not answer", func(ctx context.Context) error {
		_, err := ask(ctx, conn, "$JS.API.INFO")
		return err
	})
}

func (n *node) healthy(ctx context.Context) error {
	if n.cmd == nil {
		return nil
	}
	select {
	case <-n.exited:
		return errExited
	default:
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+n.health+"/healthz", nil)
	if err != nil {
		return err
	}
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusOK {
		return errors.New(reply.Status)
	}
	return nil
}

// info is a part of what a server reports of JetStream or a stream.
type info struct {
	Error *struct {
		Description string `json:"description"`
	} `json:"error"`
	Cluster struct {
		Leader string `json:"leader"`
	} `json:"cluster"`
}

func ask(ctx context.Context, conn *nats.Conn, subject string) (i info, err error) {
	reply, err := conn.RequestWithContext(ctx, subject, nil)
	if err != nil {
		return i, err
	}
	if err := json.Unmarshal(reply.Data, &i); err != nil {
		return i, err
	}
	if i.Error != nil {
		return i, errors.New(i.Error.Description)
	}
	return i, nil
}

// Leader returns the leader of a stream. It waits until there is one.
func (c *Cluster) Leader(ctx context.Context, stream string) (leader int, err error) {
	conn, err := c.Connect()
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	err = wait(ctx, "stream "+stream+" has no leader", func(ctx context.Context) error {
		i, err := ask(ctx, conn, "$JS.API.STREAM.INFO."+stream)
		if err != nil {
			return err
		}
		for n := range c.nodes {
			if c.nodes[n].name == i.Cluster.Leader {
				leader = n
				return nil
			}
		}
		return errors.New("no leader")
	})
	return leader, err
}

// wait repeats a question until it has no error.
func wait(ctx context.Context, what string, question func(context.Context) error) error {
	for {
		short, cancel := context.WithTimeout(ctx, askTime)
		err := question(short)
		cancel()
		if err == nil {
			return nil
		}
		if errors.Is(err, errExited) {
			return fmt.Errorf("cluster: %s: %w", what, err)
		}
		select {
		case <-time.After(askEvery):
		case <-ctx.Done():
			return fmt.Errorf("cluster: %s: %w: %w", what, err, ctx.Err())
		}
	}
}
