package mu2

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/internal/store/corpus"
)

// module is a folder with a small module for each target, and the command. It is always in the same
// place in the user's cache folder. If the place changed, the go command would compile all of it again.
type module struct {
	dir   string
	close func() // releases the place for other experiments
}

// prepare builds the command. It waits for other experiments that use the place.
func prepare(name string) (*module, error) {
	dir, release, err := foreign.Hold("mu2", name)
	if err != nil {
		return nil, err
	}
	m := &module{dir: dir, close: release}
	if err := foreign.Command(m.command()); err != nil {
		m.close()
		return nil, err
	}
	return m, nil
}

func (m *module) command() string       { return filepath.Join(m.dir, "allele") }
func (m *module) src(t target) string   { return filepath.Join(m.dir, "src", t.name) }
func (m *module) cache(t target) string { return filepath.Join(m.dir, "cache", t.name) }

// property is the name of the property in all targets, and path the import path of its package.
const property, path = "TestProperty", "real"

// corpus returns the folder with the inputs that judge faults.
func (m *module) corpus(t target) string {
	return corpus.Folder(filepath.Join(m.cache(t), "allele", "corpus"), path, property)
}

const gomod = `module real

go 1.25

require %s %s
`

// write writes the module of a target, and downloads what it requires. It returns a version: outcomes
// of other versions are not used.
func (m *module) write(t target) (version string, err error) {
	if err := os.RemoveAll(m.src(t)); err != nil {
		return "", err
	}
	text, err := t.source()
	if err != nil {
		return "", err
	}
	observe, err := tests.ReadFile("testdata/observe.go.txt")
	if err != nil {
		return "", err
	}
	files := map[string]string{"property_test.go": text, "observe_test.go": string(observe)}
	files["go.mod"] = fmt.Sprintf(gomod, t.Path, t.Version)
	for name, text := range files {
		if err := lab.WriteFile(filepath.Join(m.src(t), name), []byte(text)); err != nil {
			return "", err
		}
	}
	if err := foreign.Require(m.src(t), foreign.UserCache); err != nil {
		return "", err
	}
	if _, err := foreign.Go(m.src(t), foreign.UserCache, "vet", "."); err != nil {
		return "", err
	}
	command, err := os.ReadFile(m.command())
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(slices.Concat(command, []byte(text), observe, []byte(t.packages()+t.set())))
	return fmt.Sprintf("%x", sum[:6]), nil
}

// exec returns the command, to be run for a target.
func (m *module) exec(t target, args ...string) *exec.Cmd {
	cmd := exec.Command(m.command(), args...)
	cmd.Dir, cmd.Env = m.src(t), slices.Concat(os.Environ(), foreign.UserCache, []string{"XDG_CACHE_HOME=" + m.cache(t)})
	return cmd
}

func (m *module) part(tr trial, version string) string {
	name := fmt.Sprintf("%s-%s-%d-%s-%s.json", tr.name, tr.Arm, tr.Seed, tr.Budget, version)
	return filepath.Join(m.dir, "parts", strings.ReplaceAll(name, "/", "+"))
}
