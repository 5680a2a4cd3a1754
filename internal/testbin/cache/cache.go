//go:build go1.25

// Package cache decides what stays in the user's cache folder, and for how long.
//
// The cache has a work folder for each folder and set of flags that a command was called with,
// and the corpora. Work folders can be built again, so old ones are removed. Corpora cannot, and
// only allele clean -corpus removes them.
//
//	temp, err := cache.Enter(root, work)     // testbin: a command begins to use a work folder
//	defer temp.Remove()
//	unlock := cache.LockBuild(work, waiting) // testbin: commands build in turns
//	cache.Trim(root, now, cache.BytesMax)    // testbin: once a day, at the end of a command
//	cache.Works(root)                        // allele clean
//
// The one idea: a command that uses a work folder has a temporary folder in it, with a lock. The
// system releases the lock of a process that was killed. So a work folder is in use exactly if it
// contains a locked temporary folder, and the rest of what is there was left behind.
package cache

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/allele-go/allele/internal/filelock"
	"github.com/allele-go/allele/internal/source/build"
)

const (
	// As in the go command, the cache is trimmed at most once a day, and what was not used
	// for five days is removed.
	trimEvery = 24 * time.Hour
	unusedMax = 5 * 24 * time.Hour
	// BytesMax is the size that work folders may have together. A repository of 300 packages with
	// 100 properties needs 0.9 GB, and 1.7 GB with operand binaries, so there is room for it with two
	// sets of flags. See docs/RATIONALE.md.
	BytesMax = 4 << 30

	trimmedName = "trimmed" // its modification time is when the cache was last trimmed
	lockName    = "lock"    // locked while a work folder is entered, or removed
	removedGlob = "removed-*"
	lockWait    = 5 * time.Second
)

// workName matches the names of work folders.
var workName = regexp.MustCompile(`^.+-[0-9a-f]{16}$`)

// Root returns the folder that contains everything that the command caches.
func Root() (string, error) {
	cache, err := User()
	return filepath.Join(cache, "allele"), err
}

// Corpora returns the folder of all corpora.
func Corpora() (string, error) {
	cache, err := Root()
	return filepath.Join(cache, "corpus"), err
}

// Enter creates a work folder and the temporary folder of a command in it. As long as the latter
// is there, the work folder is not removed.
func Enter(root, work string) (t Temp, err error) {
	if err := os.MkdirAll(root, 0o777); err != nil {
		return t, err
	}
	defer lock(root)()
	if err := os.MkdirAll(work, 0o777); err != nil {
		return t, err
	}
	return makeTemp(work)
}

// Work is a work folder in the cache.
type Work struct {
	Path  string
	Bytes int64
	used  time.Time // when a command last began to use it
}

// Works returns the work folders in the cache, the one that was not used for the
// longest time first.
func Works(root string) (all []Work) {
	entries, _ := os.ReadDir(root) // if the cache cannot be read, there is nothing to remove
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !e.IsDir() || !workName.MatchString(e.Name()) {
			continue
		}
		// Each command creates a folder in its work folder, which sets the time.
		path := filepath.Join(root, e.Name())
		all = append(all, Work{path, SizeBelow(path), info.ModTime()})
	}
	slices.SortStableFunc(all, func(a, b Work) int { return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.Path, b.Path)) })
	return all
}

// SizeBelow returns the size of all files below a folder.
func SizeBelow(dir string) (bytes int64) {
	filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // another process has removed it
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			bytes += info.Size()
		}
		return nil
	})
	return bytes
}

// InUse reports whether a command uses a work folder now.
func (w Work) InUse() bool {
	sweep(w.Path)
	left, _ := filepath.Glob(filepath.Join(w.Path, tempPattern)) // the pattern is valid
	return len(left) > 0
}

// Remove removes a work folder, and returns false if a command uses it. A command that
// begins meanwhile creates the folder again: the folder is renamed while no command can
// enter it, and removed under its new name.
func (w Work) Remove(root string) (bool, error) {
	away, err := os.MkdirTemp(root, removedGlob)
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(away)
	unlock := lock(root)
	defer unlock()
	if w.InUse() {
		return false, nil
	}
	if err := os.Rename(w.Path, filepath.Join(away, "work")); err != nil {
		return false, err
	}
	unlock()
	return true, os.RemoveAll(away)
}

// trimInside removes what was not used since a time from a work folder that is still used,
// unless a command uses it now.
func (w Work) trimInside(root string, before time.Time) {
	defer lock(root)()
	if w.InUse() {
		return
	}
	build.Trim(w.Path, before)
	os.Chtimes(w.Path, w.used, w.used) // so that trimming does not count as a use
}

// lock makes other commands wait that want to enter or to remove a work folder. It
// waits for them, but not for ever: a lock that stays is no reason to stop working.
func lock(root string) (unlock func()) {
	f, err := os.OpenFile(filepath.Join(root, lockName), os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return func() {}
	}
	for begin := time.Now(); time.Since(begin) < lockWait; time.Sleep(10 * time.Millisecond) {
		if held, able := filelock.Lock(f); held || !able {
			break
		}
	}
	return func() { f.Close() }
}

// Trim removes work folders that were not used for long, and more if the cache is too
// large. It does nothing if that was done less than trimEvery ago. It prints nothing, and
// what cannot be removed now is removed another day.
func Trim(root string, now time.Time, bytesMax int64) {
	mark := filepath.Join(root, trimmedName)
	info, err := os.Stat(mark)
	if err == nil && now.Sub(info.ModTime()) < trimEvery && now.Sub(info.ModTime()) > -trimEvery {
		return
	}
	if os.WriteFile(mark, nil, 0o666) != nil || os.Chtimes(mark, now, now) != nil {
		return
	}
	RemoveLeftovers(root, now)
	all := Works(root)
	total := int64(0)
	for _, w := range all {
		total += w.Bytes
	}
	for _, w := range all {
		if now.Sub(w.used) <= unusedMax && total <= bytesMax {
			w.trimInside(root, now.Add(-unusedMax))
			continue
		}
		if removed, err := w.Remove(root); removed && err == nil {
			total -= w.Bytes
		}
	}
}

// RemoveLeftovers removes folders that a command that was killed has not removed.
func RemoveLeftovers(root string, now time.Time) {
	left, _ := filepath.Glob(filepath.Join(root, removedGlob)) // the pattern is valid
	for _, dir := range left {
		if info, err := os.Stat(dir); err == nil && now.Sub(info.ModTime()) > tempOld {
			os.RemoveAll(dir)
		}
	}
}
