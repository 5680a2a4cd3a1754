//go:build go1.25

package finding

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/proc"
	"github.com/allele-go/allele/internal/search/engine"
)

// exitPanic is the message with which package testing reports that a test called
// os.Exit(0).
const exitPanic = "unexpected call to os.Exit(0) during test"

// A sign contains how and where a failure happened, and nothing of the input or of this
// machine.
func TestSigns(t *testing.T) {
	const own = "github.com/allele-go/allele.(*runner).one(0x1)\n\t/mod/allele/run.go:80 +0x1c\n"
	const caller = "example.com/tree.TestX.func1(0xc000012345)\n\t/home/u/tree/tree_test.go:13 +0x1d\n" + own
	const insert = "example.com/tree.(*Tree).Insert(0xc0000aaaa0, 0x7)\n\t/home/u/tree/tree.go:31 +0x2b\n"
	panics := func(text, stack string) property.Outcome {
		return property.Outcome{Panic: &property.Panic{Text: text, Stack: "goroutine 7 [running]:\nruntime/debug.Stack()\n\t/go/debug.go:1 +0x1\npanic({0x1, 0x2})\n\t/go/panic.go:1 +0x1\n" + stack}}
	}
	dies := func(d proc.Death) property.Outcome { return property.Outcome{Death: &property.Death{Death: d}} }
	goroutine := func(stack string) string { return "fatal error: x\n\ngoroutine 9 [running]:\n" + stack }
	for _, c := range []struct {
		name string
		o    property.Outcome
		want string
	}{
		{"the line of a message counts, not its text", property.Outcome{At: "tree_test.go:13", Logs: []property.Line{{At: "tree_test.go:13", Text: "lost 4711", Fails: true}}}, "failed tree_test.go:13"},
		{"a sign of the user counts", property.Outcome{At: "tree_test.go:13", Sign: "lost a leaf\nand more"}, "failed tree_test.go:13: lost a leaf and more"},
		{"Fail without a place", property.Outcome{}, "failed"},
		{"numbers in a runtime message are left out", panics("runtime error: index out of range [5] with length 3", insert+caller), "panic tree.(*Tree).Insert tree.go:31: index out of range"},
		{"also if the index is negative", panics("runtime error: index out of range [-1]", insert+caller), "panic tree.(*Tree).Insert tree.go:31: index out of range"},
		{"also for slice bounds", panics("runtime error: slice bounds out of range [:5] with capacity 3", insert+caller), "panic tree.(*Tree).Insert tree.go:31: slice bounds out of range"},
		{"types in a runtime message are left out", panics("runtime error: hash of unhashable type []int", insert+caller), "panic tree.(*Tree).Insert tree.go:31: hash of unhashable type"},
		{"callers do not count", panics("runtime error: invalid memory address or nil pointer dereference", insert+"example.com/tree.All(0x1)\n\t/home/u/tree/all.go:9 +0x1\n"+caller), "panic tree.(*Tree).Insert tree.go:31: invalid memory address or nil pointer dereference"},
		{"messages of the user are left out", panics("no such token: whale 7", insert+caller), "panic tree.(*Tree).Insert tree.go:31"},
		{"the standard library is not blamed", panics("strings: negative Repeat count", "strings.Repeat({0x1, 0x2}, 0x3)\n\t"+goroot("/src/strings/strings.go:600")+" +0x1\n"+insert+caller), "panic tree.(*Tree).Insert tree.go:31"},
		{"os.Exit(0)", panics(exitPanic, insert+caller), "exit tree.(*Tree).Insert tree.go:31"},
		{"a loop", property.Outcome{Cut: &property.Cut{After: "5,000,000 steps", Loop: "tree.Walk"}}, "cut tree.Walk"},
		{"a loop in one of several goroutines", property.Outcome{Cut: &property.Cut{After: "5,000,000 steps"}}, "cut"},
		{"a stack that grows: which function is on top does not count", property.Outcome{Cut: &property.Cut{After: "x", Overflow: overflown}}, "cut stack overflow a.Even"},
		{"Goexit", property.Outcome{Outer: "the property called runtime.Goexit"}, "failed the property called runtime.Goexit"},
		{"deadline", property.Outcome{Hung: true}, "hang"},
		{"exit", dies(proc.Death{Kind: proc.Exit, Code: 3}), "exit 3"},
		{"panic in a goroutine", dies(proc.Death{Kind: proc.Panic, Text: "runtime error: integer divide by zero\n[signal x addr=0x12]", Stack: goroutine(insert + caller)}), "panic tree.(*Tree).Insert tree.go:31: integer divide by zero"},
		{"stack overflow", dies(proc.Death{Kind: proc.Fatal, Text: "stack overflow", Stack: overflown}), "fatal stack overflow a.Even"},
		{"fatal", dies(proc.Death{Kind: proc.Fatal, Text: "concurrent map writes", Stack: goroutine(insert + caller)}), "fatal tree.(*Tree).Insert tree.go:31: concurrent map writes"},
		{"deadlock", dies(proc.Death{Kind: proc.Deadlock, Stack: goroutine(insert + caller)}), "deadlock tree.(*Tree).Insert tree.go:31"},
		{"hang: the place does not count", dies(proc.Death{Kind: proc.Hang, Stack: goroutine(insert + caller)}), "hang"},
		{"memory", dies(proc.Death{Kind: proc.Memory, Stack: goroutine(insert + caller)}), "memory"},
		{"race: either side may come first", dies(proc.Death{Kind: proc.Race, Stack: "WARNING: DATA RACE\nRead at 0x1 by goroutine 8:\n  a.Z()\n      /a/a.go:9 +0x1\n\nPrevious write at 0x1 by goroutine 7:\n  a.B()\n      /a/a.go:5 +0x1\n\nGoroutine 8 (running) created at:\n  a.C()\n      /a/a.go:1 +0x1\n"}), "race a.B a.Z"},
		{"one line of bounded length", property.Outcome{At: "a\nb" + strings.Repeat("x", 300)}, "failed a b" + strings.Repeat("x", signMax-len("failed a b")) + "..."},
	} {
		if got := Sign(c.o); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

// The headline of a report for what the runtime prints when a process ends.
func TestDeathlines(t *testing.T) {
	const around = "example.com/tree.TestX.func1(0x1, 0x2)\n\t/home/u/tree/tree_test.go:13 +0x1d\n" +
		"github.com/allele-go/allele.Check[...].func2(0x1)\n\t/mod/allele/allele.go:88 +0x99\n"
	const user = "example.com/tree.(*Tree).Insert(...)\n\t/home/u/tree/tree.go:31 +0x2b\n"
	running := "\n\ngoroutine 7 [running]:\n" + user + around
	for _, c := range []struct {
		name  string
		death proc.Death
		want  string
		stack string // functions, the last call first
	}{
		{"overflow", proc.Death{Kind: proc.Fatal, Text: "stack overflow", Stack: "fatal error: stack overflow\n\nruntime stack:\nruntime.throw()\n\t/go/panic.go:1 +0x1" + strings.Replace(running, user, user+"...95 frames elided...\n"+user, 1)},
			"stack overflow in tree.(*Tree).Insert, tree.go:31", "tree.(*Tree).Insert tree.TestX.func1"},
		{"exit", proc.Death{Kind: proc.Exit, Code: 3}, "property called os.Exit(3)", ""},
		{"panic in another goroutine", proc.Death{Kind: proc.Panic, Text: "boom", Stack: "panic: boom\n\ngoroutine 9 [running]:\n" + user + "created by example.com/tree.TestX.func1 in goroutine 7\n\t/home/u/tree/tree_test.go:14 +0x1d\n"},
			"a goroutine of the property panicked: boom (tree.go:31)", "tree.(*Tree).Insert tree.TestX.func1"},
		{"exit 0 in another goroutine", proc.Death{Kind: proc.Panic, Text: exitPanic, Stack: "panic: " + exitPanic + running}, "a goroutine of the property called os.Exit(0) (tree.go:31)", "tree.(*Tree).Insert tree.TestX.func1"},
		{"deadlock: the goroutine of the property matters", proc.Death{Kind: proc.Deadlock, Stack: "fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [chan receive]:\nexample.com/tree.helper()\n\t/home/u/tree/h.go:1 +0x1\nmain.main()\n\t_testmain.go:2 +0x1" + strings.Replace(running, "running", "select (no cases)", 1)},
			"deadlock: every goroutine waits in tree.(*Tree).Insert, tree.go:31", "tree.(*Tree).Insert tree.TestX.func1"},
		{"hang in the library", proc.Death{Kind: proc.Hang, Stack: "SIGQUIT: quit\nPC=0x1\n\ngoroutine 7 gp=0x1 m=0 [running]:\nsort.Sort(0x1)\n\t" + goroot("/src/sort/sort.go:56") + " +0x1\n" + user + around},
			"property did not end: it was still running after 2s in tree.(*Tree).Insert, tree.go:31", "sort.Sort tree.(*Tree).Insert tree.TestX.func1"},
		{"memory", proc.Death{Kind: proc.Memory, Stack: "fatal error: runtime: out of memory" + running}, "property ran out of memory in tree.(*Tree).Insert, tree.go:31; the limit is 4096 MB", "tree.(*Tree).Insert tree.TestX.func1"},
		{"killed", proc.Death{Kind: proc.Killed, Text: "killed by SIGKILL"}, "the property's process was killed by SIGKILL", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := property.Outcome{Verdict: engine.Failed, Death: &property.Death{Death: c.death, Waited: 2 * time.Second, Memory: property.MemoryDefault}}
			if got := Headline(o); got != c.want {
				t.Errorf("%s\nwant %s", got, c.want)
			}
			var names []string
			for _, f := range o.Death.Frames() {
				names = append(names, f.Function())
			}
			if got := strings.Join(names, " "); got != c.stack {
				t.Errorf("stack %s\nwant  %s", got, c.stack)
			}
		})
	}
}

// goroot returns the path of a file of the standard library, as stacks print it.
func goroot(file string) string { return runtime.GOROOT() + file }

// sorting is what the runtime prints for a goroutine that was running: inlined frames have
// no offset, and all frames have registers.
const sorting = `SIGQUIT: quit
PC=0x4e2fa0 m=0 sigcode=0

goroutine 7 gp=0xc000007c00 m=0 mp=0x6f2b40 [running]:
deaths.Endless.Less(...)
	/home/me/deaths/faults.go:47
deaths.(*Endless).Less(0x1, 0x2, 0x3)
	<autogenerated>:1 fp=0xc000055d30 sp=0xc000055d28 pc=0x71af40
sort.Sort({0x5a1, 0x6b2})
	/go/src/sort/sort.go:56 +0x5d fp=0xc000055e00 sp=0xc000055d30 pc=0x4b0
deaths.Hang(...)
	/home/me/deaths/faults.go:53 fp=0xc000055e10 sp=0xc000055e00 pc=0x4b1
github.com/allele-go/allele.(*runner).one(0x1)
	/home/me/allele/run.go:80 +0x1c
`

// overflown is a stack in which two functions call each other.
const overflown = `fatal error: stack overflow

goroutine 7 [running]:
a.Even(0x1)
	/a/a.go:3 +0x1
a.Odd(0x1)
	/a/a.go:5 +0x1
a.Even(0x1)
	/a/a.go:3 +0x1
a.Odd(0x1)
	/a/a.go:5 +0x1
...2,000 frames elided...
a.Even(0x1)
	/a/a.go:3 +0x1
a.TestOdd.func1(0x1)
	/a/a_test.go:9 +0x1
github.com/allele-go/allele.(*runner).one(0x1)
	/home/me/allele/run.go:80 +0x1c
`

// The frames of a stack are the user's frames down to the property, each once, without
// functions that the compiler generated.
func TestDeathFrames(t *testing.T) {
	for _, c := range []struct{ name, stack, want string }{
		{"a run that was stopped in the standard library", sorting, "deaths.Endless.Less /home/me/deaths/faults.go:47, sort.Sort /go/src/sort/sort.go:56, deaths.Hang /home/me/deaths/faults.go:53"},
		{"a stack overflow of two functions that call each other", overflown, "a.Even /a/a.go:3, a.Odd /a/a.go:5, a.TestOdd.func1 /a/a_test.go:9"},
	} {
		var got []string
		for _, f := range (&property.Death{Death: proc.Death{Kind: proc.Fatal, Stack: c.stack}}).Frames() {
			got = append(got, fmt.Sprint(f.Function(), " ", f.At))
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, s, c.want)
		}
	}
}
