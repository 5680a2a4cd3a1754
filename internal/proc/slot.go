//go:build go1.25

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

	"github.com/allele-go/allele/internal/filelock"
)

// Slot contains the input that a process is running, in a file that outlives the process.
//
// Where processes can share memory, the file is mapped. To write an input is then only a
// copy in memory, and other processes see the input at once, even if the process dies at
// the next instruction. On other systems the input is written to the file.
//
// A slot has two places for inputs, which are used in turn, and a word with the number of
// the current run. The word is set after the input is complete. The methods for the
// process that runs inputs do nothing if the Slot is nil.
type Slot struct {
	path string
	file *os.File
	mem  []byte // the mapped file; nil if memory is not shared
	run  uint64 // number of the last run that began
}

// The offsets of the words in the head of the file. Numbers are little-endian.
const (
	wordMagic     = 0
	wordRun       = 8 // twice the number of the run, plus one while it is in progress
	wordStop      = 16
	wordPassed    = 24
	wordDiscarded = 32
	wordPaths     = 40
	wordFeatures  = 48
	wordKept      = 56
	wordDistinct  = 64
	wordReplayed  = 72
	wordStarted   = 80
	wordMessages  = 88  // how many messages were put into the inbox of the process
	wordOthers    = 96  // 1 if other workers search too
	wordPause     = 104 // 1 if the process is asked to rest
	wordResting   = 112 // 1 if the process rests
	wordMaker     = 120 // number of the process that created the slot
	wordMulticore = 128 // 1 if inputs are run on several cores, in a program without probes
	wordLong      = 136 // number of the last run that went on after its last allowed step
	wordFault     = 144 // the fault that is switched on, plus one
	wordEarlier   = 152 // how many of the started runs earlier searches have made
	wordInterrupt = 160 // 1 if the process is asked to end shrinking
	wordShrinking = 168 // 1 if the process shrinks an input
	wordSeed      = 176 // seed of the search

	placesAt = 4096 // offset of the two places, which begin on a new memory page
	// caseMax is the size of the largest input that fits into a place. A larger input,
	// which is rare and whose run is slow, is written to a second file.
	caseMax   = 1<<20 - 16
	placeSize = caseMax + 16 // the number of the run and the length of the input come first
	slotSize  = placesAt + 2*placeSize

	magic = 0x34746f6c736c6c61 // "allslot4"
	// largeMax bounds how much is read of the second file.
	largeMax = 64 << 20
)

// NewSlot creates a slot. It allocates all disk space and returns an error if the disk is
// full. Otherwise a later write to the mapped memory would crash the process.
func NewSlot(path string) (*Slot, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return nil, err
	}
	filelock.Lock(f) // f stays locked until it is closed, so that other processes see that it is in use
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

// Left returns the paths of those slots in a folder whose creators have exited, perhaps
// during a run. It finds files named by SlotName.
func Left(dir string) []string {
	files, _ := filepath.Glob(filepath.Join(dir, "*"+slotSuffix))
	return slices.DeleteFunc(files, held)
}

// held reports whether the process that created a slot still runs.
func held(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return true // opening a pipe could block
	}
	f, err := os.Open(path)
	if err != nil {
		return true
	}
	defer f.Close() // which releases the lock
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

// SlotName returns a file name for the n-th slot of this process.
func SlotName(n int) string { return fmt.Sprintf("%d-%d%s", os.Getpid(), n, slotSuffix) }

// OpenSlot opens a slot that another process created.
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
		} // else the slot is a plain file
	}
	s.run = s.get(wordRun) / 2
	return s, nil
}

// Path returns the path of the slot's file.
func (s *Slot) Path() string { return s.path }

// Multicore marks the inputs as run on several cores. The process that confirms an input
// then runs it in the same way.
func (s *Slot) Multicore() { s.put(wordMulticore, 1) }

// Begin stores the input of a run that is about to begin.
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
		putLarge(s.large(), c)
	} else {
		copy(place[16:], c)
	}
	atomic.StoreUint64(s.word(wordRun), 2*s.run+1)
}

func (s *Slot) beginFile(at int, c []byte) {
	b := binary.LittleEndian.AppendUint64(nil, s.run)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(c)))
	if len(c) > caseMax {
		putLarge(s.large(), c)
	} else {
		b = append(b, c...)
	}
	s.file.WriteAt(b, int64(at)) // disk space is allocated; if the write fails, Case finds the number of another run
	s.put(wordRun, 2*s.run+1)
}

func putLarge(file string, c []byte) { os.WriteFile(file, c, 0o666) } // if the write fails, readLarge finds another length

func (s *Slot) large() string { return s.path + ".large" }

// Start stores the number of the next run, as the search counts runs. The search does not
// count runs of stored cases and runs during shrinking.
func (s *Slot) Start(run int) {
	switch {
	case s == nil:
	case s.mem != nil:
		*s.word(wordStarted) = uint64(run)
	default:
		s.put(wordStarted, uint64(run))
	}
}

// SetSearch stores the seed of the search, and how many of the runs that Start counts earlier searches have made.
func SetSearch(s *Slot, seed uint64, earlier int) {
	if s != nil {
		s.put(wordSeed, seed)
		s.put(wordEarlier, uint64(earlier))
	}
}

