package text

import (
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/eval/trial/harness"
)

// modulePath is the path of the module under test.
const modulePath = "parsers"

// sources are the targets, and the tests that each of them gets. The names of the files end in
// .txt, so that the go command does not treat them as a part of this module.
//
//go:embed testdata
var sources embed.FS

// module is the module under test, on disk. It is always in the same place in the user's
// cache folder. If the place changed, the go command would compile all of it again.
type module struct {
	dir string // contains the module in src, the command, binaries and caches
	env []string

	close func() // releases the place for other experiments
}

const (
	rapidModule  = "pgregory.net/rapid"
	rapidVersion = "v1.3.0"
)

// prepare writes a module with the targets, and builds the command. It waits for other
// experiments that use the place.
func prepare(name string, targets []target, kinds []string) (*module, error) {
	dir, release, err := foreign.Hold("text", name)
	if err != nil {
		return nil, err
	}
	m := &module{dir: dir, close: release}
	gocache, err := foreign.Go(m.dir, nil, "env", "GOCACHE")
	if err == nil {
		m.env = foreign.Env(strings.TrimSpace(gocache))
		err = m.write(targets, kinds)
	}
	if err != nil {
		m.close()
		return nil, err
	}
	return m, nil
}

func (m *module) src() string     { return filepath.Join(m.dir, "src") }
func (m *module) command() string { return filepath.Join(m.dir, "allele") }

// cache returns the command's cache folder. Each package of tests has its own: in a common one
// the command would keep the build of the latest package only.
func (m *module) cache(t target, kind string) string {
	name := t.name
	if kind == matchKind {
		name += "-" + kind
	}
	return filepath.Join(m.dir, "cache", name)
}

func (m *module) write(targets []target, kinds []string) error {
	for _, old := range []string{m.src(), filepath.Join(m.dir, "harness")} {
		if err := os.RemoveAll(old); err != nil {
			return err
		}
	}
	if err := m.writeHarness(); err != nil {
		return err
	}
	root, err := foreign.Go(m.dir, nil, "env", "GOROOT")
	if err != nil {
		return err
	}
	root = strings.TrimSpace(root)
	std, changed := newLibrary(root, m.src(), stdPath), newLibrary(root, m.src(), changedPath)
	requires := []foreign.Module{}
	for _, t := range targets {
		err := m.writeTarget(t, std, kinds)
		if err == nil && t.bug != nil {
			err = changed.plant(t)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		if t.module.Path != "" {
			requires = append(requires, t.module)
		}
	}
	if slices.Contains(kinds, rapidKind) {
		requires = append(requires, foreign.At(rapidModule, rapidVersion))
	}
	if err := m.writeGoMod(requires); err != nil {
		return err
	}
	return foreign.Command(m.command())
}

// writeHarness writes the harness as a module of its own, so that allele puts no probes into
// it.
func (m *module) writeHarness() error {
	dir := filepath.Join(m.dir, "harness")
	if err := lab.WriteFile(filepath.Join(dir, "go.mod"), []byte("module harness\n\ngo 1.25\n")); err != nil {
		return err
	}
	return lab.WriteFile(filepath.Join(dir, "harness.go"), harness.Source)
}

// writeTarget writes the package of a target, with a package for each kind of test: the test
// of one tool must not change the binary of another one.
func (m *module) writeTarget(t target, lib *library, kinds []string) error {
	text, err := sources.ReadFile("testdata/" + t.name + ".go.txt")
	if err != nil {
		return err
	}
	if err := lib.copy(t.std...); err != nil {
		return err
	}
	if t.extract[0] != "" {
		if err := lib.extract(t.extract[0], t.extract[1]); err != nil {
			return err
		}
	}
	fill := strings.NewReplacer("NAME", t.name, "TYPE", t.input(), "ZERO", zeros[t.input()], "FLOAT", copyPath(floatPackage))
	if err := lab.WriteFile(filepath.Join(m.src(), t.name, "valid.go"), []byte(fill.Replace(string(text)))); err != nil {
		return err
	}
	for _, kind := range kinds {
		if !t.has(kind) {
			continue
		}
		if err := os.RemoveAll(filepath.Join(m.cache(t, kind), "allele", "corpus")); err != nil {
			return err
		}
		text, err := sources.ReadFile("testdata/" + t.test(kind) + "_test.go.txt")
		if err != nil {
			return err
		}
		file := filepath.Join(m.src(), t.name, kind, kind+"_test.go")
		if err := lab.WriteFile(file, []byte(t.fill(kind, string(text)))); err != nil {
			return err
		}
	}
	return nil
}

// zeros are the empty inputs.
var zeros = map[string]string{"string": `""`, "int": "0", "[]byte": `[]byte("")`}

// generators are the generators of rapid for any value of a type.
var generators = map[string]string{"string": "rapid.String()", "int": "rapid.Int()", "[]byte": "rapid.SliceOf(rapid.Byte())"}

// fill completes the text of a test.
func (t target) fill(kind, text string) string {
	seeded, generator := "", generators[t.input()]
	if t.format != "" {
		generator = "rapid.StringMatching(`" + t.format + "`)"
	}
	if t.seed != "" {
		seeded = map[string]string{
			propertyKind: "\nfunc TestSeeded(t *testing.T) { allele.Check(t, property, allele.Example(" + t.seed + ")) }\n",
			nativeKind:   "\nfunc FuzzSeeded(f *testing.F) { fuzz(f, " + t.seed + ") }\n",
		}[kind]
	}
	return strings.NewReplacer("NAME", t.name, "TYPE", t.input(), "ZERO", zeros[t.input()], "SEEDED", seeded,
		"SEED", t.seed, "GENERATOR", generator, "FORMAT", t.format).Replace(text)
}

// writeGoMod writes go.mod and go.sum, and downloads the modules if needed.
func (m *module) writeGoMod(requires []foreign.Module) error {
	var b strings.Builder
	fmt.Fprintf(&b, "module %s\n\ngo 1.25\n\nrequire harness v0.0.0\n\nreplace harness => ../harness\n", modulePath)
	for _, r := range requires {
		fmt.Fprintf(&b, "\nrequire %s %s\n", r.Path, r.Version)
	}
	if err := lab.WriteFile(filepath.Join(m.src(), "go.mod"), []byte(b.String())); err != nil {
		return err
	}
	if err := foreign.Require(m.src(), m.env); err != nil {
		return err
	}
	_, err := foreign.Go(m.src(), m.env, "list", "-deps", "-test", "./...")
	return err
}
