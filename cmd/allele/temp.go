package main

import (
	"os"
	"path/filepath"
	"time"

	"github.com/allele-go/allele/internal/ops/filelock"
)

// A command keeps what it needs only while it runs in a folder of its own in the work
// folder, and the next command removes what one that was killed has left there.
const (
	tempPattern = "run-*"
	tempLock    = "lock"
	// tempYoung is how long a folder without a lock may be about to get one.
	tempYoung = time.Minute
	// tempOld is how long one stays where the system has no locks.
	tempOld = 24 * time.Hour
)

// tempFolder is such a folder.
type tempFolder struct {
	path string
	lock *os.File // held as long as the command runs
}

func makeTemp(work string) (t tempFolder, err error) {
	sweep(work)
	if t.path, err = os.MkdirTemp(work, tempPattern); err != nil {
		return t, err
	}
	if t.lock, err = os.Create(filepath.Join(t.path, tempLock)); err != nil {
		return t, err
	}
	filelock.Lock(t.lock)
	return t, nil
}

// remove removes the folder, if it was made.
func (t *tempFolder) remove() {
	if t.path != "" {
		t.lock.Close()
		os.RemoveAll(t.path)
	}
}

// sweep removes the folders of commands that have exited. Where the system has no
// locks, they stay for a while.
func sweep(work string) {
	left, _ := filepath.Glob(filepath.Join(work, tempPattern)) // the pattern is good
	for _, dir := range left {
		info, err := os.Stat(dir)
		if err != nil {
			continue
		}
		f, err := os.Open(filepath.Join(dir, tempLock))
		if err != nil {
			if time.Since(info.ModTime()) > tempYoung {
				os.RemoveAll(dir)
			}
			continue
		}
		held, able := filelock.Lock(f)
		f.Close()
		if held || !able && time.Since(info.ModTime()) > tempOld {
			os.RemoveAll(dir)
		}
	}
}
