//go:build go1.25

package cache

import (
	"os"
	"path/filepath"
	"time"

	"github.com/allele-go/allele/internal/filelock"
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

// Temp is the temporary folder of a command.
type Temp struct {
	Path string
	lock *os.File // locked as long as the command runs
}

func makeTemp(work string) (t Temp, err error) {
	sweep(work)
	if t.Path, err = os.MkdirTemp(work, tempPattern); err != nil {
		return t, err
	}
	if t.lock, err = os.Create(filepath.Join(t.Path, tempLock)); err != nil {
		return t, err
	}
	filelock.Lock(t.lock)
	return t, nil
}

// Remove removes the folder, if it was created.
func (t *Temp) Remove() {
	if t.Path != "" {
		t.lock.Close()
		os.RemoveAll(t.Path)
	}
}

const buildLock = "building" // locked while a command builds in the work folder

// LockBuild waits until no other command builds in a work folder. Several commands may use it at
// the same time, for the same packages or for others; they rewrite the same files, so they build
// in turns. Waiting is called if there is a wait, and what it returns is called after it. The
// system releases the lock of a command that exits, so the wait ends. On a system without locks
// there is no wait.
func LockBuild(work string, waiting func() (stop func())) (unlock func()) {
	f, err := os.OpenFile(filepath.Join(work, buildLock), os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return func() {}
	}
	held, able := filelock.Lock(f)
	if !held && able {
		defer waiting()()
	}
	for !held && able {
		time.Sleep(10 * time.Millisecond)
		held, able = filelock.Lock(f)
	}
	return func() { f.Close() }
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
