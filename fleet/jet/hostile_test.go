package jet_test

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/allele-go/allele/fleet/jet"
	"github.com/allele-go/allele/internal/campaign/transport"
)

var errEnough = errors.New("enough")

// longTime only ends tests that hang.
const longTime = time.Minute

// list collects what a transport calls damaged.
type list struct {
	mu  sync.Mutex
	all []string
}

func (l *list) add(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, err.Error())
}

func (l *list) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.all, "\n")
}

func key(n byte) (k transport.Key) { k[15] = n; return k }

func subject(n byte) string { return fmt.Sprintf("corpus.%02x.%x", n, key(n)) }

// A worker can store anything in the corpus. Followers skip what is not a case, and get all cases.
func TestHostileMessages(t *testing.T) {
	var damaged list
	url := embedded(t, nil)
	x := campaign(t, url, jet.Options{Damaged: damaged.add})(t)
	conn := connect(t, url)
	raw := func(subject string, header nats.Header, data string) {
		t.Helper()
		if _, err := conn.RequestMsg(&nats.Msg{Subject: subject, Header: header, Data: []byte(data)}, time.Minute); err != nil {
			t.Fatal(err)
		}
	}
	owner := func(more ...string) nats.Header {
		h := nats.Header{"Allele-Owner": {"w"}}
		for i := 0; i < len(more); i += 2 {
			h[more[i]] = []string{more[i+1]}
		}
		return h
	}
	sum := strings.Repeat("00", 32)
	name := strings.Repeat("00", 16)
	bad := func() {
		raw("corpus.00.nothing", owner(), "no key")
		raw("corpus.ff."+fmt.Sprintf("%x", key(1)), owner(), "another shard")
		raw(subject(10), nats.Header{}, "no owner")
		raw(subject(11), nats.Header{"Allele-Owner": {"%zz"}}, "a false owner")
		raw(subject(12), nats.Header{"Allele-Owner": {strings.Repeat("x", 9000)}}, "a long owner")
		raw(subject(13), owner("Allele-Blob", name+" "+sum+" 99999999999"), "too large")
		raw(subject(14), owner("Allele-Blob", "x"), "no blob")
		raw(subject(15), owner("Allele-Blob", name+" "+sum+" 100000"), "a missing blob")
		raw("blob."+name[:31]+"1.0", nats.Header{}, "short")
		raw(subject(16), owner("Allele-Blob", name[:31]+"1 "+sum+" 70000"), "a false blob")
	}
	// These are cases. They only look like something else.
	odd := func() {
		raw(subject(20), owner("Status", "204"), "looks like an end")
		raw(subject(21), owner("Status", "503"), "") // looks like nobody
		raw(subject(22), owner("Status", "404"), "looks like nothing")
		raw(subject(23), owner("Nats-Sequence", "1000000", "Nats-Subject", subject(99), "Nats-Stream", "FAIL"), "lies")
		raw(subject(24), owner("Nats-Last-Sequence", "1000000", "Nats-Num-Pending", "0"), "lies")
	}
	send := func() {
		bad()
		odd()
		unreadable(t, url, subject(30))
		unreadable(t, url, subject(31))
		if won, err := x.Offer(t.Context(), transport.Case{Key: key(50), Worker: "end"}); !won || err != nil {
			t.Errorf("the last offer: won %v, %v", won, err)
		}
	}
	if won, err := x.Offer(t.Context(), transport.Case{Key: key(40), Worker: "begin"}); !won || err != nil {
		t.Fatal(won, err)
	}
	var sent sync.WaitGroup
	defer sent.Wait()
	for _, how := range []string{"live", "stored"} {
		var got []string
		err := x.Follow(t.Context(), 0, func(a transport.Accepted) error {
			switch {
			case a.Key == key(50):
				return errEnough
			case a.Key != key(40):
				got = append(got, fmt.Sprint(a.Key[15]))
			case how == "live":
				sent.Go(send) // the follower is there already
			}
			return nil
		})
		if all := strings.Join(got, " "); !errors.Is(err, errEnough) || all != "20 21 22 23 24" {
			t.Errorf("%s: followed %s, %v; damaged:\n%s", how, all, err, &damaged)
		}
	}
	for _, want := range []string{"is missing", "blob " + name[:31] + "1 is false", "not readable"} {
		if !strings.Contains(damaged.String(), want) {
			t.Errorf("nothing says %q:\n%s", want, &damaged)
		}
	}
	// The owner of a case that looks like something else is read, too.
	for n := byte(20); n < 25; n++ {
		if won, err := x.Offer(t.Context(), transport.Case{Key: key(n), Worker: "other"}); won || err != nil {
			t.Errorf("offer %d: won %v, %v", n, won, err)
		}
		if won, err := x.Offer(t.Context(), transport.Case{Key: key(n), Worker: "w"}); !won || err != nil {
			t.Errorf("offer %d by its owner: won %v, %v", n, won, err)
		}
	}
}

