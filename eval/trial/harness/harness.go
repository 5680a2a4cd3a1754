// Package harness counts the runs of a search, in the process that makes them.
//
// It is the same for all tools that an experiment compares: each of them calls Run with every
// input. The counts and the inputs are in a file that is mapped into memory, so that they
// outlive a process that is killed, and so that a run costs no system call. The supervisor of
// the search reads the counts from the same file, and stops the counting by a word in it.
//
//	log, err := harness.Create(file)        // supervisor
//	ok := harness.Run(in, target.Valid)     // in the process of the search, for each run
//	for in, valid := range log.Inputs() {}  // afterwards
//
// It imports the standard library only, because a copy of it is in the module under test.
package harness

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"iter"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

// Source is the source of this package, for a copy.
//
//go:embed harness.go
var Source []byte

// Variable is the environment variable with the name of the file.
const Variable = "TEXT_LOG"

// A log begins with counts. The inputs follow: four bytes with the length of the input and
// the verdict, and the input.
const (
	head     = 4096
	size     = 1 << 30 // the file has holes; only what is written takes space
	inputMax = 1 << 16 // longer inputs are counted, but not recorded
)

// Log is the record of a search.
type Log struct {
	data   []byte
	counts *counts
}

// counts is the beginning of the file. Several processes may change it.
type counts struct {
	runs, valid, firstRun, firstCPU, began, end, left, stopped atomic.Int64
}

// Create makes an empty log.
func Create(file string) (*Log, error) {
	f, err := os.Create(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := f.Truncate(size); err != nil {
		return nil, err
	}
	return mapped(f)
}

// Open opens a log that exists.
func Open(file string) (*Log, error) {
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return mapped(f)
}

func mapped(f *os.File) (*Log, error) {
	data, err := syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("map %s: %w", f.Name(), err)
	}
	return &Log{data, (*counts)(unsafe.Pointer(&data[0]))}, nil
}

// Close releases the memory. The file remains.
func (l *Log) Close() error { return syscall.Munmap(l.data) }

// Stop ends the counting: later runs are ignored.
func (l *Log) Stop() { l.counts.stopped.Store(1) }

// Counts is the state of a search.
type Counts struct {
	Runs, Valid int
	FirstRun    int           // the first run with a valid input, counted from 1; 0 means none
	FirstCPU    time.Duration // CPU time up to then, of all processes of the search
	Began       time.Duration // CPU time of these processes before the first run
	Left        int           // inputs that are not recorded, because they are long or there are too many
}

// Counts returns the current state.
func (l *Log) Counts() Counts {
	c := l.counts
	first := int(c.firstRun.Load()) // stored last, so it is read first
	return Counts{Runs: int(c.runs.Load()), Valid: int(c.valid.Load()), FirstRun: first,
		FirstCPU: time.Duration(c.firstCPU.Load()), Began: time.Duration(c.began.Load()), Left: int(c.left.Load())}
}

// Inputs returns the recorded inputs in order, with their verdicts. The inputs share memory
// with the log.
func (l *Log) Inputs() iter.Seq2[[]byte, bool] {
	return func(yield func([]byte, bool) bool) {
		rest := l.data[head : head+min(l.counts.end.Load(), size-head)]
		for len(rest) >= 4 {
			word := binary.LittleEndian.Uint32(rest)
			n := int(word >> 1)
			if 4+n > len(rest) || !yield(rest[4:4+n], word&1 != 0) {
				return
			}
			rest = rest[4+n:]
		}
	}
}

// current is the log of this process, or nil.
var current = func() *Log {
	file := os.Getenv(Variable)
	// allele also starts processes that do not search: to list tests, to record comparisons.
	job := os.Getenv("ALLELE_JOB")
	if file == "" || job != "" && !strings.Contains(job, `"mode":"search"`) {
		return nil
	}
	log, err := Open(file)
	if err != nil {
		panic("harness: " + err.Error())
	}
	return log
}()

// Run reports whether an input is valid, and counts the run. A function that panics has
// rejected its input: a bug of a parser must not end the search of one tool, and be something
// to find for another one.
func Run[In any](in In, valid func(In) bool) bool {
	ok := try(in, valid)
	if current == nil {
		return ok
	}
	switch in := any(in).(type) {
	case string:
		current.add(in, ok)
	case []byte:
		current.add(unsafe.String(unsafe.SliceData(in), len(in)), ok)
	default:
		current.add(fmt.Sprint(in), ok)
	}
	return ok
}

// Count counts a run, before it is made: the run may end the process.
func Count(in []byte) {
	if current != nil {
		current.add(unsafe.String(unsafe.SliceData(in), len(in)), false)
	}
}

func try[In any](in In, valid func(In) bool) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	return valid(in)
}

func (l *Log) add(in string, ok bool) {
	c := l.counts
	if c.stopped.Load() != 0 {
		return
	}
	// The times are stored before the counts that say that they are there.
	if c.runs.Load() == 0 {
		c.began.CompareAndSwap(0, int64(SessionCPU(session(os.Getpid()))))
	}
	run := c.runs.Add(1)
	word := uint32(len(in)) << 1
	if ok {
		word |= 1
		first := c.firstRun.Load() == 0
		if first {
			c.firstCPU.CompareAndSwap(0, max(1, int64(SessionCPU(session(os.Getpid())))-c.began.Load()))
		}
		c.valid.Add(1)
		if first {
			c.firstRun.CompareAndSwap(0, run)
		}
	}
	if len(in) > inputMax || c.end.Load() > size-head-inputMax-4 {
		c.left.Add(1)
		return
	}
	n := int64(4 + len(in))
	at := head + c.end.Add(n) - n
	binary.LittleEndian.PutUint32(l.data[at:], word)
	copy(l.data[at+4:], in)
}

// tick is the unit of the times in /proc.
const tick = 10 * time.Millisecond

// SessionCPU returns the CPU time of all processes of a session, with the children that they
// have waited for. The time of this process is exact; the times of others are in ticks.
func SessionCPU(id int) (sum time.Duration) {
	for pid, f := range processes(id) {
		if pid == os.Getpid() {
			sum += used(syscall.RUSAGE_SELF) + used(syscall.RUSAGE_CHILDREN)
			continue
		}
		for _, text := range f[11:15] { // utime, stime, cutime, cstime
			n, _ := strconv.Atoi(text)
			sum += time.Duration(n) * tick
		}
	}
	return sum
}

// KillSession kills all processes of a session.
func KillSession(id int) {
	for pid := range processes(id) {
		syscall.Kill(pid, syscall.SIGKILL) // fails if the process has exited
	}
}

// processes returns the processes of a session, with their fields.
func processes(session int) iter.Seq2[int, []string] {
	return func(yield func(int, []string) bool) {
		entries, _ := os.ReadDir("/proc")
		for _, e := range entries {
			pid, err := strconv.Atoi(e.Name())
			if err != nil {
				continue
			}
			if f := stat(pid); len(f) > 15 && f[3] == strconv.Itoa(session) && !yield(pid, f) {
				return
			}
		}
	}
}

// session returns the session of a process.
func session(pid int) int {
	f := stat(pid)
	if len(f) < 4 {
		return 0
	}
	id, _ := strconv.Atoi(f[3])
	return id
}

// stat returns the fields of /proc/PID/stat that follow the name of the program: state, parent,
// group, session and so on. It returns nil if there is no such process.
func stat(pid int) []string {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return nil
	}
	text := string(data)
	return strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
}

func used(who int) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(who, &u); err != nil {
		panic("harness: getrusage: " + err.Error()) // fails only for a bad argument
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
