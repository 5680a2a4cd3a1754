package proc

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/allele-go/allele/internal/ops/filelock"
)

// Slot holds the case that a process is running, in a file that outlives it.
//
// Where the system shares memory between processes the file is mapped, and to
// note a case is to copy it: it is there for others at once, whatever ends the
// process in the middle of the next instruction. Elsewhere it is written.
//
// There are two places for cases, used in turns, and one word that says which
// run is under way: a case is whole before the word speaks of it. The methods
// for the process that runs cases do nothing with a nil Slot.
type Slot struct {
	path string
	file *os.File
	mem  []byte // the file as memory; nil if it is not shared
	run  uint64 // that began last
}

// The words of the head. Numbers are little-endian.
const (
	wordMagic     = 0
	wordRun       = 8 // twice the number of the run, and one more while it is under way
	wordStop      = 16
	wordPassed    = 24
	wordDiscarded = 32
	wordPaths     = 40
	wordFeatures  = 48
	wordKept      = 56
	wordStarted   = 64
	wordMail      = 72  // how many messages were put into its box
	wordOthers    = 80  // it is told that others search too
	wordPause     = 88  // it is asked to rest
	wordResting   = 96  // and it does
	wordMaker     = 104 // the process that made the slot
	wordMulticore = 112 // its cases are run on several processors, in a program without probes

	placesAt = 4096 // where the places begin: on a page of their own
	// caseMax is how large a case may be that fits into a place. A larger one,
	// which is rare and whose run is slow, goes to a file beside.
	caseMax   = 1<<20 - 16
	placeSize = caseMax + 16 // the number of its run and its length come first
	slotSize  = placesAt + 2*placeSize

	magic = 0x33746f6c736c6c61 // "allslot3"
	// largeMax bounds what is read of a file beside.
	largeMax = 64 << 20
)

// NewSlot makes a slot. All its room is taken from the disk now: a full one is
// an error here, and not a fault in the middle of a run.
func NewSlot(path string) (*Slot, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return nil, err
	}
	filelock.Lock(f) // until it is closed, so that others see that it is in use
	if _, err := f.WriteAt(make([]byte, slotSize), 0); err != nil {
		f.Close()
		os.Remove(path)
		return nil, err
	}
	s, err := openSlot(f, path)
	if err == nil {
		s.put(wordMaker, uint64(os.Getpid()))
		s.put(wordMagic, magic)
	}
	return s, err
}

// Left finds the slots in a folder whose makers are gone: a process may have ended
// with one of them in the middle of a run. Each must be in a file whose name
// SlotName gave.
func Left(dir string) []string {
	files, _ := filepath.Glob(filepath.Join(dir, "*"+slotSuffix))
	return slices.DeleteFunc(files, held)
}

// held reports whether the process that made a slot is still there.
func held(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return true // a pipe would be waited for
	}
	f, err := os.Open(path)
	if err != nil {
		return true
	}
	defer f.Close() // which gives the lock back
	free, able := filelock.Lock(f)
	if able {
		return !free
	}
	var maker [8]byte
	_, err = f.ReadAt(maker[:], wordMaker)
	pid := int(binary.LittleEndian.Uint64(maker[:]))
	return err == nil && pid > 0 && !filelock.Ended(pid)
}

const slotSuffix = ".slot"

// SlotName is a name for a slot that this process makes.
func SlotName(n int) string { return fmt.Sprintf("%d-%d%s", os.Getpid(), n, slotSuffix) }

// OpenSlot opens a slot that another process has made.
func OpenSlot(path string) (*Slot, error) {
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() || info.Size() != slotSize {
		return nil, fmt.Errorf("%s is not a slot", path)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	s, err := openSlot(f, path)
	if err == nil && s.get(wordMagic) != magic {
		s.Close()
		return nil, fmt.Errorf("%s is not a slot of this version", path)
	}
	return s, err
}

func openSlot(f *os.File, path string) (*Slot, error) {
	s := &Slot{path: path, file: f}
	if Shared() {
		if mem, err := share(f, slotSize); err == nil {
			s.mem = mem
		} // else it is written like a file
	}
	s.run = s.get(wordRun) / 2
	return s, nil
}

// Path is the file of the slot.
func (s *Slot) Path() string { return s.path }

// Multicore notes that the cases are run on several processors, for whoever looks
// into the one that a process ended with.
func (s *Slot) Multicore() { s.put(wordMulticore, 1) }

// Begin notes that a run of a case begins.
func (s *Slot) Begin(c []byte) {
	if s == nil {
		return
	}
	s.run++
	at := placesAt + int(s.run%2)*placeSize
	if s.mem == nil {
		s.beginFile(at, c)
		return
	}
	place := s.mem[at : at+placeSize]
	binary.LittleEndian.PutUint64(place, s.run)
	binary.LittleEndian.PutUint64(place[8:], uint64(len(c)))
	if len(c) > caseMax {
		s.putLarge(c)
	} else {
		copy(place[16:], c)
	}
	atomic.StoreUint64(s.word(wordRun), 2*s.run+1)
}

func (s *Slot) beginFile(at int, c []byte) {
	b := binary.LittleEndian.AppendUint64(nil, s.run)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(c)))
	if len(c) > caseMax {
		s.putLarge(c)
	} else {
		b = append(b, c...)
	}
	s.file.WriteAt(b, int64(at)) // the room is there; if it fails all the same, the place names another run
	s.put(wordRun, 2*s.run+1)
}

func (s *Slot) putLarge(c []byte) { os.WriteFile(s.large(), c, 0o666) } // as above

func (s *Slot) large() string { return s.path + ".large" }

