package modules

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/internal/source/build"
	"github.com/allele-go/allele/internal/source/load"
)

// mode is a way to build tests with probes.
type mode struct {
	name     string
	flags    []string // for the go command, on both sides
	config   build.Config
	operands bool     // the binary that records compared values, without probes
	bare     bool     // the module does not require the library
	env      []string // for the tests, on both sides
}

var (
	probes   = mode{name: "probes"}
	race     = mode{name: "race", flags: []string{"-race"}, config: build.Config{Calls: true}}
	operands = mode{name: "operands", operands: true}
	// The position in a local variable is up to date only if goroutines take turns.
	checked = mode{name: "checked", config: build.Config{Debug: true}, env: inTurns}
	// All faults are off. In a module that does not require the library, the gates are part of the
	// module.
	faults     = mode{name: "faults", config: build.Config{Faults: &build.Faults{}}}
	bareFaults = mode{name: "faults-bare", config: build.Config{Faults: &build.Faults{}}, bare: true}
)

// inTurns makes goroutines take turns, as in the processes of a search.
var inTurns = []string{"GOMAXPROCS=1", "GODEBUG=asyncpreemptoff=1"}

// workshop is a copy of a module, in which its tests are built.
type workshop struct {
	laboratory
	subject
	mode
	dir    string
	suites []suite // without binaries
}

func (w *workshop) src() string { return filepath.Join(w.dir, "src") }

// prepare copies the module and adds the import of the library to its tests.
func (w *workshop) prepare() error {
	if err := w.Copy(w.src()); err != nil {
		return err
	}
	std, err := w.caches.Std(w.flags...)
	if err != nil {
		return err
	}
	env := foreign.Env(std)
	if !w.bare {
		if err := foreign.Require(w.src(), env); err != nil {
			return err
		}
	}
	const format = "{{.ImportPath}}\t{{.Dir}}\t{{.Name}}\t{{len .TestGoFiles}}\t{{len .XTestGoFiles}}\t{{len .GoFiles}}\t{{len .CgoFiles}}"
	out, err := foreign.Go(w.src(), env, append([]string{"list", "-f", format}, w.patterns()...)...)
	if err != nil {
		return err
	}
	for line := range strings.Lines(out) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) != 7 || f[3] == "0" && f[4] == "0" || w.leavesOut(f[0]) != "" {
			continue
		}
		name := f[2]
		if f[3] == "0" && f[5] == "0" && f[6] == "0" {
			name += "_test"
		}
		if err := w.importLibrary(f[1], name); err != nil {
			return err
		}
		test := suite{pkg: f[0], dir: f[1], output: filepath.Join(w.dir, "output"), env: w.env}
		if w.turns {
			test.env = append(slices.Clip(w.env), inTurns...)
		}
		w.suites = append(w.suites, test)
	}
	if len(w.suites) == 0 {
		return fmt.Errorf("no package has tests")
	}
	// Downloads what the tests need, so that it does not count as building.
	_, err = foreign.Go(w.src(), env, slices.Concat([]string{"list", "-deps", "-test"}, w.paths())...)
	return err
}

// importLibrary adds the import to the tests of a package.
func (w *workshop) importLibrary(dir, name string) error {
	if w.bare {
		return nil
	}
	text := fmt.Sprintf("package %s\n\nimport _ %q\n", name, foreign.Library)
	return os.WriteFile(filepath.Join(dir, "zz_library_test.go"), []byte(text), 0o666)
}

func (w *workshop) paths() (all []string) {
	for _, s := range w.suites {
		all = append(all, s.pkg)
	}
	return all
}

// plain builds the tests of all packages by go test -c. It returns the packages that do
// not compile, with the reason.
func (w *workshop) plain() (map[string]string, time.Duration, error) {
	cache, remove, err := w.caches.Fresh(filepath.Join(w.dir, "plain-cache"), w.flags...)
	if err != nil {
		return nil, 0, err
	}
	defer remove()
	broken := map[string]string{}
	cost := lab.Spent(func() {
		for _, s := range w.suites {
			args := slices.Concat([]string{"test", "-c", "-vet=off", "-o", w.binary("plain", s)}, w.flags, []string{s.pkg})
			if _, err := foreign.Go(w.src(), foreign.Env(cache), args...); err != nil {
				broken[s.pkg] = err.Error()
			}
		}
	})
	return broken, cost, nil
}

// probed builds the tests of all packages with probes, as the command does.
func (w *workshop) probed() (map[string]string, time.Duration, error) {
	cache, remove, err := w.caches.Fresh(filepath.Join(w.dir, "probes-cache"), w.flags...)
	if err != nil {
		return nil, 0, err
	}
	defer remove()
	conf := w.config
	conf.Work = filepath.Join(w.dir, "work")
	conf.Load = load.Config{Dir: w.src(), Patterns: w.paths(), All: w.bare, Flags: w.flags, Env: foreign.Env(cache)}
	broken := map[string]string{}
	cost := lab.Spent(func() {
		var listing *load.Listing
		var o *build.Overlay
		if listing, err = load.List(conf.Load); err != nil {
			return
		}
		if o, err = build.Make(listing, conf); err != nil {
			return
		}
		for _, s := range w.suites {
			compile := o.Test
			if w.operands {
				compile = o.Operands
			}
			if err := compile(s.pkg, w.binary("probes", s)); err != nil {
				broken[s.pkg] = err.Error()
			}
		}
	})
	return broken, cost, err
}

func (w *workshop) binary(side string, s suite) string {
	return filepath.Join(w.dir, side, strings.ReplaceAll(s.pkg, "/", "+")+".test")
}
