package programs

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/allele-go/allele"
	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/formats"
	"github.com/allele-go/allele/internal/rng"
	"github.com/allele-go/allele/internal/value/text"
	"github.com/allele-go/allele/program"
)

// QuickFuzz repeats the experiments of the QuickFuzz paper. The column part says which.
var QuickFuzz = lab.Experiment{
	Name: "quickfuzz",
	Doc:  "the experiments of the QuickFuzz paper: sizes of files, ways to change them, overhead, and a suite of images",
	Run:  runQuickFuzz,
}

// scale is how much of each part is made.
type scale struct{ seeds, files, suite int }

func runQuickFuzz(cfg lab.Config) (*lab.Result, error) {
	res := &lab.Result{Seeds: cfg.SeedsOr(lab.Default[int]{Full: 10, Quick: 1}), Summary: map[string]any{"formats": len(formats.All())}}
	n := scale{len(res.Seeds), 1000, 10_000}
	if cfg.Quick {
		n.files, n.suite = 20, 0
	}
	for _, part := range []func(lab.Config, scale) ([]lab.Row, error){sizesPart, armsPart, overheadPart, suitePart} {
		rows, err := part(cfg, n)
		if err != nil {
			return res, err
		}
		res.Rows = append(res.Rows, rows...)
	}
	return res, nil
}

// files generates files of a format.
func files(format string, seed uint64, n int, options ...allele.Option) (all [][]byte, err error) {
	f, ok := formats.Named(format)
	if !ok {
		return nil, fmt.Errorf("unknown format %q", format)
	}
	t := lab.Test("TestFiles", func(t testing.TB) {
		f.Check(t, func(t *allele.T, data []byte) { all = append(all, bytes.Clone(data)) },
			append(options, allele.Seed(seed), allele.Tests(n), allele.AllowVacuous())...)
	})
	if t.Failed() {
		return nil, fmt.Errorf("%s: %v", format, t.Logged)
	}
	if len(all) < n {
		return nil, fmt.Errorf("%s: %d files of %d", format, len(all), n)
	}
	return all[:n], nil
}

// sizesPart is section 6.1: the sizes of the files, by the size of the values.
func sizesPart(cfg lab.Config, n scale) (rows []lab.Row, err error) {
	for _, format := range []string{"zip", "png", "jpeg", "xml", "svg"} {
		for _, size := range []int{10, 20, 40, 80} {
			var means, lengths []float64
			for seed := range n.seeds {
				all, err := files(format, uint64(seed+1), n.files, allele.Size(size))
				if err != nil {
					return nil, err
				}
				means = append(means, float64(total(all))/float64(len(all)))
				for _, f := range all {
					lengths = append(lengths, float64(len(f)))
				}
			}
			mean, within := lab.Mean95(means)
			row := lab.Row{lab.Col("part", "sizes"), lab.Col("format", format), lab.Col("size", size), lab.Col("files", len(lengths)),
				lab.Col("mean bytes", mean), lab.Col("± 95 %", within)}
			from := 0.0
			for _, to := range []float64{128, 512, 2048, 8192, 1 << 40} {
				in := 0
				for _, l := range lengths {
					if l >= from && l < to {
						in++
					}
				}
				name := fmt.Sprintf("below %.0f %%", to)
				if to > 1<<30 {
					name = "longer %"
				}
				row = append(row, lab.Col(name, percent(in, len(lengths))))
				from = to
			}
			rows = append(rows, row)
		}
		cfg.Logf("sizes of %s", format)
	}
	return rows, nil
}

// change is a way to change files.
type change struct {
	name string
	of   func(data []byte, seed uint64) ([]byte, error)
}

// magic is how files of a format begin.
var magic = map[string][]byte{
	"png": []byte("\x89PNG\r\n\x1a\n"), "xml": []byte("<?xml version=\"1.0\"?>"), "jpeg": []byte("\xff\xd8\xff\xe0"),
}

func changes(format string) []change {
	return []change{
		{"unaltered", func(data []byte, _ uint64) ([]byte, error) { return data, nil }},
		{"zzuf", zzuf},
		{"changes of bytes by allele", func(data []byte, seed uint64) ([]byte, error) {
			var e text.Edits
			r := rng.At(seed, 1)
			for range 1 + r.Below(4) {
				e.Aim(data, format != "xml", text.Supply{})
				if edit, ok := e.Draw(&r); ok {
					data = edit.Apply(nil, data)
				}
			}
			return data, nil
		}},
		{"random bytes", func(data []byte, seed uint64) ([]byte, error) { return random(len(data), seed), nil }},
		{"magic and random bytes", func(data []byte, seed uint64) ([]byte, error) {
			return append(bytes.Clone(magic[format]), random(max(0, len(data)-len(magic[format])), seed)...), nil
		}},
	}
}

func zzuf(data []byte, seed uint64) ([]byte, error) {
	cmd := exec.Command("zzuf", "-s", fmt.Sprint(seed))
	cmd.Stdin = bytes.NewReader(data)
	return cmd.Output()
}

