package main

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/allele-go/allele/fleet/access"
	"github.com/allele-go/allele/fleet/order"
)

// grant makes a credential.
func grant(k *call) error {
	var p place
	k.StringVar(&p.dir, "dir", "", "the `folder` of allele-fleet serve")
	k.StringVar(&p.campaign, "campaign", "", "`name` of the campaign")
	k.StringVar(&p.servers, "servers", "", "addresses of the servers, a comma-separated `list` (default: as serve has written)")
	role := k.String("role", "worker", "what the credential is for: a `role` of "+roleNames())
	owner := k.String("owner", "", "public `key` of an owner on another host, as submit prints it (default: the owner on this host)")
	out := k.String("o", "", "write to this `file`")
	life := k.Duration("for", 90*day, "lifetime of the credential, a `time`")
	if err := k.parseAll(); err != nil {
		return err
	}
	if p.dir == "" || p.campaign == "" || *out == "" {
		return errors.New("give -dir, -campaign and -o")
	}
	a, err := access.Load(p.dir)
	if err != nil {
		return err
	}
	public, err := p.owner(*owner)
	if err != nil {
		return err
	}
	if err := p.make(k, a); err != nil {
		return err
	}
	c, err := p.granted(a, access.Role(*role), public, *life)
	if err != nil {
		return err
	}
	if err := c.Save(*out); err != nil {
		return err
	}
	fmt.Fprintf(k.stdout, "wrote %s: %s of campaign %s until %s, user %s\n", *out, *role, p.campaign,
		c.Expires.Format(time.DateOnly), c.User)
	if access.Role(*role) == access.Worker {
		fmt.Fprintf(k.stdout, "copy it to one host (scp -p), and run there: allele-fleet agent -cred %s\n", quote(filepath.Base(*out)))
	}
	return nil
}

func roleNames() string {
	var names []string
	for _, role := range access.Roles {
		names = append(names, string(role))
	}
	return strings.Join(names, ", ")
}

// owner returns the public key of the campaign's owner.
func (p *place) owner(text string) (ed25519.PublicKey, error) {
	if text != "" {
		key, err := base64.StdEncoding.DecodeString(text)
		if err != nil || len(key) != ed25519.PublicKeySize {
			return nil, errors.New("-owner: this is not the public key of an owner")
		}
		return key, nil
	}
	file, err := p.ownerKey()
	if err != nil {
		return nil, err
	}
	key, err := order.MakeKey(file)
	if err != nil {
		return nil, err
	}
	return key.Public().(ed25519.PublicKey), nil
}

// make makes the accounts of the campaign, and tells the servers about them.
func (p *place) make(k *call, a *access.Authority) error {
	if err := a.Campaign(p.campaign, access.Limits{}); err != nil {
		return err
	}
	urls, err := p.urls()
	if err != nil {
		return err
	}
	if _, err := a.Push(k, p.campaign, urls); err != nil {
		return fmt.Errorf("%w; if no server runs, run: allele-fleet serve -dir %s", err, quote(p.dir))
	}
	return nil
}

// granted makes a credential of a role.
func (p *place) granted(a *access.Authority, role access.Role, owner ed25519.PublicKey, life time.Duration) (*access.Credential, error) {
	urls, err := p.urls()
	if err != nil {
		return nil, err
	}
	return a.Grant(access.Grant{Campaign: p.campaign, Role: role, Owner: owner, Lifetime: life, Servers: urls})
}

// credentials makes the campaign and the credentials that this host needs, unless they exist.
func (p *place) credentials(k *call, owner ed25519.PublicKey) error {
	a, err := access.Load(p.dir)
	if err != nil {
		return err
	}
	if err := p.make(k, a); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(p.file("")), 0o700); err != nil {
		return err
	}
	urls, err := p.urls()
	if err != nil {
		return err
	}
	users, err := a.Users(p.campaign)
	if err != nil {
		return err
	}
	revoked := map[string]bool{}
	for _, u := range users {
		revoked[u.ID] = u.Revoked
	}
	for _, role := range []access.Role{access.Submitter, access.Worker, access.Viewer} {
		file := p.file(string(role))
		if old, err := access.LoadCredential(file); err == nil && old.Owner.Equal(owner) && time.Until(old.Expires) > 7*day &&
			slices.Equal(old.Servers, urls) && !revoked[old.User] {
			continue
		}
		c, err := p.granted(a, role, owner, 90*day)
		if err != nil {
			return err
		}
		if err := c.Save(file); err != nil {
			return err
		}
	}
	return nil
}

// revoke lists credentials, or makes one useless.
func revoke(k *call) error {
	var p place
	k.StringVar(&p.dir, "dir", "", "the `folder` of allele-fleet serve")
	k.StringVar(&p.campaign, "campaign", "", "`name` of the campaign")
	rest, err := k.parse()
	if err != nil {
		return err
	}
	if p.dir == "" || p.campaign == "" || len(rest) > 1 {
		return errors.New("give -dir, -campaign and at most one user")
	}
	a, err := access.Load(p.dir)
	if err != nil {
		return err
	}
	users, err := a.Users(p.campaign)
	if err != nil {
		return err
	}
	if len(rest) == 1 {
		user, err := oneUser(users, rest[0])
		if err != nil {
			return fmt.Errorf("%w; to list the users, run: allele-fleet revoke %s", err, p.flags())
		}
		if err := a.Revoke(p.campaign, user); err != nil {
			return err
		}
		if err := p.make(k, a); err != nil {
			return fmt.Errorf("the credential is revoked, but the servers do not know it yet; run this command again: %w", err)
		}
		fmt.Fprintf(k.stdout, "revoked %s; its connections are closed\n", user)
		return nil
	}
	for _, u := range users {
		state := "until " + u.Expires.Format(time.DateOnly)
		if u.Revoked {
			state = "revoked"
		}
		fmt.Fprintf(k.stdout, "%s  %-9s  granted %s  %s\n", u.ID, u.Role, u.Granted.Format(time.DateOnly), state)
	}
	return nil
}

// oneUser returns the user that a text begins, such as the 12 characters that status shows.
func oneUser(users []access.User, text string) (user string, err error) {
	for _, u := range users {
		if text == u.ID {
			return text, nil
		}
		if len(text) >= 6 && strings.HasPrefix(u.ID, text) {
			if user != "" {
				return "", fmt.Errorf("several users begin with %q", text)
			}
			user = u.ID
		}
	}
	if user == "" {
		return "", fmt.Errorf("no user %q", text)
	}
	return user, nil
}
