package refactorings

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// laboratory has what all modules share.
type laboratory struct {
	dir   string
	root  string // of the repository
	env   []string
	quick bool
}

func (l *laboratory) prepare() (err error) {
	if l.root, err = filepath.Abs(".."); err != nil {
		return err
	}
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		return fmt.Errorf("go env GOCACHE: %w", err)
	}
	l.env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-buildvcs=false", "GOCACHE="+strings.TrimSpace(string(cache)))
	return nil
}

// module is a module that is changed.
type module struct {
	*laboratory
	dir string
	refactoring
}

const gomod = `module example.com/m

go 1.26

require github.com/allele-go/allele v0.0.0

replace github.com/allele-go/allele => %s

tool github.com/allele-go/allele/cmd/allele
`

// try makes the refactoring, looks what happens, and does what the lines suggest.
func (m *module) try() (o outcome, err error) {
	if err := m.start(); err != nil {
		return o, err
	}
	if err := m.change(); err != nil {
		return o, err
	}
	if o.first, err = m.look(!m.quick); err != nil {
		return o, err
	}
	err = m.follow(&o)
	return o, err
}

// start writes the module and stores a case that shows the bug.
func (m *module) start() error {
	if err := errors.Join(m.write("go.mod", fmt.Sprintf(gomod, m.root)), m.writeAll(m.before), m.writeAll(m.cases)); err != nil {
		return err
	}
	text, failed, err := m.shell(".", "go test ./...", false)
	if err != nil {
		return err
	}
	if shows := failed && strings.Contains(text, bugText); shows == m.harmless() {
		return fmt.Errorf("before the change: the bug was found is %v\n%s", shows, text)
	}
	if len(m.cases) == 0 {
		return nil
	}
	stored, err := filepath.Glob(m.path("*/testdata"))
	for _, dir := range stored { // only the cases that people wrote
		err = errors.Join(err, os.RemoveAll(dir))
	}
	return errors.Join(err, m.writeAll(m.cases))
}

// harmless reports whether no stored case shows the bug.
func (m *module) harmless() bool {
	shows := func(text string) bool { return strings.Contains(strings.ReplaceAll(text, "_", ""), "73214") }
	return len(m.cases) > 0 && !slices.ContainsFunc(slices.Collect(maps.Values(m.cases)), shows)
}

// change makes the refactoring.
func (m *module) change() error {
	for name := range m.before {
		if err := os.Remove(m.path(name)); err != nil {
			return err
		}
	}
	for _, move := range m.moves {
		if err := os.MkdirAll(filepath.Dir(m.path(move[1])), 0o777); err != nil {
			return err
		}
		if err := os.Rename(m.path(move[0]), m.path(move[1])); err != nil {
			return err
		}
	}
	stored, err := m.stored()
	for name, text := range stored {
		for _, e := range m.edits {
			stored[name] = strings.ReplaceAll(text, e[0], e[1])
		}
	}
	return errors.Join(err, m.writeAll(stored), m.writeAll(m.after))
}

// stored returns the case files.
func (m *module) stored() (files, error) {
	all := files{}
	err := filepath.WalkDir(m.dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, ".case") {
			return err
		}
		data, err := os.ReadFile(file)
		name, _ := filepath.Rel(m.dir, file) // both are absolute
		all[filepath.ToSlash(name)] = string(data)
		return err
	})
	return all, err
}

// restore makes the case files what they were: a test that fails stores another one.
func (m *module) restore(was files) error {
	now, err := m.stored()
	for name := range now {
		if _, ok := was[name]; !ok {
			err = errors.Join(err, os.Remove(m.path(name)))
			os.Remove(filepath.Dir(m.path(name))) // if it is empty
		}
	}
	return errors.Join(err, m.writeAll(was))
}

func (m *module) path(name string) string { return filepath.Join(m.dir, filepath.FromSlash(name)) }

func (m *module) write(name, text string) error {
	if err := os.MkdirAll(filepath.Dir(m.path(name)), 0o777); err != nil {
		return err
	}
	return os.WriteFile(m.path(name), []byte(text), 0o666)
}

func (m *module) writeAll(all files) error {
	for name, text := range all {
		if err := m.write(name, text); err != nil {
			return err
		}
	}
	return nil
}

// folders returns the folders with tests after the change.
func (m *module) folders() (all []string) {
	for name := range m.after {
		if dir := path.Dir(name); strings.HasSuffix(name, "_test.go") && !slices.Contains(all, dir) {
			all = append(all, dir)
		}
	}
	slices.Sort(all)
	return all
}

// look runs the tests in all ways, each with the same stored cases. The build with probes takes
// long, so allele test is left out if it is not needed: if go test fails with ALLELE_STRICT=1.
func (m *module) look(needed bool) (l look, err error) {
	was, err := m.stored()
	if err != nil {
		return l, err
	}
	run := func(dir, line string, strict bool) (r report) {
		if err != nil {
			return r
		}
		r.dir = dir
		r.text, r.failed, err = m.shell(dir, line, strict)
		err = errors.Join(err, m.restore(was))
		return r
	}
	for _, dir := range m.folders() {
		l.plain = append(l.plain, run(dir, "go test", false))
	}
	if l.strict = run(".", "go test ./...", true).failed; l.strict && !needed {
		return l, err
	}
	const test = "go tool allele test -tests 100 ./..."
	r := run(".", test, false)
	l.allele, l.alleleStrict = &r, run(".", test, true).failed
	return l, err
}

// shell runs a command line in a folder of the module. failed is whether its exit code is 1; any
// other code is an error, and so is a program that cannot be built.
func (m *module) shell(dir, line string, strict bool) (text string, failed bool, err error) {
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = m.path(dir)
	cmd.Env = append(slices.Clone(m.env), "XDG_CACHE_HOME="+m.dir+"-cache", "ALLELE_STRICT=")
	if strict {
		cmd.Env = append(cmd.Env, "ALLELE_STRICT=1")
	}
	out, err := cmd.CombinedOutput()
	text = string(out)
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		failed, err = true, nil
	}
	if err == nil && (strings.Contains(text, "build failed") || strings.Contains(text, "setup failed")) {
		err = errors.New("cannot be built")
	}
	if err != nil {
		return text, failed, fmt.Errorf("%s: %w\n%s", line, err, text)
	}
	return text, failed, nil
}
