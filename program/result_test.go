//go:build go1.25 && linux

package program

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/allele-go/allele/internal/outside"
)

// failure runs a program on an input that it fails with.
func failure(t *testing.T, p *Program, input string) *Failure {
	t.Helper()
	r := run(t, p, input)
	if !r.Crashed() {
		t.Errorf("%q: %+v", input, r)
	}
	return &Failure{"bug", r}
}

// Reports of sanitizers and of Valgrind are recognised. The sign of a failure is that of a bug: inputs that reach the
// same place have the same one.
func TestReports(t *testing.T) {
	asan := &Program{Args: []string{compile(t, "gcc", "bug", "-g", "-fsanitize=address")}}
	defer asan.Close()
	over, other, free := failure(t, asan, "o0"), failure(t, asan, "o2"), failure(t, asan, "f")
	if over.Report != "AddressSanitizer: heap-buffer-overflow" || !slices.Equal(over.Stack[:3], []string{"overflow", "parse", "main"}) {
		t.Errorf("overflow: %q %q", over.Report, over.Stack)
	}
	if free.Report != "AddressSanitizer: heap-use-after-free" || free.Stack[0] != "freed" {
		t.Errorf("freed: %q %q", free.Report, free.Stack)
	}
	if over.Sign() != other.Sign() || over.Sign() == free.Sign() {
		t.Errorf("signs %q, %q and %q", over.Sign(), other.Sign(), free.Sign())
	}
	if text := over.Error(); !strings.Contains(text, "was ended by signal 6 (aborted)") || !strings.Contains(text, "#0 overflow") {
		t.Errorf("text: %s", text)
	}
	ubsan := &Program{Args: []string{compile(t, "gcc", "bug", "-g", "-fsanitize=undefined")}}
	defer ubsan.Close()
	if f := failure(t, ubsan, "u"); !strings.HasPrefix(f.Report, "UndefinedBehaviorSanitizer: runtime error: shift exponent") {
		t.Errorf("undefined: %+v", f)
	}
	if _, err := exec.LookPath("valgrind"); err != nil {
		return
	}
	val := &Program{Args: []string{"valgrind", "--error-exitcode=9", compile(t, "gcc", "bug", "-g")}}
	defer val.Close()
	if f := failure(t, val, "f"); f.Report != "Valgrind: Invalid read of size 1" || f.Stack[0] != "freed" {
		t.Errorf("valgrind: %+v", f)
	}
	if r := run(t, val, "x"); r.Crashed() {
		t.Errorf("valgrind: %+v", r)
	}
}

// So are panics of Go programs, whose exit code is 2.
func TestGoPanic(t *testing.T) {
	dir := t.TempDir()
	source := "package main\n\nfunc main() { f(nil) }\n\n//go:noinline\nfunc f(x []int) { println(x[2]) }\n"
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "build", "-o", filepath.Join(dir, "main"), filepath.Join(dir, "main.go"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	p := &Program{Args: []string{filepath.Join(dir, "main")}}
	defer p.Close()
	f := failure(t, p, "")
	if f.Code != 2 || !strings.HasPrefix(f.Report, "Go: panic: runtime error: index out of range") || f.Stack[0] != "main.f" {
		t.Errorf("%+v", f)
	}
}

// Reports come from programs, so they may be anything.
func TestOddReports(t *testing.T) {
	for _, text := range []string{
		"==1==ERROR: AddressSanitizer: ",
		"==1==ERROR: AddressSanitizer: x\n#0",
		"==1==ERROR: AddressSanitizer: x\n    #0 0x1 in f\n",
		"==1== Invalid read of size 1\n==1==    at 0x1: ",
		"panic: x\ngoroutine ",
		"panic: x\n\ngoroutine 1 [running]:\n",
		"\xff\xfe==1==ERROR: AddressSanitizer: \xff\n",
		strings.Repeat("a", 1000) + "\n" + strings.Repeat("\n", 100),
	} {
		f := &Failure{"p", Result{Stdout: text, Stderr: text}}
		f.read()
		if f.Error() == "" || f.Sign() == "" {
			t.Errorf("%q: %+v", text, f)
		}
	}
}

// A run that was stopped has the same sign with every limit.
func TestSignOfStopped(t *testing.T) {
	p := &Program{Args: []string{"sleep", "100"}}
	defer p.Close()
	signs := map[string]bool{}
	for _, limit := range []time.Duration{50 * time.Millisecond, time.Second} {
		f := &Failure{"sleep", runWithin(t, p, limit, "")}
		signs[f.Sign()] = true
		if want := "sleep was stopped: " + limit.String() + " had passed"; f.Error() != want {
			t.Errorf("%q, want %q", f.Error(), want)
		}
	}
	if len(signs) != 1 || !signs["stopped: out of time"] {
		t.Errorf("signs %v", signs)
	}
}

// Without edges, other words and another exit code are new, and other numbers are not.
func TestWords(t *testing.T) {
	words := func(code int, out string) []uint32 {
		r := Result{Code: code, Stdout: out}
		return r.words(nil)
	}
	if !slices.Equal(words(0, "line 1\nat 0xf00\n"), words(0, "line 2\nat 0xba\nat 0xf\n")) {
		t.Error("numbers count")
	}
	if slices.Equal(words(0, "a\n"), words(0, "b\n")) || slices.Equal(words(0, "a\n"), words(1, "a\n")) {
		t.Error("words or codes do not count")
	}
	if w := words(0, "b\na\nc\n"); len(w) != 4 || !slices.IsSorted(w) || w[0] < outside.First || w[3] >= outside.First+outside.Count {
		t.Errorf("%v", w)
	}
}
