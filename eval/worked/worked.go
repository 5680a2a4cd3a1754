// Package worked makes the worked run of the guide, an example of a search, from the log
// of a real run.
//
// A search tree has a bug that needs at least eight nodes. The real command tests the
// tree in a scratch module with one seed. Its log names the parent of every input: the
// input that it was made from. The rows are the ancestors of the input that failed,
// starting with a fresh input:
//
//	run, err := test(module, seed) // the command's log and output
//	rows, err := run.chain()       // fresh, change, change, ..., failed, shrunk
package worked

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/eval/scratch"
)

// Experiment shows how the search reached the bug. It fails if the bug is not found, or
// if the oldest ancestor is not a fresh input.
var Experiment = lab.Experiment{
	Name: "worked",
	Doc:  "one run on a search tree, from a fresh input to the bug, read from its log",
	Run:  func(lab.Config) (*lab.Result, error) { return measure(run.chain) },
}

// Counters shows the counts that -v prints for the same run: how many inputs of each
// kind were tried, passed, were new and failed.
var Counters = lab.Experiment{
	Name: "workedkinds",
	Doc:  "inputs of each kind in the worked run: tried, passed, new, failed",
	Run:  func(lab.Config) (*lab.Result, error) { return measure(run.kinds) },
}

// seed is chosen because its chain of ancestors is short and contains most kinds of
// changes. Of the seeds 1 to 12, half have chains of more than 17 inputs, and in most of
// these inputs only the key changes. All twelve seeds find the bug, in 596 to 4,199 runs.
// Plain go test, which grows inputs that passed, also finds it with all seeds, in 1,520
// to 5,707 runs. So the program is an illustration, not a comparison.
const seed = 8

const property = "TestInsertKeepsOrder"

func measure(rows func(run) ([]lab.Row, error)) (*lab.Result, error) {
	m, err := module()
	if err != nil {
		return nil, err
	}
	defer m.Close()
	r, err := test(m, seed)
	if err != nil {
		return nil, err
	}
	res := &lab.Result{Seeds: []uint64{seed}}
	res.Rows, err = rows(r)
	return res, err
}

var (
	//go:embed testdata/tree.go.txt
	program string
	//go:embed testdata/tree_test.go.txt
	check string
)

// run is the result of the command.
type run struct {
	log  []entry
	out  string // standard output
	last string // text of the stored counterexample
}

// test runs the command on the program.
func test(m *scratch.Module, seed uint64) (r run, err error) {
	log := filepath.Join(m.Dir(), "log")
	out, err := m.Test("-seed", strconv.FormatUint(seed, 10), "-tests", "1000000", "-log", log)
	if err != nil {
		return r, err
	}
	if r.out = out.Text; !out.Failed {
		return r, fmt.Errorf("the bug was not found\n%s", r.out)
	}
	if r.log, err = readLog(log); err != nil {
		return r, err
	}
	r.last, err = stored(filepath.Join(m.Dir(), "testdata", "allele", property))
	return r, err
}

// module makes a module with the program and its test, as a reader would.
func module() (*scratch.Module, error) {
	files := map[string]string{}
	for name, text := range map[string]string{"tree.go": program, "tree_test.go": check} {
		files[name] = strings.Replace(text, "package tree\n", "package scratch\n", 1)
	}
	return scratch.New(files)
}

// stored reads the only stored case in a folder.
func stored(dir string) (string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "fail-*.case"))
	if err != nil || len(files) != 1 {
		return "", fmt.Errorf("want one stored case, found %d", len(files))
	}
	text, err := os.ReadFile(files[0])
	return string(text), err
}

// kindLine matches a line of the table that -v prints.
var kindLine = regexp.MustCompile(`(?m)^    (\w+) +([\d,]+) +([\d,]+) +([\d,]+) +([\d,]+)$`)

// kinds returns the table that -v prints.
func (r run) kinds() (rows []lab.Row, err error) {
	for _, m := range kindLine.FindAllStringSubmatch(r.out, -1) {
		row := lab.Row{lab.Col("inputs", m[1])}
		for i, column := range []string{"tried", "passed", "new", "failed"} {
			n, err := strconv.Atoi(strings.ReplaceAll(m[2+i], ",", ""))
			if err != nil {
				return nil, fmt.Errorf("line of -v %q: %w", m[0], err)
			}
			row = append(row, lab.Col(column, n))
		}
		rows = append(rows, row)
	}
	if len(rows) < 3 {
		return nil, fmt.Errorf("the table of -v has %d lines, want at least 3:\n%s", len(rows), r.out)
	}
	return rows, nil
}
