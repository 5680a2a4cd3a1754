package agent

import (
	"crypto/ed25519"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/allele-go/allele/fleet/access"
	"github.com/allele-go/allele/fleet/server"
)

// A server that does not know the account yet, because it has lost its disk, refuses an agent. The agent says so, goes on trying
// for longer than the client does by itself, and is connected when the server knows the account.
func TestRefusedAgentComesBack(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	authority, err := access.Create(dir, []string{"127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.Start(server.Config{Dir: dir, Listen: "127.0.0.1:0", Names: []string{"127.0.0.1"}, Disk: 1 << 30},
		slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Shutdown)
	if err := authority.Campaign("tree", access.Limits{Disk: 64 << 20}); err != nil {
		t.Fatal(err)
	}
	urls := []string{s.URL("127.0.0.1")}
	owner := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)).Public().(ed25519.PublicKey)
	c, err := authority.Grant(access.Grant{Campaign: "tree", Role: access.Worker, Owner: owner, Lifetime: time.Hour, Servers: urls})
	if err != nil {
		t.Fatal(err)
	}
	a, err := Open(Config{Credential: c, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	eventually(t, "the agent says that it is refused", func() bool {
		err := a.Connected(t.Context())
		return err != nil && strings.Contains(err.Error(), "refuse") && strings.Contains(a.Now().Trouble, "allele-fleet grant")
	})
	time.Sleep(6 * time.Second) // two refusals, after which a client gives up, need less
	if _, err := authority.Push(t.Context(), "tree", urls); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the agent is connected", func() bool { return a.Connected(t.Context()) == nil && a.Now().Trouble == "" })
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for range 3000 { // on a busy machine one attempt to connect takes long
		if ok() {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("not within five minutes: " + what)
}
