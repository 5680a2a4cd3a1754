package buildcost

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/allele-go/allele/eval/lab"
)

// subject is a module to build, and what is known of it after a build.
type subject struct {
	path, version string

	dir             string // for this run of the experiment
	warm            string // the cache that all builds start from
	packages, sites int
}

// src is the copy of the module.
func (s *subject) src() string { return filepath.Join(s.dir, "src") }

// folder is the package that is added.
const folder = "zz_property"

// property is its test; the imports are all other packages of the module.
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

// prepare copies the module, adds the property, and warms the cache.
func (s *subject) prepare(cfg lab.Config) error {
	cfg.Logf("%s %s: copy, and build what it depends on", s.path, s.version)
	from, err := s.download()
	if err != nil {
		return err
	}
	if err := os.CopyFS(s.src(), os.DirFS(from)); err != nil {
		return err
	}
	if err := s.unlock(); err != nil {
		return err
	}
	root, err := filepath.Abs("..")
	if err != nil {
		return err
	}
	err = s.run(s.warm, "mod", "edit", "-go=1.25",
		"-require=github.com/allele-go/allele@v0.0.0", "-replace=github.com/allele-go/allele="+root)
	if err != nil {
		return err
	}
	if err := s.addProperty(); err != nil {
		return err
	}
	return s.fillCache()
}

// download finds the module in the module cache, or brings it there.
func (s *subject) download() (string, error) {
	cmd := exec.Command("go", "mod", "download", "-json", s.path+"@"+s.version)
	cmd.Dir = s.dir // outside of our own module
	out, err := cmd.Output()
	var found struct{ Dir, Error string }
	if json.Unmarshal(out, &found) == nil && found.Error != "" {
		return "", fmt.Errorf("download %s: %s", s.path, found.Error)
	}
	if err != nil {
		return "", fmt.Errorf("download %s: %w", s.path, err)
	}
	return found.Dir, nil
}

// unlock makes the copy writable, which the module cache is not.
func (s *subject) unlock() error {
	return filepath.WalkDir(s.src(), func(file string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return os.Chmod(file, info.Mode().Perm()|0o200)
	})
}

// addProperty writes the package that imports the rest.
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

// importable obeys the rule about internal packages: those right below the
// module are open to all of it.
func (s *subject) importable(path string) bool {
	rest := strings.Split(strings.TrimPrefix(path, s.path+"/"), "/")
	return !slices.Contains(rest[1:], "internal")
}

// fillCache builds all that the test links but the module itself.
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

// env keeps a workspace or flags of the user out. The module adds to its own
// go.sum what our one more requirement brings.
func (s *subject) env(cache string) []string {
	return []string{"GOWORK=off", "GOFLAGS=-mod=mod -buildvcs=false", "GOCACHE=" + cache}
}

func (s *subject) list(args ...string) ([]string, error) {
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	cmd.Dir, cmd.Env = s.src(), append(os.Environ(), s.env(s.warm)...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, stderr.String())
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n"), nil
}

func (s *subject) run(cache string, args ...string) error {
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = s.src(), append(os.Environ(), s.env(cache)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", args[0], err, out)
	}
	return nil
}
