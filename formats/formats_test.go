package formats

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele"
)

// Every format has a name, a suffix and a description of its own, can be found, and makes inputs.
func TestAll(t *testing.T) {
	var names []string
	for _, f := range All() {
		if f.Suffix == "" || f.Doc == "" || slices.Contains(names, f.Name) {
			t.Errorf("%+v", f)
		}
		names = append(names, f.Name)
		if g, ok := Named(f.Name); !ok || g.Name != f.Name {
			t.Errorf("%s is not found", f.Name)
		}
		t.Run(f.Name, func(t *testing.T) {
			runs := 0
			f.Check(t, func(t *allele.T, input []byte) { runs++ }, allele.Tests(20))
			if runs < 20 {
				t.Errorf("%d inputs, want 20", runs)
			}
		})
	}
	if !slices.IsSorted(names) || len(names) < 12 {
		t.Error(names)
	}
	command, err := os.ReadFile("../cmd/allele/run.go")
	if list := strings.Join(names, ", "); err != nil || !strings.Contains(strings.Join(strings.Fields(string(command)), " "), "`"+list+"`") {
		t.Errorf("the command lists other formats than %s (%v)", list, err)
	}
	if _, ok := Named("no such"); ok {
		t.Error("a format without a name is found")
	}
}
