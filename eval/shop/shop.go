// Package shop measures what the command costs in a repository of many packages, beside go test.
//
// The module has 300 packages in three layers, and 100 properties. The costs are CPU seconds of all
// processes. Each row is measured with go test and then with allele test: first, with an empty build
// cache; again, with nothing changed; and after a change of one function in a package at the top of
// the tree, in the middle and at the bottom, which others import. After a change, go test runs the
// packages that depend on it, and allele test runs all. The processes of the command that list and
// search measure themselves, so that building is known apart. Both have a build cache of their own.
package shop

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/eval/scratch"
)

// Experiment measures all steps.
var Experiment = lab.Experiment{
	Name: "shop",
	Doc:  "300 packages and 100 properties: CPU time of allele test first, again and after a change, beside go test",
	Run:  run,
}

// shop is a module on disk.
type shop struct {
	tree
	*scratch.Module
	quick bool
	dir   string // for build caches
}

// step is a state of the module.
type step struct {
	name   string
	change int // the package to change; -1 for none
	limit  func(goTest float64) float64
}

// The limits, in CPU seconds without the searches.
var (
	limitFirst   = func(goTest float64) float64 { return 3 * goTest }
	limitAgain   = func(float64) float64 { return 5 }
	limitChanged = func(goTest float64) float64 { return 2*goTest + 5 }
)

func run(cfg lab.Config) (*lab.Result, error) {
	t := fullTree
	if cfg.Quick {
		t = quickTree
	}
	m, err := scratch.New(t.files())
	if err != nil {
		return nil, err
	}
	defer m.Close()
	dir, err := os.MkdirTemp("", "shop")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	s := &shop{tree: t, Module: m, quick: cfg.Quick, dir: dir}
	steps := []step{{"first", -1, limitFirst}, {"again", -1, limitAgain},
		{"a function at the top", t.packages() - 1, limitChanged},
		{"a function in the middle", t.bottom + 1, limitChanged},
		{"a function at the bottom", 0, limitChanged}}
	if cfg.Quick {
		steps = append(steps[:3:3], step{"again after that", -1, limitAgain})
	}
	res := &lab.Result{Summary: map[string]any{"packages": t.packages(), "properties": t.properties, "limit": "without the searches"}}
	for n, step := range steps {
		cfg.Logf("%s", step.name)
		row, err := s.measure(step, n)
		if err != nil {
			return nil, err
		}
		res.Rows = append(res.Rows, row)
	}
	res.Summary["MB of builds"] = float64(s.disk()) / (1 << 20)
	return res, nil
}

// measure makes a change, and runs both tools.
func (s *shop) measure(step step, version int) (lab.Row, error) {
	pkgs := []string{"./..."}
	affected := 0
	if step.change >= 0 {
		file := filepath.Join(s.Dir(), filepath.FromSlash(s.name(step.change)), filepath.Base(s.name(step.change))+".go")
		if err := os.WriteFile(file, []byte(s.source(step.change, version)), 0o666); err != nil {
			return nil, err
		}
		time.Sleep(settle)
		pkgs = nil
		for _, i := range s.dependants(step.change) {
			pkgs = append(pkgs, "./"+s.name(i))
			if s.property(i) {
				affected++
			}
		}
	} else if version == 0 {
		affected = s.properties
	}
	goTest := 0.0
	if !s.quick {
		var err error
		if goTest, _, err = s.cost("go", exec.Command("go", append([]string{"test"}, pkgs...)...)); err != nil {
			return nil, err
		}
	}
	meter := filepath.Join(s.dir, fmt.Sprintf("meter-%d", version))
	cmd := s.Command("test", "-x", "-tests", "100", "./...")
	cmd.Env = append(cmd.Env, "SHOP_METER="+meter)
	all, text, err := s.cost("allele", cmd)
	if err != nil {
		return nil, err
	}
	list, search, err := readMeter(meter)
	if err != nil {
		return nil, err
	}
	commands, binaries := built(text)
	if want := affected; binaries != want {
		return nil, fmt.Errorf("%s: %d binaries were built, want %d\n%s", step.name, binaries, want, text)
	}
	if most := (affected + 31) / 32; commands > most {
		return nil, fmt.Errorf("%s: %d go commands build, want at most %d", step.name, commands, most)
	}
	limit := step.limit(goTest)
	if s.quick {
		limit = all // times of a quick run mean nothing
	}
	return lab.Row{lab.Col("step", step.name), lab.Col("binaries", binaries), lab.Col("go commands", commands),
		lab.Col("go test", goTest), lab.Col("allele test", all), lab.Col("searches", search), lab.Col("listing", list),
		lab.Col("the rest", all-search-list), lab.Col("limit", limit), lab.Col("within", all-search <= limit)}, nil
}

// settle is longer than a tick of the clock of files. A binary whose source was written at the
// moment it is built is not kept.
const settle = 100 * time.Millisecond

// cost runs a command with a build cache of its own, and returns its CPU seconds and what it
// prints.
func (s *shop) cost(cache string, cmd *exec.Cmd) (seconds float64, text string, err error) {
	if cmd.Dir == "" {
		base := s.Command()
		cmd.Dir, cmd.Env = base.Dir, base.Env
	}
	if !s.quick {
		cmd.Env = append(cmd.Env, "GOCACHE="+filepath.Join(s.dir, cache))
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	spent := lab.Spent(func() { err = cmd.Run() })
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, out.String())
	}
	return spent.Seconds(), out.String(), err
}

// built returns how many go commands have built tests, and of how many packages.
func built(text string) (commands, binaries int) {
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "go test -c ") {
			continue
		}
		commands++
		for _, word := range strings.Fields(line) {
			if strings.HasPrefix(word, "scratch/") {
				binaries++
			}
		}
	}
	return commands, binaries
}

// readMeter returns the CPU seconds of the processes that listed and that searched.
func readMeter(file string) (list, search float64, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return 0, 0, err
	}
	for line := range strings.Lines(string(data)) {
		mode, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return 0, 0, err
		}
		if seconds := time.Duration(n).Seconds(); mode == "list" {
			list += seconds
		} else {
			search += seconds
		}
	}
	return list, search, nil
}

// disk returns the bytes of all builds of the command.
func (s *shop) disk() (bytes int64) {
	filepath.WalkDir(filepath.Join(s.Cache(), "allele"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && d.Name() == "corpus" {
			return fs.SkipDir
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			bytes += info.Size()
		}
		return nil
	})
	return bytes
}
