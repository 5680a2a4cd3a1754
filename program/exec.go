//go:build go1.25 && linux

package program

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/allele-go/allele/internal/hook"
)

// kind is what the file of a program says about it.
type kind struct {
	counts     int  // how many counts it has, if it was built with allele build
	forks      bool // it was compiled with afl-cc
	persistent bool // it can make many runs in one process
	deferred   bool // it says itself when it is ready to fork
}

// find finds a program, and what is special about it.
func find(args []string) (path string, k kind, err error) {
	if len(args) == 0 || args[0] == "" {
		return "", k, errNoProgram
	}
	if path, err = exec.LookPath(args[0]); err != nil {
		return "", k, fmt.Errorf("program: cannot find the program %q: %w", args[0], errors.Unwrap(err))
	}
	if path, err = filepath.Abs(path); err != nil { // runs have another working folder
		return "", k, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return path, k, nil // a program that cannot be read may still be executable
	}
	has := func(text string) bool { return bytes.Contains(data, []byte(text)) }
	switch m := counting.FindSubmatch(data); {
	case !bytes.HasPrefix(data, []byte("\x7fELF")):
	case m != nil:
		n, _ := strconv.Atoi(string(m[1])) // seven digits
		k.counts = min(n, hook.CountsMax)
	case has("__AFL_SHM_ID"):
		k = kind{forks: true, persistent: has("##SIG_AFL_PERSISTENT##"), deferred: has("##SIG_AFL_DEFER_FORKSRV##")}
	}
	return path, k, nil
}

// counting matches the text in a program that was built with allele build, with the number of its counts.
var counting = regexp.MustCompile(`allele counts ([0-9]{7})\.`)

// none is a file that a process does not get.
const none = ^uintptr(0)

// spawn starts a process of the program in a process group of its own.
func (p *Program) spawn(env []string, more ...uintptr) (pid int, err error) {
	files := []uintptr{none, p.folder.out[0].Fd(), p.folder.out[1].Fd()}
	if p.folder.input != nil {
		files[0] = p.folder.input.Fd()
	} else if null, err := os.Open(os.DevNull); err == nil {
		defer null.Close()
		files[0] = null.Fd()
	}
	for _, fd := range more {
		files = append(files, fd)
	}
	attr := &syscall.ProcAttr{Dir: filepath.Dir(p.folder.file), Env: p.environ(env), Files: files,
		Sys: &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}}
	defer unlimited()()
	return p.startLimited(attr)
}

// startLimited starts a process that has limits before its first instruction: it is traced until then.
func (p *Program) startLimited(attr *syscall.ProcAttr) (pid int, err error) {
	runtime.LockOSThread() // only the thread that traces a process can go on
	defer runtime.UnlockOSThread()
	attr.Sys.Ptrace = !noTrace.Load()
	pid, err = syscall.ForkExec(p.path, p.folder.args, attr)
	if err == syscall.EPERM && attr.Sys.Ptrace {
		// Tracing is forbidden here. Then the limits come a little late.
		noTrace.Store(true)
		attr.Sys.Ptrace = false
		pid, err = syscall.ForkExec(p.path, p.folder.args, attr)
	}
	if err != nil {
		return 0, err
	}
	if !attr.Sys.Ptrace {
		p.limit(pid)
		return pid, nil
	}
	if _, err := wait(pid); err != nil {
		return 0, err
	}
	p.limit(pid)
	return pid, syscall.PtraceDetach(pid)
}

// noTrace is set if the system does not allow to trace processes.
var noTrace atomic.Bool

func (p *Program) environ(more []string) []string {
	env := os.Environ()
	for _, v := range []string{"ASAN_OPTIONS", "UBSAN_OPTIONS", "MSAN_OPTIONS"} {
		if _, set := os.LookupEnv(v); !set {
			env = append(env, v+"="+sanitizerOptions)
		}
	}
	env = append(append(env, p.Env...), more...)
	return append(env, p.leftover.mark()) // the last, so that nothing replaces it
}

// sanitizerOptions makes programs with sanitizers print a stack and end by a signal. Leaks are not looked for: that
// takes longer than most runs.
const sanitizerOptions = "abort_on_error=1:symbolize=1:detect_leaks=0:allocator_may_return_null=1:print_stacktrace=1:halt_on_error=1"

// ended adds how a process ended.
func (r *Result) ended(status syscall.WaitStatus, by stopped) {
	r.Stopped, r.why, r.Code = by.stop, by.why, -int(status.Signal())
	switch {
	case status.Exited():
		r.Code = status.ExitStatus()
	case status.Stopped():
		r.Code = 0 // a run of a process that makes many
	case r.Stopped != NotStopped:
	case status.Signal() == syscall.SIGXFSZ:
		r.Stopped, r.why = OutOfDisk, "it wrote a file that is too large"
	case status.Signal() == syscall.SIGXCPU:
		r.Stopped, r.why = OutOfTime, "it has used too much CPU time"
	}
}

