// Package server runs the NATS server of a fleet inside the process of `allele-fleet serve`: alone on
// one host, or as one node of three.
//
//	s, err := server.Start(config, logger)   // returns when clients can connect
//	err = s.Health()                         // nil: streams can be written
//	s.Shutdown()                             // waits until files and ports are free
//
// The server trusts only the authority of its folder (package access). Every connection of a client needs
// a certificate and a user JWT of that authority, every connection of another server a certificate of
// the authority for routes. A message is acknowledged after it is synced to disk.
package server

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/allele-go/allele/fleet/access"
)

// Folders below the folder of a server.
const (
	accountsFolder = "accounts" // JWTs of accounts, as this server knows them
	storeFolder    = "store"    // streams
)

// Bounds of the server.
const (
	payloadMax     = 1 << 20          // parts of blobs have at most 256 kB
	connectionsMax = 16384            // one for each host
	tlsTimeout     = 10               // seconds, also on a loaded machine
	writeDeadline  = 10 * time.Second // then a client that does not read is disconnected
	startTimeout   = time.Minute
	memoryMax      = 1 << 30 // streams in memory of all campaigns: the reports of agents

	// syncAccounts is how often servers compare a hash of their accounts. A server that was down during a
	// revocation accepts the credential for this long after it returns.
	syncAccounts = 5 * time.Second
)

// A Server is a running server.
type Server struct {
	nats   *server.Server
	logger *logger
}

// Start starts a server on the folder c.Dir, which access.Create or Authority.ExportNode has made, and
// waits until clients can connect. On the host of the authority it renews the certificates of this
// server if they end soon, and takes over all accounts.
func Start(c Config, log *slog.Logger) (*Server, error) {
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("start server: %w", err)
	}
	node, accounts, err := prepare(c)
	if err != nil {
		return nil, fmt.Errorf("start server: %w", err)
	}
	if err := warnEnd(c, node, log); err != nil {
		return nil, fmt.Errorf("start server: %w", err)
	}
	o, err := c.options(node)
	if err != nil {
		return nil, fmt.Errorf("start server: %w", err)
	}
	if o.AccountResolver, err = resolver(c.Dir, node, accounts); err != nil {
		return nil, fmt.Errorf("start server: %w", err)
	}
	ns, err := server.NewServer(o)
	if err != nil {
		o.AccountResolver.Close()
		return nil, fmt.Errorf("start server: %w", err)
	}
	s := &Server{nats: ns, logger: newLogger(log)}
	ns.SetLoggerV2(s.logger, false, false, false)
	ns.Start()
	if err := s.ready(); err != nil {
		s.Shutdown()
		return nil, fmt.Errorf("start server: %w", err)
	}
	return s, nil
}

// ready waits until clients can connect, or the server has reported that it cannot go on.
func (s *Server) ready() error {
	done := make(chan bool, 1)
	go func() { done <- s.nats.ReadyForConnections(startTimeout) }()
	select {
	case text := <-s.logger.fatal:
		return errors.New(text)
	case ok := <-done:
		if !ok {
			return fmt.Errorf("clients cannot connect after %v", startTimeout)
		}
		return nil
	}
}

// prepare reads what the folder knows: the node, and the accounts if the authority is here.
func prepare(c Config) (*access.Node, []access.Account, error) {
	var accounts []access.Account
	authority, err := access.Load(c.Dir)
	switch {
	case errors.Is(err, access.ErrNone): // a node that was exported
	case err != nil:
		return nil, nil, err
	default:
		if err := authority.Renew(c.Names); err != nil {
			return nil, nil, err
		}
		campaigns, err := authority.Campaigns()
		if err != nil {
			return nil, nil, err
		}
		for _, name := range campaigns {
			list, err := authority.Accounts(name)
			if err != nil {
				return nil, nil, err
			}
			accounts = append(accounts, list...)
		}
	}
	node, err := access.LoadNode(c.Dir)
	return node, accounts, err
}

// warnEnd refuses certificates that have ended, and warns of those that end soon.
func warnEnd(c Config, node *access.Node, log *slog.Logger) error {
	end := node.Ends()
	left := time.Until(end)
	next := fmt.Sprintf("on the host with the authority run: allele-fleet node, and copy the folder to %s", c.Dir)
	if left <= 0 {
		return fmt.Errorf("the certificate of this server ended on %s; %s", end.Format(time.DateOnly), next)
	}
	if left < 30*24*time.Hour {
		log.Warn("the certificate of this server ends soon", "end", end, "next", next)
	}
	return nil
}

// resolver returns the store of accounts. In a cluster, servers copy accounts from each other.
func resolver(dir string, node *access.Node, accounts []access.Account) (server.AccountResolver, error) {
	folder := filepath.Join(dir, accountsFolder)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	r, err := server.NewDirAccResolver(folder, 0, syncAccounts, server.NoDelete)
	if err != nil {
		return nil, fmt.Errorf("accounts: %w", err)
	}
	if err := r.Store(node.SystemAccount, node.SystemJWT); err != nil {
		r.Close()
		return nil, fmt.Errorf("accounts: %w", err)
	}
	for _, account := range accounts {
		if err := r.Store(account.ID, account.JWT); err != nil {
			r.Close()
			return nil, fmt.Errorf("accounts: %w", err)
		}
	}
	return r, nil
}

// Addr is the address on which clients connect.
func (s *Server) Addr() *net.TCPAddr {
	a, _ := s.nats.Addr().(*net.TCPAddr)
	return a
}

// URL is the address for a credential, under one of the names of the server.
func (s *Server) URL(name string) string {
	return fmt.Sprintf("tls://%s", net.JoinHostPort(name, fmt.Sprint(s.Addr().Port)))
}

// MonitorAddr is the address of the monitoring pages, nil if they are off.
func (s *Server) MonitorAddr() *net.TCPAddr { return s.nats.MonitorAddr() }

// Health returns nil if the server is up and its streams are current: in a cluster, it has a leader and
// this node has caught up.
func (s *Server) Health() error {
	if !s.nats.Running() {
		return errors.New("the server is not running")
	}
	h := s.nats.Healthz(nil)
	if h.Status != "ok" {
		return fmt.Errorf("the server is not healthy: %s", h.Error)
	}
	return nil
}

// Shutdown stops the server and waits until its ports and files are free.
func (s *Server) Shutdown() {
	s.nats.Shutdown()
	s.nats.WaitForShutdown()
}
