//go:build go1.25

package fault

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/source/load"
)

const textsSource = `package texts

import (
	"errors"
	"fmt"
	"log"
)

func f(x int) error {
	log.Printf("x is %d", x-1)
	if x < 0 {
		return errors.New("negative")
	}
	return fmt.Errorf("too large: %d", 2*x)
}
`

// TestTexts checks that only constants and calls are left out, and only by default. So those faults stay that the mutation tester PIT
// makes by default, which does neither.
func TestTexts(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module texts\n\ngo 1.22\n", "texts.go": textsSource} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := load.Packages(load.Config{Dir: dir, Patterns: []string{"."}, All: true, Scope: []string{"texts"}})
	if err != nil {
		t.Fatal(err)
	}
	unlikely := map[string]string{"x-1": "a log line", `log.Printf("x is %d", x-1)`: "a log line", "2*x": "the text of an error",
		`"negative"`: "the text of an error", "2": "the text of an error"}
	all := func(o Options) (lines []string, declined map[string]int) {
		r := Rewrite(prog.Fset, prog.Scope[0], o)
		for _, f := range r.Faults {
			lines = append(lines, f.Operator+" "+f.From+" → "+f.To)
			if got, want := f.Edit.Unlikely, unlikely[f.From]; got != want {
				t.Errorf("%s is unlikely: %q, want %q", f.From, got, want)
			}
		}
		return lines, r.Declined
	}
	usual, declined := all(Options{})
	if declined["text of an error"] != 2 || declined["log line"] != 2 {
		t.Error(declined)
	}
	more, declined := all(Options{Texts: true})
	if len(declined) != 1 || declined["change that go vet rejects"] != 2 {
		t.Error(declined)
	}
	added := slices.DeleteFunc(slices.Clone(more), func(line string) bool { return slices.Contains(usual, line) })
	want := []string{`delete log.Printf("x is %d", x-1) → (deleted)`, `constant "negative" → ""`}
	if !slices.Equal(added, want) {
		t.Errorf("added with Texts:\n%s", strings.Join(added, "\n"))
	}
	if !slices.Contains(usual, "math x-1 → x+1") || len(usual)+len(added) != len(more) {
		t.Errorf("usual:\n%s", strings.Join(usual, "\n"))
	}
}
