package lab

import (
	"fmt"
	"runtime"
	"testing"
)

// TB takes the place of a *testing.T, because an experiment is not a test. It records
// everything that is logged.
type TB struct {
	testing.TB // nil: it only provides the methods that experiments never call
	Named      string
	Logged     []string
	failed     bool
	cleanups   []func()
}

// Test runs f as the testing package would, and returns the result.
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

// Name returns the name given to Test.
func (t *TB) Name() string { return t.Named }

// Cleanup registers f to be called after the test.
func (t *TB) Cleanup(f func()) { t.cleanups = append(t.cleanups, f) }

// Failed reports whether the test failed.
func (t *TB) Failed() bool { return t.failed }

// Skipped returns false.
func (t *TB) Skipped() bool { return false }

// Fail marks the test as failed.
func (t *TB) Fail() { t.failed = true }

// FailNow marks the test as failed and ends it.
func (t *TB) FailNow() { t.failed = true; runtime.Goexit() }

// Log records a line.
func (t *TB) Log(args ...any) { t.Logged = append(t.Logged, fmt.Sprint(args...)) }

// Logf records a line.
func (t *TB) Logf(format string, args ...any) {
	t.Logged = append(t.Logged, fmt.Sprintf(format, args...))
}

// Error records a line and marks the test as failed.
func (t *TB) Error(args ...any) { t.Log(args...); t.Fail() }

// Errorf records a line and marks the test as failed.
func (t *TB) Errorf(format string, args ...any) { t.Logf(format, args...); t.Fail() }

// Fatal records a line, marks the test as failed and ends it.
func (t *TB) Fatal(args ...any) { t.Log(args...); t.FailNow() }

// Fatalf records a line, marks the test as failed and ends it.
func (t *TB) Fatalf(format string, args ...any) { t.Logf(format, args...); t.FailNow() }
