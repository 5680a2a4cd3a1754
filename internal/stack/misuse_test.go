//go:build go1.25

package stack

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// A panic is misuse if package testing, or a T, has called panic first. The words do not matter.
func TestMisused(t *testing.T) {
	frame := func(function, file string) string {
		return function + "()\n\t" + strings.Replace(file, "GOROOT", runtime.GOROOT(), 1) + " +0x1d\n"
	}
	recovered := "goroutine 7 [running]:\n" + frame("runtime/debug.Stack", "GOROOT/src/runtime/debug/stack.go:26") +
		frame(library+".(*T).aborted", "/src/allele/run.go:300") + frame("panic", "GOROOT/src/runtime/panic.go:783")
	died := "goroutine 7 [running]:\n"
	check := frame("testing.(*T).checkParallel", "GOROOT/src/testing/testing.go:1838")
	user := frame("example.com/x.TestX.func1", "/home/me/x_test.go:14")
	for _, c := range []struct{ what, stack, want string }{
		{"a method of T", recovered + check + frame("testing.(*T).Setenv", "GOROOT/src/testing/testing.go:1850") +
			frame(library+".(*T).Setenv", "/src/allele/t.go:380") + user, "Setenv at /home/me/x_test.go:14"},
		{"a method of testing.T", recovered + frame("testing.(*T).Parallel", "GOROOT/src/testing/testing.go:1760") + user,
			"Parallel at /home/me/x_test.go:14"},
		{"a process that died", died + frame("testing.(*common).Fail", "GOROOT/src/testing/testing.go:969") + user, "Fail at /home/me/x_test.go:14"},
		{"a T after its run", died + frame(library+".(*T).set", "/src/allele/t.go:117") + frame(library+".(*T).Error", "/src/allele/t.go:212") + user,
			"Error of T at /home/me/x_test.go:14"},
		{"a deferred function panicked too", recovered + frame("example.com/x.clean", "/home/me/x.go:9") +
			frame("panic", "GOROOT/src/runtime/panic.go:783") + check + user, "checkParallel at /home/me/x_test.go:14"},
		{"only the second panic is of testing", recovered + check + frame("panic", "GOROOT/src/runtime/panic.go:783") + user, "no"},
		{"the user's panic", recovered + user, "no"},
		{"the user's package testing", recovered + frame("example.com/testing.Parallel", "/home/me/testing/t.go:3") + user, "no"},
		{"a nil t", recovered + frame("runtime.panicmem", "GOROOT/src/runtime/panic.go:262") + frame("testing.(*common).Log", "GOROOT/src/testing/testing.go:1188") +
			user, "no"},
		{"called by nobody", died + frame("testing.(*common).Fail", "GOROOT/src/testing/testing.go:969") +
			"created by example.com/x.TestX in goroutine 6\n\t/home/me/x_test.go:9\n", "Fail at "},
		{"nothing", "", "no"},
	} {
		m, ok := Misused(c.stack)
		got := "no"
		if ok {
			got = fmt.Sprintf("%s at %s", m.Call, m.At.At)
			if m.Own {
				got = fmt.Sprintf("%s of T at %s", m.Call, m.At.At)
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}
