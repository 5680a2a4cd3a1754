//go:build go1.25

package allele

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/outside"
)

// tb is an alias so that T can embed testing.TB without a public field.
type tb = testing.TB

// T is passed to a property for one run. It is a [testing.TB], so assertion libraries accept
// it, but its state belongs to the run: cleanups are called when the run ends, a failure fails
// this input, Skip discards it.
//
// Like [testing.T] it may be used from several goroutines, but not after the property has
// returned.
type T struct {
	tb           // always a *runner, which embeds the testing.TB of the surrounding test
	more  *extra // nil until the run needs it; guarded by runner.words
	state atomic.Uint32
	given int16 // the number of the Given that discarded the run, from 1; 0 if none did
	// over is set, without a lock, when the run has ended. Goroutines that the property
	// waits for have ended by then. If another goroutine still uses the T, that is a bug
	// in the property, and the race detector may report it.
	over bool
}

// runner returns the runner that the embedded interface holds. T has no separate field for
// the runner: a T is allocated for every run, and the cost depends mostly on its size.
func (t *T) runner() *runner { return t.tb.(*runner) }

// The bits of T.state.
const (
	failed     = 1 << iota // Fail was called
	discarded              // an assumption was false, before any failure
	exited                 // a method of T ended the goroutine of the run
	settled                // the run has been counted; only used if it had several goroutines
	unattended             // the run was abandoned
	known                  // Known was called, and applies
)

// extra is the state that few runs need. Most runs pass and log nothing.
type extra struct {
	cleanups []func()
	undo     []func() // those of cleanups that are called if the run is abandoned
	logs     []property.Line
	open     bool // the last of logs was written to Output without its end
	labels   []property.Label
	observed property.Shown // what Observe recorded
	known    string         // the bug that Known named first
	at       string         // where the run first failed, as file:line
	sign     string         // what distinguishes the failure from others at that line
	ctx      context.Context
	cancel   context.CancelFunc
	panicked *property.Panic
	cut      *property.Cut // why the run was stopped; nil if it was not
	outer    string        // how the property misused the enclosing test's t; empty if it did not
}

// Assume discards the run unless ok is true. The property ends at once, and the input counts
// neither as passed nor as failed.
//
// Assume ends the goroutine of the run, so that no recover in the code under test can swallow
// it. [Given] declares a precondition that is cheaper to test.
func (t *T) Assume(ok bool) {
	if !ok {
		t.discard(2)
	}
}

// Label attaches a named value to the run. With -v, the test prints the values of each name,
// and in what share of the passed runs each value occurred. This shows what the inputs looked
// like.
//
//	t.Label("size", len(in.Items))
func (t *T) Label(name string, value any) {
	t.runner().words.Lock()
	defer t.runner().words.Unlock()
	x := t.extra()
	x.labels = append(x.labels, property.Label{Name: name, Value: text(value)})
}

// text is fmt.Sprint with a fast path for the usual types of labels.
func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case int:
		return strconv.Itoa(v)
	case bool:
		return strconv.FormatBool(v)
	}
	return fmt.Sprint(v)
}

// extra returns t.more and allocates it if it is nil. The caller must hold runner.words.
func (t *T) extra() *extra {
	if t.more == nil {
		t.more = &extra{}
	}
	return t.more
}

// set adds bits to the state. As with testing.T, using a T after its run is over is a bug in
// the property. set panics then, so that the next run is not blamed.
func (t *T) set(bits uint32, what string) (before uint32) {
	if t.over {
		panic("allele: " + what + " called in a goroutine after its run of " + t.tb.Name() +
			" has ended; wait for goroutines before the property returns")
	}
	return t.state.Or(bits)
}

// discard ends the run. skip is the number of frames between discard and the property.
func (t *T) discard(skip int) {
	var pc [1]uintptr
	runtime.Callers(skip+1, pc[:])
	r := t.runner()
	r.words.Lock()
	if r.refused == 0 {
		r.refused = pc[0]
	}
	r.words.Unlock()
	if t.set(exited, "Assume")&failed == 0 {
		t.set(discarded, "Assume")
	}
	runtime.Goexit()
}

