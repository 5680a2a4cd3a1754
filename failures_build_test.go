//go:build go1.25

package allele

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/job"
	"github.com/allele-go/allele/internal/testkit"
)

const manySource = `package many

type In struct {
	Op   uint8
	List []int
}

type box struct{ n int }

func deref(b *box) int { return b.n }

func left(in In) int {
	if len(in.List) > 0 {
		return deref(nil)
	}
	return 0
}

func right(in In) int {
	if len(in.List) > 1 {
		return deref(nil)
	}
	return 1
}

var table = []int{1, 2, 3}

func at(i int) int { return table[i] }

func spin(n int) int {
	if n > 100 {
		return 1
	}
	return n + 1
}

func Endless(n int) {
	for n > 0 {
		n = spin(n)
	}
}
`

const manyTest = `package many

import (
	"os"
	"testing"

	"github.com/allele-go/allele"
)

func TestPasses(t *testing.T) {
	allele.Check(t, func(t *allele.T, in In) {})
}

func short(t *allele.T, in In) {
	t.Helper()
	if len(in.List) > 1 {
		t.Errorf("too long: %v", in.List)
	}
}

func TestMany(t *testing.T) {
	allele.Check(t, func(t *allele.T, in In) {
		switch in.Op % 8 {
		case 1:
			short(t, in) // first
		case 2:
			in.List = append(in.List, 0)
			short(t, in) // second
		case 3:
			at(len(in.List))
		case 4:
			left(in)
		case 5:
			right(in)
		case 6:
			Endless(len(in.List))
		}
	})
}

func even(n int) bool { return odd(n + 1) }

func odd(n int) bool { return even(n + 1) }

func TestAbandoned(t *testing.T) {
	allele.Check(t, func(t *allele.T, in In) {
		switch {
		case len(in.List) == 3:
			done := make(chan bool)
			go func() {
				Endless(len(in.List))
				close(done)
			}()
			<-done
		case len(in.List) == 2:
			even(0)
		case len(in.List) == 1 && in.List[0] > 5:
			t.Error("large") // large
		}
	})
}

func TestDies(t *testing.T) {
	allele.Check(t, func(t *allele.T, in In) {
		if len(in.List) == 3 {
			os.Exit(3)
		}
		if len(in.List) > 3 {
			t.Error("long") // long: a smaller input ends the process
		}
	})
}

func TestElsewhere(t *testing.T) {
	allele.Check(t, func(t *allele.T, in In) {
		if len(in.List) == 3 {
			os.Exit(3 + len(os.Getenv("ELSEWHERE"))) // as if chance decided where it fails
		}
	})
}
`

// many is a test binary built from rewritten source, with the files of its jobs.
type many struct {
	t           *testing.T
	dir, binary string
	known       string // file
	slots       int
}

func buildMany(t *testing.T) many {
	t.Helper()
	if testing.Short() {
		t.Skip("builds a module")
	}
	dir := testkit.Module(t, map[string]string{"many.go": manySource, "many_test.go": manyTest})
	_, binary := testkit.CommandBuilds(t, dir, "scratch.test", "-operands=off", "-tests", "10", "-run", "TestPasses", ".")
	return many{dir: dir, binary: binary}
}

// run runs a job for a property in a process and returns its events and its output.
func (m many) run(j job.Job) (events []event.Event, out string) {
	m.t.Helper()
	file := filepath.Join(m.t.TempDir(), "events")
	j.Events, j.Claims, j.Program.Sites, j.Search.KeepGoing = file, m.known, 100_000, true
	j.Limits.Run = time.Second // for runs that have taken all their steps: here only those that never end
	if j.Search.Tests == 0 {
		j.Search.Tests = 500
	}
	cmd := exec.Command(m.binary, "-test.run=^"+j.Property+"$", "-test.paniconexit0", "-test.timeout=0")
	cmd.Dir = m.dir
	cmd.Env = append(os.Environ(), job.Variable+"="+j.Encode(), "GOMAXPROCS=1", "GODEBUG=asyncpreemptoff=1")
	text, _ := cmd.CombinedOutput()
	f, err := os.Open(file)
	if err != nil {
		return nil, string(text)
	}
	defer f.Close()
	for e, err := range event.Read(f) {
		if err != nil {
			m.t.Error(err)
		}
		events = append(events, e)
	}
	return events, string(text)
}

func seedOf(n int) *uint64 { s := uint64(n); return &s }

