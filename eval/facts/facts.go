// Package facts runs allele's source analysis on well-known packages. The analysis finds
// facts, such as the variants of an interface, and allele writes them as Go code. The
// experiment checks that this code compiles.
package facts

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/internal/source/build"
	"github.com/allele-go/allele/internal/source/facts"
	"github.com/allele-go/allele/internal/source/load"
)

// Experiment finds the facts of five packages, with their whole modules in scope,
// and type-checks the code that allele generates for every package in scope. A full
// run also compiles this code, with and without probes, and starts the programs.
var Experiment = lab.Experiment{
	Name: "facts",
	Doc:  "facts found in the source of go/ast, expr, wazero and Kubernetes, and whether they compile",
	Run:  run,
}

// subject is a package with the scope in which it is analysed.
type subject struct {
	pkg   string
	scope []string
}

var subjects = []subject{
	{"go/ast", []string{"go/..."}},
	{"github.com/expr-lang/expr/ast", []string{"github.com/expr-lang/expr/..."}},
	{"github.com/expr-lang/expr/optimizer", []string{"github.com/expr-lang/expr/..."}},
	{"github.com/tetratelabs/wazero/internal/wasm", []string{"github.com/tetratelabs/wazero/..."}},
	{"k8s.io/api/core/v1", []string{"k8s.io/api/...", "k8s.io/apimachinery/..."}},
}

// importer is a package that imports all subjects.
const importer = "github.com/allele-go/allele/eval/facts/subject"

func (s subject) config() load.Config {
	return load.Config{Patterns: []string{importer}, Scope: s.scope}
}

func run(cfg lab.Config) (*lab.Result, error) {
	res := &lab.Result{Summary: map[string]any{}}
	checked, broken := 0, 0
	var last []string
	for _, s := range subjects {
		cfg.Logf("%s", s.pkg)
		prog, err := load.Packages(s.config())
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.pkg, err)
		}
		start := lab.CPU()
		x := facts.NewIndex(prog)
		row, err := describe(x, prog, s.pkg)
		if err != nil {
			return nil, err
		}
		var errs []string
		for _, pkg := range prog.Scope {
			if err := typeCheck(prog.Fset, pkg, build.FactsOf(x, pkg)); err != nil {
				errs = append(errs, err.Error())
			}
		}
		row = append(row, lab.Col("packages in scope", len(prog.Scope)), lab.Col("do not type-check", len(errs)),
			lab.Col("cpu s to find and check all", (lab.CPU()-start).Seconds()))
		if !cfg.Quick && !slices.Equal(last, s.scope) { // subjects with the same scope are the same program
			cfg.Logf("compile %s", strings.Join(s.scope, " "))
			if err := compiles(s, prog); err != nil {
				errs = append(errs, err.Error())
			}
		}
		last = s.scope
		res.Rows = append(res.Rows, row)
		checked, broken = checked+len(prog.Scope), broken+len(errs)
		for _, e := range errs {
			cfg.Logf("%s", e)
		}
	}
	res.Summary["packages checked"], res.Summary["broken"], res.Summary["compiled and started"] = checked, broken, !cfg.Quick
	if broken > 0 {
		return res, fmt.Errorf("%d packages do not compile with their facts", broken)
	}
	return res, nil
}

// describe counts the facts of one package.
func describe(x *facts.Index, prog *load.Program, path string) (lab.Row, error) {
	for _, pkg := range prog.Scope {
		if pkg.Path != path || pkg.External {
			continue
		}
		p := x.Package(pkg)
		variants, consts := 0, 0
		for _, s := range p.Sums {
			variants += s.Len()
		}
		for _, e := range p.Enums {
			consts += e.Len()
		}
		return lab.Row{lab.Col("package", path), lab.Col("interfaces", len(p.Sums)), lab.Col("variants", variants),
			lab.Col("enums", len(p.Enums)), lab.Col("constants", consts),
			lab.Col("builders", len(p.Builders)), lab.Col("rejected", len(p.Rejected)),
			lab.Col("fields", len(p.Fields)), lab.Col("patterns", len(p.Patterns)),
			lab.Col("cannot be written", build.FactsOf(x, pkg).Left)}, nil
	}
	return nil, fmt.Errorf("%s is not in scope", path)
}

// compiles builds a program with its facts, with and without probes. It also starts the
// program, because the facts are registered by initialisers.
func compiles(s subject, prog *load.Program) error {
	work, err := os.MkdirTemp("", "eval-facts")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	o, err := build.Rewrite(prog, build.Config{Work: work, Load: s.config()})
	if err != nil {
		return err
	}
	for name, make := range map[string]func(pkg, out string) error{"probes": o.Test, "plain": o.Plain} {
		bin := filepath.Join(work, name)
		if err := make(importer, bin); err != nil {
			return err
		}
		if out, err := exec.Command(bin).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", name, err, out)
		}
	}
	return nil
}
