package access

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
)

var owner = ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)).Public().(ed25519.PublicKey)

func create(t *testing.T) *Authority {
	t.Helper()
	a, err := Create(filepath.Join(t.TempDir(), "fleet"), []string{"n1.example.org", "127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func grant(t *testing.T, a *Authority, r Role) *Credential {
	t.Helper()
	if err := a.Campaign("one", Limits{}); err != nil {
		t.Fatal(err)
	}
	c, err := a.Grant(Grant{"one", r, owner, time.Hour, []string{"tls://127.0.0.1:4222"}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// tree returns the files below dir with their modes and contents.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		if e.IsDir() {
			want = 0o700
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %v", name, info.Mode())
		}
		if e.IsDir() {
			return nil
		}
		content, err := os.ReadFile(name)
		files[name] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestCreateOnce(t *testing.T) {
	a := create(t)
	before := tree(t, a.dir)
	if _, err := Create(a.dir, []string{"n1.example.org", "127.0.0.1"}); err != nil {
		t.Fatal(err)
	}
	after := tree(t, a.dir)
	if len(before) != 14 || fmt.Sprint(before) != fmt.Sprint(after) {
		t.Errorf("%d files became %d, or others", len(before), len(after))
	}
}

// A crash can end Create after any file. The next Create completes the folder, and Load refuses it until then.
func TestCreateIsCompleted(t *testing.T) {
	names := []string{"127.0.0.1"}
	whole := create(t)
	for name := range tree(t, whole.dir) {
		rel, err := filepath.Rel(whole.dir, name)
		if err != nil {
			t.Fatal(err)
		}
		a := create(t)
		for _, gone := range []string{rel, filepath.Join(authorityFolder, doneFile)} {
			if err := os.Remove(filepath.Join(a.dir, gone)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
		}
		if _, err := Load(a.dir); !errors.Is(err, ErrNone) || !strings.Contains(err.Error(), "allele-fleet serve -dir") {
			t.Errorf("without %s: Load says %v", rel, err)
		}
		b, err := Create(a.dir, names)
		if err != nil {
			t.Errorf("without %s: %v", rel, err)
			continue
		}
		grant(t, b, Worker)
		if _, err := LoadNode(a.dir); err != nil {
			t.Errorf("without %s: %v", rel, err)
		}
	}
}

// A complete authority that has lost a key is refused: new keys would cut off every credential.
func TestLostKey(t *testing.T) {
	a := create(t)
	if err := os.Remove(a.path(operatorSeed)); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(a.dir, []string{"127.0.0.1"}); err == nil || !strings.Contains(err.Error(), operatorSeed) {
		t.Errorf("Create says %v", err)
	}
}

func TestOpenFilesAreRefused(t *testing.T) {
	a := create(t)
	file := filepath.Join(a.dir, "w.cred")
	if err := grant(t, a, Worker).Save(file); err != nil {
		t.Fatal(err)
	}
	tree(t, a.dir) // checks modes
	if err := os.Chmod(file, 0o640); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadCredential(file); err == nil || !strings.Contains(err.Error(), "chmod 600 "+file) {
		t.Errorf("LoadCredential says %v", err)
	}
	if err := os.Chmod(a.path(caKey), 0o604); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(a.dir); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("Load says %v", err)
	}
}

func TestRenew(t *testing.T) {
	a := create(t)
	names := []string{"n1.example.org", "127.0.0.1"}
	serials := func() string {
		t.Helper()
		if err := a.Renew(names); err != nil {
			t.Fatal(err)
		}
		if _, err := LoadNode(a.dir); err != nil {
			t.Fatal(err)
		}
		var list []string
		for _, c := range a.nodeCertificates(filepath.Join(a.dir, nodeFolder)) {
			cert, err := readCertificate(c.cert)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, cert.SerialNumber.String())
		}
		return strings.Join(list, " ")
	}
	first := serials()
	start := time.Now()
	for _, step := range []struct {
		after   time.Duration
		names   []string
		renewed bool
	}{
		{0, names, false},
		{serverLifetime - 31*24*time.Hour, names, false},
		{serverLifetime - 29*24*time.Hour, names, true},
		{serverLifetime - 29*24*time.Hour, names, false},
		{serverLifetime - 29*24*time.Hour, []string{"n2.example.org"}, true},
	} {
		a.now = func() time.Time { return start.Add(step.after) }
		names = step.names
		next := serials()
		if (next != first) != step.renewed {
			t.Errorf("after %v for %v: renewed %v", step.after, step.names, next != first)
		}
		first = next
	}
}

// An exported node has no key that signs.
func TestExportNode(t *testing.T) {
	a := create(t)
	dir := filepath.Join(t.TempDir(), "n2")
	if err := a.ExportNode(dir, []string{"n2.example.org"}); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadNode(dir); err != nil {
		t.Fatal(err)
	}
	exported := tree(t, dir)
	for name, content := range tree(t, a.path()) {
		for other, text := range exported {
			if content != "" && text == content {
				t.Errorf("%s is exported as %s", name, other)
			}
		}
	}
	for name, text := range exported {
		if strings.HasSuffix(name, ".crt") {
			c, err := parseCertificate([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(name, serverCert) && slices.Contains(c.ExtKeyUsage, x509.ExtKeyUsageClientAuth) {
				t.Error("the certificate of a server can be used by a client")
			}
		}
	}
}

// secretsOf returns every secret of a credential, in pieces that survive quoting.
func secretsOf(c *Credential) []string {
	var list []string
	for _, s := range []string{c.secret().jwt, string(c.secret().seed), string(c.secret().key), string(c.secret().cert)} {
		for line := range strings.Lines(s) {
			if line = strings.TrimSpace(line); !strings.HasPrefix(line, "-----") {
				list = append(list, line)
			}
		}
	}
	return list
}

func TestSecretsAreNotPrinted(t *testing.T) {
	c := grant(t, create(t), Worker)
	type holder struct {
		Public  Credential
		Pointer *Credential
		hidden  Credential
		deep    []*Credential
	}
	h := holder{*c, c, *c, []*Credential{c}}
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x", "%X"} {
		fmt.Fprintf(&out, verb+verb+verb+verb+"\n", c, *c, h, &h)
	}
	for _, handler := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
		slog.New(handler).Info("connect", "cred", c, "value", *c, "holder", h, "error", fmt.Errorf("with %v", c))
	}
	text, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	out.Write(text)
	_, err = c.Connect() // nobody listens there
	fmt.Fprint(&out, err)
	printed := strings.ToLower(out.String())
	pieces := secretsOf(c)
	if len(pieces) < 8 || !strings.Contains(printed, "worker of one") {
		t.Fatalf("%d pieces in: %s", len(pieces), printed)
	}
	for _, s := range pieces {
		for _, form := range []string{s, fmt.Sprintf("%x", s), fmt.Sprint([]byte(s))} {
			if strings.Contains(printed, strings.Trim(strings.ToLower(form), "[]")) {
				t.Errorf("printed: %.12s…", s)
			}
		}
	}
}

func TestCredentialFile(t *testing.T) {
	a := create(t)
	file := filepath.Join(a.dir, "w.cred")
	c, other := grant(t, a, Worker), grant(t, a, Worker)
	if err := c.Save(file); err != nil {
		t.Fatal(err)
	}
	read, err := LoadCredential(file)
	if err != nil {
		t.Fatal(err)
	}
	if read.String() != c.String() || fmt.Sprint(secretsOf(read)) != fmt.Sprint(secretsOf(c)) ||
		!bytes.Equal(read.Owner, c.Owner) || !read.Expires.Equal(c.Expires) {
		t.Errorf("read %v", read)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	good := string(text)
	for _, row := range []struct{ name, text, want string }{
		{"newer", strings.Replace(good, `"version": 1`, `"version": 2`, 1), "version 2"},
		{"unknown field", strings.Replace(good, `"role"`, `"more": 1, "role"`, 1), `unknown field "more"`},
		{"cut", good[:len(good)/2], "JSON"},
		{"two", good + good, "more than one"},
		{"empty", "", "JSON"},
		{"null", "null", "version 0"},
		{"other seed", strings.Replace(good, string(c.secret().seed), string(other.secret().seed), 1), "belong together"},
		{"other user", strings.Replace(good, `"user": "`+c.User, `"user": "`+other.User, 1), "belong together"},
		{"no server", strings.Replace(good, "tls://127.0.0.1:4222", "", 1), "URL"},
		{"plain server", strings.Replace(good, "tls://", "nats://", 1), "URL"},
		{"password", strings.Replace(good, "tls://", "tls://me:pw@", 1), "URL"},
		{"large", good + strings.Repeat(" ", credentialSizeMax), "more than"},
	} {
		_, err := parseCredential([]byte(row.text))
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v, want %q", row.name, err, row.want)
		}
		for _, s := range append(secretsOf(c), "me:pw") {
			if err != nil && strings.Contains(err.Error(), s) {
				t.Errorf("%s: the error shows a secret", row.name)
			}
		}
	}
}

func TestGrantChecks(t *testing.T) {
	a := create(t)
	good := Grant{"one", Worker, owner, time.Hour, []string{"tls://127.0.0.1:4222"}}
	if _, err := a.Grant(good); err == nil || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a grant for no campaign: %v", err)
	}
	for _, name := range []string{"", "a/b", "..", "A", strings.Repeat("a", 64), "a.json\x00"} {
		if err := a.Campaign(name, Limits{}); err == nil {
			t.Errorf("campaign %q was made", name)
		}
	}
	c := grant(t, a, Worker)
	for name, change := range map[string]func(*Grant){
		"role":     func(g *Grant) { g.Role = "root" },
		"owner":    func(g *Grant) { g.Owner = owner[:31] },
		"for ever": func(g *Grant) { g.Lifetime = 100 * 365 * 24 * time.Hour },
		"no time":  func(g *Grant) { g.Lifetime = 0 },
		"servers":  func(g *Grant) { g.Servers = nil },
	} {
		g := good
		change(&g)
		if _, err := a.Grant(g); err == nil {
			t.Errorf("%s: granted", name)
		}
	}
	if err := a.Revoke("one", "UNKNOWN"); err == nil {
		t.Error("revoked nobody")
	}
	if err := a.Revoke("one", c.User); err != nil {
		t.Fatal(err)
	}
	users, err := a.Users("one")
	if err != nil || len(users) != 1 || !users[0].Revoked {
		t.Errorf("users %v, %v", users, err)
	}
	a.now = func() time.Time { return time.Now().Add(2 * time.Hour) }
	grant(t, a, Viewer)
	if users, err = a.Users("one"); err != nil || len(users) != 1 || users[0].Role != Viewer {
		t.Errorf("the credential that has ended is still listed: %v, %v", users, err)
	}
}

// The user has no permissions of its own: its role has them, in the account.
func TestTokens(t *testing.T) {
	a := create(t)
	for _, role := range Roles {
		c := grant(t, a, role)
		u, err := jwt.DecodeUserClaims(c.secret().jwt)
		if err != nil {
			t.Fatal(err)
		}
		if !u.HasEmptyPermissions() || u.Expires != c.Expires.Unix() {
			t.Errorf("%s: %v", role, u)
		}
		cert, err := parseCertificate(c.secret().cert)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(cert.ExtKeyUsage, []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}) || cert.IsCA ||
			cert.NotAfter.After(c.Expires.Add(time.Second)) {
			t.Errorf("%s: certificate for %v until %v", role, cert.ExtKeyUsage, cert.NotAfter)
		}
	}
	tokens, err := a.Accounts("one")
	if err != nil || len(tokens) != len(places()) {
		t.Fatalf("%d accounts, want %d: %v", len(tokens), len(places()), err)
	}
	for _, token := range tokens {
		claims, err := jwt.DecodeAccountClaims(token.JWT)
		if err != nil {
			t.Fatal(err)
		}
		if main := claims.Name == "one/main"; claims.Limits.IsJSEnabled() != main || !claims.Limits.DisallowBearer {
			t.Errorf("%s: limits %+v", claims.Name, claims.Limits)
		}
	}
}