// slot makes a slot for the next process.
func (m *many) slot() *proc.Slot {
	m.t.Helper()
	m.slots++
	s, err := proc.NewSlot(filepath.Join(m.t.TempDir(), proc.SlotName(m.slots)))
	if err != nil {
		m.t.Fatal(err)
	}
	return s
}

// markLine returns the file and line of a mark in the test.
func markLine(mark string) string {
	return fmt.Sprintf("many_test.go:%d", 1+strings.Count(manyTest[:strings.Index(manyTest, mark)], "\n"))
}

var spaces = regexp.MustCompile(`\s+`)

func TestKeepsGoing(t *testing.T) {
	m := buildMany(t)
	for _, c := range []struct {
		what string
		test func(*testing.T, many)
	}{{"failures", manyFailures}, {"at once", manyAtOnce}, {"abandoned", manyAbandoned}, {"deaths", manyDeaths}, {"elsewhere", manyElsewhere}} {
		t.Run(c.what, func(t *testing.T) {
			one := m
			one.t, one.known = t, filepath.Join(t.TempDir(), "known")
			c.test(t, one)
		})
	}
}

// Different failures of one property are distinguished. Each is reported once and keeps
// its sign while it is shrunk, and the search goes on to its end.
func manyFailures(t *testing.T, m many) {
	slot := m.slot()
	defer slot.Remove()
	events, out := m.run(job.Job{Mode: job.Search, Property: "TestMany", Wires: job.Wires{Slot: slot.Path()}})
	if len(events) == 0 {
		t.Fatal(out)
	}
	var got []string
	for i, e := range allOf[event.Found](events) {
		got = append(got, e.Sign+" = "+spaces.ReplaceAllString(e.Input, " "))
		if e.Verdict != "failed" || e.Known || e.Failures != i+1 || e.Run == 0 {
			t.Errorf("%+v", e)
		}
		if _, err := os.Stat(filepath.Join(m.dir, e.Case)); err != nil {
			t.Error(err)
		}
		if !strings.Contains(spaces.ReplaceAllString(out, " "), spaces.ReplaceAllString(e.Text, " ")) {
			t.Errorf("the test did not print\n%s", e.Text)
		}
	}
	want := []string{
		"failed " + markLine("// first") + " = in := In{Op: 1, List: []int{0, 0}}",
		"failed " + markLine("// second") + " = in := In{Op: 2, List: []int{0}}",
		"panic scratch.at many.go:28: index out of range = in := In{Op: 3, List: []int{0, 0, 0}}",
		"panic scratch.deref many.go:10: invalid memory address or nil pointer dereference = in := In{Op: 4, List: []int{0}}",
		"cut scratch.Endless = in := In{Op: 6, List: []int{0}}",
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"), out)
	}
	last := lastOf[event.Finished](t, events)
	if n := last.Counts; last.Verdict != "failed" || last.Failures != 5 || n.Passed < 500 || n.Runs <= n.Passed {
		t.Errorf("%+v", last)
	}

	again, out := m.run(job.Job{Mode: job.Search, Property: "TestMany", Search: job.Params{Seed: seedOf(7)}})
	if end := lastOf[event.Finished](t, again); len(again) != 1 || end.Verdict != "failed" || end.Failures != 0 || strings.Contains(out, "FAIL") {
		t.Errorf("another process had reported all failures, but:\n%+v\n%s", again, out)
	}
}

// Two processes that search at the same time report each failure once between them.
func manyAtOnce(t *testing.T, m many) {
	os.RemoveAll(filepath.Join(m.dir, "testdata")) // the cases of the other subtests
	both := make([][]event.Event, 2)
	var all sync.WaitGroup
	for i := range both {
		all.Go(func() {
			both[i], _ = m.run(job.Job{Mode: job.Search, Property: "TestMany", Search: job.Params{Seed: seedOf(i)}})
		})
	}
	all.Wait()
	times := map[string]int{}
	for _, events := range both {
		for _, e := range allOf[event.Found](events) {
			times[e.Sign]++
		}
	}
	for sign, n := range times {
		if n != 1 || len(times) != 5 {
			t.Errorf("%d times %q", n, sign)
		}
	}
	if files, err := filepath.Glob(filepath.Join(m.dir, "testdata", "allele", "TestMany", "*")); err != nil || len(files) != 5 {
		t.Errorf("%q", files)
	}
}

