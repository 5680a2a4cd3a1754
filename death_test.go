package allele

import (
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/ops/proc"
	"github.com/allele-go/allele/internal/search/engine"
)

// What the runtime prints at the end of a process, and what users read of it.
func TestDeathlines(t *testing.T) {
	const property = "example.com/tree.TestX.func1(0x1, 0x2)\n\t/home/u/tree/tree_test.go:13 +0x1d\n" +
		"github.com/allele-go/allele.Check[...].func2(0x1)\n\t/mod/allele/allele.go:88 +0x99\n"
	const user = "example.com/tree.(*Tree).Insert(...)\n\t/home/u/tree/tree.go:31 +0x2b\n"
	running := "\n\ngoroutine 7 [running]:\n" + user + property
	for _, c := range []struct {
		name  string
		death proc.Death
		want  string
		stack string // functions, the last call first
	}{
		{"overflow", proc.Death{Kind: proc.Fatal, Text: "stack overflow", Stack: "fatal error: stack overflow\n\nruntime stack:\nruntime.throw()\n\t/go/panic.go:1 +0x1" + strings.Replace(running, user, user+"...95 frames elided...\n"+user, 1)},
			"stack overflow in tree.(*Tree).Insert, tree.go:31", "tree.(*Tree).Insert tree.TestX.func1"},
		{"exit", proc.Death{Kind: proc.Exit, Code: 3}, "property ended its process: os.Exit(3)", ""},
		{"panic elsewhere", proc.Death{Kind: proc.Panic, Text: "boom", Stack: "panic: boom\n\ngoroutine 9 [running]:\n" + user + "created by example.com/tree.TestX.func1 in goroutine 7\n\t/home/u/tree/tree_test.go:14 +0x1d\n"},
			"a goroutine of the property panicked: boom (tree.go:31)", "tree.(*Tree).Insert tree.TestX.func1"},
		{"exit 0 elsewhere", proc.Death{Kind: proc.Panic, Text: exitWords, Stack: "panic: " + exitWords + running}, "a goroutine of the property called os.Exit(0) (tree.go:31)", "tree.(*Tree).Insert tree.TestX.func1"},
		{"deadlock: the goroutine of the property matters", proc.Death{Kind: proc.Deadlock, Stack: "fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [chan receive]:\nexample.com/tree.helper()\n\t/home/u/tree/h.go:1 +0x1\nmain.main()\n\t_testmain.go:2 +0x1" + strings.Replace(running, "running", "select (no cases)", 1)},
			"deadlock: every goroutine waits in tree.(*Tree).Insert, tree.go:31", "tree.(*Tree).Insert tree.TestX.func1"},
		{"hang in the library", proc.Death{Kind: proc.Hang, Stack: "SIGQUIT: quit\nPC=0x1\n\ngoroutine 7 gp=0x1 m=0 [running]:\nsort.Sort(0x1)\n\t" + goroot("/src/sort/sort.go:56") + " +0x1\n" + user + property},
			"property did not end: it was still running after 2s in tree.(*Tree).Insert, tree.go:31", "sort.Sort tree.(*Tree).Insert tree.TestX.func1"},
		{"memory", proc.Death{Kind: proc.Memory, Stack: "fatal error: runtime: out of memory" + running}, "property ran out of memory in tree.(*Tree).Insert, tree.go:31; a process may take 4096 MB", "tree.(*Tree).Insert tree.TestX.func1"},
		{"killed", proc.Death{Kind: proc.Killed, Text: "killed by SIGKILL"}, "property had its process killed by SIGKILL", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := outcome{death: &c.death, waited: 2 * time.Second, limit: memoryDefault}
			if got := o.headline(); got != c.want {
				t.Errorf("%s\nwant %s", got, c.want)
			}
			var names []string
			for _, f := range deathFrames(&c.death) {
				names = append(names, f.function())
			}
			if got := strings.Join(names, " "); got != c.stack {
				t.Errorf("stack %s\nwant  %s", got, c.stack)
			}
		})
	}
}

// goroot is a file of the standard library, as stacks name it.
func goroot(file string) string { return runtime.GOROOT() + file }

// Where two runs of one case part.
func TestParting(t *testing.T) {
	for _, c := range []struct {
		name           string
		failed, passed way
		want           string
	}{
		{"one went elsewhere", way{path: []uint32{1, 2, 3, 9}}, way{path: []uint32{1, 2, 4}}, "[2 3 4]"},
		{"one ended", way{path: []uint32{1, 2, 3}}, way{path: []uint32{1, 2}}, "[2 3 0]"},
		{"at once", way{path: []uint32{5}}, way{path: []uint32{6}}, "[0 5 6]"},
		{"the same way", way{path: []uint32{1, 2}}, way{path: []uint32{1, 2}}, "[]"},
		{"without order: what only one reached", way{path: []uint32{1, 3, 2}, set: []uint32{1, 2, 3}}, way{path: []uint32{1, 2, 4}, set: []uint32{1, 2, 4}}, "[1 3 4]"},
		{"without order, the same", way{path: []uint32{1, 2}, set: []uint32{1, 2}}, way{path: []uint32{2, 1}, set: []uint32{1, 2}}, "[]"},
	} {
		if got := fmt.Sprint(parting(c.failed, c.passed)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestPenned is not a test of its own: TestPen starts it in other processes.
func TestPenned(t *testing.T) {
	if j, err := job.Current(); err != nil || j.Mode != job.Cases {
		t.Skip("it is started by another test")
	}
	Check(t, penned)
}

func penned(t *T, n int) {
	t.Assume(n >= 0)
	switch n {
	case 3:
		os.Exit(3)
	case 4:
		select {}
	case 5:
		t.Log("about five")
		t.Error("five")
	case 6:
		panic("six")
	}
}

// A pen says how a run ended, whatever that did to its process, and goes on.
func TestPen(t *testing.T) {
	t.Setenv("ALLELE_HANG", "20s")
	c, err := newCheck(t, reflect.TypeFor[int](), 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	c.name, c.runner.TB = "TestPenned", alias{t, "TestPenned"}
	c.t = c.runner.TB
	p := c.newPen(1)
	defer p.close()
	for _, want := range []struct {
		n    int
		kind engine.Verdict
		says string
	}{
		{1, engine.Passed, ""},
		{-1, engine.Discarded, ""},
		{3, engine.Failed, "property ended its process: os.Exit(3)"},
		{1, engine.Passed, ""},
		{4, engine.Failed, "deadlock: every goroutine waits"},
		{5, engine.Failed, "property failed: five (death_test.go:"},
		{6, engine.Failed, "property panicked: six (death_test.go:"},
		{3, engine.Failed, "property ended its process: os.Exit(3)"},
	} {
		x, err := c.world.Read(reflect.ValueOf(want.n))
		if err != nil {
			t.Fatal(err)
		}
		o := p.run(x)
		if p.err != nil {
			t.Fatal(p.err)
		}
		if o.verdict() != want.kind || want.kind == engine.Failed && !strings.HasPrefix(o.headline(), want.says) {
			t.Errorf("%d: %v, %s", want.n, o.verdict(), o.headline())
		}
		if want.n == -1 && !strings.Contains(o.rejected, "death_test.go:") {
			t.Errorf("discarded by %q", o.rejected)
		}
	}
}

// alias is a test under another name.
type alias struct {
	testing.TB
	name string
}

func (n alias) Name() string { return n.name }
