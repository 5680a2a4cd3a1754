package programs

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/allele-go/allele"
	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/formats/code"
	"github.com/allele-go/allele/formats/image"
)

// Paths repeats the experiments of the DRAGEN papers: how many different paths a generated corpus takes in a program.
var Paths = lab.Experiment{
	Name: "paths",
	Doc:  "paths that generated corpora take in bash, newlisp, giffix and HTML Tidy: div n k, tuned odds, builders and patterns",
	Run:  runPaths,
}

// generator makes a corpus.
type generator struct {
	name  string
	files func(seed uint64, n int) ([][]byte, error)
	// sized returns files for a mean number of nodes. It is nil, or the number is set so that the files are as long as
	// those of the generator like.
	sized func(nodes float64) func(seed uint64, n int) ([][]byte, error)
	like  string
}

type pathsSubject struct {
	program    string
	args       []string
	published  string
	generators []generator
}

const (
	divided   = "div n k"
	tuned     = "tuned"
	tunedLike = "tuned, as long as div n k"
	known     = "tuned, builders and patterns"
	knownLike = "tuned, builders and patterns, as long as tuned"
	split     = "default of allele"
)

func pathsSubjects() []pathsSubject {
	programs := types[code.Stmt](code.Assign{}, code.Print{}, code.If{}, code.While{}, code.For{}, code.Func{}, code.Return{},
		code.CallStmt{}).and(types[code.Expr](code.Number(0), code.String(""), code.Bool(false), code.Var(0), code.Binary{}, code.Not{},
		code.Call{}, code.List{}))
	sexps := types[Sexp](Symbol(""), Integer(0), Quoted(""), Cells{})
	markups := types[Markup](Parent{}, Leaf{}, Content(""), AddAttribute{})
	return []pathsSubject{
		{"bash", []string{"@@"}, "+35 to 41 %", without(tuned,
			generators(10, code.Shell, programs, []allele.Option{code.Statements, code.Expressions}, nil))},
		{"newlisp", []string{"-n", "@@"}, "+35 to 41 %, then +4 %",
			generators(10, lispText, sexps, []allele.Option{lispVariants}, lispFunctions)},
		{"giffix", []string{"@@"}, "+35 to 41 %", generators(5, image.GIF, variants{}, nil, nil)},
		{"tidy", []string{"-q", "@@"}, "up to +83 % (functions)",
			generators(10, markupText, markups, []allele.Option{markupVariants}, markupFunctions)},
	}
}

// variants are the constructors of interfaces.
type variants map[reflect.Type][]reflect.Type

func types[I any](vs ...I) variants {
	all := variants{}
	for _, v := range vs {
		all[reflect.TypeFor[I]()] = append(all[reflect.TypeFor[I]()], reflect.TypeOf(v))
	}
	return all
}

func (v variants) and(o variants) variants {
	for i, all := range o {
		v[i] = all
	}
	return v
}

// generators returns the generators of a type. Without functions there is no generator with builders and patterns.
func generators[V any](depth int, encode func(V) ([]byte, error), v variants, options, functions []allele.Option) []generator {
	byOdds := func(options []allele.Option) func(float64) func(uint64, int) ([][]byte, error) {
		return func(nodes float64) func(uint64, int) ([][]byte, error) {
			return byCheck(encode, append([]allele.Option{allele.Distribution{Depth: depth, MeanSize: nodes}}, options...))
		}
	}
	all := []generator{
		{name: divided, files: func(seed uint64, n int) (files [][]byte, err error) {
			m := &megadeth{rand.New(rand.NewPCG(seed, 0)), v}
			for len(files) < n {
				data, err := encode(m.value(reflect.TypeFor[V](), depth).Interface().(V))
				if err == nil {
					files = append(files, data)
				}
			}
			return files, nil
		}},
		{name: tuned, files: byOdds(options)(0)},
		{name: tunedLike, sized: byOdds(options), like: divided},
		{name: split, files: byCheck(encode, options)},
	}
	if functions != nil {
		with := append(options[:len(options):len(options)], functions...)
		all = append(all, generator{name: known, files: byOdds(with)(0)}, generator{name: knownLike, sized: byOdds(with), like: tuned})
	}
	return all
}

// without leaves out a generator: the scripts of bash that are tuned at the full depth take 80 ms each.
func without(name string, all []generator) []generator {
	return slices.DeleteFunc(all, func(g generator) bool { return g.name == name })
}

// match sets the sizes of the generators whose files are to be as long as those of another one. It
// measures the length with corpora of other seeds than the reported ones. A few files are much longer
// than the rest: with one corpus, scripts for bash came out 19 % too short.
func (s pathsSubject) match(corpora int) error {
	const files, steps = 300, 12
	mean := func(make func(uint64, int) ([][]byte, error)) (float64, error) {
		sum := 0
		for i := range corpora {
			all, err := make(1<<32+uint64(i), files)
			if err != nil {
				return 0, err
			}
			sum += total(all)
		}
		return float64(sum) / float64(corpora*files), nil
	}
	for i, g := range s.generators {
		if g.sized == nil {
			continue
		}
		like := slices.IndexFunc(s.generators, func(o generator) bool { return o.name == g.like })
		want, err := mean(s.generators[like].files)
		if err != nil {
			return err
		}
		low, high := 1.0, 1000.0
		for range steps {
			nodes := math.Sqrt(low * high)
			got, err := mean(g.sized(nodes))
			if err != nil {
				return err
			}
			if got < want {
				low = nodes
			} else {
				high = nodes
			}
		}
		s.generators[i].files = g.sized(math.Sqrt(low * high))
	}
	return nil
}

