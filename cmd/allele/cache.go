//go:build go1.25

package main

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/allele-go/allele/internal/ops/filelock"
	"github.com/allele-go/allele/internal/source/build"
)

// The cache contains a work folder for each folder and set of flags that a command was
// called with, and the corpora. Work folders can be built again, so old ones are removed.
// Corpora cannot, and only allele clean -corpus removes them.
const (
	// As in the go command, the cache is trimmed at most once a day, and what was not used
	// for five days is removed.
	trimEvery = 24 * time.Hour
	unusedMax = 5 * 24 * time.Hour
	// cacheMax is the size that work folders may have together. A repository of 300 packages with
	// 100 properties needs 0.9 GB, and 1.7 GB with operand binaries, so there is room for it with two
	// sets of flags. See docs/RATIONALE.md.
	cacheMax = 4 << 30

	trimmedName = "trimmed" // its modification time is when the cache was last trimmed
	lockName    = "lock"    // locked while a work folder is entered, or removed
	removedGlob = "removed-*"
	lockWait    = 5 * time.Second
)

// workName matches the names of work folders.
var workName = regexp.MustCompile(`^.+-[0-9a-f]{16}$`)

// cacheRoot returns the folder that contains everything that the command caches.
func cacheRoot() (string, error) {
	cache, err := userCache()
	return filepath.Join(cache, "allele"), err
}

// workFolder is a work folder in the cache.
type workFolder struct {
	path  string
	bytes int64
	used  time.Time // when a command last began to use it
}

// workFolders returns the work folders in the cache, the one that was not used for the
// longest time first.
func workFolders(root string) (all []workFolder) {
	entries, _ := os.ReadDir(root) // if the cache cannot be read, there is nothing to remove
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !e.IsDir() || !workName.MatchString(e.Name()) {
			continue
		}
		// Each command creates a folder in its work folder, which sets the time.
		path := filepath.Join(root, e.Name())
		all = append(all, workFolder{path, sizeBelow(path), info.ModTime()})
	}
	slices.SortStableFunc(all, func(a, b workFolder) int { return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.path, b.path)) })
	return all
}

// sizeBelow returns the size of all files below a folder.
func sizeBelow(dir string) (bytes int64) {
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

// inUse reports whether a command uses a work folder now.
func (w workFolder) inUse() bool {
	sweep(w.path)
	left, _ := filepath.Glob(filepath.Join(w.path, tempPattern)) // the pattern is valid
	return len(left) > 0
}

// remove removes a work folder, and returns false if a command uses it. A command that
// begins meanwhile creates the folder again: the folder is renamed while no command can
// enter it, and removed under its new name.
func (w workFolder) remove(root string) (bool, error) {
	away, err := os.MkdirTemp(root, removedGlob)
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(away)
	unlock := lockCache(root)
	defer unlock()
	if w.inUse() {
		return false, nil
	}
	if err := os.Rename(w.path, filepath.Join(away, "work")); err != nil {
		return false, err
	}
	unlock()
	return true, os.RemoveAll(away)
}

// trimInside removes what was not used since a time from a work folder that is still used,
// unless a command uses it now.
func (w workFolder) trimInside(root string, before time.Time) {
	defer lockCache(root)()
	if w.inUse() {
		return
	}
	build.Trim(w.path, before)
	os.Chtimes(w.path, w.used, w.used) // so that trimming does not count as a use
}

// lockCache makes other commands wait that want to enter or to remove a work folder. It
// waits for them, but not for ever: a lock that stays is no reason to stop working.
func lockCache(root string) (unlock func()) {
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

// trim removes work folders that were not used for long, and more if the cache is too
// large. It does nothing if that was done less than trimEvery ago. It prints nothing, and
// what cannot be removed now is removed another day.
func trim(root string, now time.Time, bytesMax int64) {
	mark := filepath.Join(root, trimmedName)
	info, err := os.Stat(mark)
	if err == nil && now.Sub(info.ModTime()) < trimEvery && now.Sub(info.ModTime()) > -trimEvery {
		return
	}
	if os.WriteFile(mark, nil, 0o666) != nil || os.Chtimes(mark, now, now) != nil {
		return
	}
	removeLeftovers(root, now)
	all := workFolders(root)
	total := int64(0)
	for _, w := range all {
		total += w.bytes
	}
	for _, w := range all {
		if now.Sub(w.used) <= unusedMax && total <= bytesMax {
			w.trimInside(root, now.Add(-unusedMax))
			continue
		}
		if removed, err := w.remove(root); removed && err == nil {
			total -= w.bytes
		}
	}
}

// removeLeftovers removes folders that a command that was killed has not removed.
func removeLeftovers(root string, now time.Time) {
	left, _ := filepath.Glob(filepath.Join(root, removedGlob)) // the pattern is valid
	for _, dir := range left {
		if info, err := os.Stat(dir); err == nil && now.Sub(info.ModTime()) > tempOld {
			os.RemoveAll(dir)
		}
	}
}
