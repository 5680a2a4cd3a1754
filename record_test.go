//go:build go1.25

package allele

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/allele-go/allele/internal/check/property"
)

// recorder is a testing.TB that records messages and failures. A Check that must fail runs
// with a recorder in place of a testing.T.
type recorder struct {
	testing.TB
	name string

	mu       sync.Mutex
	lines    []string
	failed   bool
	skipped  bool
	cleanups []func()
}

// record runs f as a test with the given name in an empty folder.
func record(t *testing.T, name string, f func(t testing.TB)) *recorder {
	t.Helper()
	inEmptyPackage(t)
	return recordHere(t, name, f)
}

// inEmptyPackage makes an empty folder both the folder of the package under test and the
// working directory.
func inEmptyPackage(t *testing.T) {
	t.Helper()
	old := property.Home
	property.Home = t.TempDir()
	t.Cleanup(func() { property.Home = old })
	t.Chdir(property.Home)
}

// recordHere is record in the current folder.
func recordHere(t *testing.T, name string, f func(t testing.TB)) *recorder {
	t.Helper()
	r := &recorder{TB: t, name: name}
	done := make(chan struct{})
	go func() {
		defer close(done)
		f(r)
	}()
	<-done
	for i := len(r.cleanups) - 1; i >= 0; i-- {
		r.cleanups[i]()
	}
	return r
}

// text returns what was printed. Commands have the flag -race if this test has it.
func (r *recorder) text() string {
	return strings.ReplaceAll(strings.Join(r.lines, "\n"), "go test -race ", "go test ")
}

func (r *recorder) add(s string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines = append(r.lines, s)
}

func (r *recorder) Helper()                   {}
func (r *recorder) Name() string              { return r.name }
func (r *recorder) Log(args ...any)           { r.add(fmt.Sprint(args...)) }
func (r *recorder) Logf(f string, a ...any)   { r.add(fmt.Sprintf(f, a...)) }
func (r *recorder) Error(args ...any)         { r.add(fmt.Sprint(args...)); r.Fail() }
func (r *recorder) Errorf(f string, a ...any) { r.add(fmt.Sprintf(f, a...)); r.Fail() }
func (r *recorder) Cleanup(f func())          { r.cleanups = append(r.cleanups, f) }

func (r *recorder) Fail() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failed = true
}

func (r *recorder) Failed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed
}

func (r *recorder) FailNow() { r.Fail(); runtime.Goexit() }

func (r *recorder) Fatal(args ...any) { r.add(fmt.Sprint(args...)); r.FailNow() }

func (r *recorder) Skipped() bool { return r.skipped }

func (r *recorder) Skipf(f string, a ...any) { r.add(fmt.Sprintf(f, a...)); r.skipped = true }

// has fails t unless the recorded text contains all the words in this order.
func (r *recorder) has(t *testing.T, words ...string) {
	t.Helper()
	rest := r.text()
	for _, w := range words {
		i := strings.Index(rest, w)
		if i < 0 {
			t.Fatalf("no %q in\n%s", w, r.text())
		}
		rest = rest[i+len(w):]
	}
}

func runtimeFunc(pc uintptr) (file string) {
	file, _ = runtime.FuncForPC(pc).FileLine(pc)
	return file
}

// lineOf returns the line of a file that contains a mark, as file:line.
func lineOf(t *testing.T, file, mark string) string {
	_, self, _, _ := runtime.Caller(0)
	data, err := os.ReadFile(filepath.Join(filepath.Dir(self), file))
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range strings.Split(string(data), "\n") {
		if strings.Contains(l, mark) {
			return fmt.Sprintf("%s:%d", file, i+1)
		}
	}
	t.Fatalf("no %q in %s", mark, file)
	return ""
}