// Start notes which run of the search the next one is: others are runs of stored
// cases, or of those that a finding shrinks to.
func (s *Slot) Start(run int) {
	switch {
	case s == nil:
	case s.mem != nil:
		*s.word(wordStarted) = uint64(run)
	default:
		s.put(wordStarted, uint64(run))
	}
}

// Seen is what came of the runs so far.
type Seen struct {
	Passed, Discarded int
	Paths             int
	Features          int // the most that were known at a time
	Kept              int // cases
}

// End notes that the run is over, and what came of all so far.
func (s *Slot) End(n Seen) {
	if s == nil {
		return
	}
	words := [...]int{n.Passed, n.Discarded, n.Paths, n.Features, n.Kept}
	if s.mem != nil {
		for i, x := range words {
			*s.word(wordPassed + 8*i) = uint64(x)
		}
		atomic.StoreUint64(s.word(wordRun), 2*s.run)
		return
	}
	var b []byte
	for _, x := range words {
		b = binary.LittleEndian.AppendUint64(b, uint64(x))
	}
	s.file.WriteAt(b, wordPassed)
	s.put(wordRun, 2*s.run)
}

// Stop asks the process to end after its present run.
func (s *Slot) Stop() { s.put(wordStop, 1) }

// Mail says how many messages there are for the process.
func (s *Slot) Mail(n int) { s.put(wordMail, uint64(n)) }

// Mails is how many there are.
func (s *Slot) Mails() int {
	if s == nil {
		return 0
	}
	return int(s.get(wordMail))
}

// Stopped reports whether it was asked.
func (s *Slot) Stopped() bool { return s != nil && s.get(wordStop) != 0 }

// Pause asks the process to rest after its present run, or to go on.
func (s *Slot) Pause(rest bool) { s.put(wordPause, flag(rest)) }

// Paused reports whether it was asked to rest.
func (s *Slot) Paused() bool { return s != nil && s.get(wordPause) != 0 }

// Rest notes that the process rests, or goes on.
func (s *Slot) Rest(rests bool) { s.put(wordResting, flag(rests)) }

// Others tells the process whether others search with it.
func (s *Slot) Others(others bool) { s.put(wordOthers, flag(others)) }

// HasOthers reports whether they do.
func (s *Slot) HasOthers() bool { return s != nil && s.get(wordOthers) != 0 }

func flag(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// Now is what a slot tells about its process.
type Now struct {
	Run     int  // the present run or, if none is under way, the last
	Running bool // one is under way
	Resting bool // it waits until it may go on
	Started int  // the last run of the search, this one if it is one

	Multicore bool // it runs on several processors, without probes
	Seen
}

// Look tells how far the process is.
func (s *Slot) Look() Now {
	run := s.get(wordRun)
	n := Now{Run: int(run / 2), Running: run%2 == 1, Resting: s.get(wordResting) != 0,
		Started: int(s.get(wordStarted)), Multicore: s.get(wordMulticore) != 0}
	for i, x := range []*int{&n.Passed, &n.Discarded, &n.Paths, &n.Features, &n.Kept} {
		*x = int(s.get(wordPassed + 8*i))
	}
	return n
}

var errNoCase = errors.New("no run is under way")

// Case is the case of the run that is under way. It is for when the process has
// ended or hangs; nothing in the file is believed.
func (s *Slot) Case() ([]byte, error) {
	now := s.Look()
	if !now.Running {
		return nil, errNoCase
	}
	place := make([]byte, placeSize)
	at := int64(placesAt + now.Run%2*placeSize)
	if s.mem != nil {
		copy(place, s.mem[at:])
	} else if _, err := s.file.ReadAt(place, at); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint64(place[8:])
	switch {
	case binary.LittleEndian.Uint64(place) != uint64(now.Run):
		return nil, fmt.Errorf("%s does not hold the case of run %d", s.path, now.Run)
	case n <= caseMax:
		return place[16 : 16+n], nil
	}
	return s.readLarge(n)
}

func (s *Slot) readLarge(n uint64) ([]byte, error) {
	f, err := os.Open(s.large())
	if err != nil {
		return nil, err
	}
	defer f.Close()
	c, err := io.ReadAll(io.LimitReader(f, largeMax))
	if err == nil && uint64(len(c)) != n {
		err = fmt.Errorf("%s: a case of %d bytes is cut off or too large", s.large(), n)
	}
	return c, err
}

// Close lets the file go; it stays.
func (s *Slot) Close() error {
	if s.mem != nil {
		unshare(s.mem)
		s.mem = nil
	}
	return s.file.Close()
}

// Remove closes the slot and removes its file.
func (s *Slot) Remove() error {
	s.Close()
	os.Remove(s.large()) // hardly ever there
	return os.Remove(s.path)
}

func (s *Slot) word(at int) *uint64 { return (*uint64)(unsafe.Pointer(&s.mem[at])) }

func (s *Slot) get(at int) uint64 {
	if s.mem != nil {
		return atomic.LoadUint64(s.word(at))
	}
	var b [8]byte
	if _, err := s.file.ReadAt(b[:], int64(at)); err != nil {
		return 0
	}
	return binary.LittleEndian.Uint64(b[:])
}

func (s *Slot) put(at int, x uint64) {
	if s.mem != nil {
		atomic.StoreUint64(s.word(at), x)
		return
	}
	s.file.WriteAt(binary.LittleEndian.AppendUint64(nil, x), int64(at))
}

// Shared reports whether memory is shared between processes and limited here.
// ALLELE_SHARED=off has it done as on systems where it is not.
func Shared() bool { return canShare && os.Getenv("ALLELE_SHARED") != "off" }
