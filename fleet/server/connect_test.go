package server

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"github.com/allele-go/allele/fleet/access"
)

// parts are the contents of a credential, to be mixed by somebody who has stolen some of them.
type parts struct {
	JWT, Seed, CA, Certificate, Key string
	Servers                         []string
}

func takeApart(t *testing.T, c *access.Credential) parts {
	t.Helper()
	file := filepath.Join(t.TempDir(), "cred")
	if err := c.Save(file); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var p parts
	if err := json.Unmarshal(text, &p); err != nil {
		t.Fatal(err)
	}
	return p
}

// config is the TLS config of somebody who has these parts.
func (p parts) config(t *testing.T) *tls.Config {
	t.Helper()
	c := &tls.Config{RootCAs: x509.NewCertPool(), MinVersion: tls.VersionTLS12}
	c.RootCAs.AppendCertsFromPEM([]byte(p.CA))
	if p.Certificate != "" {
		pair, err := tls.X509KeyPair([]byte(p.Certificate), []byte(p.Key))
		if err != nil {
			t.Fatal(err)
		}
		// Offer it in any case: by default a client offers only what the server accepts.
		c.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &pair, nil }
	}
	return c
}

// connect connects with these parts and returns what the server says.
func (p parts) connect(t *testing.T, change func(*tls.Config)) error {
	t.Helper()
	c := p.config(t)
	if change != nil {
		change(c)
	}
	options := []nats.Option{nats.Secure(c), nats.TLSHandshakeFirst(), nats.Timeout(20 * time.Second), silent}
	if p.JWT != "" {
		options = append(options, nats.UserJWT(func() (string, error) { return p.JWT, nil }, func(nonce []byte) ([]byte, error) {
			key, err := nkeys.FromSeed([]byte(p.Seed))
			if err != nil {
				return nil, err
			}
			return key.Sign(nonce)
		}))
	}
	nc, err := nats.Connect(strings.Join(p.Servers, ","), options...)
	if err == nil {
		defer nc.Close()
		err = nc.FlushTimeout(20 * time.Second)
	}
	return err
}

// TestConnections tries to connect with parts of credentials that do not suffice.
func TestConnections(t *testing.T) {
	a, dir := newAuthority(t)
	s := start(t, single(dir))
	url := s.URL("127.0.0.1")
	foreign, foreignDir := newAuthority(t)
	good := takeApart(t, grant(t, a, "one", access.Worker, url))
	other := takeApart(t, grant(t, a, "one", access.Admin, url))
	strange := takeApart(t, grant(t, foreign, "one", access.Admin, url))
	revokedCred := grant(t, a, "one", access.Worker, url)
	revoked := takeApart(t, revokedCred)
	if err := revoked.connect(t, nil); err != nil {
		t.Fatal(err)
	}
	if err := a.Revoke("one", revokedCred.User); err != nil {
		t.Fatal(err)
	}
	push(t, a, "one", url)
	expired := expiredCredential(t, a, url)

	with := func(p parts, change func(*parts)) parts { change(&p); return p }
	cert := func(p, from parts) parts { p.Certificate, p.Key = from.Certificate, from.Key; return p }
	user := func(p, from parts) parts { p.JWT, p.Seed = from.JWT, from.Seed; return p }
	var out strings.Builder
	for _, row := range []struct {
		name   string
		parts  parts
		change func(*tls.Config)
		ok     bool
	}{
		{"a complete credential", good, nil, true},
		{"TLS 1.2", good, func(c *tls.Config) { c.MaxVersion = tls.VersionTLS12 }, false},
		{"no client certificate", with(good, func(p *parts) { p.Certificate = "" }), nil, false},
		{"a client certificate of another fleet", cert(good, strange), nil, false},
		{"no user", with(good, func(p *parts) { p.JWT = "" }), nil, false},
		{"the user of another fleet", user(good, strange), nil, false},
		{"an admin's user without its private key", with(good, func(p *parts) { p.JWT = other.JWT }), nil, false},
		{"a user that has ended, with a good certificate", user(good, expired), nil, false},
		{"a certificate that has ended, with a good user", cert(good, expired), nil, false},
		{"a revoked user", revoked, nil, false},
		{"a revoked user, with a good certificate", cert(revoked, good), nil, false},
		{"a good user, with the certificate of a revoked one", cert(good, revoked), nil, true},
	} {
		err := row.parts.connect(t, row.change)
		if (err == nil) != row.ok {
			t.Errorf("%s: %v", row.name, err)
		}
		fmt.Fprintf(&out, "%-52s %s\n", row.name, map[bool]string{true: "connected", false: "refused"}[err == nil])
	}
	if nc, err := nats.Connect(strings.Replace(url, "tls://", "nats://", 1), nats.Timeout(2*time.Second)); err == nil {
		nc.Close()
		t.Error("connected without TLS")
	} else {
		fmt.Fprintf(&out, "%-52s refused\n", "no TLS")
	}
	impostor := start(t, single(foreignDir)) // somebody else's server in place of ours
	p := with(good, func(p *parts) { p.Servers = []string{impostor.URL("127.0.0.1")} })
	var unknown x509.UnknownAuthorityError
	if err := p.connect(t, nil); !errors.As(err, &unknown) {
		t.Errorf("a server of another fleet: %v", err)
	}
	fmt.Fprintf(&out, "%-52s refused by the client\n", "a server of another fleet")
	golden(t, "connections.golden", out.String())
}

// expiredCredential returns a credential that has ended. Its live connection was closed by the server.
func expiredCredential(t *testing.T, a *access.Authority, url string) parts {
	t.Helper()
	c, err := a.Grant(access.Grant{Campaign: "one", Role: access.Worker, Owner: owner, Lifetime: 5 * time.Second, Servers: []string{url}})
	if err != nil {
		t.Fatal(err)
	}
	closed := make(chan struct{})
	nc, err := c.Connect(silent, nats.ClosedHandler(func(*nats.Conn) { close(closed) }), nats.MaxReconnects(3),
		nats.ReconnectWait(time.Millisecond), nats.ReconnectJitter(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	select {
	case <-closed:
	case <-time.After(time.Minute):
		t.Error("a connection is open after its credential has ended")
	}
	eventually(t, "the certificate has ended", func() bool { return time.Now().After(c.Expires.Add(time.Second)) })
	return takeApart(t, c)
}
