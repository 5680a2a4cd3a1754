//go:build go1.25

package main

import (
	"os"
	"path/filepath"
	"time"

	"github.com/allele-go/allele/internal/ops/filelock"
)

// Each command creates a temporary folder in the work folder, and removes it at its end.
// The temporary folders of commands that were killed are removed by the next command.
const (
	tempPattern = "run-*"
	tempLock    = "lock"
	// A folder without a lock file is removed only if it is older than tempYoung: before
	// that, its command may be about to create the lock file.
	tempYoung = time.Minute
	// On a system without locks, a folder is removed only if it is older than tempOld.
	tempOld = 24 * time.Hour
)

// tempFolder is the temporary folder of a command.
type tempFolder struct {
	path string
	lock *os.File // locked as long as the command runs
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

// remove removes the folder, if it was created.
func (t *tempFolder) remove() {
	if t.path != "" {
		t.lock.Close()
		os.RemoveAll(t.path)
	}
}

// sweep removes the temporary folders of commands that have exited. On a system without
// locks it removes the folders that are older than tempOld.
func sweep(work string) {
	left, _ := filepath.Glob(filepath.Join(work, tempPattern)) // the pattern is valid
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
