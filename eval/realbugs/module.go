package realbugs

import (
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/eval/lab"
	tool "github.com/allele-go/allele/eval/trial"
	"github.com/allele-go/allele/eval/trial/harness"
)

// sources are the properties. The names of the files end in .txt, so that the go command does not treat them as a
// part of this module.
//
//go:embed testdata
var sources embed.FS

// arm is a tool.
type arm string

const (
	guided arm = "guided" // allele test
	plain  arm = "plain"  // the same property in go test
	rapid  arm = "rapid"
	native arm = "native" // go test -fuzz
)

var rapidModule = foreign.At("pgregory.net/rapid", "v1.3.0")

// module is a folder with a small module for each row, and the command. It is always in the same place in the user's
// cache folder. If the place changed, the go command would compile all of it again.
type module struct {
	dir   string
	cores int // how many searches of a row may run at a time
	env   []string
	close func() // releases the place for other experiments
}

// prepare builds the command. It waits for other experiments that use the place.
func prepare(name string, cores int) (*module, error) {
	dir, release, err := foreign.Hold("realbugs", name)
	if err != nil {
		return nil, err
	}
	m := &module{dir: dir, cores: cores, close: release, env: slices.Clone(foreign.UserCache)}
	err = lab.WriteFile(filepath.Join(m.dir, "harness", "go.mod"), []byte("module harness\n\ngo 1.25\n"))
	if err == nil {
		err = lab.WriteFile(filepath.Join(m.dir, "harness", "harness.go"), harness.Source)
	}
	if err == nil {
		err = foreign.Command(m.command())
	}
	if err != nil {
		m.close()
		return nil, err
	}
	return m, nil
}

func (m *module) command() string { return filepath.Join(m.dir, "allele") }
func (m *module) binary(r row, a arm) string {
	return filepath.Join(m.dir, "bin", r.name, string(a)+".test")
}

// Two searches of a row may run at the same time, so each core has a folder of its own for the source and the corpus.
func (m *module) src(r row, core int) string   { return m.place("src", r, core) }
func (m *module) cache(r row, core int) string { return m.place("cache", r, core) }

func (m *module) place(what string, r row, core int) string {
	return filepath.Join(m.dir, what, fmt.Sprint(core%m.cores), r.name)
}

// pkg is the package of the tests of an arm: those of one tool must not change the binary of another.
func (a arm) pkg() string {
	if a == rapid || a == native {
		return "./" + string(a)
	}
	return "."
}

// prepare writes the modules of a row, and checks that the known input fails.
func (m *module) prepare(r row, arms []arm) error {
	for core := range m.cores {
		if err := m.write(r, arms, m.src(r, core)); err != nil {
			return err
		}
	}
	return m.try(r)
}

// build builds the tests of a row.
func (m *module) build(r row, arms []arm) error {
	for _, a := range arms {
		if !r.has(a) {
			continue
		}
		args := []string{"test", "-c", "-trimpath", "-vet=off", "-o", m.binary(r, a)}
		if a == native {
			args = append(args, "-fuzz=Fuzz")
		}
		if _, err := foreign.Go(m.src(r, 0), m.env, append(args, a.pkg())...); err != nil {
			return err
		}
	}
	return nil
}

// write writes the module of a row to a folder.
func (m *module) write(r row, arms []arm, dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	files := map[string]string{"target.go": r.name + "/target.go.txt", "failure.go": "common/target.go.txt",
		"property_test.go": "common/property_test.go.txt"}
	if r.parser != "" {
		files = r.parserFiles(arms)
		arms = nil
	}
	for _, a := range []arm{rapid, native} {
		if slices.Contains(arms, a) && r.has(a) {
			files[string(a)+"/known_test.go"] = "common/" + string(a) + "_test.go.txt"
			files[string(a)+"/draw_test.go"] = r.name + "/" + string(a) + ".go.txt"
		}
	}
	if r.shared != "" {
		files["shared.go"], files["rapid/draw_test.go"] = r.shared+"/shared.go.txt", r.shared+"/rapid.go.txt"
	}
	if r.derived {
		files["rapid/draw_test.go"] = "common/derived.go.txt"
	}
	for to, from := range files {
		text, err := sources.ReadFile("testdata/" + from)
		if err != nil {
			return err
		}
		text = []byte(strings.ReplaceAll(string(text), "real/NAME", "real/"+r.name))
		if err := lab.WriteFile(filepath.Join(dir, to), text); err != nil {
			return err
		}
	}
	return m.require(r, dir)
}

