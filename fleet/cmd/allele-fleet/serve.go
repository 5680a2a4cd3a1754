package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/allele-go/allele/fleet/access"
	"github.com/allele-go/allele/fleet/observe"
	"github.com/allele-go/allele/fleet/server"
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
	logger := log.Logger(k.stderr)
	if _, err := os.Stat(filepath.Join(c.Dir, "node")); errors.Is(err, fs.ErrNotExist) {
		if _, err := access.Create(c.Dir, c.Names); err != nil {
			return err
		}
	}
	s, err := server.Start(c, logger)
	if err != nil {
		return err
	}
	defer s.Shutdown()
	urls, err := announce(c, s)
	if err != nil {
		return err
	}
	if *http != "" {
		health := observe.NewHealth()
		health.Check("server", func(context.Context) error { return s.Health() })
		page, err := observe.Serve(*http, observe.Handler(observe.NewServer(s.State).Gatherer(), health))
		if err != nil {
			return err
		}
		defer page.Close()
		fmt.Fprintf(k.stdout, "metrics and health: http://%s/metrics http://%s/healthz\n", page.Addr(), page.Addr())
	}
	fmt.Fprintf(k.stdout, "serving %s\nto search the tests of a module, run there: allele-fleet submit -dir %s -campaign NAME ./...\n",
		strings.Join(urls, " "), absolute(c.Dir))
	<-k.Done()
	fmt.Fprintln(k.stdout, "stopping")
	return nil
}

// announce writes the URLs of the server to a file, for the commands on this host.
func announce(c server.Config, s *server.Server) (urls []string, err error) {
	if c.Cluster != nil {
		_, port, _ := net.SplitHostPort(c.Listen)
		for _, peer := range c.Cluster.Peers { // clients reach the peers by the port of this server
			if host, _, err := net.SplitHostPort(peer); err == nil && port != "0" {
				urls = append(urls, "tls://"+net.JoinHostPort(host, port))
			}
		}
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
		*out)
	return nil
}

// day is for lifetimes of credentials.
const day = 24 * time.Hour
