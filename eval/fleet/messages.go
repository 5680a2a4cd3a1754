package fleet

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/fleet/jet"
	"github.com/allele-go/allele/fleet/jet/cluster"
	"github.com/allele-go/allele/internal/campaign/exchange"
	"github.com/allele-go/allele/internal/proc/share"
)

// Messages fails if the messages of the server depend on the number of workers.
var Messages = lab.Experiment{
	Name: "fleetmessages",
	Doc:  "messages that a server receives and sends, for hosts with 1 to 32 workers each",
	Run:  runMessages,
}

// grid is the hosts and workers that are measured.
type grid struct {
	hosts, workers []int
	cases          int
}

var messagesGrid = lab.Default[*grid]{
	Full:  &grid{[]int{2, 4}, []int{1, 8, 32}, 500},
	Quick: &grid{[]int{2}, []int{1, 8}, 50},
}

func runMessages(cfg lab.Config) (*lab.Result, error) {
	g := messagesGrid.Full
	if cfg.Quick {
		g = messagesGrid.Quick
	}
	res, p := &lab.Result{}, problems{}
	for _, hosts := range g.hosts {
		for _, workers := range g.workers {
			m, err := measureMessages(hosts, workers, g.cases)
			if err != nil {
				return res, err
			}
			res.Rows = append(res.Rows, lab.Row{lab.Col("hosts", hosts), lab.Col("workers of a host", workers), lab.Col("cases", g.cases),
				lab.Col("cases that workers got", m.got), lab.Col("messages in", m.in), lab.Col("out", m.out),
				lab.Col("out for each case", float64(m.out)/float64(g.cases))})
			// Each worker gets all cases but its own, a case is one message in, and out it is one for each host and the answer.
			p.check(m.got == g.cases*(hosts*workers-1), "%d hosts, %d workers: %d cases were delivered", hosts, workers, m.got)
			p.check(m.in >= int64(g.cases) && m.in <= int64(g.cases)+m.polls, "%d hosts, %d workers: %d messages in", hosts, workers, m.in)
			most := int64(g.cases*(hosts+1)) + m.polls
			p.check(m.out >= int64(g.cases*(hosts+1)) && m.out <= most, "%d hosts, %d workers: %d messages out", hosts, workers, m.out)
		}
	}
	return res, p.err()
}

// exchanged is what was counted.
type exchanged struct {
	got     int   // by all workers
	in, out int64 // by the server
	polls   int64 // at most so many of them were questions of hosts that have heard nothing for a while, and the answers
}

// measureMessages runs hosts with workers that find each case once.
func measureMessages(hosts, workers, cases int) (m exchanged, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	s, stop, err := embedded()
	if err != nil {
		return m, err
	}
	defer stop()
	var rooms []exchange.Exchange
	for i := range hosts {
		conn, err := nats.Connect(s.ClientURL(), jet.ConnOptions(fmt.Sprint("_INBOX_", i))...)
		if err != nil {
			return m, err
		}
		defer conn.Close()
		if i == 0 {
			if err := jet.Create(ctx, conn, jet.Options{}); err != nil {
				return m, err
			}
		}
		t := jet.Open(conn, jet.Options{})
		defer t.Close()
		h := exchange.NewHub(t, fmt.Sprint("host ", i))
		defer h.Close()
		rooms = append(rooms, h.Exchange("sim", "property", "version"))
	}
	if err := until(ctx, func() bool { return s.NumSubscriptions() >= uint32(hosts) }); err != nil {
		return m, err
	}
	before, err := s.Varz(nil)
	if err != nil {
		return m, err
	}
	began := time.Now()
	for n := range cases {
		who := n % (hosts * workers)
		room, message := rooms[who%hosts], share.Case{Trace: uint64(n + 1), Text: fmt.Sprint("case ", n), Term: []byte{1}}.Encode()
		if _, err := room.Offer(who/hosts, message); err != nil {
			return m, err
		}
	}
	want := cases * (hosts*workers - 1)
	err = until(ctx, func() bool { m.got = delivered(rooms, workers); return m.got >= want })
	if err != nil {
		return m, err
	}
	after, err := s.Varz(nil)
	if err != nil {
		return m, err
	}
	m.in, m.out = after.InMsgs-before.InMsgs, after.OutMsgs-before.OutMsgs
	const silence = 5 * time.Second // see jet.Follow
	m.polls = int64(hosts) * 4 * int64(2+time.Since(began)/silence)
	return m, nil
}

// delivered returns how many cases all workers can get.
func delivered(rooms []exchange.Exchange, workers int) (n int) {
	for _, x := range rooms {
		for w := range workers {
			all, _, _ := x.Follow(w, 0) // an exchange in memory has no errors
			n += len(all)
		}
	}
	return n
}

// until waits until a condition holds.
func until(ctx context.Context, holds func() bool) error {
	for !holds() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
	return nil
}

// embedded starts a server in this process.
func embedded() (s *server.Server, stop func(), err error) {
	folder, err := os.MkdirTemp("", "fleet-")
	if err != nil {
		return nil, nil, err
	}
	s, end, err := cluster.Embedded(folder, nil)
	if err != nil {
		os.RemoveAll(folder)
		return nil, nil, err
	}
	return s, func() {
		end()
		os.RemoveAll(folder)
	}, nil
}
