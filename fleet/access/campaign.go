package access

import (
	"bytes"
	"cmp"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nkeys"
)

var (
	campaignName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,62}$`)
	hostName     = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$`)
)

// Limits bound what a campaign uses on each server. A zero means the default.
type Limits struct {
	Disk        int64 `json:"disk"`        // bytes of all streams, each replica counted; 16 GB
	Memory      int64 `json:"memory"`      // bytes of the streams in memory; 64 MB
	Queues      int64 `json:"queues"`      // queues of jobs; 256
	Connections int64 `json:"connections"` // agents, viewers, and the others: each at most this many; 4096
}

func (l Limits) withDefaults() Limits {
	return Limits{
		Disk:        cmp.Or(l.Disk, 16<<30),
		Memory:      cmp.Or(l.Memory, 64<<20),
		Queues:      cmp.Or(l.Queues, 256),
		Connections: cmp.Or(l.Connections, 4096),
	}
}

// streamsMax bounds the streams of a campaign: those of package jet, and as many for an admin's copies.
const streamsMax = 16

// recordVersion is the version of the record of a campaign.
const recordVersion = 1

// A record is what the authority keeps of a campaign. JWTs of accounts are made from it when needed.
type record struct {
	Version  int              `json:"version"`
	Name     string           `json:"name"`
	Limits   Limits           `json:"limits"`
	Accounts map[place]string `json:"accounts"` // public keys
	Keys     map[Role]string  `json:"keys"`     // seeds: one key for each role signs its users
	Users    []User           `json:"users"`
	Revoked  map[string]int64 `json:"revoked"` // when, in seconds since 1970, by public key of the user
}

// A User is a credential that was granted.
type User struct {
	ID      string    `json:"id"` // public key
	Role    Role      `json:"role"`
	Granted time.Time `json:"granted"`
	Expires time.Time `json:"expires"`
	Revoked bool      `json:"-"`
}

// Campaign makes the accounts of a campaign. If the campaign exists, its limits are changed, and it gets the roles
// that it does not have because an older version has made it.
func (a *Authority) Campaign(name string, l Limits) error {
	if !campaignName.MatchString(name) {
		return fmt.Errorf("%q cannot be the name of a campaign: use up to 63 of a-z, 0-9, - and _", name)
	}
	return a.change(func() error {
		r, err := a.read(name)
		if errors.Is(err, fs.ErrNotExist) {
			r, err = &record{Version: recordVersion, Name: name, Accounts: map[place]string{}, Keys: map[Role]string{},
				Revoked: map[string]int64{}}, nil
		}
		if err != nil {
			return err
		}
		if err := r.complete(); err != nil {
			return err
		}
		r.Limits = l.withDefaults()
		return a.write(r)
	})
}

// complete makes the accounts and keys that the record does not have. It keeps those that it has, because they have
// signed users.
func (r *record) complete() error {
	for _, p := range places() {
		if r.Accounts[p] != "" {
			continue
		}
		// The private key of an account is not kept: the operator signs the account, and the keys of the
		// roles sign users.
		key, err := nkeys.CreateAccount()
		if err != nil {
			return fmt.Errorf("create account: %w", err)
		}
		if r.Accounts[p], err = key.PublicKey(); err != nil {
			return fmt.Errorf("create account: %w", err)
		}
	}
	for _, role := range Roles {
		if r.Keys[role] != "" {
			continue
		}
		key, err := nkeys.CreateAccount()
		if err != nil {
			return fmt.Errorf("create signing key: %w", err)
		}
		seed, err := key.Seed()
		if err != nil {
			return fmt.Errorf("create signing key: %w", err)
		}
		r.Keys[role] = string(seed)
	}
	return nil
}

// has reports whether the campaign has a role. It does not have roles that were added after it was made.
func (r *record) has(role Role) bool { return r.Keys[role] != "" && r.Accounts[role.place()] != "" }

// change runs f while no other process changes the authority.
func (a *Authority) change(f func() error) error {
	release, err := lockFolder(a.path())
	if err != nil {
		return err
	}
	defer release()
	return f()
}

func (a *Authority) read(name string) (*record, error) {
	if !campaignName.MatchString(name) {
		return nil, fmt.Errorf("%q cannot be the name of a campaign", name)
	}
	text, err := readSecret(a.path(campaignsFolder, name+".json"))
	if err != nil {
		return nil, fmt.Errorf("campaign %s: %w", name, err)
	}
	r := &record{}
	if err := decodeStrict(text, r); err != nil {
		return nil, fmt.Errorf("campaign %s: %w", name, err)
	}
	if r.Version != recordVersion || r.Name != name {
		return nil, fmt.Errorf("campaign %s: record of %q, version %d; this allele-fleet reads version %d",
			name, r.Name, r.Version, recordVersion)
	}
	if r.Accounts[mainPlace] == "" || r.Keys == nil {
		return nil, fmt.Errorf("campaign %s: the record has no accounts or no keys", name)
	}
	if r.Revoked == nil {
		r.Revoked = map[string]int64{}
	}
	return r, nil
}

