//go:build go1.25

package program

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"io"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/allele-go/allele/internal/outside"
)

// Result is how a run of a program ended.
type Result struct {
	Code    int  // exit code, or -n if signal n has ended the program
	Stopped Stop // which limit the run has exceeded
	Time    time.Duration

	// Stdout and Stderr are the end of what the program has printed. If the program tells which code its runs reach,
	// Stdout is empty after a run that succeeded.
	Stdout, Stderr string

	// Report is what a sanitizer, Valgrind or the Go runtime says about the failure in one line,
	// and Stack is the functions that it names, the innermost first. Both may be empty.
	Report string
	Stack  []string

	// Unread is true if no run of the program has read its input so far. It is false if that is not certain: on systems
	// other than Linux, with some file systems, and for programs that were compiled with afl-cc.
	Unread bool

	why string // why the run was stopped, in words
}

// Stop is the limit because of which a run was stopped.
type Stop int

const (
	NotStopped Stop = iota // no limit was exceeded
	OutOfTime              // the run took longer than Timeout
	OutOfDisk              // the run wrote more than Disk bytes to files
)

// String returns the name of the limit in words.
func (s Stop) String() string {
	switch s {
	case OutOfTime:
		return "out of time"
	case OutOfDisk:
		return "out of disk space"
	}
	return "not stopped"
}

// terminated is the exit code of a shell whose command was ended by SIGTERM.
const terminated = 128 + int(syscall.SIGTERM)

// Crashed reports whether a run has failed by the rule of the QuickFuzz paper: a signal has
// ended the program, or its exit code says so about a program that it has started. Runs that
// were stopped have failed too, and so have those with a report.
func (r Result) Crashed() bool {
	return r.Stopped != NotStopped || r.Report != "" || (r.Code < 0 || r.Code > 128) && r.Code != terminated
}

// Failure is the error that Program.Check fails with.
type Failure struct {
	Name string // of the program
	Result
}

// Error returns how the run ended, in several lines.
func (f *Failure) Error() string {
	text := fmt.Sprintf("%s %s", f.Name, f.how())
	if f.Report != "" {
		text += "\n" + f.Report
	}
	for i, fn := range f.Stack {
		text += fmt.Sprintf("\n  #%d %s", i, fn)
	}
	if lines := lastLines(f.Stdout); lines != "" {
		text += "\nthe end of its standard output:\n" + lines
	}
	if lines := lastLines(f.Stderr); lines != "" && f.Report == "" { // the report is there, and its end says nothing more
		text += "\nthe end of its standard error:\n" + lines
	}
	return text
}

func (r Result) how() string {
	switch {
	case r.Stopped != NotStopped:
		return "was stopped: " + cmp.Or(r.why, r.Stopped.String())
	case r.Code < 0:
		return fmt.Sprintf("was ended by signal %d (%v)", -r.Code, syscall.Signal(-r.Code))
	}
	return fmt.Sprintf("exited with code %d", r.Code)
}

// Sign identifies the failure. It depends on the program, and not on the input.
func (f *Failure) Sign() string {
	kind := f.Report
	switch {
	case f.Stopped != NotStopped:
		return "stopped: " + f.Stopped.String()
	case kind == "":
		kind = f.how()
	}
	if len(f.Stack) == 0 {
		return outside.WithoutNumbers(kind)
	}
	h := fnv.New32a()
	for _, fn := range f.Stack[:min(signFrames, len(f.Stack))] {
		fmt.Fprintln(h, fn)
	}
	return fmt.Sprintf("%s in %s, stack %08x", outside.WithoutNumbers(kind), f.Stack[0], h.Sum32())
}

const (
	// signFrames is how many functions of the stack distinguish failures.
	signFrames = 3
	stackMax   = 8
)

