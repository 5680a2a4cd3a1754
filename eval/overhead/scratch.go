package overhead

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/allele-go/allele/internal/source/build"
	"github.com/allele-go/allele/internal/source/load"
)

// module is the source of the workloads. The name of every file ends in .txt, so that the
// go command does not treat the file as a part of this module. The go.mod and go.sum in
// testdata pin the modules that the workloads use.
//
//go:embed testdata
var module embed.FS

// workload is a program to run. Its scope is the one that a user would set: the library
// that the workload exercises, without the library's dependencies.
type workload struct {
	name  string
	pkg   string   // folder below testdata
	code  string   // module of the code; empty for the standard library and our own code
	scope []string // as for -scope
	quick bool
	large bool // the build checks that at least linesLarge lines are in scope
}

// linesLarge is the minimal number of lines of a large library.
const linesLarge = 20_000

// workloads are the nine workloads of the initial study, and two large third-party
// modules: an interpreter and an evaluator.
var workloads = []workload{
	{name: "encoding/json any", pkg: "json", scope: []string{"encoding/json"}},
	{name: "encoding/json struct", pkg: "json", scope: []string{"encoding/json"}},
	{name: "go/parser", pkg: "goparser", scope: []string{"go/parser", "go/scanner", "go/ast", "go/token"}},
	{name: "text/template/parse", pkg: "template", scope: []string{"text/template/parse"}},
	{name: "regexp/syntax", pkg: "regexp", scope: []string{"regexp/syntax"}},
	{name: "BurntSushi/toml", pkg: "toml", code: "github.com/BurntSushi/toml",
		scope: []string{"github.com/BurntSushi/toml/..."}, quick: true},
	{name: "yaml.v3", pkg: "yaml", code: "gopkg.in/yaml.v3", scope: []string{"gopkg.in/yaml.v3"}},
	{name: "goldmark", pkg: "goldmark", code: "github.com/yuin/goldmark", scope: []string{"github.com/yuin/goldmark/..."}},
	{name: "BST", pkg: "bst", quick: true},
	{name: "goja", pkg: "goja", code: "github.com/dop251/goja", scope: []string{"github.com/dop251/goja/..."}, large: true},
	{name: "cue", pkg: "cue", code: "cuelang.org/go", scope: []string{"cuelang.org/go/..."}, large: true},
}

// chosen returns the workloads of a full or a quick run.
func chosen(all []workload, quick bool) []workload {
	if !quick {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(w workload) bool { return !w.quick })
}

// realPath is the path of the workloads' module. It is below the path of our module, so
// that workloads may import internal/hook and read what probes record.
const realPath = "github.com/allele-go/allele/eval/workload/real/"

// scratch is the module of the workloads, on disk. It is always in the same place in the
// user's cache folder. If the place changed, the go command would compile all of it
// again.
type scratch struct {
	dir, src string
	lock     *os.File
	programs map[string]*load.Program // by folder
	sums     string                   // text of go.mod
}

// prepare writes the module with the packages of some workloads, and vendors their
// imports, because an overlay cannot replace files of the module cache.
func prepare(all []workload) (*scratch, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(cache, "allele-eval", "overhead")
	s := &scratch{dir: dir, src: filepath.Join(dir, "src"), programs: map[string]*load.Program{}}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	if s.lock, err = os.Create(filepath.Join(dir, "lock")); err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(s.lock.Fd()), syscall.LOCK_EX); err != nil {
		return nil, fmt.Errorf("lock %s: %w", dir, err)
	}
	if err := s.write(all); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// close releases the module for other experiments.
func (s *scratch) close() { s.lock.Close() }

func (s *scratch) write(all []workload) error {
	root, err := filepath.Abs("..")
	if err != nil {
		return err
	}
	if err := os.RemoveAll(s.src); err != nil {
		return err
	}
	gomod, err := module.ReadFile("testdata/go.mod.txt")
	if err != nil {
		return err
	}
	s.sums = string(gomod)
	if err := s.put("go.mod", s.sums+"\nreplace github.com/allele-go/allele => "+root+"\n"); err != nil {
		return err
	}
	if err := s.copy("go.sum.txt"); err != nil {
		return err
	}
	folders := []string{"harness"}
	for _, w := range all {
		folders = append(folders, w.pkg)
	}
	for _, folder := range folders {
		if err := s.copy(folder); err != nil {
			return err
		}
	}
	test, err := module.ReadFile("testdata/work_test.go.txt")
	if err != nil {
		return err
	}
	for _, folder := range folders[1:] {
		if err := s.put(folder+"/work_test.go", strings.Replace(string(test), "PACKAGE", folder, 1)); err != nil {
			return err
		}
	}
	return s.run([]string{"GOFLAGS=-mod=mod"}, "mod", "vendor")
}

// copy writes a file or a folder of testdata.
func (s *scratch) copy(name string) error {
	return fs.WalkDir(module, path.Join("testdata", name), func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := module.ReadFile(file)
		if err != nil {
			return err
		}
		return s.put(strings.TrimSuffix(strings.TrimPrefix(file, "testdata/"), ".txt"), string(text))
	})
}

