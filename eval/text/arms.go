package text

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/eval/papers"
)

// arm is a tool, or a setting of a tool.
type arm string

const (
	before arm = "before" // guided, with texts as atoms
	now    arm = "now"    // guided
	native arm = "native" // go test -fuzz
	rapid  arm = "rapid"
	match  arm = "match" // guided, and the format of the texts is declared
)

// The kinds of tests that a target has, each in a package of its own.
const (
	propertyKind = "property"
	nativeKind   = "native"
	rapidKind    = "rapid"
	matchKind    = "match"
	replayKind   = "replay" // runs recorded inputs again
)

func (a arm) kind() string {
	switch a {
	case native:
		return nativeKind
	case rapid:
		return rapidKind
	case match:
		return matchKind
	}
	return propertyKind
}

// guided reports whether the arm is a search of the command.
func (a arm) guided() bool { return a.kind() == propertyKind || a.kind() == matchKind }

// has reports whether a target has tests of a kind.
func (t target) has(kind string) bool { return kind != matchKind || t.match }

// test returns the name of the text of a test. A property of a target with a bug discards what
// the original parser rejects; the tests of other tools have no discarded inputs.
func (t target) test(kind string) string {
	if kind == propertyKind && t.bug != nil {
		return "planted"
	}
	return kind
}

func (a arm) strategy() string {
	if a == before {
		return "guided-atoms"
	}
	return "guided"
}

// kinds returns the kinds of tests that the arms of a study need.
func (s *study) kinds() (all []string) {
	for _, a := range s.arms {
		if k := a.kind(); !slices.Contains(all, k) {
			all = append(all, k)
		}
	}
	if !s.first {
		all = append(all, replayKind)
	}
	return all
}

// start is what a search begins with.
type start string

const (
	nothing start = "nothing" // native fuzzing starts from the empty input
	seeded  start = "seed"    // one small valid input
)

func (s start) test() string {
	if s == seeded {
		return "Seeded"
	}
	return "Property"
}

func (m *module) binary(t target, kind string) string {
	return filepath.Join(m.dir, "bin", t.name+"-"+kind+".test")
}

// build compiles the tests of one kind. The binary of a property is not run: the command
// makes its own. But it shows whether something has changed.
func (m *module) build(t target, kind string) error {
	args := []string{"test", "-c", "-trimpath", "-vet=off", "-o", m.binary(t, kind)}
	switch kind {
	case nativeKind:
		args = append(args, "-fuzz=Fuzz")
	case replayKind:
		args = append(args, "-cover", "-covermode=set", "-coverpkg="+strings.Join(t.covered(), ","))
	}
	_, err := foreign.Go(m.src(), m.env, append(args, m.pkg(t, kind))...)
	return err
}

func (m *module) pkg(t target, kind string) string { return "./" + t.name + "/" + kind }

// version identifies the code of an arm: results of another version are not used.
func (m *module) version(t target, a arm) (string, error) {
	files := []string{m.binary(t, a.kind())}
	if a.guided() {
		files = append(files, m.command())
	}
	hash := sha256.New()
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			return "", err
		}
		hash.Write(data)
	}
	return fmt.Sprintf("%x", hash.Sum(nil)[:6]), nil
}

// warm makes the command build the tests of an arm.
func (m *module) warm(t target, a arm) error {
	cmd := m.exec(t, a.kind(), m.command(), m.search(t, nothing, a, "-tests", "1", "-seed", "1")...)
	cmd.Env = append(cmd.Env, papers.MustVariable(a.strategy()))
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState.ExitCode() != 1 { // the code of a property that is vacuous
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

// search returns the arguments of allele test.
func (m *module) search(t target, s start, a arm, flags ...string) []string {
	args := append([]string{"test", "-run", "^Test" + s.test() + "$", "-workers", "1"}, flags...)
	if t.scope() != "" {
		args = append(args, "-scope", t.scope())
	}
	return append(args, m.pkg(t, a.kind()))
}

// line returns the command line of a search that takes at most wall, and uses dir for its
// files.
func (m *module) line(tr trial, wall time.Duration, dir string) []string {
	seed := fmt.Sprint(tr.Seed)
	switch tr.Arm {
	case native:
		return []string{m.binary(tr.target, nativeKind), "-test.run=^$", "-test.fuzz=^Fuzz" + tr.Start.test() + "$", "-test.parallel=1",
			"-test.timeout=0", "-test.fuzzcachedir=" + dir, "-test.fuzztime=" + wall.String()}
	case rapid:
		return []string{m.binary(tr.target, rapidKind), "-test.run=^TestProperty$", "-test.timeout=0",
			"-rapid.checks=1000000000", "-rapid.seed=" + seed}
	}
	args := m.search(tr.target, tr.Start, tr.Arm, "-seed", seed, "-for", wall.String(), "-keep-going=false")
	return append([]string{m.command()}, args...)
}

// exec returns a command that is run in the module, for tests of a target.
func (m *module) exec(t target, kind, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = m.src(), slices.Concat(os.Environ(), m.env, []string{"XDG_CACHE_HOME=" + m.cache(t, kind)})
	return cmd
}