var (
	sanitizer = regexp.MustCompile(`(?m)^==\d+==\s*ERROR: (\w+Sanitizer): ([^\s(:]+)`)
	undefined = regexp.MustCompile(`(?m)^(\S+?):\d+:\d+: (runtime error: .*)$`)
	frame     = regexp.MustCompile(`(?m)^\s+#\d+ 0x[0-9a-f]+ in (\S+)(?: (\S+?)(?::\d+)*)?\s*$`)
	valgrind  = regexp.MustCompile(`(?m)^==\d+== ((?:` + strings.Join(valgrindErrors, "|") + `).*)$`)
	valFrame  = regexp.MustCompile(`(?m)^==\d+==\s+(?:at|by) 0x[0-9A-F]+: (\S+) \(([^)]*)\)$`)
	goPanic   = regexp.MustCompile(`(?m)^(panic: .*|fatal error: .*)$`)
	noticed   = regexp.MustCompile(`^(panic$|runtime\.|_start$|__interceptor_|__asan_|__libc_start|__GI_)`) // not of the program
	goFrame   = regexp.MustCompile(`(?m)^([\w./*()\[\]·-]+)\([^\n]*\)\n\t\S+\.go:\d+`)
)

// valgrindErrors is how the reports of Valgrind begin.
var valgrindErrors = []string{"Invalid read", "Invalid write", "Invalid free", "Conditional jump", "Use of uninitialised", "Syscall param",
	"Jump to the invalid", "Source and destination overlap", "Process terminating"}

// read finds reports in the output. At most the report of the first error is used.
func (r *Result) read() {
	text := r.Stderr
	if text == "" {
		return
	}
	if m := sanitizer.FindStringSubmatchIndex(text); m != nil {
		r.Report = text[m[2]:m[3]] + ": " + text[m[4]:m[5]]
		r.Stack = functions(frame, text[m[1]:], "#0", "")
		return
	}
	if m := undefined.FindStringSubmatch(text); m != nil {
		r.Report = "UndefinedBehaviorSanitizer: " + m[2]
		r.Stack = []string{m[1]}
		return
	}
	if m := valgrind.FindStringSubmatchIndex(text); m != nil {
		r.Report = "Valgrind: " + text[m[2]:m[3]]
		r.Stack = functions(valFrame, text[m[1]:], "at ", "== \n")
		return
	}
	if m := goPanic.FindStringSubmatchIndex(text); m != nil && strings.Contains(text[m[1]:], "\ngoroutine ") {
		r.Report = "Go: " + text[m[2]:m[3]]
		r.Stack = functions(goFrame, text[m[1]:], "", "\n\n")
	}
}

// functions returns the functions of the first stack in a text. It begins at the first line
// with the mark begin, and ends before the second such line or the mark end.
func functions(re *regexp.Regexp, text, begin, end string) (stack []string) {
	if begin != "" {
		i := strings.Index(text, begin)
		if i < 0 {
			return nil
		}
		i = strings.LastIndexByte(text[:i], '\n') + 1
		text = text[i:]
		if j := strings.Index(text[1:], "\n"); j >= 0 {
			if k := strings.Index(text[j+1:], begin); k >= 0 {
				text = text[:j+1+k]
			}
		}
	} else if i := strings.Index(text, "\ngoroutine "); i >= 0 {
		text = text[i+1:]
	}
	if i := strings.Index(text, end); end != "" && i >= 0 {
		text = text[:i]
	}
	for _, m := range re.FindAllStringSubmatch(text, stackMax) {
		if fn := strings.TrimSpace(m[1]); !noticed.MatchString(fn) {
			stack = append(stack, fn)
		}
	}
	return stack
}

// wordsMax is how many lines of a result are features.
const wordsMax = 256

// words adds what guides the search if the program does not tell its edges: the exit code and each line that it has
// printed, without numbers. They are added as places, in rising order.
func (r *Result) words(to []uint32) []uint32 {
	add := func(text string) {
		h := fnv.New32a()
		io.WriteString(h, text)
		to = append(to, outside.First+h.Sum32()%outside.Count)
	}
	add(fmt.Sprint("code ", r.Code, " ", r.Stopped))
	for i, output := range []string{r.Stdout, r.Stderr} {
		n := 0
		for line := range strings.Lines(output) {
			if n++; n > wordsMax {
				break
			}
			add(fmt.Sprint(i, " ", outside.WithoutNumbers(line)))
		}
	}
	slices.Sort(to)
	return slices.Compact(to)
}

// lastLines returns the last lines of a text, indented.
func lastLines(text string) string {
	lines := outside.LastLines(text)
	for i, l := range lines {
		lines[i] = "  " + l
	}
	return strings.Join(lines, "\n")
}
