// Package access decides who may connect to the servers of a fleet, and what each of them may do there.
//
// The host that runs `allele-fleet serve` for the first time makes an authority: the keys that sign
// accounts, users and certificates. Everybody else has a credential, which is one file.
//
//	a, err := access.Create(dir, names)     // serve, on first start
//	a.Campaign("parser", access.Limits{})   // accounts for a campaign
//	c, err := a.Grant(access.Grant{…})      // a credential for one worker, submitter, viewer or admin
//	a.Revoke("parser", c.User)              // the credential ends
//	a.Push(ctx, "parser", servers)          // running servers apply it, also to live connections
//	nc, err := c.Connect()                  // on the other host
//
// What a role may do is a row of a table (roles.go). A campaign has an account for each role that is a guest,
// and a main one. The streams are in the main account, with the submitters and admins. Workers and viewers are
// guests: each of these roles has an account without streams, which imports only the calls of the role.
// Permissions on subjects are not enough for them: a NATS server sends the answer of a request to any
// subject that the client names, without a check. In the main account a worker could store a case, ask
// for it, and name camp.<name> or bin.<hash>.<n> for the answer, which those streams would then store.
// Across an import the answer stays in the account that asked.
package access

import (
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nkeys"
)

// Files and folders below the folder of a fleet. Everything that signs is in the authority folder, which
// never leaves its host. The node folder has what a server needs to run.
const (
	authorityFolder = "authority"
	nodeFolder      = "node"
	campaignsFolder = "campaigns" // below the authority folder

	operatorSeed = "operator.seed"
	systemSeed   = "system.seed"
	caKey        = "ca.key"
	routeKeyCA   = "route-ca.key"
	doneFile     = "complete" // written last

	operatorJWT = "operator.jwt"
	systemJWT   = "system.jwt"
	caCert      = "ca.crt"
	routeCACert = "route-ca.crt"
	serverCert  = "server.crt"
	serverKey   = "server.key"
	routeCert   = "route.crt"
	routeKey    = "route.key"
)

// ErrNone is the error of Load for a folder without an authority.
var ErrNone = errors.New("no authority")

// An Authority signs the accounts, users and certificates of a fleet. It lives in a folder of the host
// that runs `allele-fleet serve`. Whoever can read that folder controls the fleet.
type Authority struct {
	dir      string
	operator nkeys.KeyPair
	system   nkeys.KeyPair
	ca       *issuer // clients, and servers towards clients
	routeCA  *issuer // servers among themselves: the certificate of a client must not open a route
	now      func() time.Time
}

// Create makes an authority in dir, with certificates for a server that clients reach by names (host
// names or addresses). If dir has an authority, Create is Load. A folder that an earlier Create did not
// finish is completed: nothing was signed for others before its last file was written.
func Create(dir string, names []string) (*Authority, error) {
	a, err := Load(dir)
	if err == nil {
		return a, a.Renew(names)
	}
	if !errors.Is(err, ErrNone) {
		return nil, err
	}
	for _, folder := range []string{dir, filepath.Join(dir, authorityFolder),
		filepath.Join(dir, authorityFolder, campaignsFolder), filepath.Join(dir, nodeFolder)} {
		if err := makeFolder(folder); err != nil {
			return nil, err
		}
	}
	release, err := lockFolder(filepath.Join(dir, authorityFolder))
	if err != nil {
		return nil, err
	}
	defer release()
	if a, err := Load(dir); err == nil { // another process was faster
		return a, nil
	}
	if err := createFiles(dir); err != nil {
		return nil, err
	}
	if a, err = load(dir); err != nil {
		return nil, err
	}
	if err := a.Renew(names); err != nil {
		return nil, err
	}
	return a, writeFile(a.path(doneFile), []byte("complete\n"))
}

// createFiles writes the keys of a new authority, over those of a Create that did not finish.
func createFiles(dir string) error {
	operator, err := nkeys.CreateOperator()
	if err != nil {
		return fmt.Errorf("create operator key: %w", err)
	}
	system, err := nkeys.CreateAccount()
	if err != nil {
		return fmt.Errorf("create system account key: %w", err)
	}
	operatorToken, systemToken, err := operatorTokens(operator, system)
	if err != nil {
		return err
	}
	files := map[string][]byte{
		filepath.Join(nodeFolder, operatorJWT): []byte(operatorToken),
		filepath.Join(nodeFolder, systemJWT):   []byte(systemToken),
	}
	for name, key := range map[string]nkeys.KeyPair{operatorSeed: operator, systemSeed: system} {
		if files[filepath.Join(authorityFolder, name)], err = key.Seed(); err != nil {
			return fmt.Errorf("create %s: %w", name, err)
		}
	}
	for _, ca := range [][3]string{{"allele fleet", caCert, caKey}, {"allele fleet routes", routeCACert, routeKeyCA}} {
		cert, key, err := newCA(ca[0], time.Now())
		if err != nil {
			return err
		}
		files[filepath.Join(nodeFolder, ca[1])] = cert
		files[filepath.Join(authorityFolder, ca[2])] = key
	}
	for name, content := range files {
		if err := writeFile(filepath.Join(dir, name), content); err != nil {
			return err
		}
	}
	return nil
}

