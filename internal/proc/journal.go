//go:build go1.25

package proc

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"
	"unsafe"

	"github.com/allele-go/allele/internal/filelock"
)

// Journal is a file with the inputs that a process of plain go test is running. The process
// removes the file when its tests have ended. If the process dies, the file stays, and the
// next process of the same package reads it.
//
//	j, left, err := proc.NewJournal(path)   // once for a process
//	e := j.Enter("TestInsert", search)      // a Check begins
//	e.Run(n)                                // before a run whose input can be generated again
//	e.Begin(n, input)                       // before another run: a copy in memory
//	e.Leave()                               // the Check has ended
//	j.Remove()                              // all tests have ended
//
//	for _, file := range left {             // journals of processes that have died
//		if u, ok := proc.Died(file, "TestInsert"); ok { ...; u.Close(handled) }
//	}
//
// A Slot has the same purpose under allele test. A Journal has less to do, because no
// process watches it, and must be cheaper: a property that does nothing takes 100 ns.
// Journals exist only where processes can share memory.
type Journal struct {
	path string
	file *os.File
	mem  []byte

	mu   sync.Mutex // guards mem, used and room
	used [entriesMax]bool
	room [entriesMax]int // how many bytes of each entry have space on disk
}

// Entry is the part of a journal for one Check.
type Entry struct {
	journal *Journal
	number  int
	head    *entryHead
	data    []byte // for inputs; only the part that has space on disk
	next    int    // where the next input is written
}

// entryHead is the beginning of an entry. The name is empty if no Check uses the entry.
//
// The last inputs follow, not only the current one: when a goroutine panics, its deferred
// functions are called first. They may let the property return, and more runs begin until the
// runtime stops all goroutines.
type entryHead struct {
	magic  uint64
	run    uint64 // number of the last run; 0 if it was not a run of the search
	last   uint64 // where the last input is in the data, plus one; 0 if there is none
	search Search
	named  uint64 // bytes of the name
	name   [nameMax]byte
}

// Search is what the inputs of a search depend on, together with the number of the run.
type Search struct{ Seed, Size, Tests uint64 }

// inputHead comes before each input.
type inputHead struct {
	run  uint64 // number of the run; 0 if it was not a run of the search
	size uint32 // bytes of the input
	back uint32 // where the input before this one is, plus one; 0 if there is none
}

const (
	entriesMax = 64 // Checks that are recorded at a time; others that run in parallel are not
	nameMax    = 456
	entrySize  = 256 << 10
	headSize   = int(unsafe.Sizeof(entryHead{}))
	aheadSize  = int(unsafe.Sizeof(inputHead{}))
	roomShare  = 8                                          // the entry has room for so many inputs, if they have the same size
	inputMax   = (entrySize-headSize)/roomShare - aheadSize // a larger input is not recorded
	pageSize   = 4 << 10

	journalMagic  = 0x316c6e6a6c6c61 // "alljnl1"
	journalPrefix = "allele-"
	journalSuffix = ".running"
	// journalsMax is how many processes of a package can have a journal at a time.
	journalsMax = 4

	// keptFor is how long the journal of a process that died is kept, if no other process of
	// its package reads it. The package may be gone.
	keptFor = 72 * time.Hour
	// runMax is more runs than a search makes.
	runMax = 1 << 40
	// lastMax bounds how many of the last inputs are read.
	lastMax = 100
	// oldMax bounds how many journals are looked at to find old ones.
	oldMax = 200
)

// JournalPath returns the beginning of the paths of journals, in a folder for temporary files,
// for the tests of a package in the folder home.
func JournalPath(temp, home, pkg string) string {
	h := fnv.New64a()
	io.WriteString(h, home+"\x00"+pkg)
	return filepath.Join(temp, fmt.Sprintf("%s%d-%016x-", journalPrefix, os.Getuid(), h.Sum64()))
}

