package buildcost

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/internal/source/build"
	"github.com/allele-go/allele/internal/source/load"
)

// Shapes builds packages that no one writes by hand, but programs do: long conditions and
// deep nesting. An analysis that looks at every subtree of every subtree takes quadratic
// time there.
var Shapes = lab.Experiment{
	Name: "shapes",
	Doc:  "CPU time to instrument and to build long chains of || and deeply nested ifs",
	Run:  runShapes,
}

// A chain of twice as many operands may take at most chainMax times as long to instrument.
// Nested ifs may take at most nestedMax times as long to build as without probes.
const (
	chainMax  = 2.3
	nestedMax = 1.6
	quickMore = 1.6 // a quick run has one round, on a busy machine
)

func runShapes(cfg lab.Config) (*lab.Result, error) {
	operands, nested, rounds := 3000, 400, 5
	if cfg.Quick {
		operands, rounds = 1500, 2
	}
	res := &lab.Result{Seeds: []uint64{1}, Summary: map[string]any{"rounds": rounds}}
	programs := []struct{ name, text string }{
		{fmt.Sprintf("%d operands", operands), chain(operands)},
		{fmt.Sprintf("%d operands", 2*operands), chain(2 * operands)},
		{fmt.Sprintf("%d nested ifs", nested), ifs(nested)},
	}
	costs := make([]shapeCost, len(programs))
	for i := range costs {
		costs[i] = shapeCost{math.Inf(1), math.Inf(1), math.Inf(1)}
	}
	for round := range rounds {
		cfg.Logf("round %d of %d", round+1, rounds)
		for i, p := range programs {
			if err := costs[i].measure(p.text); err != nil {
				return nil, fmt.Errorf("%s: %w", p.name, err)
			}
		}
	}
	for i, p := range programs {
		c := costs[i]
		res.Rows = append(res.Rows, lab.Row{lab.Col("program", p.name), lab.Col("plain cpu s", c.plain),
			lab.Col("instrumenting cpu s", c.rewrite),
			lab.Col("build with probes cpu s", c.rewrite+c.build), lab.Col("ratio", (c.rewrite+c.build)/c.plain)})
	}
	twice := costs[1].rewrite / costs[0].rewrite
	res.Summary["instrumenting twice as many operands"] = twice
	res.Summary["building twice as many operands, plain"] = costs[1].plain / costs[0].plain
	res.Summary["building twice as many operands, with probes"] = (costs[1].rewrite + costs[1].build) / (costs[0].rewrite + costs[0].build)
	deep := (costs[2].rewrite + costs[2].build) / costs[2].plain
	res.Summary["building nested ifs, to plain"] = deep
	more := 1.0
	if cfg.Quick {
		more = quickMore
	}
	var errs []error
	if twice > chainMax*more {
		errs = append(errs, fmt.Errorf("twice as many operands take %.2f times as long, want %v", twice, chainMax))
	}
	if deep > nestedMax*more {
		errs = append(errs, fmt.Errorf("nested ifs take %.2f times as long as plain, want %v", deep, nestedMax))
	}
	return res, errors.Join(errs...)
}

// shapeCost is the least CPU time in seconds: of a plain build, of instrumenting, and of
// compiling what was instrumented.
type shapeCost struct{ plain, rewrite, build float64 }

func (c *shapeCost) measure(text string) error {
	dir, err := os.MkdirTemp("", "shapes")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	src := filepath.Join(dir, "src")
	if err := os.Mkdir(src, 0o777); err != nil {
		return err
	}
	text += fmt.Sprintf("\n// %d\n", time.Now().UnixNano()) // the go command must have no result in its cache
	test := fmt.Sprintf("package shape\n\nimport _ %q\n\nimport \"testing\"\n\nfunc Test(t *testing.T) { f(1, 2) }\n", foreign.Library)
	for name, content := range map[string]string{"go.mod": "module shape\n\ngo 1.25\n", "shape.go": text, "shape_test.go": test} {
		if err := os.WriteFile(filepath.Join(src, name), []byte(content), 0o666); err != nil {
			return err
		}
	}
	env := foreign.UserCache
	if err := foreign.Require(src, env); err != nil {
		return err
	}
	// Builds the dependencies.
	if _, err := foreign.Go(src, env, "build", foreign.Library, "testing"); err != nil {
		return err
	}
	conf := build.Config{Work: filepath.Join(dir, "work"), Load: load.Config{Dir: src, Patterns: []string{"."}, Env: env}}
	var o *build.Overlay
	var listing *load.Listing
	if listing, err = load.List(conf.Load); err != nil {
		return err
	}
	rewrite := spent(func() { o, err = build.Make(listing, conf) })
	if err != nil {
		return err
	}
	probes := spent(func() { err = o.Test("shape", filepath.Join(dir, "probes.test")) })
	if err != nil {
		return err
	}
	plain := spent(func() {
		_, err = foreign.Go(src, env, "test", "-c", "-vet=off", "-o", filepath.Join(dir, "plain.test"), ".")
	})
	c.plain, c.rewrite, c.build = min(c.plain, plain), min(c.rewrite, rewrite), min(c.build, probes)
	return err
}

// chain returns a function with a condition of n operands.
func chain(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package shape\n\nfunc f(a, b int) bool {\n\treturn a == 0")
	for i := range n {
		fmt.Fprintf(&b, " || %s == %d", []string{"a", "b"}[i%2], i)
	}
	return b.String() + "\n}\n"
}

// ifs returns a function with n nested ifs.
func ifs(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package shape\n\nfunc f(a, b int) bool {\n")
	for i := range n {
		fmt.Fprintf(&b, "if a > %d {\nb += a\n", i)
	}
	return b.String() + strings.Repeat("}\n", n) + "return b > 0\n}\n"
}
