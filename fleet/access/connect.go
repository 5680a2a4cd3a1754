package access

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
)

// Delays of reconnecting. The jitter spreads the agents of a fleet when a server returns.
const (
	connectTimeout  = 5 * time.Second
	reconnectWait   = 500 * time.Millisecond
	reconnectJitter = 2 * time.Second
)

// Connect connects to the servers of the campaign. The connection reconnects for ever, until it is
// closed, or a server refuses the credential twice, because it has ended or was revoked: then the client
// closes it (nats.ClosedHandler). Errors of the connection go to slog. Options given here are applied last.
func (c *Credential) Connect(options ...nats.Option) (*nats.Conn, error) {
	if c.secret == nil {
		return nil, errors.New("connect: the credential is empty")
	}
	s := c.secret()
	config, err := mutualTLS(s.ca, s.cert, s.key)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	nc, err := nats.Connect(strings.Join(c.Servers, ","), append([]nats.Option{
		nats.Name(fmt.Sprintf("allele-fleet %s %s", c.Role, c.User)),
		nats.Secure(config), nats.TLSHandshakeFirst(),
		nats.UserJWT(func() (string, error) { return s.jwt, nil }, s.sign),
		nats.CustomInboxPrefix(c.Inbox()),
		nats.Timeout(connectTimeout),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { slog.Warn("fleet connection", "error", err) }),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(reconnectWait),
		nats.ReconnectJitter(reconnectJitter, reconnectJitter),
	}, options...)...)
	if err != nil {
		return nil, fmt.Errorf("connect to %s as %s of %s: %w", strings.Join(c.Servers, ", "), c.Role, c.Campaign, err)
	}
	return nc, nil
}

// Inbox is the prefix of the subjects on which this user receives answers.
func (c *Credential) Inbox() string { return inboxPrefix + c.User }

// API is the prefix of JetStream's calls for this role: $JS.API, or GuestAPI for workers and viewers. Direct
// gets and pulls of jobs are under $JS.API for all roles.
func (c *Credential) API() string {
	if c.Role.place() != mainPlace {
		return GuestAPI
	}
	return "$JS.API"
}

// sign proves to the server that this host has the private key of the user.
func (s *secrets) sign(nonce []byte) ([]byte, error) {
	key, err := nkeys.FromSeed(s.seed)
	if err != nil {
		return nil, errors.New("the seed is not a key")
	}
	defer key.Wipe()
	return key.Sign(nonce)
}

// pushLifetime is how long the user for one Push lives.
const pushLifetime = time.Minute

// systemCredential returns a credential of the system account for one minute. It can change the accounts of all
// campaigns and see all connections, so it is never saved to a file.
func (a *Authority) systemCredential(servers []string) (*Credential, error) {
	if err := checkServers(servers); err != nil {
		return nil, err
	}
	return a.user(userRequest{signer: a.system, expires: a.now().Add(pushLifetime)},
		Credential{Campaign: "system", Role: "system", Servers: servers})
}

// pushWait is how long Push waits for the answers of the servers that have not answered.
const pushWait = 5 * time.Second

// Push sends the accounts of a campaign to the running servers. It returns how many servers have
// confirmed all of them, at most len(servers). A server that is down reads them from the others when it returns.
func (a *Authority) Push(ctx context.Context, campaign string, servers []string) (int, error) {
	accounts, err := a.Accounts(campaign)
	if err != nil {
		return 0, err
	}
	c, err := a.systemCredential(servers)
	if err != nil {
		return 0, fmt.Errorf("push: %w", err)
	}
	nc, err := c.Connect(nats.MaxReconnects(0))
	if err != nil {
		return 0, fmt.Errorf("push: %w", err)
	}
	defer nc.Close()
	ctx, cancel := context.WithTimeout(ctx, pushWait) // for all accounts together
	defer cancel()
	var answers []*nats.Subscription
	for _, account := range accounts {
		sub, err := nc.SubscribeSync(nc.NewInbox())
		if err != nil {
			return 0, fmt.Errorf("push: %w", err)
		}
		answers = append(answers, sub)
		if err := nc.PublishRequest("$SYS.REQ.CLAIMS.UPDATE", sub.Subject, []byte(account.JWT)); err != nil {
			return 0, fmt.Errorf("push: %w", err)
		}
	}
	confirmed := len(servers)
	for _, sub := range answers {
		n, err := confirmations(ctx, sub, len(servers))
		if err != nil {
			return 0, fmt.Errorf("push campaign %s: %w", campaign, err)
		}
		confirmed = min(confirmed, n)
	}
	return confirmed, nil
}

// confirmations counts the servers that confirm an account, until all have or ctx ends.
func confirmations(ctx context.Context, answers *nats.Subscription, servers int) (int, error) {
	seen := map[string]bool{}
	for len(seen) < servers {
		m, err := nextAnswer(ctx, answers)
		if err != nil && len(seen) > 0 {
			break // some have confirmed, and they tell the others
		}
		if err != nil {
			return 0, fmt.Errorf("no server has confirmed: %w", err)
		}
		var answer struct {
			Server struct{ ID string }
			Error  *struct{ Description string }
		}
		if err := json.Unmarshal(m.Data, &answer); err != nil {
			return 0, fmt.Errorf("answer of a server: %w", err)
		}
		if answer.Error != nil {
			return 0, fmt.Errorf("a server refuses the account: %s", answer.Error.Description)
		}
		seen[answer.Server.ID] = true
	}
	return len(seen), nil
}

// nextAnswer prefers an answer that is there to the end of ctx.
func nextAnswer(ctx context.Context, answers *nats.Subscription) (*nats.Msg, error) {
	if n, _, err := answers.Pending(); err == nil && n > 0 {
		return answers.NextMsg(time.Second)
	}
	return answers.NextMsgWithContext(ctx)
}