// start makes a run in a process of its own.
func (p *Program) start() (r Result, err error) {
	env, err := p.shareCounts()
	if err != nil {
		return r, err
	}
	p.reading.expect(p.folder)
	began := time.Now()
	pid, err := p.spawn(env)
	if err != nil {
		return r, err
	}
	w := p.watch(pid)
	status, err := wait(pid)
	by := w.end()
	killGroup(pid)
	r.ended(status, by)
	r.Unread = p.reading.missed(p.folder)
	r.Time = time.Since(began)
	if p.counts != nil {
		p.report(p.counts.data[:p.kind.counts])
	}
	return r, err
}

// shareCounts clears the memory in which a program that was built with allele build counts its
// hits. It returns the variable that names the memory.
func (p *Program) shareCounts() (env []string, err error) {
	if p.kind.counts == 0 {
		return nil, nil
	}
	if p.counts == nil {
		if p.counts, err = share(hook.CountsMax); err != nil {
			return nil, err
		}
	}
	clear(p.counts.data[:p.kind.counts])
	return []string{fmt.Sprintf("%s=%d,%d", hook.CountsVariable, p.counts.id, p.kind.counts)}, nil
}

func wait(pid int) (status syscall.WaitStatus, err error) {
	for {
		_, err = syscall.Wait4(pid, &status, 0, nil)
		if err != syscall.EINTR {
			return status, err
		}
	}
}

// killGroup kills the processes that are left of a process group. A process that is just starting another one may need
// several tries.
func killGroup(pid int) {
	for range 100 {
		if syscall.Kill(-pid, syscall.SIGKILL) == syscall.ESRCH {
			return
		}
		if !alive(pid) {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// alive reports whether a process group has a member that is not a zombie.
func alive(group int) bool {
	for p := range processes() {
		if p.group == group && p.state != 'Z' && p.state != 'X' {
			return true
		}
	}
	return false
}

// watcher stops runs that take too long or too much of the disk. One goroutine looks at the current run at times, so that
// a short run starts no timer.
type watcher struct {
	mu     sync.Mutex
	active bool // a goroutine looks
	pid    int  // of the current run, or 0
	began  time.Time
	limit  time.Duration
	idle   time.Duration // since a run was seen
	by     stopped       // why the current run was stopped
}

// stopped is why a run was stopped, for callers and for people.
type stopped struct {
	stop Stop
	why  string
}

const (
	lookEvery = 50 * time.Millisecond
	lookLeast = 5 * time.Millisecond // for short limits
	// A goroutine that has seen no run for this time ends. The next run starts another one.
	idleMax = 2 * time.Second
)

// watch kills the process group, or the process if pid is that of a forked one, when the run has to be stopped.
func (p *Program) watch(pid int) *watcher {
	w := &p.watcher
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pid, w.began, w.limit, w.by = pid, time.Now(), p.allowed, stopped{}
	if !w.active {
		w.active, w.idle = true, 0
		go p.look()
	}
	return w
}

// look looks at the runs until there are none.
func (p *Program) look() {
	for next := time.Duration(0); next >= 0; next = p.lookOnce() {
		time.Sleep(next)
	}
}

// lookOnce returns when to look again, or -1 if there is no run.
func (p *Program) lookOnce() (next time.Duration) {
	w := &p.watcher
	w.mu.Lock()
	defer w.mu.Unlock()
	next = min(lookEvery, max(w.limit/4, lookLeast))
	passed := time.Since(w.began)
	switch {
	case w.pid == 0:
		if w.idle += next; w.idle < idleMax {
			return next
		}
		w.active = false
		return -1
	case w.by.stop != NotStopped:
		return next
	case passed >= w.limit:
		w.by = stopped{OutOfTime, w.limit.String() + " had passed"}
	case passed >= lookEvery && used(p.folder.path) > p.disk():
		w.by = stopped{OutOfDisk, "its files had more than " + size(p.disk())}
	default:
		w.idle = 0
		return next
	}
	if syscall.Kill(-w.pid, syscall.SIGKILL) != nil {
		syscall.Kill(w.pid, syscall.SIGKILL)
	}
	return next
}

// end ends the watch. It returns why the run was stopped, if it was.
func (w *watcher) end() stopped {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pid = 0
	return w.by
}

// used returns how many bytes the files in a folder have.
func used(dir string) (sum int64) {
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return fs.SkipDir
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			sum += min(info.Size(), blocks(info)) // a file with holes takes less than its size
		}
		return nil
	})
	return sum
}

func blocks(info fs.FileInfo) int64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return s.Blocks * 512
	}
	return info.Size()
}

func size(bytes int64) string {
	if bytes >= 1<<20 {
		return fmt.Sprintf("%d MiB", bytes>>20)
	}
	return fmt.Sprintf("%d bytes", bytes)
}

// Instrumented reports whether a program was compiled with afl-cc or built with allele build, so that the edges of its
// code can guide a search.
func Instrumented(name string) (bool, error) {
	_, k, err := find([]string{name})
	return k.counts > 0 || k.forks, err
}
