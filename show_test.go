package allele

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/ops/job"
	"github.com/allele-go/allele/internal/property"
)

// shown asks a Check for the test of a case.
func shown(t *testing.T, file string) (text, told string) {
	t.Helper()
	to := filepath.Join(t.TempDir(), "text")
	_, events := asked(t, job.Job{Mode: job.Show, Text: job.Text{Case: file, To: to}}, nil, func(t testing.TB) { Check(t, func(t *T, in *tree) {}) })
	data, _ := os.ReadFile(to)
	for _, e := range events {
		told += string(e.Verdict) + e.Text
	}
	return string(data), told
}

// The Check that has a case writes it down, and says what is wrong with it. Where no
// test can be written, as for the recorder of this test, it is the value.
func TestShowCase(t *testing.T) {
	write(t, map[string]string{
		"a.case":     "&tree{K: 1 << 3}",
		"other.case": "// test TestY\n&tree{}",
		"bad.case":   "\n&tree{K: }",
	})
	dir := filepath.Join(property.Home, "testdata", "allele", "TestX")
	if text, told := shown(t, filepath.Join(dir, "a.case")); text != "in := &tree{K: 8}\n" || told != "" {
		t.Errorf("%q %q", text, told)
	}
	if text, told := shown(t, filepath.Join(dir, "other.case")); text != "" || told != "" {
		t.Errorf("%q %q", text, told)
	}
	if text, told := shown(t, filepath.Join(property.Home, "a.case")); text != "" || told != "" {
		t.Errorf("%q %q", text, told)
	}
	if _, told := shown(t, filepath.Join(dir, "bad.case")); !strings.HasPrefix(told, "failed"+filepath.Join("testdata", "allele", "TestX", "bad.case")+":2:") {
		t.Errorf("%q", told)
	}
}

// An input that is too long for a report is in its file, and a command makes a test
// of it. Without a file it is all shown.
func TestLongReport(t *testing.T) {
	long := func(t testing.TB) {
		items := make([]struct{ A, B int }, 300)
		Check(t, func(t *T, in []struct{ A, B int }) {
			if len(in) >= 300 {
				t.Error("long")
			}
		}, Example(items), Tests(0))
	}
	r := record(t, "TestX", long)
	r.has(t, "counterexample", " more lines", "saved    testdata/allele/TestX/fail-", "replay ", "\nas test  go tool allele show ", "-test testdata/allele/TestX/fail-")
	if n := strings.Count(r.text(), "\n"); n > 220 {
		t.Errorf("%d lines", n)
	}
	elsewhere(t)
	if err := os.WriteFile("testdata", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if r := recordHere(t, "TestX", long); strings.Contains(r.text(), "as test") || strings.Count(r.text(), "\n") < 300 {
		t.Error(r.text())
	}
}