// A run with goroutines that never ends is abandoned, and the search goes on.
func manyAbandoned(t *testing.T, m many) {
	events, out := m.run(job.Job{Mode: job.Search, Property: "TestAbandoned", Search: job.Params{Tests: 100}})
	var got []string
	for _, e := range allOf[event.Found](events) {
		got = append(got, fmt.Sprint(e.Sign, " ", e.Verdict, " = ", spaces.ReplaceAllString(e.Input, " ")))
	}
	slices.Sort(got)
	lists(t, got, "cut failed = in := In{List: []int{0, 0, 0}}", "cut stack overflow scratch.even failed = in := In{List: []int{0, 0}}",
		"failed "+markLine("// large")+" failed = in := In{List: []int{6}}")
	if last := lastOf[event.Finished](t, events); last.Verdict != "failed" || last.Failures != 3 || last.Counts.Passed < 100 {
		t.Errorf("%+v\n%s", last, out)
	}
}

// A death is reported once, by the process that confirms it. If a process dies while it
// shrinks a failure, the next process reports that failure.
func manyDeaths(t *testing.T, m many) {
	shown := map[string]int{}
	deaths := 0
	for n := 0; n < 4; n++ {
		slot := m.slot()
		events, out := m.run(job.Job{Mode: job.Search, Property: "TestDies", Wires: job.Wires{Slot: slot.Path()},
			Search: job.Params{Seed: seedOf(n + 1), Isolate: n > 0}})
		if len(allOf[event.Finished](events)) > 0 {
			t.Fatalf("it did not die\n%s", out)
		}
		for _, e := range allOf[event.Found](events) {
			shown[e.Sign+spaces.ReplaceAllString(e.Input, " ")]++
		}
		slot.Close()
		events, out = m.run(job.Job{Mode: job.Confirm, Property: "TestDies", Confirm: job.Dead{Slot: slot.Path()}})
		e := lastOf[event.Found](t, events)
		if len(events) != 1+len(allOf[event.Stored](events)) || e.Sign == "" {
			t.Fatalf("%+v\n%s", events, out)
		}
		if e.Death == "exit" || e.Text == "" {
			deaths++
		}
		if e.Text != "" {
			shown[e.Sign+spaces.ReplaceAllString(e.Input, " ")]++
		}
		for _, e := range allOf[event.Stored](events) {
			if e.Found.Case == "" || e.Found.Text == "" {
				t.Errorf("stored: %+v", e)
			}
		}
		if old := e.Text == ""; old != (e.Case == "") || old != e.Known || old == strings.Contains(out, "--- FAIL") {
			t.Errorf("%+v\n%s", e, out)
		}
		if seed := fmt.Sprintf(", seed %d: ", n+1); e.Text != "" && !strings.Contains(e.Text, seed) {
			t.Errorf("no %q in\n%s", seed, e.Text)
		}
	}
	if want := map[string]int{"exit 3in := In{List: []int{0, 0, 0}}": 1, "failed " + markLine("// long") + "in := In{List: []int{0, 0, 0, 0}}": 1}; fmt.Sprint(shown) != fmt.Sprint(want) || deaths == 0 {
		t.Errorf("shown %v, want %v", shown, want)
	}
}

// An input that ends its process at another place in each run is one failure, also when its stored case is run by the next process.
func manyElsewhere(t *testing.T, m many) {
	var got []string
	for n, where := range []string{"", "x", "xx"} {
		t.Setenv("ELSEWHERE", where)
		if n == 2 { // the stored case is gone, and the search finds its input again
			os.RemoveAll(filepath.Join(m.dir, "testdata"))
		}
		slot := m.slot()
		search, _ := m.run(job.Job{Mode: job.Search, Property: "TestElsewhere", Wires: job.Wires{Slot: slot.Path()}, Search: job.Params{Seed: seedOf(n + 1)}})
		slot.Close()
		confirm, out := m.run(job.Job{Mode: job.Confirm, Property: "TestElsewhere", Confirm: job.Dead{Slot: slot.Path()}})
		for _, e := range append(allOf[event.Found](search), allOf[event.Found](confirm)...) {
			if got = append(got, fmt.Sprint(e.Sign, ", known: ", e.Known)); e.Known == (e.Text != "") {
				t.Errorf("%+v\n%s", e, out)
			}
		}
	}
	lists(t, got, "exit 3, known: false", "exit 4, known: true", "exit 5, known: true")
}
