// Package worked makes the worked run of the guide from the log of a real one.
//
// A search tree has a bug from eight nodes on. The command of this repository
// tests it in a scratch module with one seed, and the log names for every input
// the one that it was made of. So the rows are the way from the input that failed
// back to a fresh one, oldest first:
//
//	run, err := test(dir, seed)   // the command, its log and what it says
//	rows, err := run.chain()      // fresh, change, change, ..., failed, shrunk
package worked

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/allele-go/allele/eval/lab"
)

// Experiment is the way to the bug. It fails if the bug is not found, or the way
// to it does not begin with a fresh input.
var Experiment = lab.Experiment{Name: "worked", Doc: "one run on a search tree, from a fresh input to the bug, read from its log", Run: func(lab.Config) (*lab.Result, error) {
	return measure(run.chain)
}}

// Counters is what -v says of the same run: how each kind of input did.
var Counters = lab.Experiment{Name: "workedkinds", Doc: "what each kind of input did in the worked run", Run: func(lab.Config) (*lab.Result, error) {
	return measure(run.kinds)
}}

// seed is one whose way is short and has most kinds of changes in it. Of the seeds
// 1 to 12 half have ways of more than 17 inputs, in most of which only the key is
// another; all find the bug, in 596 to 4,199 runs. So do all of go test, which grows
// what passed, in 1,520 to 5,707: the program is chosen to be shown, not to compare.
const seed = 8

const (
	library  = "github.com/allele-go/allele"
	property = "TestInsertKeepsOrder"
)

func measure(rows func(run) ([]lab.Row, error)) (*lab.Result, error) {
	dir, err := os.MkdirTemp("", "worked")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	r, err := test(dir, seed)
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

// test runs the command on the program in dir.
func test(dir string, seed uint64) (r run, err error) {
	root, err := command("go", "list", "-m", "-f", "{{.Dir}}", library)
	if err != nil {
		return r, err
	}
	bin, log := filepath.Join(dir, "allele"), filepath.Join(dir, "log")
	if _, err := command("go", "build", "-o", bin, library+"/cmd/allele"); err != nil {
		return r, err
	}
	src := filepath.Join(dir, "tree")
	mod := fmt.Sprintf("module example.com/tree\n\ngo 1.25\n\nrequire %s v0.0.0\n\nreplace %[1]s => %s\n", library, strings.TrimSpace(root))
	for name, text := range map[string]string{"go.mod": mod, "tree.go": program, "tree_test.go": check} {
		if err := write(filepath.Join(src, name), text); err != nil {
			return r, err
		}
	}
	cache, err := command("go", "env", "GOCACHE")
	if err != nil {
		return r, err
	}
	// The command keeps what it builds for each folder, and this one will be gone.
	env := []string{"XDG_CACHE_HOME=" + filepath.Join(dir, "cache"), "GOCACHE=" + strings.TrimSpace(cache)}
	r.said, err = commandIn(src, env, bin, "test", "-seed", strconv.FormatUint(seed, 10), "-tests", "1000000", "-v", "-log", log, ".")
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 1 {
		return r, fmt.Errorf("the bug was not found: %v\n%s", err, r.said)
	}
	if r.log, err = readLog(log); err != nil {
		return r, err
	}
	r.last, err = stored(filepath.Join(src, "testdata", "allele", property))
	return r, err
}

func write(file, text string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), 0o666)
}

// command runs a program here and gives what it prints.
func command(name string, args ...string) (string, error) { return commandIn("", nil, name, args...) }

func commandIn(dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "GOWORK=off"), env...)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s %s: %w\n%s", filepath.Base(name), strings.Join(args, " "), err, errs.String())
	}
	return string(out), err
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