// Fail marks the run as failed and continues.
func (t *T) Fail() {
	t.failHere()
	t.fail("Fail")
}

// failHere records where the run fails, unless it has failed before.
func (t *T) failHere() {
	if t.Failed() {
		return
	}
	at := t.caller()
	t.runner().words.Lock()
	defer t.runner().words.Unlock()
	if x := t.extra(); x.at == "" {
		x.at = at
	}
}

func (t *T) fail(what string) {
	if t.state.Load()&discarded == 0 {
		t.set(failed, what)
	}
}

// FailNow marks the run as failed and ends it.
func (t *T) FailNow() {
	t.failHere()
	t.fail("FailNow")
	t.set(exited, "FailNow")
	runtime.Goexit()
}

// Failed reports whether this run has failed.
func (t *T) Failed() bool { return t.state.Load()&failed != 0 }

// Skip is Assume(false) with a reason.
func (t *T) Skip(args ...any) {
	t.log(fmt.Sprintln(args...), false)
	t.discard(2)
}

// Skipf is Assume(false) with a reason.
func (t *T) Skipf(format string, args ...any) {
	t.log(fmt.Sprintf(format, args...), false)
	t.discard(2)
}

// SkipNow is Assume(false).
func (t *T) SkipNow() { t.discard(2) }

// Skipped reports whether this run was discarded.
func (t *T) Skipped() bool { return t.state.Load()&discarded != 0 }

// Log records a line, which is printed if this run is the counterexample.
func (t *T) Log(args ...any) {
	if t.runner().detail {
		t.log(fmt.Sprintln(args...), false)
	}
}

// Logf records a line, which is printed if this run is the counterexample.
func (t *T) Logf(format string, args ...any) {
	if t.runner().detail {
		t.log(fmt.Sprintf(format, args...), false)
	}
}

// Error is Log followed by Fail. An argument with a method Sign() string says what kind of failure
// this is: failures at the same line with different signs are reported separately.
func (t *T) Error(args ...any) {
	t.signed(args)
	t.log(fmt.Sprintln(args...), true)
	t.fail("Error")
}

// Errorf is Logf followed by Fail.
func (t *T) Errorf(format string, args ...any) {
	t.log(fmt.Sprintf(format, args...), true)
	t.fail("Errorf")
}

// Fatal is Log followed by FailNow. Its arguments may have signs, see Error.
func (t *T) Fatal(args ...any) {
	t.signed(args)
	t.log(fmt.Sprintln(args...), true)
	t.FailNow()
}

// Fatalf is Logf followed by FailNow.
func (t *T) Fatalf(format string, args ...any) {
	t.log(fmt.Sprintf(format, args...), true)
	t.FailNow()
}

// signed records the sign of a failure, unless the run has failed before.
func (t *T) signed(args []any) {
	if t.Failed() {
		return
	}
	for _, a := range args {
		if s, ok := a.(interface{ Sign() string }); ok {
			sign := s.Sign()
			t.runner().words.Lock()
			t.extra().sign = sign
			t.runner().words.Unlock()
			return
		}
	}
}

func (t *T) log(line string, fails bool) {
	at := t.caller()
	t.runner().words.Lock()
	defer t.runner().words.Unlock()
	x := t.extra()
	if fails && x.at == "" {
		x.at = at
	}
	x.open = false
	x.logs = appendLine(x.logs, property.Line{At: at, Text: strings.TrimRight(line, "\n"), Fails: fails})
}

// ours is the prefix of our own functions, which caller skips.
const ours = "github.com/allele-go/allele.(*T)."

// caller returns the file and line of the call into this package. It skips functions that
// have called Helper.
func (t *T) caller() string {
	var pcs [32]uintptr
	n := runtime.Callers(2, pcs[:])
	frames := runtime.CallersFrames(pcs[:n])
	t.runner().words.Lock()
	defer t.runner().words.Unlock()
	first := ""
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, ours) {
			at := fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
			if !t.runner().helpers[f.Function] {
				return at
			}
			if first == "" {
				first = at
			}
		}
		if !more {
			return first
		}
	}
}

