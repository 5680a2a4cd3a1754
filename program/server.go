//go:build go1.25 && linux

package program

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"github.com/allele-go/allele/internal/outside"
)

// server is a fork server: a process of a program that was compiled with afl-cc. It stops
// before main, and forks for each run. It says how each run ended, and the runs count in
// shared memory how often they took which edge.
//
// The protocol is that of AFL++. The server reads commands from file 198 and writes answers to
// file 199, both in words of four bytes. First it says what it can do. For each run it gets
// a word, and answers with the number of the process and then with its exit status.
type server struct {
	pid      int
	commands int // files
	answers  int
	edges    *shared // hit counts, one byte for each edge
	size     int     // how many edges the program has
	input    *shared // the input, if the program reads it from memory
	word     [4]byte
}

const (
	commandFile = 198
	// The most edges a program may have. Most have less than 2^16.
	edgesMax = 1 << 21
	inputMax = 1 << 20 // bytes of an input in shared memory

	// What a server can do, in the word that it begins with: versions of AFL++ before 4.20.
	canDo     = 0x80000001
	hasSize   = 0x40000000
	hasWords  = 0x10000000
	hasMemory = 0x01000000
	sizeBits  = 0x00fffffe

	// Later versions begin with a word that has their number, and say the rest in words of its own.
	newVersion   = 0x41464c00
	newHasSize   = 1 << 0
	newHasMemory = 1 << 1
	newHasWords  = 1 << 11
	failureBits  = 0xf800008f
	helloTimeout = 10 * time.Second
)

// serve makes a run by the fork server. A server that has ended is started again.
func (p *Program) serve(input []byte) (r Result, err error) {
	for try := 0; ; try++ {
		if try > 0 {
			if err := p.folder.write(input); err != nil { // it may have been read
				return r, err
			}
		}
		if p.server == nil {
			if p.server, err = p.startServer(); err != nil {
				return r, err
			}
		}
		began := time.Now()
		status, by, err := p.server.run(p, input)
		if err == nil {
			r.ended(status, by)
			r.Time = time.Since(began)
			p.report(p.server.edges.data[:p.server.size])
			if by.stop != NotStopped { // the run may have started processes, which only its server can be ended with
				p.server.close()
				p.server = nil
			}
			return r, nil
		}
		p.server.close()
		p.server = nil
		if try > 0 {
			return r, fmt.Errorf("its fork server has ended twice with the same input: %w; Plain starts a process for each run", err)
		}
	}
}

// startServer starts a fork server.
func (p *Program) startServer() (s *server, err error) {
	s = &server{commands: -1, answers: -1}
	defer func() {
		if err != nil {
			s.close()
			s = nil
		}
	}()
	if s.edges, err = share(edgesMax); err != nil {
		return s, err
	}
	if s.input, err = share(inputMax + 4); err != nil {
		return s, err
	}
	var in, out [2]int
	if err := syscall.Pipe2(in[:], syscall.O_CLOEXEC); err != nil {
		return s, err
	}
	if err := syscall.Pipe2(out[:], syscall.O_CLOEXEC); err != nil {
		syscall.Close(in[0])
		syscall.Close(in[1])
		return s, err
	}
	s.commands, s.answers = in[1], out[0]
	files := make([]uintptr, commandFile+2-3)
	for i := range files {
		files[i] = none
	}
	files[commandFile-3], files[commandFile-2] = uintptr(in[0]), uintptr(out[1])
	env := []string{fmt.Sprintf("__AFL_SHM_ID=%d", s.edges.id), fmt.Sprintf("__AFL_SHM_FUZZ_ID=%d", s.input.id),
		fmt.Sprintf("AFL_MAP_SIZE=%d", edgesMax), "LD_BIND_NOW=1"}
	if p.kind.persistent {
		env = append(env, "__AFL_PERSISTENT=1")
	}
	if p.kind.deferred {
		env = append(env, "__AFL_DEFER_FORKSRV=1")
	}
	s.pid, err = p.spawn(env, files...)
	syscall.Close(in[0])
	syscall.Close(out[1])
	if err != nil {
		return s, err
	}
	w := time.AfterFunc(helloTimeout, func() { syscall.Kill(-s.pid, syscall.SIGKILL) })
	defer w.Stop()
	if err := s.hello(); err != nil {
		_, said := p.folder.output(false)
		return s, fmt.Errorf("its fork server does not answer: %w %s", err, lastLines(strings.TrimSpace(said)))
	}
	return s, nil
}

// hello reads what the server can do.
func (s *server) hello() error {
	word, err := s.read()
	switch {
	case err != nil:
		return err
	case word&^0xff == newVersion:
		return s.helloNew(word)
	case word&failureBits == failureBits:
		return fmt.Errorf("it reports error %d", word>>8&0xffff)
	}
	s.size = 1 << 16
	if word&canDo != canDo {
		s.input = s.input.close()
		return nil
	}
	if word&hasSize != 0 {
		s.size = int(word&sizeBits)>>1 + 1
	}
	if word&(hasMemory|hasWords) == 0 {
		s.input = s.input.close()
		return s.checkSize()
	}
	reply := uint32(canDo)
	if word&hasMemory != 0 {
		reply |= hasMemory
	} else {
		s.input = s.input.close()
	}
	if err := s.write(reply); err != nil {
		return err
	}
	return s.checkSize()
}