// unreadable stores a message with a header that clients cannot read.
func unreadable(t *testing.T, url, subject string) {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(url, "nats://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	header := "NATS/1.0\r\nno colon\r\n\r\n"
	fmt.Fprintf(c, "CONNECT {\"verbose\":false,\"headers\":true}\r\nHPUB %s %d %d\r\n%sdata\r\nPING\r\n", subject, len(header),
		len(header)+4, header) // the answer shows whether it has arrived
	for r := bufio.NewReader(c); ; {
		line, err := r.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(line, "PONG") {
			return
		}
	}
}

// Another worker has stored false parts under the name of large data. The data is stored under another name.
func TestPoisonedBlob(t *testing.T) {
	url := embedded(t, nil)
	x := campaign(t, url, jet.Options{})(t)
	data := bytes.Repeat([]byte("large "), 100000)
	hash := sha256.Sum256(data)
	if _, err := connect(t, url).Request(fmt.Sprintf("blob.%x.1", hash[:16]), []byte("false"), time.Minute); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if won, err := x.Offer(t.Context(), transport.Case{Key: key(1), Worker: "a", Data: data}); !won || err != nil {
			t.Fatal(won, err)
		}
	}
	if a := follow(t, x, 1)[0]; !bytes.Equal(a.Data, data) {
		t.Error("the data has changed")
	}
}

// follow returns the first cases.
func follow(t *testing.T, x *jet.Transport, n int) (all []transport.Accepted) {
	t.Helper()
	err := x.Follow(t.Context(), 0, func(a transport.Accepted) error {
		if all = append(all, a); len(all) == n {
			return errEnough
		}
		return nil
	})
	if !errors.Is(err, errEnough) {
		t.Fatal(err)
	}
	return all
}

// as starts a server with a user who may do all but what is denied, and returns its address and a connection of that user,
// with the count of what the server has refused.
func as(t *testing.T, p *server.Permissions) (url string, conn *nats.Conn, refused func() int) {
	t.Helper()
	url = embedded(t, func(o *server.Options) {
		o.Users = []*server.User{{Username: "all", Password: "p"}, {Username: "some", Password: "p", Permissions: p}}
		o.NoAuthUser = "all"
	})
	var n atomic.Int64
	conn = connect(t, url, nats.UserInfo("some", "p"), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) { n.Add(1) }))
	return url, conn, func() int { return int(n.Load()) }
}

// The servers do not check the subject of a reply. So permissions alone do not keep a worker from writing to the state of a
// campaign, and workers have an account of their own: see package access. If this test fails, the servers have become stricter.
func TestReplySubject(t *testing.T) {
	url, conn, _ := as(t, &server.Permissions{Publish: &server.SubjectPermission{Deny: []string{"camp.>"}}})
	x := campaign(t, url, jet.Options{})(t)
	if _, err := x.Offer(t.Context(), transport.Case{Key: key(1), Worker: "w", Data: []byte("evil")}); err != nil {
		t.Fatal(err)
	}
	if err := conn.PublishRequest("$JS.API.DIRECT.GET.CORPUS."+subject(1), "camp.now", nil); err != nil {
		t.Fatal(err)
	}
	var data []byte
	for end := time.Now().Add(20 * time.Second); data == nil && time.Now().Before(end); {
		data, _, _ = x.State(t.Context(), "now") // not yet
	}
	if string(data) != "evil" {
		t.Errorf("state %q", data)
	}
}
