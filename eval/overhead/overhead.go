// Package overhead measures what instrumentation costs.
package overhead

import (
	_ "embed"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/internal/source/build"
	"github.com/allele-go/allele/internal/source/load"
)

// Experiment builds real code plain, instrumented and for coverage, and runs
// the binaries in turns. The wanted figures are in the summary beside those
// that came out.
var Experiment = lab.Experiment{Name: "overhead", Doc: "cost of instrumented code against plain code, for packages of the standard library", Run: run}

//go:embed testdata/work_test.go.txt
var workloads string

// scope is what the workloads spend their time in.
var scope = []string{"encoding/json", "go/parser", "go/scanner", "text/template/parse", "regexp/syntax", "strconv"}

var names = []string{"json any", "json struct", "go/parser", "template/parse", "regexp/syntax", "search tree"}

// ratioMax is where a result is a mistake and not a figure.
const ratioMax = 2

// variant is one way to build the workloads.
type variant struct{ name, bin string }

func run(cfg lab.Config) (*lab.Result, error) {
	rounds := 12
	if cfg.Quick {
		rounds = 4
	}
	dir, err := os.MkdirTemp("", "overhead")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	cfg.Logf("building")
	variants, err := buildAll(dir, cfg.Quick)
	if err != nil {
		return nil, err
	}
	res := &lab.Result{Seeds: []uint64{1}, Summary: map[string]any{"rounds": rounds}}
	logs := map[string]float64{}
	worst := 0.0
	for _, w := range names {
		cfg.Logf("%s", w)
		ratios, base, err := measure(variants, w, rounds)
		if err != nil {
			return nil, err
		}
		row := lab.Row{lab.Col("workload", w), lab.Col("plain cpu ns", base)}
		for i, v := range variants[1:] {
			row = append(row, lab.Col(v.name, ratios[i]))
			logs[v.name] += math.Log(ratios[i]) / float64(len(names))
		}
		worst = max(worst, ratios[0])
		res.Rows = append(res.Rows, row)
	}
	for name, l := range logs {
		res.Summary["geomean "+name] = math.Exp(l)
	}
	geomean := math.Exp(logs[variants[1].name])
	res.Summary["geomean_budget"] = geomean
	res.Summary["wanted geomean"], res.Summary["wanted worst"], res.Summary["worst"] = 1.25, 1.5, worst
	if geomean > ratioMax {
		return res, fmt.Errorf("geomean %.2f: something is badly wrong", geomean)
	}
	return res, nil
}

// buildAll writes the workloads as a module and builds them in every way.
func buildAll(dir string, quick bool) ([]variant, error) {
	root, err := filepath.Abs("..")
	if err != nil {
		return nil, err
	}
	src := filepath.Join(dir, "src")
	files := map[string]string{
		"go.mod":       "module workload\n\ngo 1.25\n\nrequire github.com/allele-go/allele v0.0.0\n\nreplace github.com/allele-go/allele => " + root + "\n",
		"work.go":      "package workload\n",
		"work_test.go": workloads,
	}
	for name, text := range files {
		if err := os.MkdirAll(src, 0o777); err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(src, name), []byte(text), 0o666); err != nil {
			return nil, err
		}
	}
	conf := load.Config{Dir: src, Patterns: []string{"."}, Scope: scope, Env: []string{"GOFLAGS=-mod=mod", "GOWORK=off"}}
	variants := []variant{{name: "plain"}}
	covered := strings.Join(scope, ",") + ",workload"
	for _, plain := range []struct {
		name string
		args []string
	}{{"plain", nil}, {"cover set", []string{"-cover", "-covermode=set", "-coverpkg=" + covered}}, {"cover count", []string{"-cover", "-covermode=count", "-coverpkg=" + covered}},
		{"libfuzzer", []string{"-gcflags=all=-d=libfuzzer"}}} {
		bin := filepath.Join(dir, strings.ReplaceAll(plain.name, " ", "_")+".test")
		cmd := exec.Command("go", append(append([]string{"test", "-c", "-vet=off", "-o", bin}, plain.args...), ".")...)
		cmd.Dir, cmd.Env = src, append(os.Environ(), conf.Env...)
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", plain.name, err, out)
		}
		if plain.name == "plain" {
			variants[0].bin = bin
			v, err := instrumented(dir, conf)
			if err != nil {
				return nil, err
			}
			variants = append(variants, v)
			if quick {
				return variants, nil // the others take a minute to build
			}
			continue
		}
		variants = append(variants, variant{plain.name, bin})
	}
	return variants, nil
}

func instrumented(dir string, conf load.Config) (variant, error) {
	prog, err := load.Packages(conf)
	if err != nil {
		return variant{}, err
	}
	o, err := build.Rewrite(prog, build.Config{Work: filepath.Join(dir, "overlay"), Load: conf})
	if err != nil {
		return variant{}, err
	}
	bin := filepath.Join(dir, "instrumented.test")
	return variant{"instrumented", bin}, o.Test("workload", bin)
}

// sliceMin is how long a slice runs at least: long against the steps of the
// clock, short enough that some slices meet no disturbance.
const sliceMin = 10 * time.Millisecond

// measure runs one workload in all variants, round by round, and compares the
// least cost of a slice in each: what disturbs a slice only makes it slower.
func measure(variants []variant, workload string, rounds int) (ratios []float64, base float64, err error) {
	n := 1
	for {
		cost, err := once(variants[0], workload, n)
		if err != nil {
			return nil, 0, err
		}
		if cost*float64(n) > float64(sliceMin) {
			break
		}
		n *= 2
	}
	least := make([]float64, len(variants))
	for round := range rounds {
		for i, v := range variants {
			cost, err := once(v, workload, n)
			if err != nil {
				return nil, 0, err
			}
			if round == 0 || cost < least[i] {
				least[i] = cost
			}
		}
	}
	for _, cost := range least[1:] {
		ratios = append(ratios, cost/least[0])
	}
	return ratios, least[0], nil
}

// once runs a workload in slices of n and gives the least CPU ns of one run.
func once(v variant, workload string, n int) (float64, error) {
	cmd := exec.Command(v.bin, "-test.run=^TestWork$")
	cmd.Env = append(os.Environ(), "WORK="+workload, "N="+strconv.Itoa(n), "GOMAXPROCS=1", "GODEBUG=asyncpreemptoff=1", "GOGC=400")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("%s, %s: %w\n%s", v.name, workload, err, out)
	}
	for line := range strings.Lines(string(out)) {
		if rest, ok := strings.CutPrefix(line, "COST "); ok {
			return strconv.ParseFloat(strings.TrimSpace(rest), 64)
		}
	}
	return 0, fmt.Errorf("%s, %s: no cost in\n%s", v.name, workload, out)
}
