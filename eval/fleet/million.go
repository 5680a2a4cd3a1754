package fleet

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/fleet/jet"
	"github.com/allele-go/allele/fleet/jet/cluster"
	"github.com/allele-go/allele/internal/campaign/transport"
)

// Million fails if a follower does not get all cases, in order.
var Million = lab.Experiment{
	Name: "fleetmillion",
	Doc:  "a million kept cases on three servers: memory, files, and restarts",
	Run:  runMillion,
}

var millionCases = lab.Default[int]{Full: 1_000_000, Quick: 2000}

const (
	fillers  = 8  // connections
	inFlight = 32 // offers of a connection at a time
	dataMin  = 22 // bytes of a case
	dataMax  = 100
	repairs  = 20
)

// filling is an experiment in progress.
type filling struct {
	lab.Config
	ctx     context.Context
	cluster *cluster.Cluster
	cases   int
	won     atomic.Int64
	errors  atomic.Int64
	spent   map[int]float64 // CPU seconds of processes at the end of the last step
	res     *lab.Result
	p       problems
}

func runMillion(cfg lab.Config) (*lab.Result, error) {
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	c, stop, err := servers(ctx, cluster.Options{})
	if err != nil {
		return nil, err
	}
	defer stop()
	f := &filling{Config: cfg, ctx: ctx, cluster: c, cases: millionCases.Full, spent: map[int]float64{},
		res: &lab.Result{Seeds: []uint64{1}}}
	if cfg.Quick {
		f.cases = millionCases.Quick
	}
	steps := []func() error{f.fill, f.terminate, f.kill, f.follow, f.repair}
	if cfg.Quick {
		steps = []func() error{f.fill, f.follow, f.repair} // a restart takes seconds
	}
	for _, do := range steps {
		if err := do(); err != nil {
			return f.res, err
		}
	}
	return f.res, f.p.err()
}

// fill offers all cases, each once.
func (f *filling) fill() error {
	conn, err := f.cluster.Connect()
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := jet.Create(f.ctx, conn, jet.Options{Replicas: cluster.Nodes}); err != nil {
		return err
	}
	began, errs := time.Now(), make(chan error, fillers*inFlight)
	var lanes sync.WaitGroup
	for i := range fillers {
		conn, err := f.cluster.Connect()
		if err != nil {
			return err
		}
		defer conn.Close()
		t := jet.Open(conn, jet.Options{Replicas: cluster.Nodes})
		defer t.Close()
		for j := range inFlight {
			lanes.Go(func() { errs <- f.lane(t, i*inFlight+j) })
		}
	}
	lanes.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			return err
		}
	}
	f.p.check(int(f.won.Load()) == f.cases, "%d of %d cases have won", f.won.Load(), f.cases)
	return f.row("filled", time.Since(began), f.cases)
}

// lane offers some of the cases, one after the other.
func (f *filling) lane(t *jet.Transport, lane int) error {
	r, data := rand.New(rand.NewPCG(1, uint64(lane))), make([]byte, dataMax)
	for n := lane; n < f.cases; n += fillers * inFlight {
		var key transport.Key
		binary.BigEndian.PutUint64(key[:8], r.Uint64())
		binary.BigEndian.PutUint64(key[8:], uint64(n))
		c := transport.Case{Key: key, Worker: fmt.Sprint("worker ", lane), Data: data[:dataMin+r.IntN(dataMax-dataMin+1)]}
		won, err := t.Offer(f.ctx, c)
		if err != nil {
			return err
		}
		if won {
			if n := f.won.Add(1); n%100_000 == 0 {
				f.Logf("%d cases", n)
			}
		}
	}
	return nil
}

func (f *filling) terminate() error {
	f.cluster.TerminateAll()
	return f.start("restarted after SIGTERM")
}

func (f *filling) kill() error {
	f.cluster.KillAll()
	return f.start("restarted after SIGKILL")
}

// start starts the servers again, and waits until all have all cases.
func (f *filling) start(what string) error {
	began := time.Now()
	if err := f.cluster.Restart(f.ctx, 0, 1, 2); err != nil {
		return err
	}
	if _, err := f.cluster.Leader(f.ctx, jet.Corpus); err != nil {
		return err
	}
	return f.row(what, time.Since(began), f.cases)
}

// follow reads all cases as a host does that is new.
func (f *filling) follow() error {
	conn, err := f.cluster.Connect()
	if err != nil {
		return err
	}
	defer conn.Close()
	t := jet.Open(conn, jet.Options{Damaged: func(error) { f.errors.Add(1) }})
	defer t.Close()
	began, got, disorder := time.Now(), 0, 0
	seen := make([]bool, f.cases)
	all := errors.New("all")
	err = t.Follow(f.ctx, 0, func(a transport.Accepted) error {
		if got++; a.Seq != uint64(got) {
			disorder++
		}
		seen[binary.BigEndian.Uint64(a.Key[8:])] = true
		if got == f.cases {
			return all
		}
		return nil
	})
	if !errors.Is(err, all) {
		return err
	}
	distinct := 0
	for _, s := range seen {
		if s {
			distinct++
		}
	}
	f.p.check(distinct == f.cases && disorder == 0 && f.errors.Load() == 0,
		"a follower got %d different cases of %d, %d out of order, %d damaged", distinct, f.cases, disorder, f.errors.Load())
	return f.row("read by a new host", time.Since(began), distinct)
}

// repair reads the last case a number of times, as hosts do that have missed a message.
func (f *filling) repair() error {
	conn, err := f.cluster.Connect()
	if err != nil {
		return err
	}
	defer conn.Close()
	t := jet.Open(conn, jet.Options{})
	defer t.Close()
	began, one := time.Now(), errors.New("one")
	for range repairs {
		err := t.Follow(f.ctx, uint64(f.cases-1), func(transport.Accepted) error { return one })
		if !errors.Is(err, one) {
			return err
		}
	}
	return f.row(fmt.Sprintf("the last case read %d times", repairs), time.Since(began), repairs)
}

// row adds what the servers use now, and the CPU time since the last row.
func (f *filling) row(what string, took time.Duration, cases int) error {
	var rss, disk []float64
	cpu := 0.0
	for i := range cluster.Nodes {
		mb, err := stored(f.cluster.Data(i))
		if err != nil {
			return err
		}
		pid := f.cluster.Pid(i)
		now := seconds(pid)
		rss, disk, cpu, f.spent[pid] = append(rss, resident(pid)), append(disk, mb), cpu+now-f.spent[pid], now
	}
	least, most := lab.Quantile(rss, 0), lab.Quantile(rss, 1)
	f.res.Rows = append(f.res.Rows, lab.Row{lab.Col("servers", what), lab.Col("cases", cases), lab.Col("seconds", took.Seconds()),
		lab.Col("memory MB, least", least), lab.Col("most", most), lab.Col("memory bytes for each case", most*megabytes/float64(f.cases)),
		lab.Col("files MB of a server", lab.Quantile(disk, 1)), lab.Col("CPU s of all servers", cpu)})
	f.Logf("%s after %.1f s: %.0f to %.0f MB", what, took.Seconds(), least, most)
	return nil
}