func (s *scratch) put(name, text string) error {
	file := filepath.Join(s.src, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), 0o666)
}

// environment has variables that override the user's workspace and flags.
var environment = []string{"GOWORK=off", "GOFLAGS=-mod=vendor -buildvcs=false"}

// run runs the go command in the module.
func (s *scratch) run(env []string, args ...string) error {
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = s.src, append(append(os.Environ(), environment...), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

func (s *scratch) loadConfig(w workload) load.Config {
	return load.Config{Dir: s.src, Patterns: []string{"./" + w.pkg}, Scope: w.scope, Env: environment}
}

// program loads the packages that the test of a workload consists of.
func (s *scratch) program(w workload) (*load.Program, error) {
	if p := s.programs[w.pkg]; p != nil {
		return p, nil
	}
	p, err := load.Packages(s.loadConfig(w))
	if err != nil {
		return nil, fmt.Errorf("load %s: %w", w.name, err)
	}
	s.programs[w.pkg] = p
	return p, nil
}

// binary returns the name of the test binary of a workload, built in the given way.
func (s *scratch) binary(w workload, way string) string {
	return filepath.Join(s.dir, "bin", w.pkg+"."+strings.ReplaceAll(way, " ", "_")+".test")
}

// instrumented builds a workload with probes.
func (s *scratch) instrumented(w workload, way string, c build.Config) (*build.Overlay, error) {
	o, _, err := s.rewrite(w, way, c)
	if err != nil {
		return nil, err
	}
	return o, o.Test(realPath+w.pkg, s.binary(w, way))
}

// unlimited does the same as instrumented, but removes the checks of the limit from the probes.
func (s *scratch) unlimited(w workload, way string) error {
	if err := os.RemoveAll(s.work(w, way)); err != nil { // the files of an earlier build have no checks
		return err
	}
	o, overlay, err := s.rewrite(w, way, build.Config{})
	if err != nil {
		return err
	}
	removed := 0
	err = filepath.WalkDir(filepath.Join(filepath.Dir(overlay), "src"), func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		without := withoutChecks(string(text))
		if without == string(text) {
			return nil
		}
		removed++
		return os.WriteFile(file, []byte(without), 0o666)
	})
	if err != nil {
		return err
	}
	if removed == 0 {
		return fmt.Errorf("%s: no probe checks the limit as package probe is known to write it", w.name)
	}
	return o.Test(realPath+w.pkg, s.binary(w, way))
}

// check is a probe that checks the limit, and that is a call.
var check = regexp.MustCompile(`alleleCheck_\((\d+)\)`)

// withoutChecks makes the probes of a file as they would be if runs had no limit.
func withoutChecks(text string) string {
	text = strings.ReplaceAll(text, "if alleleP_>=alleleLim_{alleleP_=alleleSlow_()};", "")
	return check.ReplaceAllString(text, "alleleHit_($1)")
}

// fixed does the same as instrumented, but with a runtime in which loops over maps are
// not random.
func (s *scratch) fixed(w workload, way string, c build.Config) (*build.Overlay, error) {
	o, overlay, err := s.rewrite(w, way, c)
	if err != nil {
		return nil, err
	}
	if err := s.fixMaps(overlay); err != nil {
		return nil, err
	}
	// Not o.Test, which uses the overlay as it was.
	conf := s.loadConfig(w)
	args := slices.Concat([]string{"test", "-c", "-vet=off", "-overlay", overlay, "-o", s.binary(w, way)}, conf.Building(),
		[]string{realPath + w.pkg})
	if out, err := conf.Command(args...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go test -c: %w\n%s", err, out)
	}
	return o, nil
}

// work returns the folder of the rewritten files.
func (s *scratch) work(w workload, way string) string {
	return filepath.Join(s.dir, "overlay", w.pkg+"."+strings.ReplaceAll(way, " ", "_"))
}

// rewrite inserts the probes. It also returns the overlay file for the go command.
func (s *scratch) rewrite(w workload, way string, c build.Config) (o *build.Overlay, overlay string, err error) {
	prog, err := s.program(w)
	if err != nil {
		return nil, "", err
	}
	c.Load = s.loadConfig(w)
	c.Work = s.work(w, way)
	// Remove the site numbers of earlier builds: with them, the paths of two ways would
	// differ.
	if err := os.RemoveAll(filepath.Join(c.Work, "blocks.json")); err != nil {
		return nil, "", err
	}
	o, err = build.Rewrite(prog, c)
	return o, filepath.Join(c.Work, "overlay.json"), err
}

// version returns the version of a module in go.mod.
func (s *scratch) version(module string) string {
	for line := range strings.Lines(s.sums) {
		if words := strings.Fields(line); len(words) >= 2 && words[0] == module {
			return words[1]
		}
	}
	return ""
}

// lines returns the size of the library: the number of lines in scope, without tests and
// without our own code.
func lines(prog *load.Program, w workload) (n int) {
	for _, pkg := range prog.Scope {
		if len(w.scope) > 0 && strings.HasPrefix(pkg.Path, realPath) {
			continue
		}
		for _, f := range pkg.Files {
			if !f.Test {
				n += strings.Count(string(f.Src), "\n")
			}
		}
	}
	return n
}
