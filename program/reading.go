//go:build go1.25 && linux

package program

import (
	"os"
	"path/filepath"
	"syscall"
)

// reading finds out whether a program reads its input. A program that does not, because its command line is wrong, would
// pass every test.
//
// Reading a file, or mapping it into memory, sets its access time. Most systems set that time only if it is older than
// the last change, so it is made very old before a run. When a run has read its input, nothing is looked at any more: the
// first run does, except with a wrong command line.
type reading struct {
	known   bool // a run has read its input, or the access time says nothing
	tried   bool // the file system sets access times
	offered bool // a run had an input that is not empty
}

// longAgo is the access time of an input that was not read: a second after the beginning of 1970.
var longAgo = syscall.Timespec{Sec: 1}

// unchanged stands for a time that is not set (UTIME_OMIT).
var unchanged = syscall.Timespec{Nsec: 1<<30 - 2}

// expect is called before a run.
func (r *reading) expect(f folder) {
	if r.known {
		return
	}
	if !r.tried {
		r.tried = true
		if r.known = !setsAccess(filepath.Join(f.path, "access")); r.known {
			return
		}
	}
	info, err := os.Stat(f.file)
	r.known = err != nil || syscall.UtimesNano(f.file, []syscall.Timespec{longAgo, unchanged}) != nil
	r.offered = r.offered || err == nil && info.Size() > 0
}

// missed reports whether no run has read its input so far, after a run. A program may notice that an input is empty
// without reading it, so there must have been another one.
func (r *reading) missed(f folder) bool {
	r.known = r.known || accessed(f.file)
	return !r.known && r.offered
}

// accessed reports whether a file was read since its access time was set to longAgo, or removed.
func accessed(file string) bool {
	var now syscall.Stat_t
	return syscall.Stat(file, &now) != nil || now.Atim != longAgo
}

// setsAccess reports whether the file system sets access times, by reading a new file.
func setsAccess(file string) bool {
	defer os.Remove(file)
	if os.WriteFile(file, []byte("x"), 0o666) != nil || syscall.UtimesNano(file, []syscall.Timespec{longAgo, unchanged}) != nil {
		return false
	}
	if accessed(file) {
		return false
	}
	_, err := os.ReadFile(file)
	return err == nil && accessed(file)
}
