package rewriter

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/allele-go/allele/internal/source/build"
	"github.com/allele-go/allele/internal/source/load"
)

// module is the path of the module with the programs. It is below the path of the
// library, so that the driver may import the internal package hook, and below examples,
// so that it is rewritten like a user's module.
const module = "github.com/allele-go/allele/examples/programs"

// mode is a way of building the programs. The zero value builds them without probes.
type mode struct {
	name   string
	config *build.Config
}

// modes lists all ways. The first one is what the others are compared with.
var modes = []mode{
	{name: "plain"},
	{name: "inline", config: &build.Config{}},
	{name: "calls", config: &build.Config{Calls: true}},
	{name: "debug", config: &build.Config{Debug: true}},
}

// batch is some programs in one binary.
type batch struct {
	sources []string
	threads bool
	modes   []mode
	damage  func(src []byte) []byte // breaks rewritten files, to test the comparison
}

// result is what one program printed in one mode.
type result struct{ digest, path string }

// difference says how a program with probes differs from the program without.
type difference struct {
	program     int
	mode        string
	plain, with result
}

func (d difference) String() string {
	return fmt.Sprintf("program %d, %s: %v, without probes or with calls %v", d.program, d.mode, d.with, d.plain)
}

// compare builds and runs the programs in all modes. A digest must be the same in all
// modes. A path must be the same in all modes with probes, unless there are goroutines.
func (b batch) compare(dir string) (found []difference, err error) {
	if err := b.write(dir); err != nil {
		return nil, err
	}
	conf := load.Config{Dir: dir, Patterns: []string{"./..."}, Env: environment}
	prog, err := load.Packages(conf)
	if err != nil {
		return nil, err
	}
	all := map[string][]result{}
	for _, m := range b.modes {
		bin := filepath.Join(dir, m.name+".test")
		if err := b.build(m, prog, conf, bin); err != nil {
			return nil, fmt.Errorf("%s: %w", m.name, err)
		}
		if all[m.name], err = b.run(bin); err != nil {
			return nil, fmt.Errorf("%s: %w", m.name, err)
		}
	}
	for _, m := range b.modes {
		for i, r := range all[m.name] {
			if m.config != nil && strings.HasPrefix(r.path, "0/") {
				return nil, fmt.Errorf("%s: program %d has no probes", m.name, i)
			}
			digest, path := all[b.modes[0].name][i], r
			if calls := all["calls"]; calls != nil && m.config != nil && !b.threads {
				path = calls[i]
			}
			if want := (result{digest.digest, path.path}); r != want {
				found = append(found, difference{i, m.name, want, r})
			}
		}
	}
	return found, nil
}

var environment = []string{"GOFLAGS=-mod=mod -buildvcs=false", "GOPROXY=off", "GOWORK=off"}

func (b batch) write(dir string) error {
	root, err := filepath.Abs("..")
	if err != nil {
		return err
	}
	for filepath.Base(root) == "eval" { // in a test of this package
		root = filepath.Dir(root)
	}
	files := map[string]string{
		"go.mod": "module " + module + "\n\ngo 1.25\n\nrequire github.com/allele-go/allele v0.0.0\n\n" +
			"replace github.com/allele-go/allele => " + root + "\n",
		"all.go": "// Package programs runs all programs.\npackage programs\n",
	}
	var imports, calls strings.Builder
	for i, src := range b.sources {
		files[fmt.Sprintf("p%d/p.go", i)] = src
		fmt.Fprintf(&imports, "\t\"%s/p%d\"\n", module, i)
		fmt.Fprintf(&calls, "\tp%d.Run,\n", i)
	}
	files["all_test.go"] = fmt.Sprintf(driver, imports.String(), calls.String())
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// driver is the test that runs the programs. Paths of more than 60,000 hits are not
// printed: from there on hits are folded, where the limit is checked, and calls check it
// more often.
const driver = `package programs

import (
	"fmt"
	"testing"

	"github.com/allele-go/allele/internal/hook"
%s)

var programs = []func() uint64{
%s}

func TestAll(t *testing.T) {
	for i, run := range programs {
		hook.Reset(1 << 40)
		digest := one(run)
		path := hook.Path(nil)
		sum, hits := uint64(7), len(path)
		if hits > 60000 {
			path, hits = nil, 60000
		}
		for _, site := range path {
			sum = (sum ^ uint64(site)) * 1099511628211
		}
		fmt.Printf("PROGRAM %%d %%s %%d/%%x\n", i, digest, hits, sum)
	}
}

func one(run func() uint64) (digest string) {
	defer func() {
		if r := recover(); r != nil {
			digest = fmt.Sprintf("panic:%%q", fmt.Sprint(r))
		}
	}()
	return fmt.Sprintf("%%x", run())
}
`

func (b batch) build(m mode, prog *load.Program, conf load.Config, bin string) error {
	if m.config == nil {
		out, err := conf.Command("test", "-c", "-vet=off", "-o", bin, ".").CombinedOutput()
		if err != nil {
			return fmt.Errorf("go test -c: %w\n%s", err, out)
		}
		return nil
	}
	c := *m.config
	c.Work, c.Load = filepath.Join(filepath.Dir(bin), "_work", m.name), conf
	o, err := build.Rewrite(prog, c)
	if err != nil {
		return err
	}
	if b.damage != nil {
		if err := b.breaks(c.Work); err != nil {
			return err
		}
	}
	return o.Test(module, bin)
}

// breaks damages all rewritten files.
func (b batch) breaks(work string) error {
	return filepath.WalkDir(filepath.Join(work, "src"), func(file string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Base(file) != "p.go" {
			return err
		}
		src, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		return os.WriteFile(file, b.damage(src), 0o666)
	})
}

// runMax is how long the programs of one binary may take, in wall time. They take less
// than a second.
const runMax = 3 * time.Minute

func (b batch) run(bin string) ([]result, error) {
	ctx, cancel := context.WithTimeout(context.Background(), runMax)
	defer cancel()
	cmd := exec.CommandContext(ctx, bin, "-test.v")
	cmd.Dir = filepath.Dir(bin)
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%w\n%s\n%s", err, tail(out.String()), tail(stderr.String()))
	}
	var all []result
	for line := range strings.Lines(out.String()) {
		if w := strings.Fields(line); len(w) >= 4 && w[0] == "PROGRAM" {
			r := result{strings.Join(w[2:len(w)-1], " "), w[len(w)-1]}
			if b.threads {
				r.path = ""
			}
			all = append(all, r)
		}
	}
	if len(all) != len(b.sources) {
		return nil, fmt.Errorf("%d of %d programs printed a result\n%s", len(all), len(b.sources), tail(out.String()))
	}
	return all, nil
}

func tail(text string) string { return text[max(0, len(text)-2000):] }
