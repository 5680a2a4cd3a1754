// Package everyday uses forty types that Go programs have as inputs of properties without a
// declaration: protobuf messages, IDs, any, errors, contexts, structs with tags, types with hidden
// fields. A row has a measure, such as "at least five elements" or "the validator accepts it". The
// experiment runs 1,000 inputs of each type, in plain go test and in allele test, with this library and
// with the revision before such types were handled, and counts the inputs that meet the measure and how
// many of these are distinct. The type is useful if at least half of the inputs meet it, and at least
// 100 are distinct where the type has as many. A row that is not useful has a declaration, which is
// followed. rapid.Make is beside it.
package everyday

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/eval/lab"
)

// Experiment measures the rows of the list.
var Experiment = lab.Experiment{
	Name: "everyday",
	Doc:  "forty types of Go programs as inputs without a declaration: how many inputs are useful, before and now, beside rapid",
	Run:  run,
}

// runs is the number of inputs of a row, of which half must be useful; distinctBar is how many of
// these must be distinct.
const (
	runs        = 1000
	distinctBar = 100
)

// before is the revision of this repository before the types were handled.
const before = "7c6f37d"

// counts are the inputs of one row in one arm.
type counts struct{ inputs, met, distinct int }

func (c counts) useful(r row) bool {
	bar := r.distinct
	if bar == 0 {
		bar = distinctBar
	}
	all := c.inputs == runs || r.distinct > 0 // a type with few values may have had all of them
	return all && 2*c.met >= c.inputs && c.distinct >= bar
}

// arm is a way to make the inputs.
type arm struct {
	name    string
	old     bool     // with the library of before
	command bool     // allele test instead of go test
	advised bool     // with the advice of the rows
	args    []string // of go test; nil means all packages
}

var arms = []arm{
	{name: "go test before", old: true}, {name: "allele test before", old: true, command: true},
	{name: "go test"}, {name: "allele test", command: true}, {name: "go test, advice", advised: true},
	{name: "allele test, advice", advised: true, command: true},
	{name: "rapid", args: []string{"-tags", "rapid", "./...", "-rapid.checks=1000"}},
}

func run(cfg lab.Config) (*lab.Result, error) {
	only, err := cfg.Match()
	if err != nil {
		return nil, err
	}
	list := slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return cfg.Quick && !r.quick || !only(r.name) })
	if len(list) == 0 {
		return nil, errors.New("no type was used")
	}
	dir, release, err := foreign.Hold("everyday")
	if err != nil {
		return nil, err
	}
	defer release()
	used := arms
	if cfg.Quick {
		used = slices.DeleteFunc(slices.Clone(arms), func(a arm) bool { return a.old || a.advised || a.name == "rapid" })
	}
	all := map[string]map[string]counts{}
	for _, a := range used {
		cfg.Logf("%s", a.name)
		l := &laboratory{dir: filepath.Join(dir, "module"), arm: a, rows: list}
		if a.advised {
			l.rows = slices.DeleteFunc(slices.Clone(list), func(r row) bool { return r.advice == "" })
		}
		if len(l.rows) == 0 {
			continue
		}
		if all[a.name], err = l.measure(dir); err != nil {
			return nil, fmt.Errorf("%s: %w", a.name, err)
		}
	}
	res := &lab.Result{Summary: map[string]any{"types": len(list)}}
	for _, r := range list {
		out := lab.Row{lab.Col("type", r.about)}
		for _, a := range used {
			c, ok := all[a.name][r.name]
			text := ""
			if ok {
				text = fmt.Sprintf("%.0f%%, %d", 100*float64(c.met)/float64(max(1, c.inputs)), c.distinct)
			}
			if c.useful(r) {
				n, _ := res.Summary["useful in "+a.name].(int)
				res.Summary["useful in "+a.name] = n + 1
				text += " *"
			}
			out = append(out, lab.Col(a.name, text))
		}
		res.Rows = append(res.Rows, append(out, lab.Col("advice", r.advice), lab.Col("because", r.because)))
		if cfg.Quick && !(all["go test"][r.name].useful(r) && all["allele test"][r.name].useful(r)) {
			return res, fmt.Errorf("%s: of 1,000 inputs are useful: %+v in go test, %+v in allele test", r.about,
				all["go test"][r.name], all["allele test"][r.name])
		}
	}
	return res, nil
}

// laboratory is a module with a package for each row.
type laboratory struct {
	arm  arm
	rows []row
	dir  string
}

// measure writes the module, runs the tests and reads what they counted.
func (l *laboratory) measure(cache string) (map[string]counts, error) {
	root, err := filepath.Abs("..")
	if err != nil {
		return nil, err
	}
	if l.arm.old {
		if root, err = checkout(root, filepath.Join(cache, "before")); err != nil {
			return nil, err
		}
	}
	if err := os.RemoveAll(l.dir); err != nil {
		return nil, err
	}
	if err := l.write(root); err != nil {
		return nil, err
	}
	command := filepath.Join(cache, "allele")
	if _, err := foreign.Go(root, []string{"GOWORK=off"}, "build", "-buildvcs=false", "-o", command, "./cmd/allele"); err != nil {
		return nil, err
	}
	meters := filepath.Join(cache, "meters")
	if err := errors.Join(os.RemoveAll(meters), os.Mkdir(meters, 0o777)); err != nil {
		return nil, err
	}
	// Packages that do not compile or fail are rows with few inputs.
	line := append([]string{"go", "test", "-count=1", "-timeout", "120s"}, l.arm.args...)
	if l.arm.args == nil {
		line = append(line, "./...")
	}
	if l.arm.command {
		line = []string{command, "test", "-fresh", "-tests", fmt.Sprint(runs), "./..."}
	}
	cmd := exec.Command(line[0], line[1:]...)
	cmd.Dir = l.dir
	cmd.Env = append(os.Environ(), "TYPES_METERS="+meters, "GOWORK=off", "GOFLAGS=-mod=mod -buildvcs=false")
	text, err := cmd.CombinedOutput()
	if err := os.WriteFile(filepath.Join(cache, strings.ReplaceAll(l.arm.name, " ", "-")+".log"), text, 0o666); err != nil {
		return nil, err
	}
	all := map[string]counts{}
	for _, r := range l.rows {
		if all[r.name], err = read(filepath.Join(meters, r.name)); err != nil {
			return nil, err
		}
	}
	if sum(all) == 0 {
		return nil, fmt.Errorf("no type has an input\n%s", text)
	}
	return all, nil
}

func sum(all map[string]counts) (n int) {
	for _, c := range all {
		n += c.inputs
	}
	return n
}

// read counts the first inputs of a row. A line of the file has an input: whether it met the
// measure, and its hash.
func read(file string) (c counts, err error) {
	f, err := os.Open(file)
	if errors.Is(err, os.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, err
	}
	defer f.Close()
	seen := map[string]bool{}
	for lines := bufio.NewScanner(f); c.inputs < runs && lines.Scan(); {
		c.inputs++
		if hash, ok := strings.CutPrefix(lines.Text(), "met "); ok {
			c.met++
			seen[hash] = true
		}
	}
	c.distinct = len(seen)
	return c, nil
}

// checkout extracts the library as it was before into a folder.
func checkout(root, dir string) (string, error) {
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	out, err := exec.Command("sh", "-c", `git -C "$1" archive `+before+` | tar -x -C "$2"`, "sh", root, dir).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("the revision %s: %w\n%s", before, err, out)
	}
	return dir, nil
}