// require writes go.mod, and downloads what it names.
func (m *module) require(r row, dir string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "module real/%s\n\ngo 1.25\n\nrequire harness v0.0.0\n\nreplace harness => ../../../harness\n", r.name)
	for _, x := range []foreign.Module{r.module, rapidModule} {
		if x.Version == "" {
			continue // of the standard library
		}
		fmt.Fprintf(&b, "\nrequire %s %s\n", x.Path, x.Version)
	}
	if err := lab.WriteFile(filepath.Join(dir, "go.mod"), []byte(b.String())); err != nil {
		return err
	}
	return foreign.Require(dir, m.env)
}

// try runs the test of the known input.
func (m *module) try(r row) error {
	cmd := exec.Command("go", "test", "-count=1", "-vet=off", "-run", "^TestExample$", ".")
	cmd.Dir, cmd.Env = m.src(r, 0), append(os.Environ(), m.env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("the known input: %w\n%s", err, out)
	}
	return nil
}

// version identifies the code of an arm: outcomes of another version are not used.
func (m *module) version(r row, a arm) (string, error) {
	if a != guided {
		return foreign.Checksum(m.binary(r, a))
	}
	return foreign.Checksum(m.binary(r, a), m.command())
}

// warm makes the command build the test of a row, with its operands, so that no search builds it.
func (m *module) warm(r row, core int) error {
	cmd := m.call(r, core, m.args(r, "-seed", "1", "-tests", "2000")...)
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState.ExitCode() != 1 { // the code of a property that failed or is vacuous
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

// call returns a call of the command in the module of a row.
func (m *module) call(r row, core int, args ...string) *exec.Cmd {
	cmd := exec.Command(m.command(), args...)
	cmd.Dir, cmd.Env = m.src(r, core), slices.Concat(os.Environ(), m.env, []string{"XDG_CACHE_HOME=" + m.cache(r, core)})
	return cmd
}

// clear removes what earlier searches of a row have stored.
func (m *module) clear(r row, core int) error {
	return errors.Join(os.RemoveAll(filepath.Join(m.src(r, core), "testdata")),
		os.RemoveAll(filepath.Join(m.cache(r, core), "allele", "corpus")))
}

// args are the arguments of the command for a row.
func (m *module) args(r row, flags ...string) []string {
	fixed := []string{"test", "-run", "^TestKnown$", "-workers", "1", "-fresh", "-scope", r.packages()}
	return slices.Concat(fixed, flags, []string{"."})
}

// search returns the command of a search, which keeps its files in dir.
func (m *module) search(tr trial, core int, dir string) *exec.Cmd {
	seed, wall := fmt.Sprint(tr.Seed), tool.Wall(tr.Budget).String()
	cmd := exec.Command(m.binary(tr.row, tr.Arm), "-test.run=^TestKnown$", "-test.timeout=0")
	cmd.Dir = dir // for failing inputs
	env := []string{"XDG_CACHE_HOME=" + m.cache(tr.row, core)}
	switch tr.Arm {
	case guided:
		cmd = exec.Command(m.command(), m.args(tr.row, "-seed", seed, "-for", wall)...)
		cmd.Dir = m.src(tr.row, core)
	case plain:
		env = append(env, "ALLELE_SEED="+seed, "ALLELE_TESTS=1000000000")
	case rapid:
		cmd.Args = append(cmd.Args, "-rapid.checks=1000000000", "-rapid.seed="+seed)
	case native:
		cmd.Args = append(cmd.Args[:1], "-test.run=^$", "-test.fuzz=^FuzzKnown$", "-test.parallel=1", "-test.timeout=0",
			"-test.fuzzcachedir="+filepath.Join(dir, "fuzz"), "-test.fuzztime="+wall)
	}
	cmd.Env = slices.Concat(os.Environ(), m.env, env)
	return cmd
}