// NewJournal creates the journal of this process. It also returns the journals that other
// processes with the same path have left. It finds them without reading the folder, which may
// have many files.
func NewJournal(path string) (j *Journal, left []string, err error) {
	if !Shared() {
		return nil, nil, errors.ErrUnsupported
	}
	for i := range journalsMax {
		file := path + strconv.Itoa(i) + journalSuffix
		f, err := openLeft(file)
		switch {
		case err == nil:
			left = append(left, file)
			f.Close()
		case os.IsNotExist(err) && j == nil:
			if j, err = createJournal(file); err != nil {
				return nil, left, err
			}
		}
	}
	if j == nil {
		err = errors.New("too many processes have a journal")
	}
	return j, left, err
}

func createJournal(path string) (*Journal, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	j := &Journal{path: path, file: f}
	if held, _ := filelock.Lock(f); !held {
		err = errors.New("there are no file locks")
	} else {
		j.mem, err = share(f, entriesMax*entrySize) // the file is smaller: see allocate
	}
	if err != nil {
		j.Remove()
		return nil, err
	}
	return j, nil
}

// Enter returns a new entry, or nil if there is no room.
func (j *Journal) Enter(name string, s Search) *Entry {
	if j == nil || len(name) > nameMax {
		return nil
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.mem == nil {
		return nil
	}
	for i := range j.used {
		if j.used[i] {
			continue
		}
		mem := j.mem[i*entrySize : (i+1)*entrySize]
		e := &Entry{journal: j, number: i, head: (*entryHead)(unsafe.Pointer(&mem[0]))}
		if !e.allocate(pageSize) {
			return nil
		}
		j.used[i] = true
		e.head.run, e.head.last, e.head.search = 0, 0, s
		copy(e.head.name[:], name)
		e.head.magic, e.head.named = journalMagic, uint64(len(name))
		return e
	}
	return nil
}

// allocate allocates disk space for the first bytes of the entry. Without it, a write to the
// mapped memory would crash the process if the disk is full.
func (e *Entry) allocate(size int) bool {
	size = min((size+pageSize-1)/pageSize*pageSize, entrySize)
	had, at := e.journal.room[e.number], e.number*entrySize
	if size > had {
		if _, err := e.journal.file.WriteAt(make([]byte, size-had), int64(at+had)); err != nil {
			return false
		}
		e.journal.room[e.number] = size
	}
	e.data = e.journal.mem[at+headSize : at+max(size, had)]
	return true
}

// Run stores the number of a run that is about to begin, if its input can be generated again.
// That is the usual case, and a copy of the input would take a tenth of the time of a fast run.
// The entry must not be nil.
func (e *Entry) Run(n int) { e.head.run = uint64(n) }

// Begin stores the input of a run that is about to begin. The stores are plain: they are read
// only when the process has ended. An input that is only partly written, because another
// goroutine ended the process at that moment, is not the input of a run, and it does no harm
// to run it. The entry must not be nil.
func (e *Entry) Begin(run int, c []byte) {
	e.head.run = uint64(run)
	need := aheadSize + len(c)
	if need*roomShare > len(e.data) && !e.grow(need) {
		return
	}
	if e.next+need > len(e.data) {
		e.next = 0
	}
	place := e.data[e.next : e.next+need]
	*(*inputHead)(unsafe.Pointer(&place[0])) = inputHead{run: uint64(run), size: uint32(len(c)), back: uint32(e.head.last)}
	copy(place[aheadSize:], c)
	e.head.last = uint64(e.next) + 1
	e.next += need
}

// grow makes room for larger inputs.
func (e *Entry) grow(need int) bool {
	j := e.journal
	j.mu.Lock()
	defer j.mu.Unlock()
	return need-aheadSize <= inputMax && j.mem != nil && e.allocate(headSize+need*roomShare)
}

// Leave stores that the Check has ended. It does nothing if the entry is nil.
func (e *Entry) Leave() {
	if e == nil {
		return
	}
	j := e.journal
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.mem != nil {
		e.head.named = 0
		j.used[e.number] = false
	}
}

// Remove removes the journal. A goroutine that a run left behind may still write to the
// memory, so it stays mapped.
func (j *Journal) Remove() {
	os.Remove(j.path)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.mem = nil
	j.file.Close()
}

// openLeft opens and locks a journal, unless a process uses it. A journal without inputs is
// removed.
func openLeft(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|noFollow, 0)
	if err != nil {
		return nil, err
	}
	if held, _ := filelock.Lock(f); !held || !private(f) {
		f.Close()
		return nil, errors.New("it is used, or it belongs to another user")
	}
	if !anyEntry(f) {
		os.Remove(path)
		f.Close()
		return nil, os.ErrNotExist
	}
	return f, nil
}

