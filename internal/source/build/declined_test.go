package build

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/source/load"
	"github.com/allele-go/allele/internal/testkit"
)

// A declined package is built from the user's files: no file of it is replaced and none
// is added. The other packages get probes, and the manifest keeps the reason.
func TestDeclinedPackageIsLeftAlone(t *testing.T) {
	body := "\n\nfunc F(n int) int {\n\tif n > 3 {\n\t\treturn 1\n\t}\n\treturn 2\n}\n"
	c := Config{Work: t.TempDir()}
	c.Load.Dir, c.Load.Patterns = testkit.ModuleInside(t, map[string]string{
		"a/a.go": "package a" + body, "b/b.go": "package b" + body,
		"b/b_test.go": "package b_test\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) {\n\tfor range 3 {\n\t}\n}\n",
	}), []string{"./..."}
	c.Load.Env = []string{"GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off"}
	prog, err := load.Packages(c.Load)
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range prog.Scope {
		if pkg.Path == testkit.Inside+"/b" {
			pkg.Decline("it is in the way", "move it")
			pkg.Decline("another reason", "nothing")
		}
	}
	o, err := Rewrite(prog, c)
	if err != nil {
		t.Fatal(err)
	}
	if got := slices.Sorted(maps.Keys(o.replace)); len(got) != 2 || !strings.HasSuffix(got[0], filepath.Join("a", "a.go")) ||
		!strings.HasSuffix(got[1], filepath.Join("a", "zz_allele.go")) {
		t.Errorf("the overlay replaces %q", got)
	}
	want := testkit.Inside + "/b runs without probes: it is in the way; move it"
	if len(o.Declined) != 1 || o.Declined[0].String() != want {
		t.Errorf("declined: %v", o.Declined)
	}
	if err := o.writeManifest("id"); err != nil {
		t.Fatal(err)
	}
	if again := reuse(c, "id"); again == nil || !slices.Equal(again.Declined, o.Declined) {
		t.Errorf("a second build forgets what was declined: %v", again)
	}
}
