//go:build go1.25

package allele

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

var testHangs = flag.Bool("hangs", false, "run TestHangs, whose property does not end")

// TestHangs is not a test of its own: TestStoredHang starts it in other processes.
func TestHangs(t *testing.T) {
	if !*testHangs {
		t.Skip("it is started by another test")
	}
	Check(t, func(t *T, in []int) {
		large := 0
		for _, n := range in {
			if n > 3 {
				large++
			}
		}
		for large >= 2 {
			time.Sleep(time.Millisecond)
		}
	})
}

// A stored case that never ends is reported before the deadline of the test binary, however
// long a run may take.
func TestStoredHang(t *testing.T) {
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what, run, test string // the timeouts of a run and of the binary
		says            []string
	}{
		{"the run is abandoned at the deadline", "1h", "3s",
			[]string{"property did not end: it was still running shortly before the test's deadline", "counterexample:"}},
		{"there is no time to shrink", "3s", "7s",
			[]string{"property did not end: it was still running after 3s", "note: not shrunk", "-timeout", "counterexample:", "[]int{7, 1, 100, 5}"}},
		{"there is some time to shrink", "1s", "5s",
			[]string{"property did not end: it was still running after 1s", "counterexample"}},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(binary, "-test.run=^TestHangs$", "-test.timeout="+c.test, "-hangs")
			cmd.Dir = t.TempDir()
			cmd.Env = append(os.Environ(), "ALLELE_RUN_TIMEOUT="+c.run)
			file := filepath.Join(cmd.Dir, "testdata", "allele", "TestHangs", "fail-000001.case")
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				t.Fatal(err)
			}
			stored := "// allele case 1\n// test     TestHangs\n// verdict  hang\n// runs     isolated\n\n[]int{7, 1, 100, 5}\n"
			if err := os.WriteFile(file, []byte(stored), 0o666); err != nil {
				t.Fatal(err)
			}
			out, _ := cmd.CombinedOutput()
			if strings.Contains(string(out), "test timed out") {
				t.Fatalf("no report before the deadline:\n%s", out)
			}
			(&recorder{lines: []string{string(out)}}).has(t, append(c.says, "from     testdata", "replay ")...)
		})
	}
}

// Shrinking does not wait forever for a simpler input that does not end.
func TestShrinkingMeetsHang(t *testing.T) {
	t.Setenv("ALLELE_RUN_TIMEOUT", "300ms")
	release := make(chan bool)
	defer close(release)
	record(t, "TestX", func(t testing.TB) {
		Check(t, func(t *T, in struct{ A, B int }) {
			if in.A < 10 && in.B > 5 {
				<-release
			}
			if in.B > 5 {
				t.Error("large")
			}
		}, Example(struct{ A, B int }{12, 7}))
	}).has(t, "property failed: large", "note: shrinking ended early: a simpler input was still running after 300ms", "counterexample", "saved")
}

// Shrinking ends after a minute, and the report says so. The case does not say that it is shrunk, so the next run goes on.
func TestShrinkingTakesAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var last time.Time
		begin := time.Now()
		r := record(t, "TestX", func(t testing.TB) {
			Check(t, func(t *T, in []string) {
				time.Sleep(7 * time.Second)
				last = time.Now()
				if len(in) > 2 && in[2] > "b" {
					t.Error("large")
				}
			}, Example([]string{"aaaaaaaaaaaaa", "bbbbbbbbbbbbbb", "cccccccccccccccccc", "dddddddddddddd"}))
		})
		r.has(t, "property failed: large", "note: shrinking ended early, after 1m0s; replay it to go on", "counterexample, shrunk", "saved")
		if took := last.Sub(begin); took < time.Minute || took > 2*time.Minute {
			t.Errorf("the last run was after %v", took)
		}
	})
}
