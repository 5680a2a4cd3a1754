//go:build go1.25

package allele_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/testkit"
)

// storedCase is the case that TestHonest/stored_cases_only starts with.
const (
	storedCase = "testdata/allele/TestHonest%2Fstored_cases_only/keep-1.case"
	storedText = "// test TestHonest/stored_cases_only\n// verdict passed\n\n[]int{12345, 54321, 66666}\n"
)

// result is the last line of a test in the output of go test -v.
var result = regexp.MustCompile(`(?m)^ +--- (PASS|FAIL): (Test\w+)/(\S+)`)

// Properties that check nothing do not pass, and properties that check something are not
// called vacuous. Both lists are in testdata/green; e2e runs them with the command. The
// figures are in docs/guide/preconditions.md.
func TestGreen(t *testing.T) {
	dir := scratch(t, "../green")
	os.MkdirAll(filepath.Dir(filepath.Join(dir, storedCase)), 0o777)
	os.WriteFile(filepath.Join(dir, storedCase), []byte(storedText), 0o666)
	for _, seed := range []string{"", "1", "2"} {
		out, _ := testkit.Go(t, dir, []string{"ALLELE_SEED=" + seed}, "test", "-v")
		got := map[string]int{}
		for _, m := range result.FindAllStringSubmatch(out, -1) {
			got[m[2]+" "+m[1]]++
			if want := map[bool]string{true: "PASS", false: "FAIL"}[m[2] == "TestHonest" || m[2] == "TestNoted"]; m[1] != want {
				t.Errorf("seed %q: %s/%s: %s, want %s", seed, m[2], m[3], m[1], want)
			}
		}
		nothing, honest := got["TestNothing FAIL"]+got["TestStopped FAIL"]+got["TestMistakes FAIL"], got["TestHonest PASS"]
		if n := strings.Count(out, "note: ") + strings.Count(out, "none generated"); n < got["TestNoted PASS"] {
			t.Errorf("seed %q: %d notes for %d tests", seed, n, got["TestNoted PASS"])
		}
		if nothing < 40 || honest < 40 || got["TestNoted PASS"] < 7 {
			t.Errorf("seed %q: %v\n%s", seed, got, out)
		}
		checkFigures(t, fmt.Sprintf("%d properties that check nothing, and all fail", nothing),
			fmt.Sprintf("%d properties that check something, and none is called vacuous", honest))
	}
}

// checkFigures checks that the guide contains figures.
func checkFigures(t *testing.T, figures ...string) {
	t.Helper()
	page, err := os.ReadFile("docs/guide/preconditions.md")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(string(page)), " ")
	for _, f := range figures {
		if !strings.Contains(text, f) {
			t.Errorf("docs/guide/preconditions.md does not say: %s", f)
		}
	}
}