// Seed returns the seed of a search that has called SetSearch.
func Seed(s *Slot) uint64 { return s.get(wordSeed) }

// Long stores that the current run goes on, although it has taken all its steps. The run
// gets more time. A goroutine that an earlier run left behind may call it, so it is exempt from
// the race detector.
//
//go:norace
func (s *Slot) Long() {
	if s != nil {
		s.put(wordLong, s.run)
	}
}

// SetFault stores which fault is switched on; -1 means none.
func SetFault(s *Slot, id int) {
	switch {
	case s == nil:
	case s.mem != nil:
		atomic.StoreUint64(s.word(wordFault), uint64(id+1))
	default:
		s.put(wordFault, uint64(id+1))
	}
}

// Interrupt asks the process to end shrinking: somebody waits for it to exit. Stop alone lets it
// shrink its failures first.
func Interrupt(s *Slot) { s.put(wordInterrupt, 1) }

// Interrupted reports whether the process was asked to end shrinking.
func Interrupted(s *Slot) bool { return s != nil && s.get(wordInterrupt) != 0 }

// SetShrinking sets whether the process shrinks an input. Its runs may be in other processes then, so
// a process without a run is no sign that it hangs.
func SetShrinking(s *Slot, shrinks bool) {
	if s != nil {
		s.put(wordShrinking, flag(shrinks))
	}
}

// Seen is the counts of all runs so far.
type Seen struct {
	Passed, Discarded int
	Paths             int
	Features          int // the largest number of features that were known at one time
	Kept              int // inputs that showed something new
	Distinct          int // distinct inputs that passed, at least
	Replayed          int // saved inputs of earlier searches that were run again
}

// End stores that the run is over, and the counts so far.
func (s *Slot) End(n Seen) {
	if s == nil {
		return
	}
	words := [...]int{n.Passed, n.Discarded, n.Paths, n.Features, n.Kept, n.Distinct, n.Replayed}
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

// Stop asks the process to exit after its current run.
func (s *Slot) Stop() { s.put(wordStop, 1) }

// SetMessages sets how many messages were put into the inbox of the process.
func (s *Slot) SetMessages(n int) { s.put(wordMessages, uint64(n)) }

// Messages returns how many messages were put into the inbox of the process.
func (s *Slot) Messages() int {
	if s == nil {
		return 0
	}
	return int(s.get(wordMessages))
}

// Stopped reports whether the process was asked to stop.
func (s *Slot) Stopped() bool { return s != nil && s.get(wordStop) != 0 }

// Pause asks the process to rest after its current run, or to go on.
func (s *Slot) Pause(rest bool) { s.put(wordPause, flag(rest)) }

// Paused reports whether the process was asked to rest.
func (s *Slot) Paused() bool { return s != nil && s.get(wordPause) != 0 }

// Rest sets whether the process rests.
func (s *Slot) Rest(rests bool) { s.put(wordResting, flag(rests)) }

// Others sets whether other workers search the same property.
func (s *Slot) Others(others bool) { s.put(wordOthers, flag(others)) }

// HasOthers reports whether other workers search the same property.
func (s *Slot) HasOthers() bool { return s != nil && s.get(wordOthers) != 0 }

func flag(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// Now is the state of a process, as its slot contains it.
type Now struct {
	Run     int  // number of the current run or, between two runs, of the last one
	Running bool // a run is in progress
	Resting bool // the process waits until it may go on
	Started int  // number of the last run, as the search counts runs
	Earlier int  // how many of these runs earlier searches have made
	Long    bool // the current run goes on, although it has taken all its steps
	Fault   int  // the fault that is switched on, or -1

	Multicore bool // the process runs on several cores, without probes
	Seen
}

// Look returns the state of the process.
func (s *Slot) Look() Now {
	run := s.get(wordRun)
	n := Now{Run: int(run / 2), Running: run%2 == 1, Resting: s.get(wordResting) != 0, Long: run > 1 && s.get(wordLong) == run/2,
		Started: int(s.get(wordStarted)), Earlier: int(s.get(wordEarlier)), Fault: int(s.get(wordFault)) - 1,
		Multicore: s.get(wordMulticore) != 0}
	for i, x := range []*int{&n.Passed, &n.Discarded, &n.Paths, &n.Features, &n.Kept, &n.Distinct, &n.Replayed} {
		*x = int(s.get(wordPassed + 8*i))
	}
	return n
}

var errNoCase = errors.New("no run is in progress")

// Case returns the input of the current run, after the process has died or while it
// hangs. It checks everything it reads: the file may be damaged.
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
		return nil, fmt.Errorf("%s does not contain the input of run %d", s.path, now.Run)
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
		err = fmt.Errorf("%s: an input of %d bytes is truncated or too large", s.large(), n)
	}
	return c, err
}

// Close closes the file and does not remove it.
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
	os.Remove(s.large()) // rarely exists
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

// Shared reports whether processes share memory and have memory limits on this system.
// ALLELE_SHARED=off makes it behave like a system where they do not.
func Shared() bool { return canShare && os.Getenv("ALLELE_SHARED") != "off" }
