// Package agent runs a campaign on one host. There is one agent on a host. It gets the order of the
// campaign's owner, verifies it, runs the bundle in worker processes, and exchanges cases and
// failures with the servers over one connection, however many workers there are.
//
//	a, err := agent.Open(agent.Config{Credential: c, Dir: dir})
//	err = a.Run(ctx)
//
// Workers know nothing of servers: the agent reads and writes files that it shares with them. An
// outage stops no worker; cases wait in memory up to a bound, failures wait on disk without one.
package agent

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/allele-go/allele/fleet/access"
	"github.com/allele-go/allele/fleet/distil"
	"github.com/allele-go/allele/fleet/jet"
	"github.com/allele-go/allele/fleet/observe"
	"github.com/allele-go/allele/fleet/order"
	"github.com/allele-go/allele/fleet/report"
	"github.com/allele-go/allele/fleet/spool"
	"github.com/allele-go/allele/internal/campaign/exchange"
	"github.com/allele-go/allele/internal/campaign/transport"
	"github.com/allele-go/allele/internal/filelock"
	"github.com/allele-go/allele/internal/proc/job"
)

// Config configures an agent.
type Config struct {
	Credential *access.Credential
	Dir        string     // for bundles, corpora and failures
	Workers    int        // processes; 0 means one for each processor
	Limits     job.Limits // of a process
	Log        *slog.Logger
	Look       time.Duration // how often the agent asks for orders and says how it is; 0 means 5 s
	Again      time.Duration // how long it waits after a search that ended with an error; 0 means 30 s
}

// Agent is a running agent.
type Agent struct {
	config  Config
	worker  string // a name that no other process has ever had
	conn    *nats.Conn
	fleet   *jet.Transport
	hub     *exchange.Hub
	spool   *spool.Spool
	Metrics *observe.Agent
	started time.Time
	unlock  func() // the folder

	mu      sync.Mutex
	now     report.Heartbeat       // state, bundle and trouble
	runs    map[string]int         // property -> its runs in this round
	base    int                    // runs of earlier rounds
	found   map[transport.Key]bool // failures; each bundle finds them again
	refused error                  // why the servers refuse the credential, if they do
}

const (
	lookDefault  = 5 * time.Second
	againDefault = 30 * time.Second
	flushMax     = 10 * time.Second
)

// Open connects an agent with the servers.
func Open(c Config) (*Agent, error) {
	if c.Look == 0 {
		c.Look = lookDefault
	}
	if c.Again == 0 {
		c.Again = againDefault
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	a := &Agent{config: c, worker: c.Credential.User[:min(12, len(c.Credential.User))] + "-" + rand.Text()[:16],
		started: time.Now(), runs: map[string]int{}, found: map[transport.Key]bool{}}
	if err := os.MkdirAll(c.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("%w; choose another folder with -dir", err)
	}
	var err error
	if c.Dir, err = filepath.Abs(c.Dir); err != nil { // workers run in other folders
		return nil, err
	}
	a.config.Dir = c.Dir
	if a.unlock, err = lock(c.Dir); err != nil {
		return nil, err
	}
	if err := a.connect(); err != nil {
		a.unlock()
		return nil, err
	}
	a.fleet = jet.Open(a.conn, jet.Options{API: c.Credential.API(),
		Damaged: func(err error) { c.Log.Warn("a stored case cannot be used", "error", err) }})
	a.hub = exchange.NewHub(distil.View{Transport: a.fleet}, a.worker)
	a.Metrics = observe.NewAgent(c.Credential.Campaign, observe.AgentSources{Runs: a.Runs, Workers: a.workers, Cases: a.cases,
		Spooled: a.spool.Len, Connected: a.conn.IsConnected})
	a.now.State = report.Waiting
	return a, nil
}

// connect opens the spool and the connection.
func (a *Agent) connect() (err error) {
	if _, err = a.lastOrder(); err != nil { // the folder of another campaign
		return err
	}
	a.clean()
	if a.spool, err = spool.Open(filepath.Join(a.config.Dir, "spool")); err != nil {
		return err
	}
	// The servers may be down now: failures of an earlier start and searches do not need them. A server
	// that has lost its disk refuses everybody until the others have told it the accounts, so an agent
	// that is refused tries again, for ever.
	a.conn, err = a.config.Credential.Connect(nats.RetryOnFailedConnect(true), nats.ReconnectBufSize(-1), nats.IgnoreAuthErrorAbort(),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { a.trouble(err) }),
		nats.ReconnectErrHandler(func(_ *nats.Conn, err error) { a.trouble(err) }),
		nats.ConnectHandler(func(*nats.Conn) { a.trouble(nil) }), nats.ReconnectHandler(func(*nats.Conn) { a.trouble(nil) }))
	return err
}

// trouble notes an error of the connection, or nil when it is good again.
func (a *Agent) trouble(err error) {
	refused := err
	if !isRefusal(err) {
		refused = nil
	}
	a.mu.Lock()
	before := a.refused
	if refused != nil || err == nil {
		a.refused = refused
	}
	a.mu.Unlock()
	switch {
	case refused != nil && before == nil:
		a.config.Log.Warn(refusedText, "error", err)
	case err == nil && before != nil:
		a.config.Log.Info("the servers accept the credential again")
	case err != nil && refused == nil:
		a.config.Log.Debug("connection", "error", err)
	}
}

