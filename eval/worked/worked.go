// Package worked makes the worked run of the guide from the log of a real one.
//
// A search tree has a bug from eight nodes on. The command of this repository
// tests it in a scratch module with one seed, and the log names for every input
// the one that it was made of. So the rows are the way from the input that failed
// back to a fresh one, oldest first:
//
//	run, err := test(module, seed) // the command, its log and what it says
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

// Experiment is the way to the bug. It fails if the bug is not found, or the way
// to it does not begin with a fresh input.
var Experiment = lab.Experiment{
	Name: "worked",
	Doc:  "one run on a search tree, from a fresh input to the bug, read from its log",
	Run:  func(lab.Config) (*lab.Result, error) { return measure(run.chain) },
}

// Counters is what -v says of the same run: how each kind of input did.
var Counters = lab.Experiment{
	Name: "workedkinds",
	Doc:  "what each kind of input did in the worked run",
	Run:  func(lab.Config) (*lab.Result, error) { return measure(run.kinds) },
}

// seed is one whose way is short and has most kinds of changes in it. Of the seeds
// 1 to 12 half have ways of more than 17 inputs, in most of which only the key is
// another; all find the bug, in 596 to 4,199 runs. So do all of go test, which grows
// what passed, in 1,520 to 5,707: the program is chosen to be shown, not to compare.
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

// run is what the command left.
type run struct {
	log  []entry
	said string // on its standard output
	last string // the counterexample, as it was stored
}

// test runs the command on the program.
func test(m *scratch.Module, seed uint64) (r run, err error) {
	log := filepath.Join(m.Dir(), "log")
	out, err := m.Test("-seed", strconv.FormatUint(seed, 10), "-tests", "1000000", "-log", log)
	if err != nil {
		return r, err
	}
	if r.said = out.Text; !out.Failed {
		return r, fmt.Errorf("the bug was not found\n%s", r.said)
	}
	if r.log, err = readLog(log); err != nil {
		return r, err
	}
	r.last, err = stored(filepath.Join(m.Dir(), "testdata", "allele", property))
	return r, err
}

// module makes the program and its test, as a reader would.
func module() (*scratch.Module, error) {
	files := map[string]string{}
	for name, text := range map[string]string{"tree.go": program, "tree_test.go": check} {
		files[name] = strings.Replace(text, "package tree\n", "package scratch\n", 1)
	}
	return scratch.New(files)
}

// stored reads the one case in a folder.
func stored(dir string) (string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "fail-*.case"))
	if err != nil || len(files) != 1 {
		return "", fmt.Errorf("want one stored case, there are %d", len(files))
	}
	text, err := os.ReadFile(files[0])
	return string(text), err
}

// kindLine is a line of the table of -v.
var kindLine = regexp.MustCompile(`(?m)^    (\w+) +([\d,]+) +([\d,]+) +([\d,]+) +([\d,]+)$`)

// kinds gives the table of -v.
func (r run) kinds() (rows []lab.Row, err error) {
	for _, m := range kindLine.FindAllStringSubmatch(r.said, -1) {
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
		return nil, fmt.Errorf("-v has %d lines of its table:\n%s", len(rows), r.said)
	}
	return rows, nil
}
