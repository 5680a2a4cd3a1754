package buildcost

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/eval/lab"
)

// First measures what the first go test of a user costs: the example of README.md, with an empty
// build cache. The same property with rapid, and a test that uses package testing only, are built
// alternately with it. The cost is the CPU time of go test -c with everything that it starts, the
// standard library included.
var First = lab.Experiment{
	Name: "firsttest",
	Doc:  "CPU time of a cold go test -c with an empty build cache: allele, rapid and package testing alone",
	Run:  runFirst,
}

const treeSource = `package tree

type Tree struct {
	L, R *Tree
	K    int
}

func (t *Tree) Ordered() bool { return t.between(nil, nil) }

func (t *Tree) between(lo, hi *int) bool {
	if t == nil {
		return true
	}
	if lo != nil && t.K <= *lo || hi != nil && t.K >= *hi {
		return false
	}
	return t.L.between(lo, &t.K) && t.R.between(&t.K, hi)
}
`

// firsts lists the tests, and the module that each requires.
var firsts = []struct{ name, module, version, imports, body string }{
	{"testing", "", "", "", "	if !(&Tree{}).Ordered() {\n\t\tt.Error(\"a leaf\")\n\t}\n"},
	{"rapid", "pgregory.net/rapid", "v1.3.0", "\t\"pgregory.net/rapid\"\n", `	rapid.Check(t, func(t *rapid.T) {
		in := rapid.Make[struct {
			Tree *Tree
			Key  int
		}]().Draw(t, "in")
		if !in.Tree.Ordered() {
			t.Skip()
		}
	})
`},
	{"allele", foreign.Library, "v0.0.0", "\t\"" + foreign.Library + "\"\n", `	allele.Check(t, func(t *allele.T, in struct {
		Tree *Tree
		Key  int
	}) {
		t.Assume(in.Tree.Ordered())
	})
`},
}

func runFirst(cfg lab.Config) (*lab.Result, error) {
	rounds := 5
	if cfg.Quick {
		rounds = 1
	}
	dir, err := os.MkdirTemp("", "firsttest")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	times := make([][]float64, len(firsts))
	rows := make([]lab.Row, len(firsts))
	for i := range firsts {
		if err := writeFirst(filepath.Join(dir, firsts[i].name), i); err != nil {
			return nil, err
		}
	}
	for round := range rounds {
		cfg.Logf("round %d of %d", round+1, rounds)
		for i := range firsts {
			cpu, err := buildFirst(filepath.Join(dir, firsts[i].name), cfg.Quick)
			if err != nil {
				return nil, err
			}
			times[i] = append(times[i], cpu)
		}
	}
	for i, f := range firsts {
		if rows[i], err = firstRow(filepath.Join(dir, f.name), f.name, f.module, slices.Min(times[i])); err != nil {
			return nil, err
		}
	}
	testing, rapid, allele := slices.Min(times[0]), slices.Min(times[1]), slices.Min(times[2])
	return &lab.Result{Seeds: []uint64{1}, Rows: rows,
		Summary: map[string]any{"rounds": rounds, "ratio to rapid": allele / rapid, "ratio to testing": allele / testing}}, nil
}

// writeFirst writes the module of a test.
func writeFirst(dir string, i int) error {
	f := firsts[i]
	mod := "module example.com/tree\n\ngo 1.25.0\n"
	if f.module != "" {
		mod += "\nrequire " + f.module + " " + f.version + "\n"
	}
	test := "package tree\n\nimport (\n\t\"testing\"\n\n" + f.imports + ")\n\nfunc TestTree(t *testing.T) {\n" + f.body + "}\n"
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for name, text := range map[string]string{"go.mod": mod, "tree.go": treeSource, "tree_test.go": test} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	if f.module == foreign.Library {
		return foreign.Require(dir, foreign.UserCache)
	}
	return nil
}

// buildFirst builds a test with an empty build cache, and returns the CPU time. If quick is true,
// it uses the cache of the user, which takes two minutes less and says nothing about the CPU time.
func buildFirst(dir string, quick bool) (cpu float64, err error) {
	if quick {
		cpu = spent(func() { _, err = foreign.Go(dir, foreign.UserCache, "test", "-c", "-o", "tree.test", ".") })
		return cpu, err
	}
	cache, err := os.MkdirTemp(filepath.Dir(dir), "cache")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(cache)
	cpu = spent(func() { _, err = foreign.Go(dir, foreign.Env(cache), "test", "-c", "-o", "tree.test", ".") })
	return cpu, err
}

// firstRow returns the cost of a test, and what its binary links.
func firstRow(dir, name, module string, cpu float64) (lab.Row, error) {
	info, err := os.Stat(filepath.Join(dir, "tree.test"))
	if err != nil {
		return nil, err
	}
	out, err := foreign.Go(dir, foreign.UserCache, "list", "-deps", "-test", "-f",
		"{{.Standard}} {{range .GoFiles}}{{$.Dir}}/{{.}}\t{{end}}", ".")
	if err != nil {
		return nil, err
	}
	standard, lines := 0, 0
	for line := range strings.Lines(out) {
		isStandard, files, _ := strings.Cut(strings.TrimSpace(line), " ")
		if isStandard == "true" {
			standard++
			continue
		}
		for _, file := range strings.Split(files, "\t") {
			if text, err := os.ReadFile(file); err == nil && module != "" && !strings.HasPrefix(file, dir) {
				lines += strings.Count(string(text), "\n")
			}
		}
	}
	return lab.Row{lab.Col("test with", name), lab.Col("cpu s", cpu),
		lab.Col("standard packages", standard), lab.Col("lines of the library", lines),
		lab.Col("binary MB", float64(info.Size())/1e6)}, nil
}
