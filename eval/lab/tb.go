package lab

import (
	"fmt"
	"runtime"
	"testing"
)

// TB stands where a testing.T would in an experiment, which is not a test. It
// keeps what is said to it.
type TB struct {
	testing.TB // for the methods nobody calls here; nil
	Named      string
	Said       []string
	failed     bool
	cleanups   []func()
}

// Test runs f as a test would be run and returns what came of it.
func Test(name string, f func(testing.TB)) *TB {
	t := &TB{Named: name}
	done := make(chan struct{})
	go func() {
		defer close(done)
		f(t)
	}()
	<-done
	for i := len(t.cleanups) - 1; i >= 0; i-- {
		t.cleanups[i]()
	}
	return t
}

// Helper does nothing.
func (t *TB) Helper() {}

// Name is the name given to Test.
func (t *TB) Name() string { return t.Named }

// Cleanup has f called after the test.
func (t *TB) Cleanup(f func()) { t.cleanups = append(t.cleanups, f) }

// Failed reports whether the test failed.
func (t *TB) Failed() bool { return t.failed }

// Skipped is never true.
func (t *TB) Skipped() bool { return false }

// Fail marks the test as failed.
func (t *TB) Fail() { t.failed = true }

// FailNow fails and ends the test.
func (t *TB) FailNow() { t.failed = true; runtime.Goexit() }

// Log keeps a line.
func (t *TB) Log(args ...any) { t.Said = append(t.Said, fmt.Sprint(args...)) }

// Logf keeps a line.
func (t *TB) Logf(format string, args ...any) { t.Said = append(t.Said, fmt.Sprintf(format, args...)) }

// Error keeps a line and fails.
func (t *TB) Error(args ...any) { t.Log(args...); t.Fail() }

// Errorf keeps a line and fails.
func (t *TB) Errorf(format string, args ...any) { t.Logf(format, args...); t.Fail() }

// Fatal keeps a line, fails and ends.
func (t *TB) Fatal(args ...any) { t.Log(args...); t.FailNow() }

// Fatalf keeps a line, fails and ends.
func (t *TB) Fatalf(format string, args ...any) { t.Logf(format, args...); t.FailNow() }
