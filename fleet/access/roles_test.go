package access

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"github.com/allele-go/allele/fleet/jet"
)

// A record that was written before a role existed opens. The role is added when the campaign is made again,
// and the keys of the other roles stay, because they have signed users.
func TestRecordBeforeARole(t *testing.T) {
	a := create(t)
	worker := grant(t, a, Worker)
	r, err := a.read("one")
	if err != nil {
		t.Fatal(err)
	}
	delete(r.Keys, Admin)  // a role of the main account
	delete(r.Keys, Viewer) // a role with an account of its own
	delete(r.Accounts, Viewer.place())
	old, file := maps.Clone(r.Keys), a.path(campaignsFolder, "one.json")
	if err := a.write(r); err != nil {
		t.Fatal(err)
	}
	accounts, err := a.Accounts("one")
	if err != nil || len(accounts) != len(places())-1 {
		t.Fatalf("the record opens with %d accounts, %v", len(accounts), err)
	}
	if _, err := a.Grant(Grant{"one", Viewer, owner, time.Hour, worker.Servers}); err == nil ||
		!strings.Contains(err.Error(), "older") {
		t.Errorf("a grant of a role that the campaign does not have: %v", err)
	}
	if err := a.Campaign("one", Limits{}); err != nil {
		t.Fatal(err)
	}
	if accounts, err = a.Accounts("one"); err != nil || len(accounts) != len(places()) {
		t.Errorf("after the second Campaign: %d accounts, %v", len(accounts), err)
	}
	for _, role := range Roles {
		grant(t, a, role)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var now record
	if err := json.Unmarshal(text, &now); err != nil {
		t.Fatal(err)
	}
	for role, seed := range old {
		if now.Keys[role] != seed {
			t.Errorf("the key of role %s has changed", role)
		}
	}
}

// A role that is not in the table may do nothing. An empty list of allowed subjects would not do: a NATS server
// takes it for a list of all subjects.
func TestUnknownRole(t *testing.T) {
	const unknown = Role("guest")
	if p := unknown.place(); p != "" {
		t.Errorf("it belongs to account %q", p)
	}
	open := jwt.UserPermissionLimits{}
	open.NatsLimits = jwt.NatsLimits{Subs: jwt.NoLimit, Data: jwt.NoLimit, Payload: jwt.NoLimit}
	for _, row := range []struct {
		name     string
		template jwt.UserPermissionLimits
		allowed  bool
	}{
		{"empty lists", open, true},
		{"an unknown role", unknown.template(), false},
	} {
		nc := connectWith(t, row.template)
		for kind, try := range map[string]func() error{
			"publish":   func() error { return nc.Publish("bin.hash.0", nil) },
			"subscribe": func() error { _, err := nc.SubscribeSync("corpus.>"); return err },
		} {
			if err := try(); err != nil {
				t.Fatal(err)
			}
			if err := nc.Flush(); err != nil { // the server answers in order
				t.Fatal(err)
			}
			refused := nc.LastError() != nil && strings.Contains(strings.ToLower(nc.LastError().Error()), "violation for "+kind[:5])
			if refused == row.allowed {
				t.Errorf("%s, %s: the server says %v", row.name, kind, nc.LastError())
			}
		}
	}
}

// connectWith connects to a new server as a user whose signing key has these permissions.
func connectWith(t *testing.T, template jwt.UserPermissionLimits) *nats.Conn {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	key := func(create func() (nkeys.KeyPair, error)) (nkeys.KeyPair, string) {
		k, err := create()
		must(err)
		id, err := k.PublicKey()
		must(err)
		return k, id
	}
	operator, operatorID := key(nkeys.CreateOperator)
	_, accountID := key(nkeys.CreateAccount)
	signer, signerID := key(nkeys.CreateAccount)
	user, userID := key(nkeys.CreateUser)

	account := jwt.NewAccountClaims(accountID)
	scope := jwt.NewUserScope()
	scope.Key, scope.Template = signerID, template
	account.SigningKeys.AddScopedSigner(scope)
	accountJWT, err := account.Encode(operator)
	must(err)
	claims := jwt.NewUserClaims(userID)
	claims.IssuerAccount = accountID
	claims.SetScoped(true)
	userJWT, err := claims.Encode(signer)
	must(err)

	resolver := &server.MemAccResolver{}
	must(resolver.Store(accountID, accountJWT))
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true,
		TrustedOperators: []*jwt.OperatorClaims{jwt.NewOperatorClaims(operatorID)}, AccountResolver: resolver})
	must(err)
	s.Start()
	t.Cleanup(s.Shutdown)
	if !s.ReadyForConnections(20 * time.Second) {
		t.Fatal("the server does not start")
	}
	nc, err := nats.Connect(s.ClientURL(), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}),
		nats.UserJWT(func() (string, error) { return userJWT, nil }, user.Sign))
	must(err)
	t.Cleanup(nc.Close)
	return nc
}

// Readers are asked by commands that read; a role without a stream is not among its readers.
func TestReaders(t *testing.T) {
	for _, c := range []struct {
		streams []string
		want    []Role
	}{
		{nil, Roles},
		{[]string{jet.Corpus}, Roles},
		{[]string{jet.Fail}, []Role{Viewer, Submitter, Admin}},
		{[]string{jet.Corpus, jet.Bin}, []Role{Worker, Submitter, Admin}},
		{[]string{jet.Agents, jet.Bin}, []Role{Submitter, Admin}},
	} {
		if got := Readers(c.streams...); !slices.Equal(got, c.want) {
			t.Errorf("readers of %v: %v, want %v", c.streams, got, c.want)
		}
	}
}
