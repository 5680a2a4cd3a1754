package faults

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/eval/lab"
)

// Complete judges all faults of larger modules.
var Complete = lab.Experiment{
	Name: "complete",
	Doc:  "allele score on large modules and on slow suites: verdicts, CPU time beside that of go test, memory, first line of progress",
	Run:  complete,
}

// wholes are the modules that are judged to the end. go-toml subtracts addresses; with a fault it
// adds them, and what happens then is a matter of chance.
var wholes = []subject{
	{Module: foreign.At("github.com/hashicorp/go-version", "v1.9.0"), quick: true},
	{Module: foreign.At("github.com/valyala/fastjson", "v1.6.10")},
	{Module: foreign.At("github.com/BurntSushi/toml", "v1.6.0"), packages: []string{".", "./internal/..."}},
	{Module: foreign.At("github.com/pelletier/go-toml/v2", "v2.2.4"), packages: []string{".", "./internal/...", "./unstable"},
		varies: true},
	{Module: foreign.At("github.com/gomarkdown/markdown", "v0.0.0-20250810172220-2e2c11897d1a")},
	{Module: foreign.At("github.com/expr-lang/expr", "v1.17.7"), large: true},
}

// slows are modules whose tests take seconds, and some more that people would try first. Of decimal, a sample is
// judged: two tests take more than two seconds each, and every fault that survives runs them. The tests of btree take
// 42 s of CPU time and draw random numbers from the clock.
var slows = []subject{
	{Module: foreign.At("github.com/shopspring/decimal", "v1.4.0"), flags: []string{"-sample", "200"}},
	{Module: foreign.At("github.com/tidwall/gjson", "v1.18.0"), flags: []string{"-sample", "300"}, varies: true},
	{Module: foreign.At("github.com/mitchellh/mapstructure", "v1.5.0")},
	{Module: foreign.At("github.com/gorilla/mux", "v1.8.1")},
	{Module: foreign.At("github.com/google/uuid", "v1.6.0")},
	{Module: foreign.At("github.com/rs/xid", "v1.6.0")},
	{Module: foreign.At("github.com/hashicorp/golang-lru/v2", "v2.0.7")},
	{Module: foreign.At("github.com/spf13/cast", "v1.7.1")},
	{Module: foreign.At("github.com/dustin/go-humanize", "v1.0.1")},
	{Module: foreign.At("github.com/rivo/uniseg", "v0.4.7")},
	{Module: foreign.At("github.com/jszwec/csvutil", "v1.10.0")},
	{Module: foreign.At("github.com/tidwall/btree", "v1.7.0"), flags: []string{"-sample", "100"}, varies: true},
}

// firstMax is the time, in seconds, in which the command must have printed something.
const firstMax = 2

// linesMin is the size from which a module shows that large modules are judged to the end.
const linesMin = 5000

func complete(cfg lab.Config) (*lab.Result, error) {
	list, b, err := begin(cfg, slices.Concat(wholes, slows))
	if err != nil {
		return nil, err
	}
	defer b.close()
	res := &lab.Result{Seeds: []uint64{1}, Summary: map[string]any{}}
	var errs []error
	for _, s := range list {
		src, err := b.copied(s)
		if err != nil {
			return nil, err
		}
		b.Logf("%s", s.Module)
		o, err := b.scored("score", s, src, "0")
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", s.Module, err))
			continue
		}
		n, err := lines(src)
		if err != nil {
			return nil, err
		}
		plain, err := plainTest(src, foreign.UserCache, s.patterns())
		if err != nil {
			return nil, err
		}
		trouble := o.Errors
		if o.First > firstMax {
			trouble = append(trouble, fmt.Sprintf("the first line came after %.1f s, want at most %d s", o.First, firstMax))
		}
		if !s.varies {
			trouble = slices.Concat(trouble, o.Differ)
		}
		for _, line := range trouble {
			errs = append(errs, fmt.Errorf("%s: %s", s.Module, line))
		}
		res.Rows = append(res.Rows, completeRow(s, o, n, plain))
		for why, n := range reasons(o) {
			row := lab.Row{lab.Col("module", s.Module.String()), lab.Col("no verdict", why), lab.Col("faults", n)}
			res.Samples = append(res.Samples, row)
		}
	}
	return res, errors.Join(errs...)
}

func completeRow(s subject, o score, lines int, plain float64) lab.Row {
	declined := 0
	for _, n := range o.Declined {
		declined += n
	}
	row := lab.Row{lab.Col("module", s.Module.String()), lab.Col("lines", lines),
		lab.Col("faults", len(o.Faults)), lab.Col("declined", declined)}
	for _, v := range verdicts {
		row = append(row, lab.Col(v, o.count(v)))
	}
	for _, by := range []string{"panic", "budget"} {
		row = append(row, lab.Col("by "+by, o.by(by)))
	}
	return append(row, lab.Col("score", o.share(true)), lab.Col("without budget", o.share(false)),
		lab.Col("of all faults", o.Of), lab.Col("cpu s", o.CPU), lab.Col("cpu s without build", o.Warm), lab.Col("go test cpu s", plain),
		lab.Col("peak MB", o.Peak>>20), lab.Col("first line s", o.First))
}

// reasons counts the reasons why faults have no verdict.
func reasons(o score) map[string]int {
	counts := map[string]int{}
	for _, f := range o.Faults {
		if f.Verdict == noVerdict {
			line, _, _ := strings.Cut(f.Detail, "\n")
			counts[line]++
		}
	}
	return counts
}

// lines counts the lines of the Go files in a folder, without tests.
func lines(src string) (n int, err error) {
	err = filepath.WalkDir(src, func(file string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == "testdata" {
			return filepath.SkipDir
		}
		if d.IsDir() || filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(file)
		n += bytes.Count(text, []byte("\n"))
		return err
	})
	return n, err
}
