package kept

import (
	"crypto/sha256"
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/eval/lab"
)

// tests are the properties. The names of the files end in .txt, so that the go command does not
// treat them as a part of this module.
//
//go:embed testdata
var tests embed.FS

// module is a folder with a small module for each subject, and the command. It is always in the
// same place in the user's cache folder. If the place changed, the go command would compile all
// of it again.
type module struct {
	dir  string
	lock *os.File
	env  []string
}

// prepare builds the command. It waits for other experiments that use the place.
func prepare(name string) (*module, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	m := &module{dir: filepath.Join(cache, "allele-eval", "kept", name)}
	if err := os.MkdirAll(m.dir, 0o777); err != nil {
		return nil, err
	}
	if m.lock, err = os.Create(filepath.Join(m.dir, "lock")); err != nil {
		return nil, err
	}
	err = syscall.Flock(int(m.lock.Fd()), syscall.LOCK_EX)
	if err == nil {
		err = m.build()
	}
	if err != nil {
		m.close()
		return nil, err
	}
	return m, nil
}

// close releases the place for other experiments.
func (m *module) close() { m.lock.Close() }

func (m *module) build() error {
	gocache, err := foreign.Go(m.dir, nil, "env", "GOCACHE")
	if err != nil {
		return err
	}
	m.env = foreign.Env(strings.TrimSpace(gocache))
	repository, err := filepath.Abs("..")
	if err != nil {
		return err
	}
	_, err = foreign.Go(repository, m.env, "build", "-trimpath", "-o", m.command(), "./cmd/allele")
	return err
}

func (m *module) command() string         { return filepath.Join(m.dir, "allele") }
func (m *module) src(x subject) string    { return filepath.Join(m.dir, "src", x.name) }
func (m *module) cache(x subject) string  { return filepath.Join(m.dir, "cache", x.name) }
func (m *module) corpus(x subject) string { return filepath.Join(m.cache(x), "allele", "corpus") }
func (m *module) binary(x subject) string { return filepath.Join(m.dir, "bin", x.name+".test") }

const gomod = `module real

go 1.25

require %s %s
`

// write writes the module of a subject, and downloads what it requires. It returns a version:
// outcomes of other versions are not used. The binary that it builds for this is not run,
// because the command makes its own.
func (m *module) write(x subject) (version string, err error) {
	if err := os.RemoveAll(m.src(x)); err != nil {
		return "", err
	}
	text, err := x.source()
	if err != nil {
		return "", err
	}
	for name, text := range map[string]string{"go.mod": fmt.Sprintf(gomod, x.Path, x.Version), "property_test.go": text} {
		if err := lab.WriteFile(filepath.Join(m.src(x), name), []byte(text)); err != nil {
			return "", err
		}
	}
	if err := foreign.Require(m.src(x), m.env); err != nil {
		return "", err
	}
	if _, err := foreign.Go(m.src(x), m.env, "test", "-c", "-trimpath", "-vet=off", "-o", m.binary(x), "."); err != nil {
		return "", err
	}
	hash := sha256.New()
	for _, file := range []string{m.command(), m.binary(x)} {
		data, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		hash.Write(data)
	}
	return fmt.Sprintf("%x", hash.Sum(nil)[:6]), nil
}

// warm makes the command build the test of a subject, so that the CPU time of a search does not
// contain it.
func (m *module) warm(x subject) error {
	tr := trial{subject: x, Arm: now, Seed: 1, Passes: 1}
	cmd := m.exec(x, tr.args(filepath.Join(m.dir, "profile"))...)
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState.ExitCode() != 1 { // the code of a property that is vacuous
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}
