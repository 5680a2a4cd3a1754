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
	"syscall"
	"time"
)

// A program may start processes that leave its process group. All of them inherit its
// environment, which has a mark: the process that has started the program, and when that
// process began. Processes whose starter is gone are killed too: it may have been killed
// itself.

// markVariable is the environment variable of the mark.
const markVariable = "ALLELE_PROGRAM_OF"

var mark = sync.OnceValue(func() string { return markVariable + "=" + owner() })

// owner identifies this process: another one with the same number begins at another time.
var owner = sync.OnceValue(func() string { return fmt.Sprintf("%d.%d", os.Getpid(), began(os.Getpid())) })

// noFollow makes opening a file fail if it is a link, and not wait if it is a pipe.
const noFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// sweepEvery is how often marked processes are looked for: that takes as long as several runs.
const sweepEvery = time.Second

var swept struct {
	sync.Mutex
	last time.Time
}

// servers are the process groups that are not left over.
var servers sync.Map // int -> bool

// sweep kills processes that runs have left, and those of programs whose starter is gone. No run is going on.
func sweep(now bool) {
	swept.Lock()
	defer swept.Unlock()
	if !now && time.Since(swept.last) < sweepEvery {
		return
	}
	swept.last = time.Now()
	self, own := os.Getpid(), mark()
	for p := range processes() {
		if p.pid == self {
			continue
		}
		if _, serving := servers.Load(p.group); serving && (p.pid == p.group || p.parent == p.group) {
			continue // a fork server, or the process that makes its runs
		}
		env, err := os.ReadFile("/proc/" + strconv.Itoa(p.pid) + "/environ")
		if err != nil || !bytes.Contains(env, []byte(markVariable+"=")) {
			continue
		}
		for v := range bytes.SplitSeq(env, []byte{0}) {
			if m := string(v); strings.HasPrefix(m, markVariable+"=") && (m == own || ownerGone(strings.TrimPrefix(m, markVariable+"="))) {
				syscall.Kill(p.pid, syscall.SIGKILL)
			}
		}
	}
}

// ownerGone reports whether the process that owner has named has exited.
func ownerGone(owner string) bool {
	pid, since, ok := strings.Cut(owner, ".")
	id, err := strconv.Atoi(pid)
	return ok && err == nil && strconv.FormatUint(began(id), 10) != since
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
