package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/allele-go/allele"
)

// Assertion libraries accept an allele.T as a testing.TB.
func TestLibrariesAccept(t *testing.T) {
	allele.Check(t, func(t *allele.T, in []string) {
		got := slices.Clone(in)
		slices.Sort(got)
		slices.Sort(got)
		require.Len(t, got, len(in))
		assert.ElementsMatch(t, in, got)
		want := slices.Sorted(slices.Values(in))
		if diff := cmp.Diff(want, got); diff != "" && len(in) > 0 {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// A failed requirement ends the run and is shrunk. The headline of the report is the
// error of the library, with the line of the property, not a line inside the library.
func TestRequireIsShrunk(t *testing.T) {
	out := failing(t, `
	allele.Check(t, func(t *allele.T, in []int) {
		require.Less(t, len(in), 3)
		if len(in) >= 3 {
			panic("not reached")
		}
	})`)
	for _, want := range []string{`property failed: "3" is not less than "3" (x_test.go:14)`, "[]int{0, 0, 0}"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	// testify lists the callers of the property too, down to the runtime.
	_, trace, _ := strings.Cut(out, "Error Trace:")
	trace, _, _ = strings.Cut(trace, "Error:")
	if lines := strings.Fields(trace); len(lines) != 1 || !strings.HasSuffix(lines[0], "/x_test.go:14") {
		t.Errorf("the error trace is %q", lines)
	}
}

// failing runs the body of a test that must fail, in this module, and returns the output
// of go test.
func failing(t *testing.T, body string) string {
	t.Helper()
	src := `package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/allele-go/allele"
)

func TestFailing(t *testing.T) {
` + body + "\n}\n"
	dir := t.TempDir()
	file, overlay := filepath.Join(dir, "x_test.go"), filepath.Join(dir, "overlay.json")
	here, err := filepath.Abs("x_test.go")
	if err != nil {
		t.Fatal(err)
	}
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{here: file}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(filepath.Join("testdata", "allele")) }) // the stored case
	os.WriteFile(file, []byte(src), 0o666)
	os.WriteFile(overlay, replace, 0o666)
	out, err := exec.Command("go", "test", "-overlay", overlay, "-run", "^TestFailing$").CombinedOutput()
	if err == nil {
		t.Fatalf("the test passed:\n%s", out)
	}
	return string(out)
}
