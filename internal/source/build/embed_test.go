//go:build go1.25

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

// The go command reads embedded files through the overlay. So what a package embeds is not
// rewritten, and no file is added where it would be embedded.
func TestEmbeddedFiles(t *testing.T) {
	body := "\n\nfunc F(n int) int {\n\tif n > 3 {\n\t\treturn 1\n\t}\n\treturn 2\n}\n"
	with := func(pattern string) string {
		return "\n\nimport \"embed\"\n\n//go:embed " + pattern + "\nvar files embed.FS\n"
	}
	for _, row := range []struct{ what, files, replaced, declined string }{
		{"nothing", "a.go", "a.go zz_allele.go", ""},
		{"one file", "a.go=one.go one.go", "a.go zz_allele.go", ""},
		{"itself", "a.go=a.go b.go", "b.go zz_allele.go", ""},
		{"some", "a.go=*_gen.go x_gen.go", "a.go zz_allele.go", ""},
		{"all Go files", "a.go=*.go", "", "*.go"},
		{"the folder", "a.go=*", "", "*"},
		{"hidden files too", "a.go=all:*", "", "all:*"},
		{"a folder below", "a.go=sub sub/s.go", "a.go zz_allele.go", "sub"},
		{"all folders below", "a.go=*/*.go sub/s.go", "a.go zz_allele.go", "*/*.go"},
		{"data", "a.go=data data/x.txt", "a.go zz_allele.go", ""},
		{"tests embed tests", "a.go a_test.go=*_test.go", "", "*_test.go"},
		{"external tests embed all", "a.go a_test.go!=*.go", "", "*.go"},
	} {
		t.Run(row.what, func(t *testing.T) {
			files := map[string]string{}
			for word := range strings.FieldsSeq(row.files) {
				name, pattern, _ := strings.Cut(word, "=")
				name, external := strings.CutSuffix(name, "!")
				pkg := "package p"
				if strings.HasPrefix(name, "sub/") {
					pkg = "package sub"
				}
				if external {
					pkg += "_test"
				}
				text := pkg
				if pattern != "" {
					text += with(pattern)
				}
				if strings.HasSuffix(name, ".go") && name != "b.go" && name != "one.go" && name != "x_gen.go" && !strings.Contains(name, "_test") {
					text += body
				}
				files["p/"+name] = text
			}
			c := Config{Work: t.TempDir()}
			dir := testkit.ModuleInside(t, files)
			c.Load.Dir, c.Load.Patterns = dir, []string{"./..."}
			c.Load.Env = []string{"GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off"}
			prog, err := load.Packages(c.Load)
			if err != nil {
				t.Fatal(err)
			}
			o, err := Rewrite(prog, c)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, file := range slices.Sorted(maps.Keys(o.replace)) {
				if filepath.Dir(file) == filepath.Join(dir, "p") {
					got = append(got, filepath.Base(file))
				}
			}
			if text := strings.Join(got, " "); text != row.replaced {
				t.Errorf("replaced and added: %s, want %s", text, row.replaced)
			}
			if row.declined == "" && len(o.Declined) > 0 || row.declined != "" &&
				(len(o.Declined) != 1 || !strings.Contains(o.Declined[0].Why, "(//go:embed "+row.declined+")")) {
				t.Errorf("declined: %v, want //go:embed %s", o.Declined, row.declined)
			}
		})
	}
}
