//go:build go1.25

package allele

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var said = flag.String("said", "", "run TestSaid and BenchmarkSaid, whose properties `pass` or fail")

func saying(t testing.TB) {
	if *said == "" {
		t.Skip("it is started by another test")
	}
	Check(t, func(t *T, in struct{ N, M int8 }) {
		if *said == "fail" && in.M > 5 {
			t.Error("large")
		}
	}, Range[int8](0, 9), Tests(100))
}

// TestSaid and BenchmarkSaid are not tests of their own: TestSaidOnce starts them in other processes.
func TestSaid(t *testing.T)      { saying(t) }
func BenchmarkSaid(b *testing.B) { saying(b) }

// What a Check has to say also without -v is printed once, whether the test passes or fails.
func TestSaidOnce(t *testing.T) {
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, flags := range []string{
		"-said=pass", "-said=fail", "-said=pass -test.v", "-said=fail -test.v", "-said=pass -allele.v", "-said=fail -allele.v",
		"-said=pass -allele.v -test.v", "-said=pass -test.bench=Said", "-said=fail -test.bench=Said", "-said=pass -test.bench=Said -allele.v",
	} {
		t.Run(flags, func(t *testing.T) {
			dir, name := t.TempDir(), "TestSaid"
			args := append(strings.Fields(flags), "-test.run=^TestSaid$", "-test.benchtime=1x")
			if strings.Contains(flags, "bench") {
				args, name = append(args, "-test.run=^$"), "BenchmarkSaid"
			}
			file := filepath.Join(dir, "testdata", "allele", name, "a.case")
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte("// allele case 1\n// test     "+name+"\n\nin{N: 100}\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(binary, args...)
			cmd.Dir = dir
			out, _ := cmd.CombinedOutput()
			if n := strings.Count(string(out), "1 stored case not run"); n != 1 {
				t.Errorf("said %d times:\n%s", n, out)
			}
			if n, want := strings.Count(string(out), " passed"), 1; strings.Contains(flags, "pass ") && strings.Contains(flags, ".v") && n != want {
				t.Errorf("the summary is there %d times:\n%s", n, out)
			}
		})
	}
}