func random(n int, seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// armsPart is section 6.2: what changed files reach.
func armsPart(cfg lab.Config, n scale) (rows []lab.Row, err error) {
	if skip, err := lacks(cfg, "afl-cc", "zzuf"); skip {
		return nil, err
	}
	subjects := []subject{{"pngcheck", "png", []string{"@@"}}, {"xmlwf", "xml", []string{"@@"}}, {"djpeg", "jpeg", []string{"@@"}}}
	if cfg.Quick {
		subjects = subjects[:1]
	}
	for _, s := range subjects {
		binary, err := binaryOf(cfg, s.program)
		if err != nil {
			return nil, err
		}
		for _, c := range changes(s.format) {
			var paths, edges []float64
			for seed := range n.seeds {
				all, err := files(s.format, uint64(seed+1), n.files)
				if err != nil {
					return nil, err
				}
				run, err := c.cover(binary, s.args, all, uint64(seed*n.files))
				if err != nil {
					return nil, err
				}
				got := run.covered()
				paths, edges = append(paths, got.paths), append(edges, got.edges)
			}
			mean, within := lab.Mean95(paths)
			meanEdges, withinEdges := lab.Mean95(edges)
			rows = append(rows, lab.Row{lab.Col("part", "changes"), lab.Col("program", s.program), lab.Col("files are", c.name),
				lab.Col("n", len(paths)), lab.Col("files", n.files), lab.Col("paths", mean), lab.Col("± 95 %", within),
				lab.Col("edges", meanEdges), lab.Col("± 95 %, edges", withinEdges)})
		}
		cfg.Logf("changes for %s", s.program)
	}
	return rows, nil
}

// cover runs changed files.
func (c change) cover(binary string, args []string, all [][]byte, seed uint64) (*cover, error) {
	run := newCover(binary, args...)
	defer run.p.Close()
	for i, data := range all {
		changed, err := c.of(data, seed+uint64(i))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		if err := run.run(changed); err != nil {
			return nil, err
		}
	}
	return run, nil
}

// overheadPart is section 6.3: CPU time with a program that does nothing.
func overheadPart(cfg lab.Config, n scale) (rows []lab.Row, err error) {
	p := &program.Program{Args: []string{"/bin/echo", "@@"}}
	defer p.Close()
	var failed error
	for _, format := range []string{"zip", "png", "jpeg", "xml", "svg"} {
		var all [][]byte
		cost := func(do func()) float64 {
			began := lab.CPUWithChildren()
			do()
			return float64((lab.CPUWithChildren()-began)/time.Microsecond) / float64(n.files)
		}
		row := lab.Row{lab.Col("part", "overhead"), lab.Col("format", format), lab.Col("files", n.files),
			lab.Col("generate µs", cost(func() { all, failed = files(format, 1, n.files) }))}
		row = append(row, lab.Col("execute µs", cost(func() {
			for _, data := range all {
				if _, err := p.Run(data); err != nil {
					failed = err
				}
			}
		})))
		if _, err := exec.LookPath("zzuf"); err == nil {
			row = append(row, lab.Col("zzuf µs", cost(func() {
				for i, data := range all {
					if _, err := zzuf(data, uint64(i)); err != nil {
						failed = err
					}
				}
			})))
		}
		if failed != nil {
			return nil, failed
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// suitePart is section 6.6: generated images beside a suite of images that cover the format.
func suitePart(cfg lab.Config, n scale) (rows []lab.Row, err error) {
	if n.suite == 0 {
		return nil, nil
	}
	binary, err := binaryOf(cfg, "pngtest")
	if err != nil {
		return nil, err
	}
	names, err := filepath.Glob(filepath.Join(filepath.Dir(binary), "pngsuite", "*.png"))
	if err != nil || len(names) == 0 {
		return nil, fmt.Errorf("the suite of images is missing: remove %s", binary)
	}
	suite := newCover(binary, "@@")
	defer suite.p.Close()
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if err := suite.run(data); err != nil {
			return nil, err
		}
	}
	row := func(name string, files int, c *cover) {
		both := 0
		for e := range c.edges {
			if suite.edges[e] {
				both++
			}
		}
		rows = append(rows, lab.Row{lab.Col("part", "suite"), lab.Col("files are", name), lab.Col("files", files),
			lab.Col("paths", len(c.paths)), lab.Col("edges", len(c.edges)),
			lab.Col("of the edges of the suite %", percent(both, len(suite.edges)))})
	}
	row("the suite", len(names), suite)
	all, err := files("png", 1, n.suite)
	if err != nil {
		return nil, err
	}
	for _, c := range changes("png")[:3] {
		run, err := c.cover(binary, []string{"@@"}, all, 0)
		if err != nil {
			return nil, err
		}
		row("generated, "+c.name, len(all), run)
		cfg.Logf("suite: %s", c.name)
	}
	return rows, nil
}
