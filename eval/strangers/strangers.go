// Package strangers uses the command as a new user would: in a module that knows nothing of
// it.
//
// Each module of the list is copied, requires the library, and gets one property in a new
// file. Then the real command tests the property for a few seconds, with an empty cache of
// its own. The build cache contains the standard library and the library at first, and what
// earlier modules of the list have left in it. The command must run the property with probes,
// or say in a sentence why it does not. Afterwards the tree of the module must be as before.
package strangers

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/internal/proc/event"
)

// Experiment adds a property to published modules and runs the command there.
var Experiment = lab.Experiment{
	Name: "strangers",
	Doc:  "the command with one property added to published modules: does it work, what does it leave, how long until the first run",
	Run:  run,
}

func run(cfg lab.Config) (*lab.Result, error) {
	res := &lab.Result{Seeds: []uint64{1}, Summary: map[string]any{}}
	var walls, cpus []float64
	work := 0
	err := Each(cfg, func(v Visit) error {
		r, err := v.test()
		if err == nil {
			work++
		}
		res.Rows = append(res.Rows, lab.Row{lab.Col("module", v.Module.String()), lab.Col("package", strings.TrimPrefix(v.Package, "./")),
			lab.Col("runs", r.runs), lab.Col("sites", r.sites), lab.Col("seconds to first run", r.first), lab.Col("cpu s", r.cpu),
			lab.Col("works", err == nil)})
		walls, cpus = append(walls, r.first), append(cpus, r.cpu)
		return err
	})
	if len(res.Rows) == 0 {
		return nil, errors.Join(err, errors.New("no module was tested; does -only match one?"))
	}
	res.Summary["modules"], res.Summary["work"] = len(res.Rows), work
	res.Summary["median seconds to first run"], res.Summary["most"] = lab.Median(walls), slices.Max(walls)
	res.Summary["median cpu s of the command"] = lab.Median(cpus)
	return res, err
}

// user has the command, and no caches.
type user struct {
	dir   string
	cache string // build cache
}

func (u user) command() string { return filepath.Join(u.dir, "allele") }

func (u *user) prepare(cfg lab.Config) error {
	cfg.Logf("building the command and the standard library")
	root, err := filepath.Abs("..")
	if err != nil {
		return err
	}
	if _, err := foreign.Go(root, nil, "build", "-buildvcs=false", "-o", u.command(), "./cmd/allele"); err != nil {
		return err
	}
	caches, err := foreign.NewCaches(cfg.Quick)
	if err != nil {
		return err
	}
	u.cache, _, err = caches.Fresh(filepath.Join(u.dir, "cache"))
	return err
}

// result is what happened in one module.
type result struct {
	runs, sites int
	first       float64 // seconds from the start of the command to the first run
	cpu         float64 // CPU seconds of the command
}

// text is the file that a user adds.
const text = `%spackage %s_test

import (
%s	"testing"

	"github.com/allele-go/allele"
	sut %q
)

func TestAddedProperty(t *testing.T) {
	allele.Check(t, func(t *allele.T, in %s) {
		%s
	})
}
`

// addProperty writes the file that a user adds.
func addProperty(src string, s subject) error {
	imports := ""
	for _, path := range s.imports {
		imports += fmt.Sprintf("\t%q\n", path)
	}
	target := strings.TrimSuffix(s.Path+"/"+s.folder, "/")
	constraint := ""
	if s.old {
		constraint = "//go:build go1.18\n\n"
	}
	content := fmt.Sprintf(text, constraint, s.name, imports, target, s.in, strings.ReplaceAll(s.body, "\n", "\n\t\t"))
	return os.WriteFile(filepath.Join(src, filepath.FromSlash(s.folder), "zz_added_test.go"), []byte(content), 0o666)
}

// Visit is a module with the property, and the command.
type Visit struct {
	Module  foreign.Module
	Dir     string
	Package string // relative to Dir
	Env     []string
	Command string
}

