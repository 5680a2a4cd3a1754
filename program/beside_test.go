//go:build go1.25 && linux

package program

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/outside"
)

// waiting is a program that is in the middle of a run.
type waiting struct {
	*Program
	release func() Result // lets the run end
}

// startWaiting starts a run, and returns when the program runs. The program waits until release is called.
func startWaiting(t *testing.T, wrap string) waiting {
	t.Helper()
	dir := t.TempDir()
	begun, end := filepath.Join(dir, "begun"), filepath.Join(dir, "end")
	for _, pipe := range []string{begun, end} {
		if err := syscall.Mkfifo(pipe, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	script := fmt.Sprintf("echo > %s; read x < %s; echo released", begun, end)
	p := &Program{Args: []string{"sh", "-c", fmt.Sprintf(wrap, script)}, Timeout: 2 * time.Minute}
	t.Cleanup(p.Close)
	done := make(chan Result)
	go func() {
		r, err := p.Run(nil)
		if err != nil {
			t.Error(err)
		}
		done <- r
	}()
	if _, err := os.ReadFile(begun); err != nil {
		t.Fatal(err)
	}
	return waiting{p, sync.OnceValue(func() Result {
		// Without a reader, opening a pipe for writing would wait for ever.
		f, err := os.OpenFile(end, os.O_RDWR, 0)
		if err != nil {
			t.Error(err)
			return Result{}
		}
		defer f.Close()
		fmt.Fprintln(f)
		return <-done
	})}
}

// A program that has ended, or that is closed, leaves the runs of other programs alone.
func TestBeside(t *testing.T) {
	for name, wrap := range map[string]string{
		"a process":                     "%s",
		"a process that left its group": `setsid --wait sh -c '%s'`,
	} {
		w := startWaiting(t, wrap)
		other := &Program{Args: []string{"true"}}
		for range 2 {
			run(t, other, "")
			other.Close()
		}
		if r := w.release(); r.Code != 0 || r.Stdout != "released\n" {
			t.Errorf("%s: its run ended with %+v, want one that was released", name, r)
		}
	}
}

// Programs that run side by side share no data.
func TestParallel(t *testing.T) {
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			p := &Program{Args: []string{"cat"}}
			defer p.Close()
			for i := range 20 {
				if r, err := p.Run(fmt.Append(nil, i)); err != nil || r.Code != 0 || r.Stdout != fmt.Sprint(i) {
					t.Errorf("input %d: %+v, %v", i, r, err)
				}
			}
		})
	}
	all.Wait()
}

// While a process is started, the limit of the address space is lifted. It stays so until the last of several starts is
// over.
func TestUnlimited(t *testing.T) {
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &before); err != nil {
		t.Fatal(err)
	}
	small := syscall.Rlimit{Cur: min(1<<62, before.Max-1), Max: before.Max} // more than this process needs
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &small); err != nil {
		t.Fatal(err)
	}
	defer syscall.Setrlimit(syscall.RLIMIT_AS, &before)
	isLifted := func() bool {
		var now syscall.Rlimit
		return syscall.Getrlimit(syscall.RLIMIT_AS, &now) == nil && now.Cur == before.Max
	}
	first := unlimited()
	second := unlimited()
	first()
	if !isLifted() {
		t.Error("the limit is back, but another process is being started")
	}
	second()
	if isLifted() {
		t.Error("the limit is not restored")
	}
}

// All programs that a property runs guide the search, in whatever order they end.
func TestSeveralGuide(t *testing.T) {
	one, two := &Program{Args: []string{"echo"}}, &Program{Args: []string{"printf", "other"}}
	defer one.Close()
	defer two.Close()
	_, justOne := runRecorded(t, one, 0, "")
	_, justTwo := runRecorded(t, two, 0, "")
	want := slices.Sorted(slices.Values(slices.Concat(justOne, justTwo)))
	for _, order := range [][]*Program{{one, two}, {two, one}, {one, two, one}} {
		outside.Begin()
		for _, p := range order {
			run(t, p, "")
		}
		if got := outside.End(nil); len(justOne) == 0 || !slices.Equal(got, want) {
			t.Errorf("reached %v, want %v", got, want)
		}
	}
}

// A run that was stopped early and is made again guides the search as if it had not been stopped.
func TestMadeAgain(t *testing.T) {
	p := &Program{Args: []string{"sh", "-c", "read s; sleep $s; echo done"}, Timeout: time.Minute}
	defer p.Close()
	_, want := runRecorded(t, p, 0, "0.3\n")
	outside.Begin()
	early := runWithin(t, p, 20*time.Millisecond, "0.3\n")
	again := run(t, p, "0.3\n")
	if got := outside.End(nil); early.Stopped != OutOfTime || again.Stopped != NotStopped || !slices.Equal(got, want) {
		t.Errorf("reached %v, want %v", got, want)
	}
}
