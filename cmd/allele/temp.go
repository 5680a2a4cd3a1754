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
	// tempOld is how long one stays where nobody is able to lock.
	tempOld = 24 * time.Hour
)

// makeTemp makes that folder.
func (c *campaign) makeTemp() (err error) {
	sweep(c.work)
	if c.temp, err = os.MkdirTemp(c.work, tempPattern); err != nil {
		return err
	}
	if c.tempLock, err = os.Create(filepath.Join(c.temp, tempLock)); err != nil {
		return err
	}
	filelock.Lock(c.tempLock)
	return nil
}

// removeTemp removes it.
func (c *campaign) removeTemp() {
	if c.temp != "" {
		c.tempLock.Close()
		os.RemoveAll(c.temp)
	}
}

// sweep removes the folders of commands that are no more. Where nobody is able to
// lock they stay for a while.
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
