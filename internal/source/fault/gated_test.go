//go:build go1.25

package fault

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/source/load"
)

const gatedSource = `package gated

var most = 9

func first(n int) int {
	if n > most {
		return n - 1
	}
	return n
}

func second(n int) int {
	if n > 3 {
		return n + 1
	}
	return n
}
`

// A function without gates lists the same faults: their keys, and comments that accept them, depend on all of them.
func TestGated(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module gated\n\ngo 1.22\n", "gated.go": gatedSource} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := load.Packages(load.Config{Dir: dir, Patterns: []string{"."}, All: true, Scope: []string{"gated"}})
	if err != nil {
		t.Fatal(err)
	}
	all := Rewrite(prog.Fset, prog.Scope[0], Options{})
	some := Rewrite(prog.Fset, prog.Scope[0], Options{Gated: func(file string, first, last int) bool {
		return filepath.Base(file) == "gated.go" && first <= 13 && last >= 13 // in second
	}})
	if len(all.Faults) < 5 || !reflect.DeepEqual(all.Faults, some.Faults) || !reflect.DeepEqual(all.Declined, some.Declined) {
		t.Errorf("faults\n%v\nwant\n%v", some.Faults, all.Faults)
	}
	names := func(r *Result) string {
		text := ""
		for _, e := range r.Edits[0] {
			text += e.Text
		}
		has := func(name string) string {
			if strings.Contains(text, "_"+name+"(") {
				return name + " "
			}
			return ""
		}
		return has("first") + has("second")
	}
	if names(all) != "first second " || names(some) != "second " {
		t.Errorf("with gates: %q, and of some lines %q", names(all), names(some))
	}
}
