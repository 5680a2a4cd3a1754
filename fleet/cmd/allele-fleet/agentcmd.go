package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/allele-go/allele/fleet/access"
	"github.com/allele-go/allele/fleet/agent"
	"github.com/allele-go/allele/fleet/observe"
)

// runAgent searches on this host until it is stopped.
func runAgent(k *call) error {
	var c agent.Config
	var log observe.Log
	cred := k.String("cred", "", "credential `file`")
	k.StringVar(&c.Dir, "dir", "", "`folder` for bundles, corpora and failures (default: in the user's cache)")
	k.DurationVar(&c.Look, "every", 5*time.Second, "how often to ask for orders and to report to the servers, a `time`")
	k.IntVar(&c.Workers, "workers", 0, "`number` of processes (default: one for each processor)")
	k.DurationVar(&c.Limits.Run, "run-timeout", 10*time.Second, "per-run timeout, a `time`; a run that takes longer is a finding")
	memory := k.Int64("memory", 4096, "memory limit of a process in `megabytes`")
	http := k.String("http", "", "`address` of the page with metrics and health, such as 127.0.0.1:9798")
	log.Flags(k.FlagSet)
	if err := k.parseAll(); err != nil {
		return err
	}
	switch {
	case *cred == "":
		return errors.New("name the credential: -cred FILE")
	case c.Workers < 1 && k.isGiven("workers") || c.Workers > 256:
		return fmt.Errorf("-workers: want a number from 1 to 256, not %d", c.Workers)
	case *memory < 64 || *memory > 1<<20:
		return fmt.Errorf("-memory: want megabytes from 64 to %d, not %d", 1<<20, *memory)
	case c.Look < 100*time.Millisecond || c.Look > silence/2: // status calls an agent silent after twice that
		return fmt.Errorf("-every: want a time from 100ms to %v, not %v", silence/2, c.Look)
	case c.Limits.Run <= 0:
		return fmt.Errorf("-run-timeout: want a time above 0, not %v", c.Limits.Run)
	}
	c.Limits.Memory = *memory << 20
	var err error
	if c.Credential, err = access.LoadCredential(*cred); err != nil {
		return err
	}
	if c.Credential.Role != access.Worker {
		return fmt.Errorf("%s is the credential of a %s; an agent needs that of a worker, which can do less", *cred, c.Credential.Role)
	}
	if c.Dir, err = agentDir(c.Dir, c.Credential); err != nil {
		return err
	}
	on := logger(k, log, &c)
	a, err := agent.Open(c)
	if err != nil {
		return err
	}
	defer a.Close()
	if *http != "" {
		health := observe.NewHealth()
		health.Check("connection", a.Connected)
		page, err := observe.Serve(*http, observe.Handler(a.Metrics.Gatherer(), health))
		if err != nil {
			return err
		}
		defer page.Close()
		fmt.Fprintf(k.stdout, "metrics and health: http://%s/metrics http://%s/healthz\n", page.Addr(), page.Addr())
	}
	return search(k, a, c, on)
}

// logger sets the log of an agent. It returns the console, or nil if the log is for a program.
func logger(k *call, log observe.Log, c *agent.Config) (on *console) {
	format := false
	k.Visit(func(f *flag.Flag) { format = format || f.Name == "log" })
	if !format {
		on = newConsole(k.stderr)
	}
	if on == nil {
		c.Log = log.Logger(k.stderr)
		return nil
	}
	log.JSON = true
	c.Log = log.Logger(on)
	return on
}

// search runs the agent, and tells how it is.
func search(k *call, a *agent.Agent, c agent.Config, on *console) error {
	fmt.Fprintf(k.stdout, "agent %s of campaign %s, folder %s; ctrl-c stops it and loses nothing\n", head(c.Credential.User),
		c.Credential.Campaign, c.Dir)
	var side sync.WaitGroup
	ctx, end := context.WithCancel(context.WithoutCancel(k.Context)) // until the agent has stopped
	side.Go(func() { follow(ctx, a.Now, on, c.Log) })
	stopping := context.AfterFunc(k.Context, func() {
		c.Log.Info("stopping: the current runs end, and what they find is sent; this takes up to 30 s")
	})
	err := a.Run(k)
	stopping()
	end()
	side.Wait()
	h := a.Now()
	fmt.Fprintf(k.stdout, "stopped after %s: %s sent, %s received, %s found\n", count(h.Runs, "run"), count(h.Sent, "case"),
		comma(h.Received), count(h.Failures, "failure"))
	if h.Waiting > 0 {
		fmt.Fprintf(k.stdout, "%s not confirmed by a server yet: on disk in %s, and sent at the next start\n",
			count(h.Waiting, "failure"), c.Dir)
	}
	return err
}

// agentDir returns the folder of an agent: the one that is given, or one in the user's cache.
func agentDir(dir string, c *access.Credential) (string, error) {
	if dir != "" {
		return absolute(dir), nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("%w; choose a folder with -dir", err)
	}
	return filepath.Join(cache, "allele-fleet", c.Campaign+"-"+c.User[:12]), nil
}
