package jet_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/allele-go/allele/fleet/jet"
	"github.com/allele-go/allele/internal/campaign/transport"
)

// A follower is so slow that its client drops messages. It reads them from the stream, and gets all in order.
func TestSlowFollower(t *testing.T) {
	const cases = 20000 // more than a client keeps
	url := embedded(t, nil)
	x := campaign(t, url, jet.Options{})(t)
	if won, err := x.Offer(t.Context(), transport.Case{Key: key(0), Worker: "w"}); !won || err != nil {
		t.Fatal(won, err)
	}
	conn := connect(t, url)
	var dropped atomic.Int64
	follower := connect(t, url, nats.ErrorHandler(func(_ *nats.Conn, s *nats.Subscription, err error) {
		if errors.Is(err, nats.ErrSlowConsumer) {
			dropped.Add(1)
		}
	}))
	last := uint64(0)
	err := jet.Open(follower, jet.Options{}).Follow(t.Context(), 0, func(a transport.Accepted) error {
		if last++; a.Seq != last || a.Key != number(last-1) {
			return fmt.Errorf("case %d: seq %d, key %x", last, a.Seq, a.Key)
		}
		switch last {
		case 1:
			// Meanwhile nobody reads what comes. After the flush, all of it has come.
			return errors.Join(flood(conn, cases), follower.FlushTimeout(longTime))
		case cases:
			return errEnough
		}
		return nil
	})
	if !errors.Is(err, errEnough) {
		t.Errorf("followed %d of %d cases: %v", last, cases, err)
	}
	for end := time.Now().Add(longTime); dropped.Load() == 0 && time.Now().Before(end); {
		time.Sleep(time.Millisecond) // the client calls the handler when it likes
	}
	if dropped.Load() == 0 {
		t.Error("the client has dropped nothing, so this test shows nothing")
	}
}

func number(n uint64) (k transport.Key) {
	binary.BigEndian.PutUint64(k[8:], n)
	return k
}

// flood stores cases 1 to n-1.
func flood(conn *nats.Conn, n uint64) error {
	for i := uint64(1); i < n; i++ {
		k := fmt.Sprintf("%x", number(i))
		m := &nats.Msg{Subject: "corpus." + k[30:] + "." + k, Header: nats.Header{"Allele-Owner": {"w"}}}
		if i < n-1 {
			if err := conn.PublishMsg(m); err != nil {
				return err
			}
		} else if _, err := conn.RequestMsg(m, longTime); err != nil { // all others are stored, too
			return err
		}
	}
	return nil
}

// A follower that gets no live messages at all, as if all were lost, asks for them. A viewer is such a one.
func TestDeafFollower(t *testing.T) {
	url, vc, refused := as(t, &server.Permissions{Subscribe: &server.SubjectPermission{Deny: []string{"live.>"}}})
	w := campaign(t, url, jet.Options{})(t)
	offer := func(n byte) error {
		_, err := w.Offer(t.Context(), transport.Case{Key: key(n), Worker: "w"})
		return err
	}
	if err := offer(1); err != nil {
		t.Fatal(err)
	}
	later := make(chan error, 1)
	err := jet.Open(vc, jet.Options{}).Follow(t.Context(), 0, func(a transport.Accepted) error {
		if a.Seq == 2 {
			return errEnough
		}
		go func() { later <- offer(2) }()
		return nil
	})
	if !errors.Is(err, errEnough) || refused() != 1 {
		t.Errorf("%v; %d calls were refused, want 1", err, refused())
	}
	if err := <-later; err != nil {
		t.Error(err)
	}
}

// Some live messages never come, and later ones do. The follower sees the gap and reads what is missing.
func TestGap(t *testing.T) {
	url := embedded(t, func(o *server.Options) {
		o.Users = []*server.User{{Username: "all", Password: "p"}, {Username: "follower", Password: "p",
			Permissions: &server.Permissions{Subscribe: &server.SubjectPermission{Allow: []string{">"}, Deny: []string{"live.corpus.02.*"}}}}}
	})
	conn := connect(t, url, nats.UserInfo("all", "p"))
	if err := jet.Create(t.Context(), conn, jet.Options{}); err != nil {
		t.Fatal(err)
	}
	w, f := jet.Open(conn, jet.Options{}), jet.Open(connect(t, url, nats.UserInfo("follower", "p")), jet.Options{})
	offer := func(keys ...byte) {
		for _, n := range keys {
			if won, err := w.Offer(t.Context(), transport.Case{Key: key(n), Worker: "w"}); !won || err != nil {
				t.Errorf("offer %d: won %v, %v", n, won, err)
			}
		}
	}
	offer(1)
	var got []byte
	err := f.Follow(t.Context(), 0, func(a transport.Accepted) error {
		if got = append(got, a.Key[15]); a.Seq == 1 {
			offer(2, 3) // 2 does not come
		}
		if a.Seq == 3 {
			return errEnough
		}
		return nil
	})
	if !errors.Is(err, errEnough) || string(got) != "\x01\x02\x03" {
		t.Errorf("followed %v, %v", got, err)
	}
}
