package jet_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/allele-go/allele/fleet/jet"
	"github.com/allele-go/allele/internal/ops/transport"
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

// restricted starts a server with a user for each role.
func restricted(t *testing.T) string {
	return embedded(t, func(o *server.Options) {
		o.Users = []*server.User{{Username: "admin", Password: "admin"}}
		for _, role := range []jet.Role{jet.Worker, jet.Submitter, jet.Viewer} {
			a, err := jet.Permissions(role, jet.InboxPrefix(string(role)))
			if err != nil {
				t.Fatal(err)
			}
			o.Users = append(o.Users, &server.User{Username: string(role), Password: "p", Permissions: &server.Permissions{
				Publish:   &server.SubjectPermission{Allow: a.Publish},
				Subscribe: &server.SubjectPermission{Allow: a.Subscribe},
			}})
		}
	})
}

// as connects with a role, and counts what the server refuses.
func as(t *testing.T, url string, role jet.Role) (conn *nats.Conn, refused func() int) {
	t.Helper()
	var mu sync.Mutex
	var errs []error
	conn, err := nats.Connect(url, append(jet.ConnOptions(jet.InboxPrefix(string(role))), nats.UserInfo(string(role), "p"),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			mu.Lock()
			defer mu.Unlock()
			errs = append(errs, err)
		}))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return conn, func() int {
		mu.Lock()
		defer mu.Unlock()
		return len(errs)
	}
}