// helloNew is hello for version 4.20 of AFL++ and later ones.
func (s *server) helloNew(version uint32) error {
	if err := s.write(^version); err != nil {
		return err
	}
	options, err := s.read()
	if err != nil {
		return err
	}
	if s.size = 1 << 16; options&newHasSize != 0 {
		n, err := s.read()
		if err != nil {
			return err
		}
		s.size = int(n)
	}
	if options&newHasWords != 0 {
		n, err := s.read()
		for ; err == nil && n > 0; n-- {
			_, err = syscall.Read(s.answers, s.word[:1])
		}
		if err != nil {
			return err
		}
	}
	if options&newHasMemory == 0 {
		s.input = s.input.close()
	}
	if last, err := s.read(); err != nil {
		return fmt.Errorf("its first words have no end: %w", err)
	} else if last != version {
		return fmt.Errorf("its first words end with %#x, not %#x", last, version)
	}
	return s.checkSize()
}

func (s *server) checkSize() error {
	if s.size < 1 || s.size > edgesMax {
		return fmt.Errorf("it has %d edges, and at most %d are supported", s.size, edgesMax)
	}
	return nil
}

// run makes one run.
func (s *server) run(p *Program, input []byte) (status syscall.WaitStatus, by stopped, err error) {
	if s.input != nil {
		n := min(len(input), inputMax)
		binary.LittleEndian.PutUint32(s.input.data, uint32(n))
		copy(s.input.data[4:], input[:n])
	}
	clear(s.edges.data[:s.size])
	if err := s.write(0); err != nil {
		return 0, by, err
	}
	child, err := s.read()
	if err != nil {
		return 0, by, err
	}
	if int32(child) <= 0 {
		return 0, by, errors.New("it cannot fork")
	}
	w := p.watch(int(child))
	word, err := s.read()
	if by = w.end(); err != nil {
		return 0, by, err
	}
	return syscall.WaitStatus(word), by, nil
}

// report notes the edges of a run for the search. counts has the hits of each edge.
func (p *Program) report(counts []byte) {
	to := p.places[:0]
	for i := 0; i+8 <= len(counts); i += 8 {
		if *(*uint64)(unsafe.Pointer(&counts[i])) == 0 {
			continue
		}
		for j, n := range counts[i : i+8] {
			if n != 0 {
				to = append(to, outside.First+uint32(i+j)|uint32(bucketOf[n])<<outside.Shift)
			}
		}
	}
	for i, n := range counts[len(counts)&^7:] {
		if n != 0 {
			to = append(to, outside.First+uint32(len(counts)&^7+i)|uint32(bucketOf[n])<<outside.Shift)
		}
	}
	p.places = to
}

// bucketOf has the bucket of each hit count, as in package novelty.
var bucketOf = func() (b [256]uint8) {
	for n := range b {
		switch {
		case n <= 3:
			b[n] = uint8(max(0, n-1))
		case n < 8:
			b[n] = 3
		case n < 16:
			b[n] = 4
		case n < 32:
			b[n] = 5
		case n < 128:
			b[n] = 6
		default:
			b[n] = 7
		}
	}
	return b
}()

func (s *server) read() (uint32, error) {
	for got := 0; got < len(s.word); {
		n, err := syscall.Read(s.answers, s.word[got:])
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return 0, err
		case n == 0:
			return 0, errors.New("it has exited")
		default:
			got += n
		}
	}
	return binary.LittleEndian.Uint32(s.word[:]), nil
}

func (s *server) write(word uint32) error {
	binary.LittleEndian.PutUint32(s.word[:], word)
	for {
		_, err := syscall.Write(s.commands, s.word[:])
		if err != syscall.EINTR {
			return err
		}
	}
}

// close ends the server and its processes. It may be nil.
func (s *server) close() {
	if s == nil {
		return
	}
	if s.pid > 0 {
		syscall.Kill(-s.pid, syscall.SIGKILL)
		wait(s.pid)
		killGroup(s.pid)
	}
	for _, fd := range []int{s.commands, s.answers} {
		if fd >= 0 {
			syscall.Close(fd)
		}
	}
	s.edges, s.input = s.edges.close(), s.input.close()
}

// shared is a segment of shared memory.
type shared struct {
	id   int
	data []byte
}

// share makes a segment. It is removed when the last process that uses it has exited.
func share(size int) (*shared, error) {
	const private, create, remove = 0, 0o1000, 0
	id, _, errno := syscall.Syscall(syscall.SYS_SHMGET, private, uintptr(size), create|0o600)
	if errno != 0 {
		return nil, os.NewSyscallError("shmget", errno)
	}
	at, _, errno := syscall.Syscall(syscall.SYS_SHMAT, id, 0, 0)
	syscall.Syscall(syscall.SYS_SHMCTL, id, remove, 0) // on Linux, it can still be attached
	if errno != 0 {
		return nil, os.NewSyscallError("shmat", errno)
	}
	return &shared{int(id), unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&at))), size)}, nil
}

// close detaches a segment. It may be nil.
func (s *shared) close() *shared {
	if s != nil {
		syscall.Syscall(syscall.SYS_SHMDT, uintptr(unsafe.Pointer(&s.data[0])), 0, 0)
	}
	return nil
}
