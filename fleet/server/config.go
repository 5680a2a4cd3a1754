package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"

	"github.com/allele-go/allele/fleet/access"
)

// A Config says where a server listens and where it stores. As a file it is JSON:
//
//	{
//		"dir": "fleet",
//		"node": "n1",
//		"listen": "0.0.0.0:4222",
//		"names": ["n1.example.org", "10.0.0.1"],
//		"cluster": {
//			"name": "fleet",
//			"listen": "0.0.0.0:6222",
//			"peers": ["n1.example.org:6222", "n2.example.org:6222", "n3.example.org:6222"]
//		}
//	}
//
// For a cluster, make the authority on the first host. For each other host write a folder there by
// Authority.ExportNode, and copy it to the host's dir by a secret way (scp). The authority stays on the first
// host: the other nodes cannot make credentials, and campaigns can be made only while the first host runs.
type Config struct {
	Dir     string   `json:"dir"`
	Node    string   `json:"node,omitempty"`    // name of this server, unique in the cluster; allele if empty
	Listen  string   `json:"listen"`            // host:port for clients; port 0: any
	Names   []string `json:"names"`             // host names and addresses that clients and peers use
	Disk    int64    `json:"disk,omitempty"`    // bytes for all streams; three quarters of what is free if 0
	Monitor string   `json:"monitor,omitempty"` // host:port of monitoring pages without passwords: loopback only
	Cluster *Cluster `json:"cluster,omitempty"`
}

// A Cluster says which servers belong together.
type Cluster struct {
	Name   string   `json:"name"`
	Listen string   `json:"listen"` // host:port for the other servers
	Peers  []string `json:"peers"`  // host:port of all servers; this one may be among them
}

// configSizeMax bounds the file.
const configSizeMax = 64 << 10

// LoadConfig reads a file. A relative dir is relative to the file's folder.
func LoadConfig(name string) (Config, error) {
	f, err := os.Open(name)
	if err != nil {
		return Config{}, fmt.Errorf("load config: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, configSizeMax+1))
	if err != nil {
		return Config{}, fmt.Errorf("load config: %w", err)
	}
	if len(text) > configSizeMax {
		return Config{}, fmt.Errorf("load config: %s has more than %d bytes", name, configSizeMax)
	}
	var c Config
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return Config{}, fmt.Errorf("load config %s: %w", name, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return Config{}, fmt.Errorf("load config %s: more than one JSON value", name)
	}
	if c.Dir != "" && !filepath.IsAbs(c.Dir) {
		c.Dir = filepath.Join(filepath.Dir(name), c.Dir)
	}
	if err := c.check(); err != nil {
		return Config{}, fmt.Errorf("load config %s: %w", name, err)
	}
	return c, nil
}

var simpleName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

func (c Config) check() error {
	if c.Dir == "" {
		return errors.New("no dir")
	}
	if len(c.Names) == 0 {
		return errors.New("no names: give the host names or addresses that agents connect to")
	}
	if c.Node != "" && !simpleName.MatchString(c.Node) {
		return fmt.Errorf("node %q: use letters, digits, - and _", c.Node)
	}
	if _, _, err := hostPort(c.Listen); err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	if c.Disk < 0 {
		return errors.New("disk is negative")
	}
	if c.Monitor != "" {
		host, _, err := hostPort(c.Monitor)
		if err != nil {
			return fmt.Errorf("monitor: %w", err)
		}
		if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
			return errors.New("monitor: the pages have no passwords, so they listen on a loopback address only, as 127.0.0.1:8222")
		}
	}
	if c.Cluster == nil {
		return nil
	}
	return c.Cluster.check(c.Node)
}

func (c *Cluster) check(node string) error {
	if node == "" {
		return errors.New("a node of a cluster needs a name: node")
	}
	if !simpleName.MatchString(c.Name) {
		return fmt.Errorf("cluster: name %q: use letters, digits, - and _", c.Name)
	}
	if _, _, err := hostPort(c.Listen); err != nil {
		return fmt.Errorf("cluster: listen: %w", err)
	}
	if len(c.Peers) < 2 {
		return errors.New("cluster: give the addresses of all servers as peers, three or five")
	}
	for _, p := range c.Peers {
		if _, port, err := hostPort(p); err != nil || port <= 0 {
			return fmt.Errorf("cluster: peer %q is not host:port", p)
		}
	}
	return nil
}

// hostPort splits an address. Port 0 becomes server.RANDOM_PORT.
func hostPort(address string) (string, int, error) {
	host, text, err := net.SplitHostPort(address)
	if err != nil {
		return "", 0, fmt.Errorf("%q is not host:port", address)
	}
	port, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return "", 0, fmt.Errorf("%q is not host:port", address)
	}
	if host == "" {
		return "", 0, fmt.Errorf("%q has no host; 0.0.0.0 is every address of this host", address)
	}
	if port == 0 {
		return host, server.RANDOM_PORT, nil
	}
	return host, int(port), nil
}

// options translates the config for the NATS server.
func (c Config) options(node *access.Node) (*server.Options, error) {
	host, port, err := hostPort(c.Listen)
	if err != nil {
		return nil, err
	}
	name := c.Node
	if name == "" {
		name = "allele"
	}
	o := &server.Options{
		ServerName: name,
		Host:       host, Port: port,
		NoSigs: true,

		TrustedOperators: []*jwt.OperatorClaims{node.Operator},
		SystemAccount:    node.SystemAccount,

		// TLS comes first, so that nobody without a certificate sees a byte of the protocol.
		TLS: true, TLSVerify: true, TLSConfig: node.TLS, TLSTimeout: tlsTimeout,
		TLSHandshakeFirst: true,
		AuthTimeout:       tlsTimeout,

		JetStream: true, StoreDir: filepath.Join(c.Dir, storeFolder),
		SyncAlways: true,
		// JetStreamMaxStore 0 means three quarters of the free space, JetStreamMaxMemory of the memory.
		JetStreamMaxStore: c.Disk, JetStreamMaxMemory: memoryMax,

		MaxPayload: payloadMax, MaxConn: connectionsMax, WriteDeadline: writeDeadline,
	}
	if c.Monitor != "" {
		if o.HTTPHost, o.HTTPPort, err = hostPort(c.Monitor); err != nil {
			return nil, err
		}
	}
	if c.Cluster != nil {
		return o, c.Cluster.options(o, node)
	}
	return o, nil
}

func (c *Cluster) options(o *server.Options, node *access.Node) error {
	host, port, err := hostPort(c.Listen)
	if err != nil {
		return err
	}
	o.Cluster = server.ClusterOpts{Name: c.Name, Host: host, Port: port, TLSConfig: node.RouteTLS, TLSTimeout: tlsTimeout,
		// Clients know the servers from their credentials. Advertised addresses may not be in certificates.
		NoAdvertise: true}
	for _, p := range c.Peers {
		o.Routes = append(o.Routes, &url.URL{Scheme: "tls", Host: p})
	}
	return nil
}