// Helper marks the calling function as a helper: its log lines are shown with the file and
// line of its caller. Helper has a cost only in runs whose log is shown. The function stays a
// helper in all later runs, so that they report the same failure at the same line.
func (t *T) Helper() {
	if t.runner().detail {
		t.helper()
	}
}

func (t *T) helper() {
	var pc [1]uintptr
	runtime.Callers(3, pc[:])
	f, _ := runtime.CallersFrames(pc[:]).Next()
	t.runner().words.Lock()
	defer t.runner().words.Unlock()
	t.runner().learn(f.Function)
}

// Name returns the name of the surrounding test.
func (t *T) Name() string { return t.tb.Name() }

// Cleanup registers a function that is called when this run is over. The last one registered
// is called first.
func (t *T) Cleanup(f func()) {
	t.set(0, "Cleanup")
	t.runner().words.Lock()
	defer t.runner().words.Unlock()
	x := t.extra()
	x.cleanups = append(x.cleanups, f)
}

// Context returns a context that is cancelled when this run is over, just before its cleanups
// are called.
func (t *T) Context() context.Context {
	t.runner().words.Lock()
	defer t.runner().words.Unlock()
	x := t.extra()
	if x.ctx == nil {
		x.ctx, x.cancel = context.WithCancel(outside.With(t.tb.Context(), t.runner().outer.endings))
		if t.over {
			x.cancel()
		}
	}
	return x.ctx
}

// TempDir returns a new directory, which is removed when this run is over.
func (t *T) TempDir() string {
	t.attended()
	dir, err := t.runner().tempDir()
	if err != nil {
		t.Fatalf("TempDir: %v", err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Errorf("TempDir: %v", err)
		}
	})
	return dir
}

// Setenv sets an environment variable for this run. As with testing.T, the
// test must not be parallel.
func (t *T) Setenv(key, value string) {
	t.attended()
	old, had := os.LookupEnv(key)
	t.runner().onlySerial(func() {
		t.tb.Setenv(key, old)
		if !had {
			os.Unsetenv(key) // t.tb.Setenv has set the variable, and unsets it only after the test
		}
	})
	if err := os.Setenv(key, value); err != nil {
		t.Fatalf("Setenv: %v", err)
	}
	t.undo(func() {
		if had {
			os.Setenv(key, old)
		} else {
			os.Unsetenv(key)
		}
	})
}

// Chdir changes the working directory for this run. As with testing.T, the
// test must not be parallel.
func (t *T) Chdir(dir string) {
	t.attended()
	old, err := os.Getwd()
	if err != nil {
		t.Fatalf("Chdir: %v", err)
	}
	t.runner().onlySerial(func() { t.tb.Chdir(old) })
	if err := os.Chdir(dir); err != nil {
		t.Fatalf("Chdir: %v", err)
	}
	if runtime.GOOS != "windows" && runtime.GOOS != "plan9" { // they do not use the variable
		t.Setenv("PWD", t.absolute(dir))
	}
	t.undo(func() {
		if err := os.Chdir(old); err != nil {
			t.Errorf("Chdir: %v", err)
		}
	})
}

// absolute returns the absolute path of the working directory, which is dir.
func (t *T) absolute(dir string) string {
	if filepath.IsAbs(dir) {
		return dir
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatalf("Chdir: %v", err)
	}
	return dir
}

// Attr does nothing: attributes belong to a test, not to a run.
func (t *T) Attr(key, value string) {}

// Output returns a writer. Lines written to it are shown like those of [T.Log]. A line may be
// written in several parts.
func (t *T) Output() io.Writer {
	if !t.runner().detail {
		return io.Discard
	}
	return logWriter{t}
}

type logWriter struct{ t *T }

func (w logWriter) Write(p []byte) (int, error) {
	w.t.runner().words.Lock()
	defer w.t.runner().words.Unlock()
	x := w.t.extra()
	for line := range strings.Lines(string(p)) {
		text, whole := strings.CutSuffix(line, "\n")
		if last := len(x.logs) - 1; x.open && len(x.logs[last].Text) < lineMax {
			x.logs[last].Text += text
		} else {
			x.logs = appendLine(x.logs, property.Line{Text: text})
		}
		x.open = !whole
	}
	return len(p), nil
}
