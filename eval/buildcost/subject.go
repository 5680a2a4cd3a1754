package buildcost

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/eval/lab"
)

// subject is a module to build, with counts that are known after a build.
type subject struct {
	path, version string

	dir             string // temporary folder of this run of the experiment
	warm            string // build cache of the dependencies, which all builds start from
	packages, sites int
}

// src returns the folder with the copy of the module.
func (s *subject) src() string { return filepath.Join(s.dir, "src") }

// folder is the folder and name of the added package.
const folder = "zz_property"

// property is the test of the added package. It imports all other packages of the
// module.
const property = `package zz_property

import (
	"testing"

	"github.com/allele-go/allele"

%s)

func TestReverse(t *testing.T) {
	allele.Check(t, func(t *allele.T, n int) {
		if -(-n) != n {
			t.Fatal(n)
		}
	})
}
`

// prepare copies the module, adds the property, and fills the cache.
func (s *subject) prepare(cfg lab.Config) error {
	cfg.Logf("%s %s: copying, and building its dependencies", s.path, s.version)
	if err := foreign.At(s.path, s.version).Copy(s.src()); err != nil {
		return err
	}
	if err := foreign.Require(s.src(), s.env(s.warm)); err != nil {
		return err
	}
	if err := s.addProperty(); err != nil {
		return err
	}
	return s.fillCache()
}

// addProperty writes the package that imports all other packages.
func (s *subject) addProperty() error {
	all, err := s.list("-f", "{{.Name}} {{len .GoFiles}} {{.ImportPath}}", "./...")
	if err != nil {
		return err
	}
	var imports strings.Builder
	for _, line := range all {
		if w := strings.Fields(line); len(w) == 3 && w[0] != "main" && w[1] != "0" && s.importable(w[2]) {
			fmt.Fprintf(&imports, "\t_ %q\n", w[2])
		}
	}
	dir := filepath.Join(s.src(), folder)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "property.go"), []byte("package "+folder+"\n"), 0o666); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "property_test.go"), fmt.Appendf(nil, property, imports.String()), 0o666)
}

// importable reports whether the added package may import a package. Of the
// internal packages it may import only those directly below the module's root.
func (s *subject) importable(path string) bool {
	rest := strings.Split(strings.TrimPrefix(path, s.path+"/"), "/")
	return !slices.Contains(rest[1:], "internal")
}

// fillCache builds everything that the test links, except the module itself.
func (s *subject) fillCache() error {
	deps, err := s.list("-deps", "-test", "-f", "{{if not (and .Module .Module.Main)}}{{.ImportPath}}{{end}}", "./"+folder)
	if err != nil {
		return err
	}
	deps = slices.DeleteFunc(deps, func(p string) bool {
		return p == "unsafe" || strings.HasSuffix(p, ".test") || strings.Contains(p, " ")
	})
	return s.run(s.warm, append([]string{"build"}, deps...)...)
}

func (s *subject) env(cache string) []string { return foreign.Env(cache) }

// list returns the lines that go list prints.
func (s *subject) list(args ...string) ([]string, error) {
	out, err := foreign.Go(s.src(), s.env(s.warm), append([]string{"list"}, args...)...)
	return strings.Split(strings.TrimSpace(out), "\n"), err
}

func (s *subject) run(cache string, args ...string) error {
	_, err := foreign.Go(s.src(), s.env(cache), args...)
	return err
}
