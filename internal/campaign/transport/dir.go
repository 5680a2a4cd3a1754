//go:build go1.25

package transport

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/allele-go/allele/internal/filelock"
)

// Dir returns a transport between processes that share a folder, on one host or on a few. All of them append records to
// one file, under a lock. A record is on the disk before the call returns that has made it.
func Dir(folder string) (Transport, error) {
	d, err := openDir(folder)
	if err != nil {
		return nil, err
	}
	return newStore(d), nil
}

const (
	recordsName = "records"
	lockName    = "lock"
	// A follower looks for new records so often. Hosts need not know of each other's cases at once.
	lookEvery = 200 * time.Millisecond
	lockEvery = 2 * time.Millisecond
)

// dir is a folder with records. Its state is that of the records that this process has read.
type dir struct {
	folder  string
	turn    chan struct{} // held by the goroutine that uses the fields below
	state   *state
	journal *journal
}

func openDir(folder string) (*dir, error) {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	j, err := openJournal(filepath.Join(folder, recordsName))
	if err != nil {
		return nil, err
	}
	return &dir{folder, make(chan struct{}, 1), newState(), j}, nil
}

func (d *dir) change(ctx context.Context, do func(*state) []record) error {
	select {
	case d.turn <- struct{}{}:
		defer func() { <-d.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	unlock, err := d.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if err := d.journal.read(d.state.apply); err != nil {
		return err
	}
	rs := do(d.state)
	if len(rs) == 0 {
		return nil
	}
	if err := d.journal.append(rs); err != nil {
		return err
	}
	for _, r := range rs {
		d.state.apply(r)
	}
	return nil
}

// lock waits until no other process has the lock. The system releases the lock of a process that dies.
func (d *dir) lock(ctx context.Context) (unlock func(), err error) {
	f, err := os.OpenFile(filepath.Join(d.folder, lockName), os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	for {
		if held, able := filelock.Lock(f); held {
			return func() { f.Close() }, nil
		} else if !able {
			f.Close()
			return nil, errNoLocks
		}
		select {
		case <-time.After(lockEvery):
		case <-ctx.Done():
			f.Close()
			return nil, ctx.Err()
		}
	}
}

func (d *dir) wait(ctx context.Context, _ uint64) error {
	select {
	case <-time.After(lookEvery):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (d *dir) close() error {
	d.turn <- struct{}{}
	defer func() { <-d.turn }()
	return d.journal.close()
}