// operatorTokens returns the JWTs of the operator and of the system account.
func operatorTokens(operator, system nkeys.KeyPair) (op, sys string, err error) {
	id, err := operator.PublicKey()
	if err != nil {
		return "", "", err
	}
	systemID, err := system.PublicKey()
	if err != nil {
		return "", "", err
	}
	oc := jwt.NewOperatorClaims(id)
	oc.Name = "allele-fleet"
	oc.SystemAccount = systemID
	if op, err = oc.Encode(operator); err != nil {
		return "", "", fmt.Errorf("sign operator: %w", err)
	}
	ac := jwt.NewAccountClaims(systemID)
	ac.Name = "SYS"
	ac.Limits.DisallowBearer = true
	if sys, err = ac.Encode(operator); err != nil {
		return "", "", fmt.Errorf("sign system account: %w", err)
	}
	return op, sys, nil
}

// Load opens the authority in dir. The error is ErrNone if dir has none, or one that is not complete.
func Load(dir string) (*Authority, error) {
	_, err := os.Stat(filepath.Join(dir, authorityFolder, doneFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("load %s: %w; run: allele-fleet serve -dir %s", dir, ErrNone, dir)
	}
	if err != nil {
		return nil, fmt.Errorf("load authority: %w", err)
	}
	return load(dir)
}

func load(dir string) (*Authority, error) {
	a := &Authority{dir: dir, now: time.Now}
	for name, to := range map[string]*nkeys.KeyPair{operatorSeed: &a.operator, systemSeed: &a.system} {
		seed, err := readSecret(a.path(name))
		if err != nil {
			return nil, err
		}
		if *to, err = nkeys.FromSeed(seed); err != nil {
			return nil, fmt.Errorf("load %s: %w", a.path(name), err)
		}
	}
	for _, ca := range []struct {
		cert, key string
		to        **issuer
	}{{caCert, caKey, &a.ca}, {routeCACert, routeKeyCA, &a.routeCA}} {
		key, err := readSecret(a.path(ca.key))
		if err != nil {
			return nil, err
		}
		cert, err := os.ReadFile(filepath.Join(dir, nodeFolder, ca.cert))
		if err != nil {
			return nil, fmt.Errorf("load authority: %w", err)
		}
		if *ca.to, err = loadIssuer(cert, key); err != nil {
			return nil, fmt.Errorf("load %s: %w", ca.cert, err)
		}
	}
	return a, nil
}

func (a *Authority) path(names ...string) string {
	return filepath.Join(append([]string{a.dir, authorityFolder}, names...)...)
}

// renewBefore is how long before its end a server certificate is renewed: a server that is restarted
// once a month never has one that has ended.
const renewBefore = 30 * 24 * time.Hour

// Renew makes the certificates of this host's server if they are missing, if they are for other names,
// or if they end within 30 days.
func (a *Authority) Renew(names []string) error {
	if err := checkNames(names); err != nil {
		return err
	}
	folder := filepath.Join(a.dir, nodeFolder)
	for _, c := range a.nodeCertificates(folder) {
		old, err := readCertificate(c.cert)
		if err == nil && a.now().Add(renewBefore).Before(old.NotAfter) && sameNames(old, names) &&
			old.CheckSignatureFrom(c.by.cert) == nil {
			continue
		}
		if err := a.issueNode(c, names); err != nil {
			return err
		}
	}
	return nil
}

// ExportNode writes to dir/node what a server on another host needs, with certificates for its names.
// Copy the folder to the -dir folder of that host, over a connection that keeps it secret: it has the
// private keys of that server. It has no key that signs accounts, users or certificates, so nobody can
// make credentials with it.
func (a *Authority) ExportNode(dir string, names []string) error {
	if err := checkNames(names); err != nil {
		return err
	}
	folder := filepath.Join(dir, nodeFolder)
	for _, f := range []string{dir, folder} {
		if err := makeFolder(f); err != nil {
			return err
		}
	}
	for _, name := range []string{operatorJWT, systemJWT, caCert, routeCACert} {
		content, err := os.ReadFile(filepath.Join(a.dir, nodeFolder, name))
		if err != nil {
			return fmt.Errorf("export node: %w", err)
		}
		if err := writeFile(filepath.Join(folder, name), content); err != nil {
			return err
		}
	}
	for _, c := range a.nodeCertificates(folder) {
		if err := a.issueNode(c, names); err != nil {
			return err
		}
	}
	return nil
}

type nodeCertificate struct {
	cert, key string
	by        *issuer
	usage     []x509.ExtKeyUsage
}

func (a *Authority) nodeCertificates(folder string) []nodeCertificate {
	in := func(name string) string { return filepath.Join(folder, name) }
	return []nodeCertificate{
		{in(serverCert), in(serverKey), a.ca, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}},
		{in(routeCert), in(routeKey), a.routeCA,
			[]x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}},
	}
}

// issueNode writes the key before the certificate. If only the key was written, the two do not match,
// LoadNode says so, and the next Renew finds an old certificate: hence the old one is removed first.
func (a *Authority) issueNode(c nodeCertificate, names []string) error {
	cert, key, err := c.by.issue(request{name: names[0], hosts: names, usage: c.usage,
		from: a.now(), lifetime: serverLifetime})
	if err != nil {
		return err
	}
	if err := os.Remove(c.cert); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("renew certificate: %w", err)
	}
	if err := writeFile(c.key, key); err != nil {
		return err
	}
	return writeFile(c.cert, cert)
}
