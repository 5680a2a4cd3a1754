package proc

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// Kind is how a run that failed ended, or the process it was in, in a word that
// users read.
type Kind string

// The first two leave the process alive. A process that does its work ends with
// Ended; the others end one that was in the middle of a run.
const (
	Failed Kind = "failed" // the property said so
	Cut    Kind = "cut"    // it was stopped after so many steps

	Ended    Kind = ""         // with an exit code that a test has when it is over: look at Running
	Panic    Kind = "panic"    // in a goroutine that nobody could recover
	Fatal    Kind = "fatal"    // an error that the runtime does not let anybody recover from
	Exit     Kind = "exit"     // os.Exit
	Deadlock Kind = "deadlock" // every goroutine waits
	Hang     Kind = "hang"     // it was ended because a run took too long
	Memory   Kind = "memory"   // the limit was reached
	Killed   Kind = "killed"   // by a signal
	Race     Kind = "race"     // the race detector found one
)

// Death is how a process ended.
type Death struct {
	Kind    Kind
	Code    int    // its exit code
	Text    string // what happened, in a few words: what the runtime said, the signal, the exit code
	Stack   string // what the runtime printed, from its first word about it; may be empty
	Out     string // what it printed to its standard output, and
	Err     string // to its standard error before that
	Running bool   // it was in the middle of a run
	Late    bool   // it was ended because it did not stop when it was asked to
}

// exitWords is how the testing package says that a test called os.Exit(0).
const exitWords = "unexpected call to os.Exit(0) during test"

// IsExitPanic reports whether the words of a panic say that a test called os.Exit(0).
func IsExitPanic(text string) bool { return strings.HasPrefix(text, exitWords) }

// The exit codes of the runtime, and of the race detector, when they end a program.
const (
	runtimeCode = 2
	raceCode    = 66
)

// classify reads an exit status and what a Go program printed at its end.
func classify(state *os.ProcessState, stderr string, hung bool) Death {
	d := Death{Code: state.ExitCode(), Err: stderr}
	if i := strings.LastIndex(stderr, "SIGQUIT: quit"); hung && i > 0 && strings.Contains(stderr[:i], "runtime: goroutine stack exceeds ") {
		// It was dying already: the runtime takes its time over a deep stack.
		stderr, hung = stderr[:i], false
	}
	signal, killed := signalOf(state)
	at := lastWords(stderr)
	// The program may print what it likes, but it cannot choose its exit code as well
	// and mean something else.
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

// openings are how the runtime begins to say why it ends a program.
var openings = []string{
	"runtime: goroutine stack exceeds ", "runtime: out of memory", "fatal error: ", "panic: ",
	"SIGQUIT: quit", "SIGSEGV: ", "SIGBUS: ", "SIGFPE: ", "SIGABRT: ", "SIGILL: ",
	"unexpected fault address", "WARNING: DATA RACE",
}

// lastWords finds where that begins. It is the last such line, if stacks of
// goroutines follow, as the program may have printed anything before; and the lines
// just above it, as the runtime says some things in two steps.
func lastWords(stderr string) int {
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
		// Something without a line end may have been printed just before.
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

// firstLine is the first line that says what happened.
func firstLine(s string) string {
	for line := range strings.Lines(s) {
		// The runtime says what went wrong with it first; what follows is shorter.
		if !strings.HasPrefix(line, "runtime: ") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// allWait reports whether every goroutine of a dump waits for another one.
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

// idle reports whether a goroutine is one of the runtime's own, which say nothing.
func idle(state string) bool {
	return strings.Contains(state, "(idle)") || strings.HasPrefix(state, "GC ") ||
		strings.HasPrefix(state, "finalizer") || strings.HasPrefix(state, "cleanup")
}