// byCheck makes a corpus by allele, without guidance.
func byCheck[V any](encode func(V) ([]byte, error), options []allele.Option) func(uint64, int) ([][]byte, error) {
	return func(seed uint64, n int) (files [][]byte, err error) {
		t := lab.Test("TestPaths", func(t testing.TB) {
			allele.Check(t, func(t *allele.T, v V) {
				if data, err := encode(v); err == nil && len(files) < n {
					files = append(files, data)
				}
			}, append(options[:len(options):len(options)], allele.Seed(seed), allele.Tests(n), allele.AllowVacuous())...)
		})
		if t.Failed() {
			return nil, fmt.Errorf("%v", t.Logged)
		}
		return files, nil
	}
}

var (
	pathsRepeats = lab.Default[int]{Full: 30, Quick: 2}
	pathsSizes   = []int{100, 1000}
	matchCorpora = lab.Default[int]{Full: 10, Quick: 1}
)

func runPaths(cfg lab.Config) (*lab.Result, error) {
	res := &lab.Result{Seeds: cfg.SeedsOr(pathsRepeats), Summary: map[string]any{}}
	if skip, err := lacks(cfg, "afl-cc"); skip {
		return res, err
	}
	subjects, sizes := pathsSubjects(), pathsSizes
	if cfg.Quick {
		subjects, sizes = subjects[2:3], sizes[:1]
	}
	for _, s := range subjects {
		rows, err := s.run(cfg, res.Seeds, sizes)
		if err != nil {
			return res, fmt.Errorf("%s: %w", s.program, err)
		}
		res.Rows = append(res.Rows, rows...)
	}
	return res, nil
}

func (s pathsSubject) run(cfg lab.Config, seeds []uint64, sizes []int) (rows []lab.Row, err error) {
	binary, err := binaryOf(cfg, s.program)
	if err != nil {
		return nil, err
	}
	corpora := matchCorpora.Full
	if cfg.Quick {
		corpora = matchCorpora.Quick
	}
	if err := s.match(corpora); err != nil {
		return nil, err
	}
	all := make([][][]covered, len(s.generators)) // by generator, size, seed
	for g := range s.generators {
		all[g] = make([][]covered, len(sizes))
	}
	for i, seed := range seeds {
		for g, gen := range s.generators {
			files, err := gen.files(seed, sizes[len(sizes)-1])
			if err == nil && len(files) != sizes[len(sizes)-1] {
				err = fmt.Errorf("%d files of %d", len(files), sizes[len(sizes)-1])
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", gen.name, err)
			}
			got, err := s.measure(binary, files, sizes)
			if err != nil {
				return nil, err
			}
			for k := range sizes {
				all[g][k] = append(all[g][k], got[k])
			}
		}
		cfg.Logf("%s, repeat %d of %d", s.program, i+1, len(seeds))
	}
	return s.rows(sizes, all), nil
}

func total(files [][]byte) (sum int) {
	for _, f := range files {
		sum += len(f)
	}
	return sum
}

// measure runs a corpus. It returns what its first files have reached, for each size of a corpus.
func (s pathsSubject) measure(binary string, files [][]byte, sizes []int) ([]covered, error) {
	c := newCover(binary, s.args...)
	defer c.p.Close()
	all := make([]covered, len(sizes))
	for i, data := range files {
		if err := c.run(data); err != nil {
			return nil, err
		}
		for k, n := range sizes {
			if i < n {
				all[k] = c.covered()
			}
		}
	}
	return all, nil
}

func (s pathsSubject) rows(sizes []int, all [][][]covered) (rows []lab.Row) {
	column := func(cs []covered, of func(covered) float64) (xs []float64) {
		for _, c := range cs {
			xs = append(xs, of(c))
		}
		return xs
	}
	paths := func(c covered) float64 { return c.paths }
	edges := func(c covered) float64 { return c.edges }
	for k, n := range sizes {
		base, _ := lab.Mean95(column(all[0][k], paths))
		baseEdges, _ := lab.Mean95(column(all[0][k], edges))
		for g, gen := range s.generators {
			bytes, _ := lab.Mean95(column(all[g][k], func(c covered) float64 { return c.bytes / float64(n) }))
			mean, within := lab.Mean95(column(all[g][k], paths))
			e, withinEdges := lab.Mean95(column(all[g][k], edges))
			rows = append(rows, lab.Row{lab.Col("program", s.program), lab.Col("files", n), lab.Col("generator", gen.name),
				lab.Col("n", len(all[g][k])), lab.Col("bytes", bytes), lab.Col("paths", mean), lab.Col("± 95 %", within),
				lab.Col("to div n k %", 100*(mean/base-1)), lab.Col("edges", e), lab.Col("± 95 %, edges", withinEdges),
				lab.Col("edges to div n k %", 100*(e/baseEdges-1)), lab.Col("published", s.published)})
		}
	}
	return rows
}
