package server

import (
	"testing"
	"time"

	"github.com/allele-go/allele/fleet/access"
)

// The server keeps a mapping of about 400 bytes for each request that may have several answers. It forgets
// it when the client drops its inbox, else after two to four minutes. A JWT cannot shorten that time:
// server 2.15.2 ignores the response threshold of an account that it updates.
func TestAnswersAreForgotten(t *testing.T) {
	a, dir := newAuthority(t)
	s := start(t, single(dir))
	url := s.URL("127.0.0.1")
	makeStreams(t, dial(t, grant(t, a, "one", access.Submitter, url)), 1)
	accounts, err := a.Accounts("one")
	if err != nil {
		t.Fatal(err)
	}
	main, err := s.nats.LookupAccount(accounts[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	w := dial(t, grant(t, a, "one", access.Worker, url))
	if _, err := w.ask("corpus.00.a", "case"); err != nil {
		t.Fatal(err)
	}
	before := main.NumPendingAllResponses()
	for range 100 {
		if _, err := w.Request(getCorpus+".corpus.00.a", nil, 20*time.Second); err != nil {
			t.Fatal(err)
		}
	}
	if n := main.NumPendingAllResponses() - before; n > 0 {
		t.Errorf("%d of 100 reads by subject are kept after their answer", n)
	}
	for range 100 { // ask has an inbox for each request, and drops it
		if _, err := w.ask(getCorpus, `{"seq":1,"batch":1,"next_by_subj":">"}`); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.FlushTimeout(20 * time.Second); err != nil {
		t.Fatal(err)
	}
	if n := main.NumPendingAllResponses() - before; n > 0 {
		t.Errorf("%d of 100 batches are kept after their inbox is gone", n)
	}
}
