// Package rewriter tests the rewriting of programs with random programs.
//
// A program is a value of an ordinary type, so allele derives its generator (Prog in
// program.go), and every value prints to a program that compiles. A hundred programs are
// built to one binary, each as a package of its own: without probes, with inline probes,
// with probes that are calls, and with checks of the position. Each prints a digest of
// everything that it computed, and the digests must be equal. Without goroutines, inline
// probes must also record the same path as calls.
//
//	found, err := batch{sources: printed(progs, false), modes: modes}.compare(dir)
//
// The experiment shrinks a program that differs: it is then the input of a property.
package rewriter

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele"
	"github.com/allele-go/allele/eval/lab"
)

// Experiment builds random programs with and without probes.
var Experiment = lab.Experiment{
	Name: "rewriter",
	Doc:  "random Go programs, plain and in each mode of instrumentation: the same results and the same paths",
	Run:  run,
}

// The number of programs in a binary. Building 100 of them in all modes takes half a
// minute of CPU time.
const (
	programs      = 100
	programsQuick = 25
)

// Two of allModes seeds are built in all modes: one with goroutines and one without.
const allModes = 10

func run(cfg lab.Config) (*lab.Result, error) {
	res := &lab.Result{Seeds: cfg.SeedsOr(lab.Default[int]{Full: 52, Quick: 2}), Summary: map[string]any{}}
	seen := map[string]int{}
	differences, inAll, n := 0, 0, programs
	if cfg.Quick {
		n = programsQuick
	}
	for _, seed := range res.Seeds {
		progs, err := generate(n, seed)
		if err != nil {
			return nil, err
		}
		b := batch{threads: seed%2 == 0, modes: modes}
		if seed%allModes > 1 {
			b.modes = modes[:2] // plain and inline: building takes nearly all of the time
		}
		if cfg.Quick {
			b.modes = slices.Concat(modes[:1], modes[2:]) // without inline: debug has all of its text
		}
		b.sources = printed(progs, b.threads)
		for _, src := range b.sources {
			if err := count(src, seen); err != nil {
				return nil, err
			}
		}
		found, err := b.compareIn("")
		if err != nil {
			return nil, fmt.Errorf("seed %d: %w", seed, err)
		}
		for _, d := range found {
			cfg.Logf("seed %d: %v", seed, d)
		}
		if differences += len(found); len(found) > 0 {
			return res, fmt.Errorf("seed %d: %d differences; the first: %v\n%s", seed, len(found), found[0], shrunk(b,
				progs[found[0].program]))
		}
		inAll += n * min(1, len(b.modes)-2)
		cfg.Logf("seed %d: %d programs are the same in %d modes", seed, n, len(b.modes))
	}
	for _, name := range slices.Sorted(maps.Keys(seen)) {
		res.Rows = append(res.Rows, lab.Row{lab.Col("construct", name), lab.Col("occurrences", seen[name])})
	}
	res.Summary["programs"], res.Summary["differences"] = n*len(res.Seeds), differences
	res.Summary["programs in all modes"] = inAll
	if missing := missing(seen); missing != nil {
		return res, fmt.Errorf("no program contains %s", strings.Join(missing, ", "))
	}
	return res, nil
}

// compareIn compares in a new folder below dir, and removes it afterwards.
func (b batch) compareIn(dir string) ([]difference, error) {
	dir, err := os.MkdirTemp(dir, "rewriter")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	return b.compare(dir)
}

// shrunk returns the report of a property that fails for a program: the smallest program
// that still differs.
func shrunk(b batch, p Prog) string {
	t := lab.Test("TestProgram", func(t testing.TB) {
		allele.Check(t, func(t *allele.T, p Prog) {
			b.sources = printed([]Prog{p}, b.threads)
			if found, err := b.compareIn(""); err != nil || len(found) > 0 {
				t.Fatalf("%v %v\n%s", err, found, b.sources[0])
			}
		}, append(options[:len(options):len(options)], allele.Example(p), allele.Tests(1))...)
	})
	return strings.Join(t.Logged, "\n")
}

// options makes all statements and expressions equally likely.
var options = []allele.Option{allele.Range[Kind](0, kinds-1), allele.Range[Op](0, ops-1), allele.Size(200)}

// generate returns some programs, which allele makes from their type: the larger half of
// twice as many, because small ones are often empty.
func generate(n int, seed uint64) (all []Prog, err error) {
	t := lab.Test("TestPrograms", func(t testing.TB) {
		allele.Check(t, func(t *allele.T, p Prog) { all = append(all, p) },
			append(options[:len(options):len(options)], allele.Tests(2*n), allele.Seed(seed))...)
	})
	if t.Failed() || len(all) < 2*n {
		return nil, fmt.Errorf("%d programs: %s", len(all), strings.Join(t.Logged, "\n"))
	}
	slices.SortStableFunc(all, func(p, q Prog) int { return len(Print("p", q, true)) - len(Print("p", p, true)) })
	return all[:n], nil
}

func printed(progs []Prog, threads bool) (all []string) {
	for i, p := range progs {
		all = append(all, Print(fmt.Sprintf("p%d", i), p, threads))
	}
	return all
}
