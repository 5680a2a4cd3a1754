//go:build go1.25

package corpus

import (
	"cmp"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/allele-go/allele/internal/filelock"
)

// segment is the name of a segment's file. It begins with a number: a segment that was
// begun later has a higher number. While the segment is written, the name also contains
// its owner:
//
//	000007-3815112.corpus               // closed: no process writes to it
//	000007-3815112.flock.corpus         // its writer holds a lock on it
//	000007-3815112.4711-1f2e3d4c.corpus // its writer is process 4711 of a host
//	000007-3815112.flock.tmp            // Compact is writing it
//
// A lock is better than a process number: the system releases it when its holder exits,
// and it works across containers. The process number is for systems and file systems
// without locks. It has no meaning on another host, so segments of other hosts are left
// alone.
type segment struct {
	dir    string
	number int64
	token  string // distinguishes segments that were begun at the same time
	owner  string // empty, flocked, or the result of self
	ext    string
}

const (
	segmentExt = ".corpus"
	tmpExt     = ".tmp"
	flocked    = "flock"
)

// numberMax is the highest number of a segment. Counting never reaches it, and adding 1
// to it does not overflow.
const numberMax = 1 << 60

func (s segment) name() string {
	if s.owner == "" {
		return fmt.Sprintf("%06d-%s%s", s.number, s.token, s.ext)
	}
	return fmt.Sprintf("%06d-%s.%s%s", s.number, s.token, s.owner, s.ext)
}

func (s segment) path() string { return filepath.Join(s.dir, s.name()) }

// closed returns the name of the segment after its writer has closed it.
func (s segment) closed() segment {
	s.owner, s.ext = "", segmentExt
	return s
}

// owned returns the name of the segment while owner uses it.
func (s segment) owned(owner string) segment {
	s.owner = owner
	return s
}

// parseName reads the name of a segment. It returns false for other names.
func parseName(dir, name string) (segment, bool) {
	s := segment{dir: dir, ext: filepath.Ext(name)}
	number, rest, _ := strings.Cut(strings.TrimSuffix(name, s.ext), "-")
	s.number, _ = strconv.ParseInt(number, 10, 64)
	s.token, s.owner, _ = strings.Cut(rest, ".")
	return s, s.token != "" && s.number <= numberMax && s.name() == name
}

// segments lists the segments in a folder that have this extension, the oldest first. It
// skips everything but regular files: opening a pipe could block.
func segments(dir, ext string) ([]segment, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var list []segment
	for _, e := range entries {
		s, ours := parseName(dir, e.Name())
		if ours && s.ext == ext && e.Type().IsRegular() {
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b segment) int {
		return cmp.Or(cmp.Compare(a.number, b.number), strings.Compare(a.name(), b.name()))
	})
	return list, nil
}

// begin creates an empty segment of this process, with a lock if the system has locks.
//
// The name of the file first contains this process as its owner. Once the file is locked,
// it is renamed. So the name contains an owner at all times.
func begin(dir string, number int64, ext string) (segment, *os.File, error) {
	f, err := os.CreateTemp(dir, fmt.Sprintf("%06d-*.%s%s", number, self(), ext))
	if err != nil {
		return segment{}, nil, err
	}
	s, _ := parseName(dir, filepath.Base(f.Name()))
	err = f.Chmod(0o644) // CreateTemp makes it 0600, but a corpus is not secret
	if held, _ := lock(f); held && err == nil {
		err = os.Rename(s.path(), s.owned(flocked).path())
		s = s.owned(flocked)
	}
	if err != nil {
		f.Close()
		os.Remove(f.Name())
		return segment{}, nil, err
	}
	return s, f, nil
}

// claim is a segment that only this process uses until it is released.
type claim struct {
	segment
	file *os.File
}

// claim claims a segment whose writer has exited. It returns false if the writer still
// runs, if another process has claimed the segment, or if claim cannot find out.
func (s segment) claim() (*claim, bool) {
	if s.owner != "" && s.owner != flocked && !dead(s.owner) {
		return nil, false
	}
	f, err := os.OpenFile(s.path(), os.O_RDWR, 0)
	if err != nil {
		return nil, false
	}
	held, able := lock(f)
	switch {
	case held && stillAt(f, s.path()):
		return &claim{s, f}, true
	case !able && s.owner != flocked && os.Rename(s.path(), s.owned(self()).path()) == nil:
		// If several processes try this, one succeeds, and the others see a living owner.
		return &claim{s.owned(self()), f}, true
	}
	f.Close()
	return nil, false
}

// release lets other processes claim the segment.
func (c *claim) release() {
	c.file.Close()
	if c.owner == self() {
		// If this fails, the segment stays claimed until this process exits.
		os.Rename(c.path(), c.closed().path())
	}
}

// remove closes and removes the segment. Some systems do not remove an open file.
func (c *claim) remove() error {
	c.file.Close()
	err := os.Remove(c.path())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// stillAt reports whether f, which was just locked, is still the file at path. The
// previous holder of the lock may have removed it.
func stillAt(f *os.File, path string) bool {
	opened, err1 := f.Stat()
	named, err2 := os.Lstat(path)
	return err1 == nil && err2 == nil && os.SameFile(opened, named)
}

// lock locks a file. It returns whether this process now holds the lock, and whether
// the file can be locked at all.
func lock(f *os.File) (held, able bool) {
	// The variable makes tests behave like a system without locks.
	if os.Getenv("ALLELE_SHARED") == "off" {
		return false, false
	}
	return filelock.Lock(f)
}

// self returns the owner name of this process.
func self() string { return fmt.Sprintf("%d-%s", os.Getpid(), host()) }

// dead reports whether the process of an owner has certainly exited. A process of another
// host, or an owner that cannot be parsed, may be alive.
func dead(owner string) bool {
	number, where, _ := strings.Cut(owner, "-")
	pid, err := strconv.Atoi(number)
	if err != nil || where != host() {
		return false
	}
	return filelock.Ended(pid)
}

func host() string {
	name, _ := os.Hostname() // hosts without a name count as one host
	h := fnv.New32a()
	h.Write([]byte(name))
	return fmt.Sprintf("%08x", h.Sum32())
}
