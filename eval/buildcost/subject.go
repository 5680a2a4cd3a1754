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

// download returns the module's folder in the module cache, and downloads the
// module if needed.
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

// unlock makes the copy writable. Files in the module cache are read-only.
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

// env returns variables that override the user's workspace and flags. With -mod=mod the
// go command adds the entries for our additional requirement to the module's go.sum.
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
