//go:build go1.25

package allele

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/check/property"
	"github.com/allele-go/allele/internal/proc/event"
	"github.com/allele-go/allele/internal/proc/job"
)

// shown runs a Check that writes the test of a case. It returns that test, and the
// error in the events.
func shown(t *testing.T, file string) (text, reported string) {
	t.Helper()
	to := filepath.Join(t.TempDir(), "text")
	_, events := runJob(t, job.Job{Mode: job.Show, Text: job.Text{Case: file, To: to}}, nil, func(t testing.TB) { Check(t, func(t *T, in *tree) {}) })
	data, _ := os.ReadFile(to)
	for _, a := range allOf[event.Answered](events) {
		reported += a.Error
	}
	return string(data), reported
}

// The Check that a case belongs to writes the case as a test, or reports what is wrong
// with it. If no test can be written, as for the recorder of this test, it writes the
// value.
func TestShowCase(t *testing.T) {
	write(t, map[string]string{
		"a.case":     "&tree{K: 1 << 3}",
		"other.case": "// test TestY\n&tree{}",
		"bad.case":   "\n&tree{K: }",
	})
	dir := filepath.Join(property.Home, "testdata", "allele", "TestX")
	if text, reported := shown(t, filepath.Join(dir, "a.case")); text != "in := &tree{K: 8}\n" || reported != "" {
		t.Errorf("%q %q", text, reported)
	}
	if text, reported := shown(t, filepath.Join(dir, "other.case")); text != "" || reported != "" {
		t.Errorf("%q %q", text, reported)
	}
	if text, reported := shown(t, filepath.Join(property.Home, "a.case")); text != "" || reported != "" {
		t.Errorf("%q %q", text, reported)
	}
	if _, reported := shown(t, filepath.Join(dir, "bad.case")); !strings.HasPrefix(reported, filepath.Join("testdata", "allele", "TestX", "bad.case")+":2:") {
		t.Errorf("%q", reported)
	}
}

// A report shows the beginning of a long input and a command that prints it as a test. If
// the input could not be stored in a file, the report shows all of it.
func TestLongReport(t *testing.T) {
	long := func(t testing.TB) {
		items := slices.Repeat([]struct{ A, B int }{{1, 0}}, 300)
		Check(t, func(t *T, in []struct{ A, B int }) {
			if len(in) >= 300 && !slices.Contains(in, struct{ A, B int }{}) { // zeros would be printed short
				t.Error("long")
			}
		}, Example(items), Tests(0))
	}
	r := record(t, "TestX", long)
	r.has(t, "counterexample", " more lines", "saved    testdata/allele/TestX/fail-", "replay ", "\nas test  go tool allele show ", "-test testdata/allele/TestX/fail-")
	if n := strings.Count(r.text(), "\n"); n > 220 {
		t.Errorf("%d lines", n)
	}
	inEmptyPackage(t)
	if err := os.WriteFile("testdata", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if r := recordHere(t, "TestX", long); strings.Contains(r.text(), "as test") || strings.Count(r.text(), "\n") < 300 {
		t.Error(r.text())
	}
}
