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

	"github.com/allele-go/allele/internal/ops/filelock"
)

// A segment's name says when it was begun, relative to the others, and whose it
// is while it is written:
//
//	000007-3815112.corpus               // closed: nobody writes to it
//	000007-3815112.flock.corpus         // its writer holds a lock on it
//	000007-3815112.4711-1f2e3d4c.corpus // its writer is process 4711 of a host
//	000007-3815112.flock.tmp            // Compact is making it
//
// The lock is better: it goes away with its holder, whoever looks and from which
// container. The number of a process is for systems and file systems without
// one. It says nothing on another host, so what was left there stays as it is.
type segment struct {
	dir    string
	number int64
	token  string // tells apart segments that were begun at once
	owner  string // empty, flocked, or what self gives
	ext    string
}

const (
	segmentExt = ".corpus"
	tmpExt     = ".tmp"
	flocked    = "flock"
)

// numberMax is beyond all that counting reaches, and leaves room for one more.
const numberMax = 1 << 60

func (s segment) name() string {
	if s.owner == "" {
		return fmt.Sprintf("%06d-%s%s", s.number, s.token, s.ext)
	}
	return fmt.Sprintf("%06d-%s.%s%s", s.number, s.token, s.owner, s.ext)
}

func (s segment) path() string { return filepath.Join(s.dir, s.name()) }

// closed is what it is called when its writer is done.
func (s segment) closed() segment {
	s.owner, s.ext = "", segmentExt
	return s
}

// owned is what it is called while somebody works on it.
func (s segment) owned(owner string) segment {
	s.owner = owner
	return s
}

// parseName reports false for a file that is none of ours.
func parseName(dir, name string) (segment, bool) {
	s := segment{dir: dir, ext: filepath.Ext(name)}
	number, rest, _ := strings.Cut(strings.TrimSuffix(name, s.ext), "-")
	s.number, _ = strconv.ParseInt(number, 10, 64)
	s.token, s.owner, _ = strings.Cut(rest, ".")
	return s, s.token != "" && s.number <= numberMax && s.name() == name
}

// segments lists those of a folder with an extension, the oldest first. What is
// not a regular file is left alone: a pipe, say, would keep us waiting.
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

// begin makes an empty segment of this process, with a lock if there are locks.
//
// It first has the name of this process and then the one for locked segments,
// so that at no time it looks as if nobody had it.
func begin(dir string, number int64, ext string) (segment, *os.File, error) {
	f, err := os.CreateTemp(dir, fmt.Sprintf("%06d-*.%s%s", number, self(), ext))
	if err != nil {
		return segment{}, nil, err
	}
	s, _ := parseName(dir, filepath.Base(f.Name()))
	err = f.Chmod(0o644) // a corpus is no secret
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

// A claim is a segment that nobody but us works on until it is released.
type claim struct {
	segment
	file *os.File
}

// claim takes a segment whose writer is gone. It reports false if the writer is
// there, if somebody else has just taken it, or if one cannot know.
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
		// Of several who try this one succeeds, and the others see a living owner.
		return &claim{s.owned(self()), f}, true
	}
	f.Close()
	return nil, false
}

// release lets others have it.
func (c *claim) release() {
	c.file.Close()
	if c.owner == self() {
		// If this fails it is ours until this process ends.
		os.Rename(c.path(), c.closed().path())
	}
}

// remove takes it out of the folder. It is closed first, because some systems do
// not remove an open file.
func (c *claim) remove() error {
	c.file.Close()
	err := os.Remove(c.path())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// stillAt tells whether a file that was just locked is the one with that name.
// Somebody else may have had the lock until now, to remove it.
func stillAt(f *os.File, path string) bool {
	opened, err1 := f.Stat()
	named, err2 := os.Lstat(path)
	return err1 == nil && err2 == nil && os.SameFile(opened, named)
}

// lock takes the lock of a file. It reports whether it was free, and whether
// there are locks at all.
func lock(f *os.File) (held, able bool) {
	// The variable is for tests of what systems without locks do.
	if os.Getenv("ALLELE_SHARED") == "off" {
		return false, false
	}
	return filelock.Lock(f)
}

// self names this process as an owner.
func self() string { return fmt.Sprintf("%d-%s", os.Getpid(), host()) }

// dead tells whether a process has surely ended. One of another host, or an
// owner that we cannot read, may be alive.
func dead(owner string) bool {
	number, where, _ := strings.Cut(owner, "-")
	pid, err := strconv.Atoi(number)
	if err != nil || where != host() {
		return false
	}
	return filelock.Ended(pid)
}

func host() string {
	name, _ := os.Hostname() // without one, all such hosts are the same
	h := fnv.New32a()
	h.Write([]byte(name))
	return fmt.Sprintf("%08x", h.Sum32())
}