// Each role can do its work with its permissions alone.
func TestRoles(t *testing.T) {
	url := restricted(t)
	sc, refusedS := as(t, url, jet.Submitter)
	wc, refusedW := as(t, url, jet.Worker)
	vc, refusedV := as(t, url, jet.Viewer)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := jet.Create(ctx, sc, jet.Options{}); err != nil {
		t.Fatal(err)
	}
	s, w, v := jet.Open(sc, jet.Options{}), jet.Open(wc, jet.Options{}), jet.Open(vc, jet.Options{})
	large := bytes.Repeat([]byte("large"), 50000)
	must := func(what string, err error) {
		t.Helper()
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	must("create again", jet.Create(ctx, sc, jet.Options{}))
	must("put job", s.PutJob(ctx, "any queue", "a job", large))
	must("put job again", s.PutJob(ctx, "any queue", "a job", large))
	must("put state", s.PutState(ctx, "now", []byte("1")))
	hash, err := s.PutBin(ctx, bytes.NewReader(large))
	must("put bin", err)
	for range 2 {
		_, err = w.Offer(ctx, transport.Case{Key: key(1), Worker: "w", Data: large})
		must("offer", err)
		_, err = w.Report(ctx, transport.Failure{Key: key(1), Worker: "w", Data: large})
		must("report", err)
	}
	if _, _, err := w.State(ctx, "other"); !errors.Is(err, jet.ErrNoState) {
		t.Errorf("a state that was never put: %v", err)
	}
	data, _, err := w.State(ctx, "now")
	if string(data) != "1" || err != nil {
		t.Errorf("state %q, %v", data, err)
	}
	var bin bytes.Buffer
	must("bin", w.Bin(ctx, hash, &bin))
	if !bytes.Equal(bin.Bytes(), large) {
		t.Error("the bundle has changed")
	}
	must("heartbeat", w.Heartbeat(ctx, "host 1", []byte("alive")))
	ls, err := w.TakeJobs(ctx, "any queue", 5)
	if len(ls) != 1 || err != nil {
		t.Fatalf("%d leases, %v", len(ls), err)
	}
	none, err := w.TakeJobs(ctx, "no queue", 5)
	if len(none) != 0 || err != nil {
		t.Errorf("%d leases of a queue that does not exist, %v", len(none), err)
	}
	must("extend", ls[0].Extend(ctx))
	for range 2 { // it may be repeated
		if first, err := ls[0].Done(ctx, large); !first || err != nil {
			t.Errorf("done: %v, %v", first, err)
		}
	}
	for name, x := range map[string]*jet.Transport{"viewer": v, "submitter": s} {
		agents, err := x.AgentsNow(ctx)
		if len(agents) != 1 || err != nil || agents[0].ID != "host 1" || string(agents[0].Data) != "alive" {
			t.Errorf("%s: agents %v, %v", name, agents, err)
		}
		n := 0
		_, err = x.Failures(ctx, 0, func(f transport.Failure) error { n++; return nil })
		must("failures", err)
		must("results", x.Results(ctx, "any queue", 0, func(r jet.Result) error { n++; return nil }))
		if n != 2 {
			t.Errorf("%s: %d failures and results, want 2", name, n)
		}
	}
	if a := follow(t, w, 1)[0]; !bytes.Equal(a.Data, large) {
		t.Error("the case has changed")
	}
	if r := []int{refusedS(), refusedW(), refusedV()}; r[0]+r[1]+r[2] != 0 {
		t.Errorf("the server has refused %v calls of submitter, worker and viewer", r)
	}
}

// A worker cannot do what a submitter does, and a viewer cannot write.
func TestRefused(t *testing.T) {
	url := restricted(t)
	sc, _ := as(t, url, jet.Submitter)
	if err := jet.Create(t.Context(), sc, jet.Options{}); err != nil {
		t.Fatal(err)
	}
	worker := []string{"camp.x", "job.q.x", "bin.x.0", "live.corpus.00.x", "$JS.API.STREAM.DELETE.FAIL", "$JS.API.STREAM.CREATE.X",
		"$JS.API.STREAM.PURGE.CORPUS", "$JS.API.CONSUMER.CREATE.JOBS.x", "$JS.API.CONSUMER.CREATE.CORPUS", "$SYS.REQ.SERVER.PING"}
	for role, subjects := range map[jet.Role][]string{
		jet.Worker: worker,
		jet.Viewer: append(worker, "corpus.00.x", "fail.x", "done.q.x", "blob.x.0", "agent.x", "$JS.API.CONSUMER.MSG.NEXT.JOBS.q",
			"$JS.ACK.JOBS.q.1.1.1.1.1"),
	} {
		conn, refused := as(t, url, role)
		for _, s := range subjects {
			if err := conn.Publish(s, nil); err != nil {
				t.Fatal(err)
			}
		}
		for _, s := range []string{">", "_INBOX_submitter.>", "_INBOX.>", "job.>"} {
			if _, err := conn.SubscribeSync(s); err != nil {
				t.Fatal(err)
			}
		}
		if err := conn.Flush(); err != nil {
			t.Fatal(err)
		}
		for end := time.Now().Add(time.Minute); refused() < len(subjects)+4 && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
		}
		if n := refused(); n != len(subjects)+4 {
			t.Errorf("%s: %d calls were refused, want %d", role, n, len(subjects)+4)
		}
	}
	js, err := jetstream.New(sc)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range jet.Streams(jet.Options{}) {
		s, err := js.Stream(t.Context(), c.Name)
		if err != nil {
			t.Fatal(err)
		}
		if n := s.CachedInfo().State.Msgs; n != 0 {
			t.Errorf("stream %s has %d messages", c.Name, n)
		}
	}
}

// The servers do not check the subject of a reply. So a worker can write to the state of a campaign, which is why agents must
// not trust it. If this test fails, the servers have become stricter, and the comment of Permissions can change.
func TestReplySubject(t *testing.T) {
	url := restricted(t)
	sc, _ := as(t, url, jet.Submitter)
	if err := jet.Create(t.Context(), sc, jet.Options{}); err != nil {
		t.Fatal(err)
	}
	wc, _ := as(t, url, jet.Worker)
	w := jet.Open(wc, jet.Options{})
	if _, err := w.Offer(t.Context(), transport.Case{Key: key(1), Worker: "w", Data: []byte("evil")}); err != nil {
		t.Fatal(err)
	}
	if err := wc.PublishRequest("$JS.API.DIRECT.GET.CORPUS."+subject(1), "camp.now", nil); err != nil {
		t.Fatal(err)
	}
	var data []byte
	for end := time.Now().Add(20 * time.Second); data == nil && time.Now().Before(end); {
		data, _, _ = w.State(t.Context(), "now") // not yet
	}
	if string(data) != "evil" {
		t.Errorf("state %q", data)
	}
}
