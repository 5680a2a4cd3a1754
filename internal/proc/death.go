//go:build go1.25

package proc

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// Kind is how a failed run, or its process, ended. Users see these words.
type Kind string

// The kinds. After Failed and Cut the process lives on. A process that has done its work
// exits with Ended; with the other kinds the process exited during a run.
const (
	Failed Kind = "failed" // the property failed
	Cut    Kind = "cut"    // the run was stopped after too many steps

	Ended    Kind = ""         // exit code 0 or 1, as after a finished test; if Death.Running is true, the test was not finished
	Panic    Kind = "panic"    // a panic that was not recovered
	Fatal    Kind = "fatal"    // an error of the runtime that cannot be recovered
	Exit     Kind = "exit"     // os.Exit
	Deadlock Kind = "deadlock" // every goroutine waits
	Hang     Kind = "hang"     // it was killed because a run took too long
	Memory   Kind = "memory"   // the memory limit was reached
	Killed   Kind = "killed"   // it was killed by a signal
	Race     Kind = "race"     // the race detector found a data race
)

// Death is how a process ended.
type Death struct {
	Kind    Kind
	Code    int    // its exit code
	Text    string // what happened, in a few words: the runtime's message, the signal, the exit code
	Stack   string // what the runtime printed about the crash; may be empty
	Out     string // standard output
	Err     string // standard error before Stack
	Running bool   // it was in the middle of a run
	Late    bool   // it was killed because it did not stop when it was asked to
}

// exitText is the beginning of the panic message of package testing when a test calls
// os.Exit(0).
const exitText = "unexpected call to os.Exit(0) during test"

// IsExitPanic reports whether a panic means that a test called os.Exit(0).
func IsExitPanic(text string) bool { return strings.HasPrefix(text, exitText) }

// The exit codes of programs that crash in the runtime or stop at a data race.
const (
	runtimeCode = 2
	raceCode    = 66
)

// classify decides how a Go program ended, by its exit status and its standard error.
func classify(state *os.ProcessState, stderr string, hung bool) Death {
	d := Death{Code: state.ExitCode(), Err: stderr}
	if i := strings.LastIndex(stderr, "SIGQUIT: quit"); hung && i > 0 && strings.Contains(stderr[:i], "runtime: goroutine stack exceeds ") {
		// The process was crashing already when the timeout ended it: the runtime takes a
		// while to print a deep stack.
		stderr, hung = stderr[:i], false
	}
	signal, killed := signalOf(state)
	at := crashStart(stderr)
	// A program may print text that looks like a crash, so the exit code or the signal
	// must fit too.
	if at >= 0 && (d.Code == runtimeCode || d.Code == raceCode || signal != "") {
		d.Err, d.Stack = stderr[:at], stderr[at:]
	}
	first := firstLine(d.Stack)
	switch {
	case hung:
		d.Kind, d.Text = Hang, "it did not end"
		if allWait(d.Stack) {
			d.Kind, d.Text = Deadlock, "every goroutine waits"
		}
	case killed:
		d.Kind, d.Text = Killed, "killed by SIGKILL"
	case strings.Contains(first, "DATA RACE"):
		d.Kind, d.Text = Race, "data race"
	case strings.HasPrefix(first, "fatal error: all goroutines are asleep"):
		d.Kind, d.Text = Deadlock, "every goroutine waits"
	case strings.Contains(first, "out of memory"), strings.Contains(first, "cannot allocate memory"):
		d.Kind, d.Text = Memory, "out of memory"
	case strings.HasPrefix(first, "fatal error: "):
		d.Kind, d.Text = Fatal, strings.TrimPrefix(first, "fatal error: ")
	case strings.HasPrefix(first, "panic: "):
		d.Kind, d.Text = Panic, strings.TrimPrefix(first, "panic: ")
	case signal != "":
		d.Kind, d.Text = Killed, "killed by a signal: "+signal
	case d.Stack != "":
		d.Kind, d.Text = Fatal, first
	case d.Code == 0 || d.Code == 1:
		d.Text = fmt.Sprintf("exit code %d", d.Code)
	default:
		d.Kind, d.Text = Exit, fmt.Sprintf("exit code %d", d.Code)
	}
	return d
}

// openings lists how the runtime's output about a crash can begin.
var openings = []string{
	"runtime: goroutine stack exceeds ", "runtime: out of memory", "fatal error: ", "panic: ",
	"SIGQUIT: quit", "SIGSEGV: ", "SIGBUS: ", "SIGFPE: ", "SIGABRT: ", "SIGILL: ",
	"unexpected fault address", "WARNING: DATA RACE",
}

// crashStart returns where the runtime's output about a crash begins, or -1. That is the
// last line with an opening, if stacks of goroutines follow: the program may have printed
// similar lines before. Lines with an opening just above that line belong to the output
// too, because the runtime prints some messages in two steps.
func crashStart(stderr string) int {
	at := -1
	for _, o := range openings {
		if strings.HasPrefix(stderr, o) {
			at = max(at, 0)
		}
		if i := strings.LastIndex(stderr, "\n"+o); i >= 0 {
			at = max(at, i+1)
		}
	}
	if at < 0 || !strings.Contains(strings.ToLower(stderr[at:]), "\ngoroutine ") {
		// The program may have printed an unfinished line just before the crash.
		at = -1
		if i := strings.LastIndex(stderr, "\n\ngoroutine "); i >= 0 {
			for _, o := range openings {
				at = max(at, strings.LastIndex(stderr[:i], o))
			}
		}
		return at
	}
	for at > 0 {
		line := stderr[strings.LastIndexByte(stderr[:at-1], '\n')+1 : at]
		if !isOpening(strings.TrimPrefix(line, "\t")) && !strings.HasPrefix(line, "runtime: ") {
			break
		}
		at -= len(line)
	}
	return at
}

func isOpening(line string) bool {
	return slices.ContainsFunc(openings, func(o string) bool { return strings.HasPrefix(line, o) })
}

// firstLine returns the first line that names the reason of a crash.
func firstLine(s string) string {
	for line := range strings.Lines(s) {
		// Lines with this prefix have details; the line after them names the reason.
		if !strings.HasPrefix(line, "runtime: ") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// allWait reports whether every goroutine in a stack dump waits for another goroutine.
func allWait(stack string) bool {
	any := false
	for line := range strings.Lines(stack) {
		if !strings.HasPrefix(line, "goroutine ") {
			continue
		}
		_, state, _ := strings.Cut(line, "[")
		state, _, _ = strings.Cut(state, "]")
		state, _, _ = strings.Cut(state, ",")
		switch {
		case strings.HasPrefix(line, "goroutine 0 "):
		case strings.HasPrefix(state, "chan "), strings.HasPrefix(state, "select"),
			strings.HasPrefix(state, "sync."), strings.HasPrefix(state, "semacquire"):
			any = true
		case idle(state):
		default:
			return false
		}
	}
	return any
}

// idle reports whether this is the state of one of the runtime's own goroutines, which
// allWait ignores.
func idle(state string) bool {
	return strings.Contains(state, "(idle)") || strings.HasPrefix(state, "GC ") ||
		strings.HasPrefix(state, "finalizer") || strings.HasPrefix(state, "cleanup")
}
