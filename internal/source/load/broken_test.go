//go:build go1.25

package load

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/testkit"
)

// A package that does not compile is left out with its errors, and with the packages that
// need it. Everything else is loaded, and the tests that use the library are listed.
func TestBrokenPackages(t *testing.T) {
	const test = "\n\nimport (\n\t\"testing\"\n\n\t\"github.com/allele-go/allele\"\n)\n\nfunc TestX(t *testing.T) { allele.Check(t, func(t *allele.T, in int) {}) }\n"
	good := map[string]string{
		"good/good.go": "package good\n\nfunc F() int { return 1 }\n", "good/good_test.go": "package good" + test,
		"top/top.go": "package top\n\nimport \"scratch/good\"\n\nvar X = good.F()\n", "top/top_test.go": "package top" + test,
	}
	for _, c := range []struct {
		name   string
		files  map[string]string
		broken []string
		tests  string
	}{
		{"nothing", nil, nil, "good top"},
		{"syntax", map[string]string{"good/more.go": "package good\n\nfunc G( {\n"},
			[]string{"good/more.go:3:9: expected ')', found '{'", "scratch/top: left out, because it imports scratch/good, which does not compile"}, ""},
		{"types, all errors of a package", map[string]string{"top/more.go": "package top\n\nvar Y string = 1\nvar Z = none\n"},
			[]string{"top/more.go:3:16: cannot use 1 (untyped int constant) as string value in variable declaration\ntop/more.go:4:9: undefined: none"}, "good"},
		{"a package without tests", map[string]string{"alone/alone.go": "package alone\n\nvar X = none\n"},
			[]string{"alone/alone.go:3:9: undefined: none"}, "good top"},
		{"syntax in a test: the package itself is needed by others", map[string]string{"good/more_test.go": "package good\n\nfunc {\n"},
			[]string{"good/more_test.go:3:6: expected 'IDENT', found '{'"}, "top"},
		{"types in a test", map[string]string{"good/more_test.go": "package good\n\nvar s string = F()\n"},
			[]string{"good/more_test.go:3:16: cannot use F() (value of type int) as string value in variable declaration"}, "top"},
		{"types in an external test", map[string]string{"good/more_test.go": "package good_test\n\nvar s = none\n"},
			[]string{"good/more_test.go:3:9: undefined: none"}, "top"},
		{"a test imports a broken package", map[string]string{"bad/bad.go": "package bad\n\nvar X = none\n",
			"good/more_test.go": "package good\n\nimport _ \"scratch/bad\"\n"},
			[]string{"bad/bad.go:3:9: undefined: none", "scratch/good: its tests are left out, because they import scratch/bad, which does not compile"}, "top"},
		{"imports that do not exist", map[string]string{"top/more.go": "package top\n\nimport _ \"scratch/none\"\nimport _ \"scratch/none/too\"\n"},
			[]string{"top/more.go:3:8: package scratch/none is not in std*\ntop/more.go:4:8: package scratch/none/too is not in std*"}, "good"},
		{"an import cycle of a test", map[string]string{"good/more_test.go": "package good\n\nimport _ \"scratch/top\"\n"},
			[]string{"package scratch/good\n\timports scratch/top\n\timports scratch/good: import cycle not allowed in test"}, "top"},
		{"two package names", map[string]string{"top/more.go": "package other\n"}, []string{"found packages *"}, "good"},
		{"no file for this system", map[string]string{"never/never.go": "//go:build never\n\npackage never\n", "top/more.go": "package top\n\nimport _ \"scratch/never\"\n"},
			[]string{"package scratch/top\n\timports scratch/never: build constraints exclude all Go files in *"}, "good"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			files := map[string]string{}
			for _, all := range []map[string]string{good, c.files} {
				for name, text := range all {
					files[name] = text
				}
			}
			conf := Config{Dir: testkit.Module(t, files), Patterns: []string{"./..."}, Env: []string{"GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off"}}
			l, err := List(conf)
			if err != nil {
				t.Fatal(err)
			}
			p, err := l.Check()
			if err != nil {
				t.Fatal(err)
			}
			if len(p.Broken) != len(c.broken) {
				t.Errorf("broken: %q", p.Broken)
			}
			for i, b := range p.Broken {
				if got := b.String(); i < len(c.broken) && !like(got, c.broken[i]) {
					t.Errorf("got %q, want %q", got, c.broken[i])
				}
			}
			if got := strings.ReplaceAll(strings.Join(p.Tests, " "), "scratch/", ""); got != c.tests {
				t.Errorf("tests: %q", got)
			}
			if _, err := Packages(conf); (err == nil) != (len(c.broken) == 0) {
				t.Errorf("Packages: %v", err)
			}
			checkWhole(t, p)
		})
	}
}

// like compares texts line by line; a line may end in a star for any text.
func like(got, want string) bool {
	lines, wanted := strings.Split(got, "\n"), strings.Split(want, "\n")
	return slices.EqualFunc(lines, wanted, func(a, b string) bool {
		prefix, open := strings.CutSuffix(b, "*")
		return a == b || open && strings.HasPrefix(a, prefix)
	})
}

// checkWhole checks that every package in scope has types for all of its files.
func checkWhole(t *testing.T, p *Program) {
	for _, pkg := range p.Scope {
		if pkg.Types == nil || !pkg.Types.Complete() || pkg.Info == nil {
			t.Error(fmt.Sprint(pkg.Path, " is not complete"))
		}
	}
}

// Errors in each file that Support names are recognised, whatever else the folder contains.
func TestInSupport(t *testing.T) {
	kinds := []*Package{{External: true}, {Files: []*File{{Test: true}}}, {Files: []*File{{}}}}
	for range 2 { // in an empty folder, and in one that has files of these names
		for i, p := range kinds {
			if p.Dir == "" {
				p.Dir = t.TempDir()
			}
			for _, name := range p.Support() {
				for _, text := range []string{name + ":3:4: undefined: x", "# p\n../work/src/p/" + name + ":3:4: undefined: x\n"} {
					if !InSupport(text) {
						t.Errorf("kind %d: not recognised: %s", i, text)
					}
				}
				if err := os.WriteFile(filepath.Join(p.Dir, name), nil, 0o666); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	for _, text := range []string{"my_zz_allele.go:3:4: undefined: x", "p.go:3:4: zz_allele.go is missing"} {
		if InSupport(text) {
			t.Errorf("recognised: %s", text)
		}
	}
}
