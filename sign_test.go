package allele

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/ops/proc"
	"github.com/allele-go/allele/internal/search/engine"
)

// What tells failures apart: how they happened and where, and nothing of an input or
// of this machine.
func TestSigns(t *testing.T) {
	const own = "github.com/allele-go/allele.(*runner).one(0x1)\n\t/mod/allele/run.go:80 +0x1c\n"
	const caller = "example.com/tree.TestX.func1(0xc000012345)\n\t/home/u/tree/tree_test.go:13 +0x1d\n" + own
	const insert = "example.com/tree.(*Tree).Insert(0xc0000aaaa0, 0x7)\n\t/home/u/tree/tree.go:31 +0x2b\n"
	panics := func(text, stack string) outcome {
		return outcome{T: &T{more: &extra{panicked: &panicked{Text: text, Stack: "goroutine 7 [running]:\nruntime/debug.Stack()\n\t/go/debug.go:1 +0x1\npanic({0x1, 0x2})\n\t/go/panic.go:1 +0x1\n" + stack}}}}
	}
	dies := func(d proc.Death) outcome { return outcome{T: &T{}, death: &d} }
	goroutine := func(stack string) string { return "fatal error: x\n\ngoroutine 9 [running]:\n" + stack }
	for _, c := range []struct {
		name string
		o    outcome
		want string
	}{
		{"a message says nothing, its line does", outcome{T: &T{more: &extra{at: "tree_test.go:13", logs: []logLine{{"tree_test.go:13", "lost 4711", true}}}}}, "failed tree_test.go:13"},
		{"Fail without a place", outcome{T: &T{}}, "failed"},
		{"numbers of the runtime are the input's", panics("runtime error: index out of range [5] with length 3", insert+caller), "panic tree.(*Tree).Insert tree.go:31: index out of range"},
		{"as is which side of a list they miss", panics("runtime error: index out of range [-1]", insert+caller), "panic tree.(*Tree).Insert tree.go:31: index out of range"},
		{"and of a slice", panics("runtime error: slice bounds out of range [:5] with capacity 3", insert+caller), "panic tree.(*Tree).Insert tree.go:31: slice bounds out of range"},
		{"and so are its types", panics("runtime error: hash of unhashable type []int", insert+caller), "panic tree.(*Tree).Insert tree.go:31: hash of unhashable type"},
		{"one bug has many callers", panics("runtime error: invalid memory address or nil pointer dereference", insert+"example.com/tree.All(0x1)\n\t/home/u/tree/all.go:9 +0x1\n"+caller), "panic tree.(*Tree).Insert tree.go:31: invalid memory address or nil pointer dereference"},
		{"words of the user may be the input", panics("no such token: whale 7", insert+caller), "panic tree.(*Tree).Insert tree.go:31"},
		{"the standard library is not to blame", panics("strings: negative Repeat count", "strings.Repeat({0x1, 0x2}, 0x3)\n\t"+goroot("/src/strings/strings.go:600")+" +0x1\n"+insert+caller), "panic tree.(*Tree).Insert tree.go:31"},
		{"os.Exit(0)", panics(exitWords, insert+caller), "exit tree.(*Tree).Insert tree.go:31"},
		{"a loop", outcome{T: &T{more: &extra{cut: "5,000,000 steps", loop: "tree.Walk"}}}, "cut tree.Walk"},
		{"a loop in one of several goroutines", outcome{T: &T{more: &extra{cut: "5,000,000 steps"}}}, "cut"},
		{"a stack that grows: whoever was on top", outcome{T: &T{more: &extra{cut: "x", overflow: overflown}}}, "cut stack overflow a.Even"},
		{"Goexit", outcome{T: &T{more: &extra{outer: "the property called runtime.Goexit"}}}, "failed the property called runtime.Goexit"},
		{"deadline", outcome{T: &T{}, hung: true}, "hang"},
		{"exit", dies(proc.Death{Kind: proc.Exit, Code: 3}), "exit 3"},
		{"panic in a goroutine", dies(proc.Death{Kind: proc.Panic, Text: "runtime error: integer divide by zero\n[signal x addr=0x12]", Stack: goroutine(insert + caller)}), "panic tree.(*Tree).Insert tree.go:31: integer divide by zero"},
		{"stack overflow", dies(proc.Death{Kind: proc.Fatal, Text: "stack overflow", Stack: overflown}), "fatal stack overflow a.Even"},
		{"fatal", dies(proc.Death{Kind: proc.Fatal, Text: "concurrent map writes", Stack: goroutine(insert + caller)}), "fatal tree.(*Tree).Insert tree.go:31: concurrent map writes"},
		{"deadlock", dies(proc.Death{Kind: proc.Deadlock, Stack: goroutine(insert + caller)}), "deadlock tree.(*Tree).Insert tree.go:31"},
		{"hang: caught anywhere", dies(proc.Death{Kind: proc.Hang, Stack: goroutine(insert + caller)}), "hang"},
		{"memory", dies(proc.Death{Kind: proc.Memory, Stack: goroutine(insert + caller)}), "memory"},
		{"race: either side may come first", dies(proc.Death{Kind: proc.Race, Stack: "WARNING: DATA RACE\nRead at 0x1 by goroutine 8:\n  a.Z()\n      /a/a.go:9 +0x1\n\nPrevious write at 0x1 by goroutine 7:\n  a.B()\n      /a/a.go:5 +0x1\n\nGoroutine 8 (running) created at:\n  a.C()\n      /a/a.go:1 +0x1\n"}), "race a.B a.Z"},
		{"no more than a line", outcome{T: &T{more: &extra{at: "a\nb" + strings.Repeat("x", 300)}}}, "failed a b" + strings.Repeat("x", signMax-len("failed a b")) + "..."},
	} {
		if got := c.o.sign(); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// signed fails in many ways.
func signed(t *T, n int) {
	positive := func(n int) {
		t.Helper()
		if n < 0 {
			t.Errorf("negative: %d", n)
		}
	}
	switch n {
	case 1:
		positive(-n) // first
	case 2:
		positive(-n) // second
	case 3:
		t.Fail() // bare
	case 4:
		for range 2 * logMax {
			t.Log("words")
		}
		t.FailNow() // behind many words
	case 5:
		_ = make([]int, n)[n:][n] // index
	}
}

// TestSigned is not a test of its own: TestSignsAgree starts it in other processes.
func TestSigned(t *testing.T) {
	if j, err := job.Current(); err != nil || j.Mode != job.Cases {
		t.Skip("it is started by another test")
	}
	Check(t, signed)
}

// A failure has the same sign when it is shrunk, with detail, in another process, and
// in a search that has seen its helper once.
func TestSignsAgree(t *testing.T) {
	c, err := newCheck(t, reflect.TypeFor[int](), 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	c.runner.call = caller(signed, nil)
	c.name, c.runner.TB = "TestSigned", alias{t, "TestSigned"}
	c.t = c.runner.TB
	p := c.newPen(1)
	defer p.close()
	for i, mark := range []string{"// first", "// second", "// bare", "// behind", "// index"} {
		x, err := c.world.Read(reflect.ValueOf(i + 1))
		if err != nil {
			t.Fatal(err)
		}
		var signs [3]string
		c.runner.detail = true
		signs[0] = c.runner.alone(x, nil).sign()
		c.runner.detail = false
		signs[1] = c.runner.alone(x, nil).sign()
		o := p.run(x)
		if p.err != nil || o.verdict() != engine.Failed {
			t.Fatal(p.err, o.verdict())
		}
		signs[2] = o.sign()
		if at := lineOf(t, "sign_test.go", mark); !strings.Contains(signs[0], at) || signs[1] != signs[0] || signs[2] != signs[0] {
			t.Errorf("%s %s: %q", mark, at, fmt.Sprint(signs))
		}
	}
}
