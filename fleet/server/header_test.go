package server

import (
	"fmt"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/allele-go/allele/fleet/access"
)

// A worker can store headers with the names that the server uses. Readers are safe if they use the last
// value of a header, which is the server's. Header.Get returns the first.
func TestForgedHeaders(t *testing.T) {
	a, dir := newAuthority(t)
	url := start(t, single(dir)).URL("127.0.0.1")
	makeStreams(t, dial(t, grant(t, a, "one", access.Submitter, url)), 1)
	w := dial(t, grant(t, a, "one", access.Worker, url))
	live, err := w.listen("live.corpus.>")
	if err != nil {
		t.Fatal(err)
	}
	forged := nats.Header{"Nats-Sequence": {"99"}, "Nats-Stream": {"FALSE"}, "Nats-Subject": {"corpus.00.false"}}
	if _, err := w.RequestMsg(&nats.Msg{Subject: "corpus.00.true", Header: forged, Data: []byte("case")}, 20*time.Second); err != nil {
		t.Fatal(err)
	}
	followed, err := live.NextMsg(20 * time.Second)
	if err != nil {
		t.Fatal(err)
	}
	read, err := w.ask(getCorpus, `{"seq":1}`)
	if err != nil {
		t.Fatal(err)
	}
	batch, err := w.ask(getCorpus, `{"seq":1,"batch":1,"next_by_subj":">"}`)
	if err != nil {
		t.Fatal(err)
	}
	for how, m := range map[string]*nats.Msg{"followed": followed, "read": read, "batch": batch} {
		last := ""
		for _, name := range []string{"Nats-Stream", "Nats-Subject", "Nats-Sequence"} {
			values := m.Header.Values(name)
			t.Logf("%s: %s %q", how, name, values)
			last += fmt.Sprintf(" %s", values[len(values)-1])
		}
		if last != " CORPUS corpus.00.true 1" {
			t.Errorf("%s: the last values are%s", how, last)
		}
	}
}