// isRefusal reports whether a server has refused the credential.
func isRefusal(err error) bool {
	return errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthRevoked) || errors.Is(err, nats.ErrAuthExpired) ||
		errors.Is(err, nats.ErrAccountAuthExpired)
}

const refusedText = "the servers refuse the credential of this agent: it was revoked, or has ended; get a new one by " +
	"allele-fleet grant, and start the agent again with the same -dir, which keeps what it has found"

// clean removes what a killed agent has left.
func (a *Agent) clean() {
	for _, pattern := range []string{"work-*", "bundle-*", "bundles/*.part"} {
		left, _ := filepath.Glob(filepath.Join(escape(a.config.Dir), pattern))
		for _, name := range left {
			os.RemoveAll(name) // what cannot be removed does no harm
		}
	}
}

// escape makes a path mean itself in a pattern.
func escape(path string) string {
	if filepath.Separator == '\\' {
		return path // Windows has no escapes in patterns
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// Run runs the agent until the context is done. It then lets the workers finish their runs, and
// sends what it can.
func (a *Agent) Run(ctx context.Context) error {
	defer a.unlock()
	var side sync.WaitGroup
	aside, end := context.WithCancel(context.WithoutCancel(ctx))
	side.Go(func() { a.spool.Send(aside, a.sendFailure) })
	side.Go(func() { a.beat(aside) })
	side.Go(func() { a.work(aside) })
	err := a.obey(ctx)
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushMax)
	defer cancel()
	a.hub.Flush(last)
	for a.spool.Len() > 0 && last.Err() == nil {
		time.Sleep(50 * time.Millisecond)
	}
	if n := a.spool.Len(); n > 0 {
		a.config.Log.Warn("failures are not confirmed; they are on disk, and the next start of this agent sends them", "failures", n)
	}
	end()
	side.Wait()
	a.set(report.Stopped, order.Order{Bundle: a.Now().Bundle}, "")
	if a.conn.IsConnected() {
		_ = a.fleet.Heartbeat(last, a.config.Credential.User, a.Now().Encode()) // only for people
	}
	a.hub.Close()
	return errors.Join(err, a.fleet.Close())
}

// Close closes the connection.
func (a *Agent) Close() {
	a.conn.Close()
	a.unlock()
}

// Connected returns an error if no server can be reached, for the health of the agent.
func (a *Agent) Connected(context.Context) error {
	if a.conn.IsConnected() {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.refused != nil {
		return errors.New(refusedText)
	}
	return errors.New(unreached)
}

const unreached = "no server can be reached; workers go on, and what they find is sent later"

// lock makes sure that no other agent uses the folder.
func lock(dir string) (unlock func(), err error) {
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if held, able := filelock.Lock(f); able && !held {
		f.Close()
		return nil, fmt.Errorf("another agent uses the folder %s; give each agent a folder of its own with -dir", dir)
	}
	return func() { f.Close() }, nil // a second call does nothing
}

// sendFailure reports a failure that was on disk.
func (a *Agent) sendFailure(ctx context.Context, f transport.Failure) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	first, err := a.fleet.Report(ctx, f)
	if err != nil {
		a.config.Log.Warn("a failure could not be sent; it stays on disk", "error", err)
		return err
	}
	if first {
		a.Metrics.Findings.Add(1)
	}
	return nil
}

// beat says how the agent is.
func (a *Agent) beat(ctx context.Context) {
	for ctx.Err() == nil {
		call, cancel := context.WithTimeout(ctx, a.config.Look)
		if err := a.fleet.Heartbeat(call, a.config.Credential.User, a.Now().Encode()); err != nil && ctx.Err() == nil {
			a.config.Log.Debug("heartbeat", "error", err)
		}
		cancel()
		wait(ctx, a.config.Look)
	}
}

// Now returns how the agent is.
func (a *Agent) Now() report.Heartbeat {
	n := a.hub.Counts()
	a.mu.Lock()
	h := a.now
	h.Failures = len(a.found)
	refused := a.refused
	a.mu.Unlock()
	h.Host, _ = os.Hostname() // only for people
	h.Started, h.Workers, h.Runs = a.started, a.workers(), a.Runs()
	h.Sent, h.Won, h.Received, h.Waiting = n.Sent, n.Won, n.Received, a.spool.Len()
	switch {
	case h.Trouble != "" || a.conn.IsConnected():
	case refused != nil:
		h.Trouble = refusedText
	default:
		h.Trouble = unreached
	}
	return h
}

func (a *Agent) cases() observe.Cases {
	n := a.hub.Counts()
	return observe.Cases{Sent: n.Sent, Won: n.Won, Received: n.Received, Dropped: n.Dropped, Queued: n.Waiting, Errors: n.Errors}
}

// set sets what the agent does, and logs it if it is new.
func (a *Agent) set(s report.State, o order.Order, trouble string) {
	a.mu.Lock()
	before := a.now
	a.now.State, a.now.Bundle, a.now.Trouble = s, o.Bundle, trouble
	a.mu.Unlock()
	if before.State == s && before.Bundle == o.Bundle && before.Trouble == trouble {
		return
	}
	if trouble != "" {
		a.config.Log.Warn(string(s), "bundle", short(o.Bundle), "trouble", trouble)
		return
	}
	a.config.Log.Info(string(s), "bundle", short(o.Bundle))
}

// wait waits for a time, or until the context is done.
func wait(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// short is the part of a hash that people read.
func short(hash string) string { return hash[:min(12, len(hash))] }