// Each calls f in every module of the list. The property that it has there is called
// TestAddedProperty. Errors are combined.
func Each(cfg lab.Config, f func(Visit) error) error {
	only, err := cfg.Match()
	if err != nil {
		return err
	}
	list := subjects
	if cfg.Quick {
		list = list[:1]
	}
	dir, err := os.MkdirTemp("", "strangers")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	u := &user{dir: dir}
	if err := u.prepare(cfg); err != nil {
		return err
	}
	var errs []error
	for _, s := range list {
		if !only(s.Path) {
			continue
		}
		cfg.Logf("%s", s.Module)
		v, err := u.enter(s)
		if err == nil {
			err = f(v)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", s.Module, err))
			cfg.Logf("  %v", err)
		}
		if err := os.RemoveAll(u.module()); err != nil {
			return err
		}
	}
	return errors.Join(errs...)
}

func (u user) module() string { return filepath.Join(u.dir, "module") }

// enter writes a module with the property.
func (u *user) enter(s subject) (v Visit, err error) {
	v = Visit{Module: s.Module, Dir: filepath.Join(u.module(), "src"), Package: "./" + s.folder, Command: u.command()}
	if err := s.Copy(v.Dir); err != nil {
		return v, err
	}
	v.Env = append(foreign.Env(u.cache), "XDG_CACHE_HOME="+filepath.Join(u.module(), "cache"))
	if err := foreign.Require(v.Dir, v.Env); err != nil {
		return v, err
	}
	if err := addProperty(v.Dir, s); err != nil {
		return v, err
	}
	// Downloads the dependencies and completes go.mod and go.sum, as go mod tidy would.
	_, err = foreign.Go(v.Dir, v.Env, "list", "-deps", "-test", v.Package)
	return v, err
}

func (v Visit) test() (r result, err error) {
	src := v.Dir
	before, err := tree(src)
	if err != nil {
		return r, err
	}
	cmd := exec.Command(v.Command, "test", "-json", "-for", "3s", "-run", "TestAddedProperty", v.Package)
	cmd.Dir, cmd.Env = src, append(os.Environ(), v.Env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	failure := cmd.Run()
	if cmd.ProcessState != nil {
		r.cpu = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	}
	if failure != nil {
		return r, fmt.Errorf("%w\n%s%s", failure, stdout.String(), stderr.String())
	}
	if err := r.read(stdout.String()); err != nil {
		return r, err
	}
	after, err := tree(src)
	if err != nil {
		return r, err
	}
	switch left := changes(before, after); {
	case len(left) > 0:
		return r, fmt.Errorf("the tree of the module changed: %s", strings.Join(left, ", "))
	case r.runs == 0:
		return r, fmt.Errorf("the property did not run:\n%s%s", stdout.String(), stderr.String())
	case r.sites == 0 && stderr.Len() == 0:
		return r, fmt.Errorf("the property ran without probes, and nothing says why:\n%s", stdout.String())
	}
	return r, nil
}

// read reads the events of the command.
func (r *result) read(events string) error {
	for e, err := range event.Read(strings.NewReader(events)) {
		if err != nil {
			return fmt.Errorf("events of the command: %w", err)
		}
		switch b := e.Body.(type) {
		case event.Started:
			r.first = b.Seconds
		case event.Finished:
			r.runs, r.sites = b.Counts.Runs, len(b.Reach.Sites)
		}
	}
	return nil
}

// tree returns the hash of every file below a folder.
func tree(dir string) (map[string]string, error) {
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(file)
		files[file] = fmt.Sprintf("%x", sha256.Sum256(data))
		return err
	})
	return files, err
}

// changes returns the files that were added, removed or changed.
func changes(before, after map[string]string) (names []string) {
	all := maps.Clone(before)
	maps.Copy(all, after)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if before[name] != after[name] {
			names = append(names, filepath.Base(name))
		}
	}
	return names
}
