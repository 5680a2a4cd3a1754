package decoders

import (
	"crypto/sha256"
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/eval/papers"
	"github.com/allele-go/allele/eval/trial/harness"
)

// sources are the targets, and the programs that each of them gets. The names of the files end in .txt, so that the go
// command does not treat them as a part of this module.
//
//go:embed testdata
var sources embed.FS

// module is the module under test, on disk.
type module struct {
	dir   string // contains the module in src, the command, binaries and caches
	close func() // releases the place for other experiments
}

func (m *module) src() string     { return filepath.Join(m.dir, "src") }
func (m *module) command() string { return filepath.Join(m.dir, "allele") }

func (m *module) binary(t target, kind string) string {
	return filepath.Join(m.dir, "bin", t.name+"-"+kind)
}

// cache returns the command's cache folder. Each target has its own: in a common one the command would keep the build of
// the latest package only.
func (m *module) cache(t target) string { return filepath.Join(m.dir, "cache", t.name) }

// prepare writes a module with targets, and builds the command. The programs are the kinds of code that each target gets: a
// file KIND.go.txt of testdata, for a main package, or KIND_test.go.txt.
func prepare(targets []target, programs []string, place ...string) (*module, error) {
	dir, release, err := foreign.Hold(append([]string{"decoders"}, place...)...)
	if err != nil {
		return nil, err
	}
	m := &module{dir: dir, close: release}
	if err := m.write(targets, programs); err != nil {
		m.close()
		return nil, err
	}
	return m, nil
}

func (m *module) write(targets []target, programs []string) error {
	for _, old := range []string{m.src(), filepath.Join(m.dir, "harness")} {
		if err := os.RemoveAll(old); err != nil {
			return err
		}
	}
	// The harness is a module of its own, so that allele puts no probes into it.
	files := map[string][]byte{"harness/go.mod": []byte("module harness\n\ngo 1.25\n"), "harness/harness.go": harness.Source}
	mod := "module decoders\n\ngo 1.25\n\nrequire harness v0.0.0\n\nreplace harness => ../harness\n"
	for _, t := range targets {
		for _, r := range t.requires {
			mod += fmt.Sprintf("\nrequire %s %s\n", r.Path, r.Version)
		}
		texts, err := t.files(programs)
		if err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		for name, text := range texts {
			files["src/"+t.name+"/"+name] = text
		}
	}
	files["src/go.mod"] = []byte(mod)
	for name, text := range files {
		if err := lab.WriteFile(filepath.Join(m.dir, filepath.FromSlash(name)), text); err != nil {
			return err
		}
	}
	if err := foreign.Require(m.src(), foreign.UserCache); err != nil {
		return err
	}
	if _, err := foreign.Go(m.src(), foreign.UserCache, "list", "-deps", "-test", "./..."); err != nil {
		return err
	}
	return foreign.Command(m.command())
}

// files returns the files of a target.
func (t target) files(programs []string) (map[string][]byte, error) {
	files := map[string][]byte{}
	add := func(to, from, other string) error {
		text, err := sources.ReadFile("testdata/" + from + ".go.txt")
		if err == nil {
			files[to] = []byte(strings.NewReplacer("NAMEOTHER", t.name+other, "NAME", t.name).Replace(string(text)))
		}
		return err
	}
	if err := add("target.go", t.source(), ""); err != nil {
		return nil, err
	}
	for _, p := range programs {
		name := p + "/" + p + ".go"
		if strings.HasSuffix(p, "_test") {
			name = strings.TrimSuffix(p, "_test") + "/" + p + ".go"
		}
		if err := add(name, p, ""); err != nil {
			return nil, err
		}
	}
	if len(t.other) == 0 || !slices.Contains(programs, "replay") {
		return files, nil
	}
	if err := add("other/other.go", t.name+"_other", ""); err != nil {
		return nil, err
	}
	return files, add("replayother/replay.go", "replay", "/other")
}

// source is the file of a target without its ending.
func (t target) source() string { return t.folder + t.name }

// build builds the programs of a target.
func (m *module) build(t target, programs []string) error {
	for _, p := range programs {
		args := []string{"build", "-trimpath", "-o", m.binary(t, p)}
		switch p {
		case "property_test": // the command makes its own, but this one shows whether something has changed
			args = []string{"test", "-c", "-trimpath", "-vet=off", "-o", m.binary(t, "property")}
		case "native_test":
			args = []string{"test", "-c", "-trimpath", "-vet=off", "-fuzz=Fuzz", "-o", m.binary(t, "native")}
		case "replay":
			args = append(args, covering(t.packages, t.name, p)...)
		}
		if _, err := foreign.Go(m.src(), foreign.UserCache, append(args, "./"+t.name+"/"+strings.TrimSuffix(p, "_test"))...); err != nil {
			return err
		}
	}
	if len(t.other) == 0 || !slices.Contains(programs, "replay") {
		return nil
	}
	args := append([]string{"build", "-trimpath", "-o", m.binary(t, "replayother")}, covering(t.other, t.name, "replayother")...)
	_, err := foreign.Go(m.src(), foreign.UserCache, append(args, "./"+t.name+"/replayother")...)
	return err
}

// covering returns flags for coverage counters. The main package must have some too, or the program cannot read them.
func covering(packages []string, name, program string) []string {
	all := strings.Join(append(slices.Clone(packages), "decoders/"+name+"/"+program), ",")
	return []string{"-cover", "-covermode=atomic", "-coverpkg=" + all}
}

// version identifies the code of an arm: outcomes of another version are not used.
func (m *module) version(tr search) (string, error) {
	hash := sha256.New()
	files := []string{filepath.Join(m.src(), tr.name, "target.go"), m.binary(tr.target, "replay")}
	if tr.arm.strategy() != "" {
		files = append(files, m.command(), m.binary(tr.target, "property"))
	} else if tr.arm != native {
		files = append(files, m.binary(tr.target, "blind"))
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			return "", err
		}
		hash.Write(data)
	}
	return fmt.Sprintf("%x", hash.Sum(nil)[:6]), nil
}

// exec returns a command that is run in the module, for a target.
func (m *module) exec(t target, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = m.src(), slices.Concat(os.Environ(), foreign.UserCache, []string{"XDG_CACHE_HOME=" + m.cache(t)})
	return cmd
}

// warm makes the command build the tests of an arm, and forget earlier searches.
func (m *module) warm(tr search) error {
	if err := os.RemoveAll(filepath.Join(m.cache(tr.target), "allele", "corpus")); err != nil {
		return err
	}
	cmd := m.exec(tr.target, m.command(), m.allele(tr, "-tests", "1", "-seed", "1", "-fresh")...)
	cmd.Env = append(cmd.Env, papers.MustVariable(tr.arm.strategy()))
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState.ExitCode() != 1 { // the code of a property that is vacuous
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}
