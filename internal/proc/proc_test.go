//go:build go1.25 && unix

package proc_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/job"
)

// TestMain makes this binary the program that is run: it does what PROC_TEST names in the
// middle of a run.
func TestMain(m *testing.M) {
	if how := os.Getenv("PROC_TEST"); how != "" {
		child(how)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func child(how string) {
	proc.Confine(1 << 30)
	j, err := job.Current()
	if err != nil {
		panic(err)
	}
	slot, err := proc.OpenSlot(j.Wires.Slot)
	if err != nil {
		slot = nil
		if q, a := proc.Asked(j.Wires); how == "asked" {
			answer(q, a)
			return
		}
		panic(err)
	}
	for i := range 7 {
		slot.Begin(fmt.Appendf(nil, "case %d", i))
		slot.End(proc.Seen{Passed: i})
	}
	slot.Begin([]byte("the case of " + how))
	deeds[how](slot)
	slot.End(proc.Seen{})
}

func answer(questions, answers *os.File) {
	for {
		q, err := proc.ReadMessage(questions)
		if err != nil {
			return
		}
		switch string(q) {
		case "exit":
			os.Exit(3)
		case "hang":
			for {
			}
		}
		proc.WriteMessage(answers, bytes.ToUpper(q))
	}
}

// work is any job: these tests need only the slot that Start adds to it.
var work = &job.Job{Mode: job.Search, Property: "TestTree"}

// deeds are what a property may do to its process.
var deeds = map[string]func(*proc.Slot){
	"return":    func(*proc.Slot) {},
	"overflow":  func(*proc.Slot) { overflow(0) },
	"exit 0":    func(*proc.Slot) { os.Exit(0) },
	"exit 3":    func(*proc.Slot) { os.Exit(3) },
	"goroutine": func(*proc.Slot) { go panic("in a goroutine"); select {} },
	"deadlock":  func(*proc.Slot) { select {} },
	"blocked": func(*proc.Slot) { // because of the timer the runtime does not detect the deadlock
		time.AfterFunc(time.Hour, func() {})
		var mu sync.Mutex
		mu.Lock()
		mu.Lock()
	},
	"loop": func(*proc.Slot) {
		for {
		}
	},
	"memory": func(*proc.Slot) { sink = make([]byte, 100<<30) },
	"kill":   func(*proc.Slot) { syscall.Kill(os.Getpid(), syscall.SIGKILL) },
	"maps": func(*proc.Slot) {
		runtime.GOMAXPROCS(4)
		m := map[int]int{}
		for range 4 {
			go func() {
				for i := 0; ; i++ {
					m[i%7] = i
				}
			}()
		}
		select {}
	},
	"nonsense": func(*proc.Slot) { // a program may print what the runtime prints
		fmt.Fprintln(os.Stderr, "fatal error: not really\n\ngoroutine 1 [running]:\nmain.main()")
		var p *int
		go func() { *p = 1 }()
		select {}
	},
	"large": func(s *proc.Slot) {
		s.End(proc.Seen{})
		s.Begin(bytes.Repeat([]byte("x"), 3<<20))
		os.Exit(5)
	},
	"rest": func(s *proc.Slot) {
		s.End(proc.Seen{Passed: 7, Features: 3, Kept: 2})
		s.Rest(true)
		for s.Paused() {
			time.Sleep(time.Millisecond)
		}
		s.Rest(false)
	},
	"stop": func(s *proc.Slot) {
		for !s.Stopped() {
			time.Sleep(time.Millisecond)
		}
	},
}

var sink any

func overflow(n int) int { return overflow(n+1) + 1 }

func TestDeaths(t *testing.T) {
	for _, c := range []struct {
		how     string
		kind    proc.Kind
		text    string
		stack   string // a name in it
		running bool
	}{
		{"return", proc.Ended, "exit code 0", "", false},
		{"overflow", proc.Fatal, "stack overflow", "proc_test.overflow", true},
		{"exit 0", proc.Ended, "exit code 0", "", true},
		{"exit 3", proc.Exit, "exit code 3", "", true},
		{"goroutine", proc.Panic, "in a goroutine", "goroutine ", true},
		{"deadlock", proc.Deadlock, "every goroutine waits", "proc_test.child", true},
		{"blocked", proc.Deadlock, "every goroutine waits", "sync.(*Mutex).Lock", true},
		{"loop", proc.Hang, "it did not end", "proc_test.child", true},
		{"memory", proc.Memory, "out of memory", "proc_test.child", true},
		{"kill", proc.Killed, "killed by SIGKILL", "", true},
		{"maps", proc.Fatal, "concurrent map writes", "proc_test.init", true},
		{"nonsense", proc.Panic, "runtime error: invalid memory address or nil pointer dereference", "proc_test.init", true},
	} {
		if c.how == "memory" && (!proc.Shared() || proc.Raced) {
			continue // memory is not limited
		}
		if c.how == "maps" && proc.Raced {
			continue // either the runtime or the race detector finds it first
		}
		t.Run(c.how, func(t *testing.T) {
			slot, err := proc.NewSlot(t.TempDir() + "/slot")
			if err != nil {
				t.Fatal(err)
			}
			p := start(t, c.how, slot)
			d := p.Wait()
			if d.Kind != c.kind || !strings.HasPrefix(d.Text, c.text) || d.Running != c.running {
				t.Errorf("%q, %q, running %v, code %d\n%.3000s", d.Kind, d.Text, d.Running, d.Code, d.Stack)
			}
			if !strings.Contains(d.Stack, c.stack) {
				t.Errorf("the stack does not contain %s:\n%.3000s", c.stack, d.Stack)
			}
			got, err := slot.Case()
			if c.running && (string(got) != "the case of "+c.how || err != nil) || !c.running && err == nil {
				t.Errorf("case %q, %v", got, err)
			}
			if now := slot.Look(); c.running && (now.Run != 8 || now.Passed != 6) {
				t.Errorf("%+v", now)
			}
		})
	}
}

func start(t *testing.T, how string, slot *proc.Slot) *proc.Process {
	t.Helper()
	hang := 20 * time.Second
	if how == "loop" || how == "blocked" || how == "deadlock" {
		hang = 500 * time.Millisecond
	} else if how == "asked" {
		hang = 5 * time.Second // on a busy machine an answer may take long
	}
	p, err := proc.Start(proc.Config{Path: os.Args[0], Job: work, Env: []string{"PROC_TEST=" + how, "GOMAXPROCS=1", "GODEBUG=asyncpreemptoff=1", "GORACE=halt_on_error=1"},
		Slot: slot, Asked: slot == nil, Hang: hang})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// An input that does not fit into the slot is written to a second file.
func TestLargeCase(t *testing.T) {
	slot, err := proc.NewSlot(t.TempDir() + "/slot")
	if err != nil {
		t.Fatal(err)
	}
	start(t, "large", slot).Wait()
	if c, err := slot.Case(); len(c) != 3<<20 || err != nil {
		t.Errorf("%d bytes, %v", len(c), err)
	}
	if err := slot.Remove(); err != nil {
		t.Error(err)
	}
}

// A process that is asked to stop exits by itself.
func TestStop(t *testing.T) {
	slot, err := proc.NewSlot(t.TempDir() + "/slot")
	if err != nil {
		t.Fatal(err)
	}
	p := start(t, "stop", slot)
	p.Stop()
	if d := p.Wait(); d.Kind != proc.Ended || d.Running {
		t.Errorf("%+v", d)
	}
}

// A process that was asked to rest has no timeout while it rests.
func TestPause(t *testing.T) {
	for idle := 500 * time.Millisecond; ; idle *= 2 {
		slot, err := proc.NewSlot(t.TempDir() + "/slot")
		if err != nil {
			t.Fatal(err)
		}
		slot.Pause(true)
		p, err := proc.Start(proc.Config{Path: os.Args[0], Job: work, Env: []string{"PROC_TEST=rest", "GORACE=atexit_sleep_ms=0"}, Slot: slot, Hang: time.Minute, Idle: idle})
		if err != nil {
			t.Fatal(err)
		}
		death := make(chan proc.Death, 1)
		go func() { death <- p.Wait() }()
		if !rests(slot, death) {
			continue // on a busy machine it did not start within the timeout
		}
		if n := slot.Look(); n.Running || n.Seen != (proc.Seen{Passed: 7, Features: 3, Kept: 2}) {
			t.Errorf("%+v", n)
		}
		time.Sleep(2 * idle)
		slot.Pause(false)
		d := <-death
		if d.Late && idle < 30*time.Second {
			continue // on a busy machine it did not go on within the timeout
		}
		if d.Kind != proc.Ended || d.Running || d.Late {
			t.Errorf("%+v", d)
		}
		return
	}
}

// rests waits until a process rests. It reports false if the process ends first.
func rests(slot *proc.Slot, death <-chan proc.Death) bool {
	for !slot.Look().Resting {
		select {
		case <-death:
			return false
		case <-time.After(time.Millisecond):
		}
	}
	return true
}

// Left finds a slot whose creator has exited, and no slot that is in use.
func TestLeft(t *testing.T) {
	dir := t.TempDir()
	slot, err := proc.NewSlot(filepath.Join(dir, proc.SlotName(1)))
	if err != nil {
		t.Fatal(err)
	}
	if left := proc.Left(dir); len(left) > 0 {
		t.Errorf("%q is in use", left)
	}
	slot.Begin([]byte("x"))
	slot.Close()
	left := proc.Left(dir)
	if len(left) != 1 || left[0] != slot.Path() {
		t.Fatalf("%q", left)
	}
	slot, err = proc.OpenSlot(left[0])
	if err != nil {
		t.Fatal(err)
	}
	if c, err := slot.Case(); string(c) != "x" || err != nil {
		t.Errorf("%q, %v", c, err)
	}
}

// A damaged slot causes no panic.
func TestDamagedSlot(t *testing.T) {
	path := t.TempDir() + "/slot"
	slot, err := proc.NewSlot(path)
	if err != nil {
		t.Fatal(err)
	}
	slot.Begin([]byte("a case"))
	slot.Close()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	magic := make([]byte, 8)
	if _, err := f.ReadAt(magic, 0); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	opened := 0
	for range 4_000 {
		at := int64([]int{r.IntN(64), 4096 + r.IntN(32), 4096 + 1<<20 + r.IntN(32)}[r.IntN(3)])
		var b [1]byte
		f.ReadAt(b[:], at)
		b[0] ^= 1 << r.IntN(8)
		f.WriteAt(b[:], at) // damage adds up
		if slot, err := proc.OpenSlot(path); err == nil {
			opened++
			slot.Look()
			slot.Case()
			slot.Close()
		} else {
			f.WriteAt(magic, 0)
		}
	}
	for size := range int64(100) {
		f.Truncate(size * 20_000)
		if _, err := proc.OpenSlot(path); err == nil {
			t.Errorf("a slot of %d bytes was opened", size)
		}
	}
	if opened < 2_000 {
		t.Errorf("only %d of 4,000 damaged slots could be opened, so the test looks at few of them", opened)
	}
}

func TestAsk(t *testing.T) {
	p := start(t, "asked", nil)
	for _, q := range []string{"hello", "", "again"} {
		if a, ok := p.Ask([]byte(q)); !ok || string(a) != strings.ToUpper(q) {
			t.Errorf("%q: %q, %v", q, a, ok)
		}
	}
	if d := p.Close(); d.Kind != proc.Ended {
		t.Errorf("%+v", d)
	}
	for q, want := range map[string]proc.Kind{"exit": proc.Exit, "hang": proc.Hang} {
		p := start(t, "asked", nil)
		if a, ok := p.Ask([]byte(q)); ok {
			t.Errorf("%s: %q", q, a)
		}
		if d := p.Wait(); d.Kind != want {
			t.Errorf("%s: %+v", q, d)
		}
	}
}

// The tests also pass where memory is not shared.
func TestPlainFile(t *testing.T) {
	if !proc.Shared() {
		t.Skip("memory is not shared here, so all tests are such tests")
	}
	t.Setenv("ALLELE_SHARED", "off")
	t.Run("deaths", TestDeaths)
	t.Run("large", TestLargeCase)
	t.Run("stop", TestStop)
}

// Started is the number of the last run of the search. Runs of stored cases and runs
// during shrinking do not change it.
func TestStarted(t *testing.T) {
	for _, shared := range []string{"", "off"} {
		t.Setenv("ALLELE_SHARED", shared)
		slot, err := proc.NewSlot(filepath.Join(t.TempDir(), "slot"))
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for _, run := range []int{0, 1, 2, 0} { // 0: not a run of the search
			if run > 0 {
				slot.Start(run)
			}
			slot.Begin([]byte("x"))
			got = append(got, slot.Look().Started)
			slot.End(slot.Look().Seen)
		}
		if want := []int{0, 1, 2, 2}; !slices.Equal(got, want) {
			t.Errorf("shared %q: %v, want %v", shared, got, want)
		}
		slot.Remove()
	}
}