func (a *Authority) write(r *record) error {
	text, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return fmt.Errorf("campaign %s: %w", r.Name, err)
	}
	return writeFile(a.path(campaignsFolder, r.Name+".json"), append(text, '\n'))
}

// decodeStrict decodes one JSON value and refuses unknown fields and anything after the value. The error
// does not quote the text, which may be secret.
func decodeStrict(text []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		var syntax *json.SyntaxError
		if field, found := strings.CutPrefix(err.Error(), "json: unknown field "); found {
			return fmt.Errorf("unknown field %s", field)
		}
		if errors.As(err, &syntax) {
			return fmt.Errorf("not JSON at byte %d", syntax.Offset)
		}
		return errors.New("not the expected JSON")
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("more than one JSON value")
	}
	return nil
}

// Campaigns returns the names of all campaigns, sorted.
func (a *Authority) Campaigns() ([]string, error) {
	entries, err := os.ReadDir(a.path(campaignsFolder))
	if err != nil {
		return nil, fmt.Errorf("list campaigns: %w", err)
	}
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".json"); ok && campaignName.MatchString(name) {
			names = append(names, name)
		}
	}
	return names, nil
}

// Users returns the credentials granted for a campaign, in the order of granting.
func (a *Authority) Users(campaign string) ([]User, error) {
	r, err := a.read(campaign)
	if err != nil {
		return nil, err
	}
	for i := range r.Users {
		_, r.Users[i].Revoked = r.Revoked[r.Users[i].ID]
	}
	return r.Users, nil
}

// An Account is a signed account, as servers store it.
type Account struct{ ID, JWT string }

// Accounts returns the signed accounts of a campaign. The first is the one that the others import from.
func (a *Authority) Accounts(campaign string) ([]Account, error) {
	r, err := a.read(campaign)
	if err != nil {
		return nil, err
	}
	var list []Account
	for _, p := range places() {
		if r.Accounts[p] == "" { // of a role that was added later
			continue
		}
		claims, err := r.account(p)
		if err != nil {
			return nil, err
		}
		problems := jwt.CreateValidationResults()
		claims.Validate(problems)
		if problems.IsBlocking(false) { // servers would refuse it
			return nil, fmt.Errorf("account of %s: %w", campaign, errors.Join(problems.Errors()...))
		}
		token, err := claims.Encode(a.operator)
		if err != nil {
			return nil, fmt.Errorf("sign account of %s: %w", campaign, err)
		}
		list = append(list, Account{claims.Subject, token})
	}
	return list, nil
}

// account returns the claims of one account of the campaign.
func (r *record) account(p place) (*jwt.AccountClaims, error) {
	c := jwt.NewAccountClaims(r.Accounts[p])
	c.Name = r.Name + "/" + string(p)
	c.Limits.DisallowBearer = true
	c.Limits.LeafNodeConn = 0
	c.Limits.Conn = r.Limits.Connections
	if p == mainPlace {
		c.Limits.JetStreamLimits = jwt.JetStreamLimits{MemoryStorage: r.Limits.Memory, DiskStorage: r.Limits.Disk,
			Streams: streamsMax, Consumer: r.Limits.Queues}
		c.Exports = exports()
	}
	for _, row := range table {
		role := row.role
		if role.place() != p || !r.has(role) {
			continue
		}
		if row.guest {
			c.Imports = row.imports(r.Accounts[mainPlace])
		}
		key, err := nkeys.FromSeed([]byte(r.Keys[role]))
		if err != nil {
			return nil, fmt.Errorf("campaign %s: key of role %s: %w", r.Name, role, err)
		}
		scope := jwt.NewUserScope()
		scope.Role = string(role)
		if scope.Key, err = key.PublicKey(); err != nil {
			return nil, fmt.Errorf("campaign %s: key of role %s: %w", r.Name, role, err)
		}
		scope.Template = role.template()
		c.SigningKeys.AddScopedSigner(scope)
	}
	for _, u := range r.Users {
		if at, ok := r.Revoked[u.ID]; ok && u.Role.place() == p {
			c.RevokeAt(u.ID, time.Unix(at, 0))
		}
	}
	return c, nil
}

// A Grant says for whom a credential is.
type Grant struct {
	Campaign string
	Role     Role
	Owner    ed25519.PublicKey // agents run only bundles that this key has signed
	Lifetime time.Duration
	Servers  []string // URLs: tls://host:port
}

