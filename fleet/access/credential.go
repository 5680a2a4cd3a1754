package access

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nkeys"
)

// A Credential is all that one host needs to connect to a campaign: one file, to be kept as secret as a
// private key. Its secrets are never printed: not by fmt with any verb, not by slog, not as JSON.
type Credential struct {
	Campaign string
	Role     Role
	User     string // public key, also the id of the agent
	Servers  []string
	Owner    ed25519.PublicKey
	Expires  time.Time

	// A function, because fmt calls no method for a Credential in an unexported field of another struct,
	// and prints all it can reach. It follows pointers for verbs like %s. Of a function it prints the address.
	secret func() *secrets
}

type secrets struct {
	jwt           string
	seed          []byte
	ca, cert, key []byte
}

func hide(s secrets) func() *secrets { return func() *secrets { return &s } }

// credentialVersion is the version of the file.
const credentialVersion = 1

// credentialSizeMax bounds the file. It has about 4 kB.
const credentialSizeMax = 64 << 10

// credentialFile is the file. Unlike a Credential it shows its secrets, so it stays in this file.
type credentialFile struct {
	Version     int       `json:"version"`
	Campaign    string    `json:"campaign"`
	Role        Role      `json:"role"`
	User        string    `json:"user"`
	Servers     []string  `json:"servers"`
	Owner       []byte    `json:"owner"`
	Expires     time.Time `json:"expires"`
	JWT         string    `json:"jwt"`
	Seed        string    `json:"seed"`
	CA          string    `json:"ca"`
	Certificate string    `json:"certificate"`
	Key         string    `json:"key"`
}

// Save writes the credential to a file that only its owner can read.
func (c *Credential) Save(name string) error {
	if c.secret == nil {
		return errors.New("save credential: it is empty")
	}
	s := c.secret()
	text, err := json.MarshalIndent(credentialFile{credentialVersion, c.Campaign, c.Role, c.User, c.Servers, c.Owner,
		c.Expires, s.jwt, string(s.seed), string(s.ca), string(s.cert), string(s.key)}, "", "\t")
	if err != nil {
		return fmt.Errorf("save credential: %w", err)
	}
	return writeFile(name, append(text, '\n'))
}

// LoadCredential reads a file that Save has written. It refuses a file that other users can read.
func LoadCredential(name string) (*Credential, error) {
	text, err := readSecret(name)
	if err != nil {
		return nil, fmt.Errorf("load credential: %w", err)
	}
	c, err := parseCredential(text)
	if err != nil {
		return nil, fmt.Errorf("load credential %s: %w", name, err)
	}
	return c, nil
}

func parseCredential(text []byte) (*Credential, error) {
	if len(text) > credentialSizeMax {
		return nil, fmt.Errorf("more than %d bytes", credentialSizeMax)
	}
	var f credentialFile
	if err := decodeStrict(text, &f); err != nil {
		return nil, err
	}
	if f.Version != credentialVersion {
		return nil, fmt.Errorf("version %d; this allele-fleet reads version %d", f.Version, credentialVersion)
	}
	if !campaignName.MatchString(f.Campaign) || !slices.Contains(Roles, f.Role) {
		return nil, fmt.Errorf("no campaign or role")
	}
	if len(f.Owner) != ed25519.PublicKeySize {
		return nil, fmt.Errorf("the owner's public key has %d bytes, not %d", len(f.Owner), ed25519.PublicKeySize)
	}
	if err := checkServers(f.Servers); err != nil {
		return nil, err
	}
	c := &Credential{Campaign: f.Campaign, Role: f.Role, User: f.User, Servers: f.Servers, Owner: f.Owner, Expires: f.Expires,
		secret: hide(secrets{f.JWT, []byte(f.Seed), []byte(f.CA), []byte(f.Certificate), []byte(f.Key)})}
	return c, c.check()
}

// check reports whether the parts of the credential belong together.
func (c *Credential) check() error {
	key, err := nkeys.FromSeed(c.secret().seed)
	if err != nil {
		return errors.New("the seed is not a key")
	}
	defer key.Wipe()
	claims, err := jwt.DecodeUserClaims(c.secret().jwt)
	if err != nil {
		return errors.New("the JWT cannot be decoded")
	}
	if id, err := key.PublicKey(); err != nil || id != c.User || claims.Subject != c.User {
		return errors.New("user, seed and JWT do not belong together")
	}
	_, err = mutualTLS(c.secret().ca, c.secret().cert, c.secret().key)
	return err
}

// serversMax bounds the servers of a fleet: three to five are usual.
const serversMax = 64

func checkServers(servers []string) error {
	if len(servers) == 0 || len(servers) > serversMax {
		return fmt.Errorf("%d servers; give 1 to %d URLs, as tls://host:4222", len(servers), serversMax)
	}
	for _, s := range servers {
		u, err := url.Parse(s)
		if err != nil || u.Scheme != "tls" || u.Port() == "" || u.User != nil || u.Path != "" ||
			checkNames([]string{u.Hostname()}) != nil {
			return errors.New("a server is not a URL like tls://host:4222") // it is not quoted: it may have a password
		}
	}
	return nil
}

// String describes the credential without its secrets.
func (c Credential) String() string {
	return fmt.Sprintf("%s of %s, user %s, until %s", c.Role, c.Campaign, c.User, c.Expires.Format(time.RFC3339))
}

// GoString is String.
func (c Credential) GoString() string { return c.String() }

// Format writes String for every verb.
func (c Credential) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(c.String())) }

// LogValue is what slog writes.
func (c Credential) LogValue() slog.Value {
	return slog.GroupValue(slog.String("campaign", c.Campaign), slog.String("role", string(c.Role)),
		slog.String("user", c.User), slog.Time("expires", c.Expires))
}

// MarshalText is String. JSON of a Credential is this text: only Save writes the secrets.
func (c Credential) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

func encodeCertificate(c *x509.Certificate) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Raw})
}