// removeOld removes journals of packages whose tests have not been run for a long time. They
// may be gone.
func removeOld(dir string) {
	files, _ := filepath.Glob(filepath.Join(dir, fmt.Sprintf("%s%d-*%s", journalPrefix, os.Getuid(), journalSuffix)))
	for _, file := range files[:min(len(files), oldMax)] {
		if info, err := os.Lstat(file); err == nil && time.Since(info.ModTime()) > keptFor {
			os.Remove(file)
		}
	}
}

// Unfinished is what a Check was running when its process died.
type Unfinished struct {
	Run    int // number of the last run; 0 if it was not a run of the search
	Search Search
	Inputs []Input // those that cannot be generated again, the last one first

	file *os.File
	at   int64
}

// Input is an input of a journal.
type Input struct {
	Run  int // number of the run; 0 if it was not a run of the search
	Data []byte
}

// Died returns the inputs of a Check in a journal that a process has left. No other process
// gets them until they are closed.
func Died(file, name string) (u Unfinished, ok bool) {
	f, err := openLeft(file)
	if err != nil {
		return u, false
	}
	for i := range entriesMax {
		u = Unfinished{file: f, at: int64(i * entrySize)}
		if named, ok := u.read(); ok && named == name {
			return u, true
		}
	}
	f.Close()
	return u, false
}

func anyEntry(f *os.File) bool {
	for i := range entriesMax {
		u := Unfinished{file: f, at: int64(i * entrySize)}
		if _, ok := u.read(); ok {
			return true
		}
	}
	return false
}

// read reads the inputs of an entry and the name of its Check. It checks what it reads: the
// file may be damaged, and the older inputs may be overwritten.
func (u *Unfinished) read() (name string, ok bool) {
	head := make([]byte, headSize)
	if _, err := u.file.ReadAt(head, u.at); err != nil {
		return "", false
	}
	word := func(b []byte, i int) uint64 { return binary.NativeEndian.Uint64(b[8*i:]) }
	run, last, named := word(head, 1), word(head, 2), word(head, 6)
	if word(head, 0) != journalMagic || named == 0 || named > nameMax || last > entrySize || run > runMax || run+last == 0 {
		return "", false
	}
	u.Run, u.Search = int(run), Search{Seed: word(head, 3), Size: word(head, 4), Tests: word(head, 5)}
	data := make([]byte, entrySize-headSize)
	n, _ := u.file.ReadAt(data, u.at+int64(headSize)) // the last entry of a file may be shorter
	data = data[:n]
	for at, n := int(last), 0; at > 0 && n < lastMax; n++ {
		if at-1+aheadSize > len(data) {
			break
		}
		ahead := data[at-1:]
		size, back := binary.NativeEndian.Uint32(ahead[8:]), binary.NativeEndian.Uint32(ahead[12:])
		if int(size) > min(inputMax, len(ahead)-aheadSize) {
			break
		}
		u.Inputs = append(u.Inputs, Input{Run: int(word(ahead, 0)), Data: ahead[aheadSize : aheadSize+int(size)]})
		at = int(back)
	}
	return string(head[56 : 56+named]), true
}

// Close ends the use of the inputs. If they were handled, no other process gets them.
func (u Unfinished) Close(handled bool) {
	if handled {
		u.file.WriteAt(make([]byte, headSize), u.at)
		if path := u.file.Name(); !anyEntry(u.file) {
			os.Remove(path)
			removeOld(filepath.Dir(path))
		}
	}
	u.file.Close()
}
