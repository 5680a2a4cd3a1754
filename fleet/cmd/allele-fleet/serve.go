package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/allele-go/allele/fleet/access"
	"github.com/allele-go/allele/fleet/observe"
	"github.com/allele-go/allele/fleet/server"
	"github.com/allele-go/allele/internal/filelock"
)

// serve runs a server until it is stopped.
func serve(k *call) error {
	var c server.Config
	var log observe.Log
	config := k.String("config", "", "`file` with the configuration of a server of a cluster")
	k.StringVar(&c.Dir, "dir", "", "`folder` for keys and data")
	k.StringVar(&c.Listen, "listen", "127.0.0.1:4222", "`address` for agents")
	names := k.String("names", "127.0.0.1,localhost", "host names and addresses by which agents reach this server, a `list` with commas")
	http := k.String("http", "", "`address` of the page with metrics and health, such as 127.0.0.1:9797")
	first := k.Bool("first", false, "make the keys of a new fleet, with -config on the first server of a cluster")
	log.Flags(k.FlagSet)
	if err := k.parseAll(); err != nil {
		return err
	}
	if c.Names = strings.Split(*names, ","); *config != "" {
		dir := c.Dir
		var err error
		if c, err = server.LoadConfig(*config); err != nil {
			return err
		}
		if dir != "" {
			c.Dir = dir
		}
	}
	if c.Dir == "" {
		return errors.New("name a folder for keys and data: -dir DIR")
	}
	unlock, err := lockServer(c.Dir)
	if err != nil {
		return err
	}
	defer unlock()
	if err := makeKeys(k, c, *first); err != nil {
		return err
	}
	s, err := startServer(c, log.Logger(k.stderr))
	if err != nil {
		return err
	}
	defer s.Shutdown()
	urls, err := announce(c, s)
	if err != nil {
		return err
	}
	if *http != "" {
		page, err := servePage(k, *http, s)
		if err != nil {
			return err
		}
		defer page.Close()
	}
	fmt.Fprintf(k.stdout, "serving %s; ctrl-c stops the server\n", strings.Join(urls, " "))
	if _, err := access.Load(c.Dir); err == nil { // only the first server of a cluster can make campaigns
		fmt.Fprintf(k.stdout, "to search the tests of a module, run there: allele-fleet submit -dir %s -campaign NAME ./...\n",
			quote(absolute(c.Dir)))
	}
	<-k.Done()
	fmt.Fprintln(k.stdout, "stopping")
	return nil
}

// makeKeys makes the keys of a new fleet if the folder has none. In a cluster only one server may do so: servers that
// each make their own keys refuse each other.
func makeKeys(k *call, c server.Config, first bool) error {
	_, err := os.Stat(filepath.Join(c.Dir, "node"))
	switch {
	case !errors.Is(err, fs.ErrNotExist):
		return err
	case c.Cluster != nil && !first:
		return fmt.Errorf("the folder %s has no keys; if this is the first server of a new cluster, add -first; if not, make its folder "+
			"on the first server with: allele-fleet node -dir DIR -names %s -o FOLDER", c.Dir, quote(strings.Join(c.Names, ",")))
	}
	if _, err := access.Create(c.Dir, c.Names); err != nil {
		return err
	}
	fmt.Fprintf(k.stdout, "made the keys of a new fleet in %s; keep a copy of its folder authority\n", c.Dir)
	return nil
}

// startServer starts a server whose log is quiet.
func startServer(c server.Config, log *slog.Logger) (*server.Server, error) {
	s, err := server.Start(c, slog.New(quiet{log.Handler()}))
	if err != nil && strings.Contains(err.Error(), "address already in use") {
		err = fmt.Errorf("%w; another server or program uses it: choose another address with -listen, or in the configuration", err)
	}
	return s, err
}

// servePage serves metrics and health.
func servePage(k *call, address string, s *server.Server) (*observe.Page, error) {
	health := observe.NewHealth()
	health.Check("server", func(context.Context) error { return s.Health() })
	page, err := observe.Serve(address, observe.Handler(observe.NewServer(s.State).Gatherer(), health))
	if err == nil {
		fmt.Fprintf(k.stdout, "metrics and health: http://%s/metrics http://%s/healthz\n", page.Addr(), page.Addr())
	}
	return page, err
}

// lockServer makes sure that no other server uses the folder: two servers on one store destroy it.
func lockServer(dir string) (unlock func(), err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("%w; choose another folder with -dir", err)
	}
	f, err := os.OpenFile(filepath.Join(dir, "server.lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("%w; choose another folder with -dir", err)
	}
	if held, able := filelock.Lock(f); able && !held {
		f.Close()
		return nil, fmt.Errorf("another server runs in the folder %s; give each server a folder of its own", dir)
	}
	return func() { f.Close() }, nil
}

// quiet is a handler for the log of the NATS server, which tells 30 lines at every start. They are for
// -log-level debug; warnings and errors stay.
type quiet struct{ slog.Handler }

// handshake begins a warning that NATS gives to all who do what we do by intention.
const handshake = "Clients that are not using"

// Handle handles a record.
func (q quiet) Handle(ctx context.Context, r slog.Record) error {
	if r.Level == slog.LevelInfo || strings.HasPrefix(r.Message, handshake) {
		if r.Level = slog.LevelDebug; !q.Enabled(ctx, r.Level) {
			return nil
		}
	}
	return q.Handler.Handle(ctx, r)
}

// WithAttrs returns a handler with more attributes.
func (q quiet) WithAttrs(attrs []slog.Attr) slog.Handler { return quiet{q.Handler.WithAttrs(attrs)} }

// WithGroup returns a handler with a group.
func (q quiet) WithGroup(name string) slog.Handler { return quiet{q.Handler.WithGroup(name)} }

// announce writes the URLs of the server to a file, for the commands on this host.
func announce(c server.Config, s *server.Server) (urls []string, err error) {
	if c.Cluster != nil {
		_, port, _ := net.SplitHostPort(c.Listen)
		for _, peer := range c.Cluster.Peers { // clients reach the peers by the port of this server
			if host, _, err := net.SplitHostPort(peer); err == nil && port != "0" {
				urls = append(urls, "tls://"+net.JoinHostPort(host, port))
			}
		}
		slices.Sort(urls)
		urls = slices.Compact(urls) // servers on one host have other ports: then -servers names them
	}
	if len(urls) == 0 {
		urls = []string{s.URL(c.Names[0])}
	}
	return urls, os.WriteFile(filepath.Join(c.Dir, serversFile), []byte(strings.Join(urls, "\n")+"\n"), 0o600)
}

// absolute returns the absolute path of a folder, for a command in another folder.
func absolute(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		return abs
	}
	return dir
}

// node makes the folder of another server of a cluster.
func node(k *call) error {
	dir := k.String("dir", "", "the `folder` of the first server")
	names := k.String("names", "", "host names and addresses of the other server: a comma-separated `list`")
	out := k.String("o", "", "write to this `folder`, to be copied to the -dir folder of the other host")
	if err := k.parseAll(); err != nil {
		return err
	}
	if *dir == "" || *names == "" || *out == "" {
		return errors.New("give -dir, -names and -o")
	}
	a, err := access.Load(*dir)
	if err != nil {
		return err
	}
	if err := a.ExportNode(*out, strings.Split(*names, ",")); err != nil {
		return err
	}
	fmt.Fprintf(k.stdout, "wrote %s; copy it to the other host (scp -rp), where it is the folder of: allele-fleet serve -config FILE\n",
		quote(*out))
	return nil
}

// day is for lifetimes of credentials.
const day = 24 * time.Hour
