//go:build go1.25 && linux

package program

import (
	"bytes"
	"fmt"
	"iter"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// A program may start processes that leave its process group. All of them inherit its
// environment, which has a mark: the process that has started the program, when that process
// began, the namespace of its number, and the number of the Program in it. A Program kills only
// processes with its own mark, because another one may be in the middle of a run. Processes
// whose starter is gone are killed too: it may have been killed itself.

// markVariable is the environment variable of the mark. Test binaries with another version of this package may run on the
// same machine, so a mark of another form needs another variable.
const markVariable = "ALLELE_PROGRAM_MARK"

// leftover is what a Program needs to find the processes that its runs have left.
type leftover struct {
	number uint64    // of the Program in this process, from 1; 0 before it is known
	swept  time.Time // when processes were looked for
}

// programs is how many Programs were used.
var programs atomic.Uint64

// mark returns the variable that all processes of the Program have.
func (l *leftover) mark() string {
	if l.number == 0 {
		l.number = programs.Add(1)
	}
	return fmt.Sprintf("%s=%s.%d", markVariable, owner(), l.number)
}

// owner identifies this process: another one with the same number begins at another time. A process in a container has
// another number for those outside, who can see it.
var owner = sync.OnceValue(func() string { return fmt.Sprintf("%d.%d.%s", os.Getpid(), began(os.Getpid()), namespace()) })

// namespace returns the number of the namespace of process numbers, or "0" if the system has none.
var namespace = sync.OnceValue(func() string {
	link, _ := os.Readlink("/proc/self/ns/pid") // such as pid:[4026531836]
	n, ok := strings.CutPrefix(strings.TrimSuffix(link, "]"), "pid:[")
	if !ok {
		return "0"
	}
	return n
})

// noFollow makes opening a file fail if it is a link, and not wait if it is a pipe.
const noFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// sweepEvery is how often marked processes are looked for: that takes as long as several runs.
const sweepEvery = time.Second

// sweep kills processes that runs of this Program have left, and those of programs whose starter is gone. This Program
// makes no run meanwhile.
func (p *Program) sweep(now bool) {
	if !now && time.Since(p.leftover.swept) < sweepEvery {
		return
	}
	p.leftover.swept = time.Now()
	self, own := os.Getpid(), p.leftover.mark()
	for left := range processes() {
		if left.pid == self {
			continue
		}
		if s := p.server; s != nil && left.group == s.pid && (left.pid == s.pid || left.parent == s.pid) {
			continue // the fork server, or the process that makes its runs
		}
		env, err := os.ReadFile("/proc/" + strconv.Itoa(left.pid) + "/environ")
		if err != nil || !bytes.Contains(env, []byte(markVariable+"=")) {
			continue
		}
		for v := range bytes.SplitSeq(env, []byte{0}) {
			if m := string(v); strings.HasPrefix(m, markVariable+"=") && (m == own || ownerGone(strings.TrimPrefix(m, markVariable+"="))) {
				syscall.Kill(left.pid, syscall.SIGKILL)
			}
		}
	}
}

// ownerGone reports whether the process that owner has named has exited. The number of a Program may follow. Nothing is
// known about processes of another namespace.
func ownerGone(owner string) bool {
	fields := strings.Split(owner, ".")
	if len(fields) < 3 || fields[2] != namespace() {
		return false
	}
	pid, err := strconv.Atoi(fields[0])
	return err == nil && strconv.FormatUint(began(pid), 10) != fields[1]
}

// began returns when a process began, in ticks of the system, or 0 if there is no such process.
func began(pid int) uint64 {
	f := stat(pid)
	if len(f) < 20 {
		return 0
	}
	n, _ := strconv.ParseUint(f[19], 10, 64)
	return n
}

// process is an entry of the process table.
type process struct {
	pid, parent, group int
	state              byte
}

func processes() iter.Seq[process] {
	return func(yield func(process) bool) {
		dir, err := os.Open("/proc")
		if err != nil {
			return
		}
		defer dir.Close()
		names, _ := dir.Readdirnames(-1)
		for _, name := range names {
			pid, err := strconv.Atoi(name)
			if err != nil {
				continue
			}
			if f := stat(pid); len(f) > 2 {
				parent, _ := strconv.Atoi(f[1])
				group, _ := strconv.Atoi(f[2])
				if !yield(process{pid, parent, group, f[0][0]}) {
					return
				}
			}
		}
	}
}

// stat returns the fields of a process that follow its name: state, parent, group and so on.
func stat(pid int) []string {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return nil
	}
	return strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
}