// lifetimeMax bounds the lifetime of a credential: one that nobody remembers ends by itself.
const lifetimeMax = 366 * 24 * time.Hour

// Grant makes a credential with a user and a client certificate of its own. Give each host one of its
// own, so that one can be revoked without the others.
func (a *Authority) Grant(g Grant) (*Credential, error) {
	if err := g.check(); err != nil {
		return nil, err
	}
	var c *Credential
	return c, a.change(func() error {
		r, err := a.read(g.Campaign)
		if err != nil {
			return fmt.Errorf("grant: %w", err)
		}
		if c, err = a.credential(r, g); err != nil {
			return err
		}
		r.Users = slices.DeleteFunc(r.Users, func(u User) bool { // what has ended needs no revocation
			ended := u.Expires.Before(a.now().Add(-clockSkew))
			if ended {
				delete(r.Revoked, u.ID)
			}
			return ended
		})
		r.Users = append(r.Users, User{ID: c.User, Role: g.Role, Granted: a.now().UTC().Truncate(time.Second), Expires: c.Expires})
		return a.write(r)
	})
}

func (g Grant) check() error {
	if !slices.Contains(Roles, g.Role) {
		return fmt.Errorf("grant: no role %q; the roles are %v", g.Role, Roles)
	}
	if len(g.Owner) != ed25519.PublicKeySize {
		return fmt.Errorf("grant: the owner's public key has %d bytes, not %d", len(g.Owner), ed25519.PublicKeySize)
	}
	if g.Lifetime <= 0 || g.Lifetime > lifetimeMax {
		return fmt.Errorf("grant: a lifetime of %v is not between 1 second and %v", g.Lifetime, lifetimeMax)
	}
	return checkServers(g.Servers)
}

func (a *Authority) credential(r *record, g Grant) (*Credential, error) {
	if !r.has(g.Role) {
		return nil, fmt.Errorf("grant: an older allele-fleet has made campaign %s, without role %s; to add it, run: "+
			"allele-fleet grant -dir DIR -campaign %[1]s -role %[2]s -o FILE", r.Name, g.Role)
	}
	expires := a.now().Add(g.Lifetime).UTC().Truncate(time.Second)
	signer, err := nkeys.FromSeed([]byte(r.Keys[g.Role]))
	if err != nil {
		return nil, fmt.Errorf("grant: key of role %s: %w", g.Role, err)
	}
	return a.user(userRequest{signer: signer, account: r.Accounts[g.Role.place()], expires: expires, scoped: true},
		Credential{Campaign: r.Name, Role: g.Role, Owner: g.Owner, Servers: g.Servers, Expires: expires})
}

type userRequest struct {
	signer  nkeys.KeyPair
	account string
	expires time.Time
	scoped  bool
}

// user makes the keys, the JWT and the certificate of a new user, and puts them into c.
func (a *Authority) user(u userRequest, c Credential) (*Credential, error) {
	key, err := nkeys.CreateUser()
	if err != nil {
		return nil, fmt.Errorf("create user: %w", err)
	}
	if c.User, err = key.PublicKey(); err != nil {
		return nil, fmt.Errorf("create user: %w", err)
	}
	seed, err := key.Seed()
	if err != nil {
		return nil, fmt.Errorf("create user: %w", err)
	}
	claims := jwt.NewUserClaims(c.User)
	claims.Name = c.User
	claims.Expires = u.expires.Unix()
	claims.SetScoped(u.scoped)
	if u.scoped {
		claims.IssuerAccount = u.account
	}
	token, err := claims.Encode(u.signer)
	if err != nil {
		return nil, fmt.Errorf("sign user: %w", err)
	}
	cert, certKey, err := a.ca.issue(request{name: c.User, usage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
		from: a.now(), lifetime: u.expires.Sub(a.now())})
	if err != nil {
		return nil, err
	}
	c.secret = hide(secrets{jwt: token, seed: seed, ca: encodeCertificate(a.ca.cert), cert: cert, key: certKey})
	return &c, nil
}

// Revoke ends a credential. Running servers apply it after Push, others when they start.
func (a *Authority) Revoke(campaign, user string) error {
	return a.change(func() error {
		r, err := a.read(campaign)
		if err != nil {
			return fmt.Errorf("revoke: %w", err)
		}
		if !slices.ContainsFunc(r.Users, func(u User) bool { return u.ID == user }) {
			return fmt.Errorf("revoke: campaign %s has no user %.60q", campaign, user)
		}
		r.Revoked[user] = a.now().Unix()
		return a.write(r)
	})
}
