// Package spool keeps failures on disk until a server has stored them. A failure is added before it
// is reported, and is removed after the servers have confirmed it, so killing the agent at any time
// loses none.
//
//	s, err := spool.Open(dir)
//	err = s.Add(f)                // returns when f is on the disk
//	go s.Send(ctx, report)        // until ctx is done
package spool

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/campaign/transport"
)

// Spool is a folder of failures.
type Spool struct {
	dir  string
	more chan struct{} // has an element if there may be something to send
}

const (
	ext      = ".failure"
	fileMax  = 64 << 20
	pauseMin = 100 * time.Millisecond
	pauseMax = 10 * time.Second
)

// Open opens a folder, and makes it if there is none. Only one process may use it.
func Open(dir string) (*Spool, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	s := &Spool{dir, make(chan struct{}, 1)}
	for _, part := range s.names(func(name string) bool { return strings.HasPrefix(name, "part-") }) {
		os.Remove(part) // of an Add that was killed: the agent did not know yet that it was stored
	}
	s.wake()
	return s, nil
}

func (s *Spool) wake() {
	select {
	case s.more <- struct{}{}:
	default:
	}
}

// Add adds a failure. When it returns, the failure is on the disk.
func (s *Spool) Add(f transport.Failure) error {
	text, err := json.Marshal(f)
	if err != nil {
		return err
	}
	part, err := os.CreateTemp(s.dir, "part-*")
	if err != nil {
		return fmt.Errorf("spool a failure: %w", err)
	}
	defer os.Remove(part.Name()) // after the rename this does nothing
	_, err = part.Write(text)
	if err = errors.Join(err, part.Sync(), part.Close()); err != nil {
		return fmt.Errorf("spool a failure: %w", err)
	}
	if err := os.Rename(part.Name(), filepath.Join(s.dir, hex.EncodeToString(f.Key[:])+ext)); err != nil {
		return fmt.Errorf("spool a failure: %w", err)
	}
	s.wake()
	return syncFolder(s.dir)
}

// syncFolder makes sure that the names in a folder are on the disk.
func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Len returns how many failures wait.
func (s *Spool) Len() int { return len(s.files()) }

func (s *Spool) files() []string {
	return s.names(func(name string) bool { return strings.HasSuffix(name, ext) })
}

// names returns the paths of the files with some names. The folder may have any name, so this is no pattern.
func (s *Spool) names(want func(name string) bool) (paths []string) {
	all, _ := os.ReadDir(s.dir) // a folder that cannot be read is tried again
	for _, e := range all {
		if want(e.Name()) && e.Type().IsRegular() {
			paths = append(paths, filepath.Join(s.dir, e.Name()))
		}
	}
	return paths
}

// Send calls report for each failure until it succeeds, and then removes it. Send goes on with
// later ones until the context is done.
func (s *Spool) Send(ctx context.Context, report func(context.Context, transport.Failure) error) {
	for pause := pauseMin; ctx.Err() == nil; {
		failed := false
		for _, file := range s.files() {
			failed = s.sendOne(ctx, file, report) != nil || failed
		}
		if pause = min(2*pause, pauseMax); !failed {
			pause = pauseMin
			select {
			case <-s.more:
			case <-ctx.Done():
			}
			continue
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
	}
}

func (s *Spool) sendOne(ctx context.Context, file string, report func(context.Context, transport.Failure) error) error {
	f, err := read(file)
	if errors.Is(err, errDamaged) {
		return os.Rename(file, strings.TrimSuffix(file, ext)+".damaged") // for a person
	}
	if err == nil {
		err = report(ctx, f)
	}
	if err != nil {
		return err
	}
	return os.Remove(file)
}

var errDamaged = errors.New("this is no failure")

func read(file string) (f transport.Failure, err error) {
	info, err := os.Stat(file)
	if err != nil {
		return f, err
	}
	if info.Size() > fileMax {
		return f, errDamaged
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return f, err
	}
	if json.Unmarshal(text, &f) != nil {
		return f, errDamaged
	}
	return f, nil
}
