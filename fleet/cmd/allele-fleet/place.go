package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/allele-go/allele/fleet/access"
	"github.com/allele-go/allele/fleet/jet"
	"github.com/allele-go/allele/fleet/order"
)

// place says how a command reaches a campaign: as the host of the authority, by -dir and -campaign, or
// by a credential.
type place struct {
	dir, campaign, cred, key, servers string
}

func (p *place) register(k *call) {
	k.StringVar(&p.dir, "dir", "", "the `folder` of allele-fleet serve")
	k.StringVar(&p.campaign, "campaign", "", "`name` of the campaign, with -dir")
	k.StringVar(&p.cred, "cred", "", "credential `file`, instead of -dir and -campaign")
}

// registerKey registers the flag for the key of the owner.
func (p *place) registerKey(k *call) {
	k.StringVar(&p.key, "key", "", "`file` of the owner's key, with -cred; it is made if it is missing")
}

func (p *place) check() error {
	switch {
	case p.cred != "" && (p.dir != "" || p.campaign != ""):
		return errors.New("give either -cred, or -dir and -campaign")
	case p.cred == "" && (p.dir == "" || p.campaign == ""):
		return errors.New("give -dir and -campaign on the host of allele-fleet serve, or -cred on another host")
	}
	return nil
}

// flags returns the flags that name the campaign, for commands that are suggested.
func (p *place) flags() string {
	if p.cred != "" {
		return "-cred " + quote(p.cred)
	}
	return "-dir " + quote(p.dir) + " -campaign " + quote(p.campaign)
}

// file returns the file of a credential in the folder of the server.
func (p *place) file(role string) string {
	return filepath.Join(p.dir, "credentials", p.campaign+"-"+role+".cred")
}

// credential returns the credential of -cred or, with -dir, the one that submit has made for a role.
func (p *place) credential(role access.Role) (*access.Credential, error) {
	if p.cred != "" {
		return access.LoadCredential(p.cred)
	}
	c, err := access.LoadCredential(p.file(string(role)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no campaign %q in %s; to start one, run: allele-fleet submit %s ./...", p.campaign, p.dir,
			p.flags())
	}
	return c, err
}

// connection is a connection to a campaign.
type connection struct {
	*jet.Transport
	conn       *nats.Conn
	credential *access.Credential
}

// connect connects to the campaign as one of some roles. With -dir it is the first one.
func (p *place) connect(roles ...access.Role) (*connection, error) {
	c, err := p.credential(roles[0])
	if err != nil {
		return nil, err
	}
	if !slices.Contains(roles, c.Role) {
		return nil, fmt.Errorf("%s is the credential of a %s, which may not do this; the administrator can make another one with: "+
			"allele-fleet grant -dir DIR -campaign %s -role %s -o FILE", p.cred, c.Role, c.Campaign, roles[0])
	}
	conn, err := c.Connect(nats.Timeout(5 * time.Second))
	switch {
	case errors.Is(err, nats.ErrAuthorization), errors.Is(err, nats.ErrAuthRevoked), errors.Is(err, nats.ErrAuthExpired):
		return nil, fmt.Errorf("%w: the credential was revoked or has ended, or these are servers of another fleet; "+
			"to make another one: allele-fleet grant -dir DIR -campaign %s -role %s -o FILE", err, c.Campaign, c.Role)
	case err != nil:
		return nil, fmt.Errorf("%w; is allele-fleet serve running there?", err)
	}
	return &connection{jet.Open(conn, jet.Options{API: c.API()}), conn, c}, nil
}

// join reads the flags of a command without arguments, and connects to the campaign that they name.
func (p *place) join(k *call, roles ...access.Role) (*connection, error) {
	if err := k.parseAll(); err != nil {
		return nil, err
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	return p.connect(roles...)
}

func (c *connection) close() {
	c.Transport.Close()
	c.conn.Close()
}

// ownerKey returns the key that signs orders.
func (p *place) ownerKey() (string, error) {
	if p.key != "" {
		return p.key, nil
	}
	if p.dir == "" {
		return "", errors.New("name the owner's key: -key FILE")
	}
	dir := filepath.Join(p.dir, "owners")
	return filepath.Join(dir, p.campaign+".key"), os.MkdirAll(dir, 0o700)
}

// urls returns the URLs of the servers: those of -servers, or those that serve has written.
func (p *place) urls() ([]string, error) {
	if p.servers != "" {
		var all []string
		for one := range strings.SplitSeq(p.servers, ",") {
			if one = strings.TrimSpace(one); !strings.Contains(one, "://") {
				one = "tls://" + one
			}
			all = append(all, one)
		}
		return all, nil
	}
	text, err := os.ReadFile(filepath.Join(p.dir, serversFile))
	if err != nil {
		return nil, fmt.Errorf("no server has run in %s yet; run: allele-fleet serve -dir %s", p.dir, quote(p.dir))
	}
	return strings.Fields(string(text)), nil
}

// noStream is in the error of a stream that does not exist.
const noStream = "(10059)"

// serversFile has the URLs of the server that runs in a folder.
const serversFile = "servers"

// orderMax is how long a command waits for the order. It is short: a campaign without streams never answers.
const orderMax = 15 * time.Second

// readOrder returns the order of the campaign. It is empty if there is none.
func (c *connection) readOrder(k *call) (o order.Order, err error) {
	k, cancel := k.within(orderMax)
	defer cancel()
	text, _, err := c.State(k, order.StateName)
	switch {
	case errors.Is(err, jet.ErrNoState):
		return o, nil
	case err != nil && strings.Contains(err.Error(), noStream):
		return o, fmt.Errorf("campaign %s has no streams yet: nobody has run allele-fleet submit for it", c.credential.Campaign)
	case err != nil:
		return o, fmt.Errorf("%w; if this is one of three servers, at least two must run", err)
	}
	return order.Open(c.credential.Owner, c.credential.Campaign, text)
}
