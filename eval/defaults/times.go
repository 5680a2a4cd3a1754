package defaults

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/eval/scratch"
	"github.com/allele-go/allele/eval/strangers"
)

// Times runs the command in modules whose properties hold.
var Times = lab.Experiment{
	Name: "defaulttimes",
	Doc:  "allele test without flags on published modules, and on one with 100 properties: how long it takes",
	Run:  runTimes,
}

// hundred is the number of properties of the large module.
const hundred = 100

func runTimes(cfg lab.Config) (*lab.Result, error) {
	res := &lab.Result{Summary: map[string]any{}}
	var first, second, old, lines []float64
	err := strangers.Each(cfg, func(v strangers.Visit) error {
		quiet, err := goTest(v.Dir, v.Env, v.Package)
		if err != nil {
			return err
		}
		var took [3]float64
		variants := [][]string{nil, nil, {"-tests", "1000"}}
		if cfg.Quick {
			variants[0], variants[1] = []string{"-for", "1s"}, []string{"-for", "1s"}
		}
		for i, flags := range variants {
			cmd := exec.Command(v.Command, append(append([]string{"test", "-run", "TestAddedProperty"}, flags...), v.Package)...)
			cmd.Dir, cmd.Env = v.Dir, append(os.Environ(), v.Env...)
			if took[i], err = elapsed(cmd); err != nil {
				return err
			}
		}
		cfg.Logf("  %.1f s, again %.1f s, 1,000 tests %.1f s; %d lines of go test", took[0], took[1], took[2], quiet)
		res.Rows = append(res.Rows, lab.Row{lab.Col("module", v.Module.String()), lab.Col("properties", 1), lab.Col("first s", took[0]),
			lab.Col("again s", took[1]), lab.Col("-tests 1000 s", took[2]), lab.Col("lines of go test", quiet)})
		first, second, old = append(first, took[0]), append(second, took[1]), append(old, took[2])
		lines = append(lines, float64(quiet))
		return nil
	})
	if len(res.Rows) == 0 {
		return nil, errors.Join(err, errors.New("no module was tested"))
	}
	for name, all := range map[string][]float64{"first s": first, "again s": second, "-tests 1000 s": old} {
		res.Summary[name] = fmt.Sprintf("p50 %.1f, p95 %.1f of %d modules", lab.Median(all), lab.Quantile(all, 0.95), len(all))
	}
	res.Summary["lines that plain go test prints"] = lab.Quantile(lines, 1)
	if cfg.Quick {
		return res, err
	}
	row, more := large()
	if more == nil {
		res.Rows = append(res.Rows, row)
	}
	return res, errors.Join(err, more)
}

// elapsed runs a command that must succeed, and returns the seconds that it took.
func elapsed(cmd *exec.Cmd) (float64, error) {
	start := time.Now()
	out, err := cmd.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, out)
	}
	return time.Since(start).Seconds(), nil
}

// goTest returns how many lines a plain go test of the property prints, besides ok.
func goTest(dir string, env []string, pkg string) (lines int, err error) {
	cmd := exec.Command("go", "test", "-vet=off", "-count=1", "-run", "^TestAddedProperty$", ".")
	cmd.Dir, cmd.Env = filepath.Join(dir, filepath.FromSlash(pkg)), append(os.Environ(), env...)
	out, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("go test: %w\n%s", err, out)
	}
	for line := range bytes.Lines(out) {
		if !bytes.HasPrefix(line, []byte("ok ")) && string(line) != "PASS\n" {
			lines++
		}
	}
	return lines, nil
}

// large measures a module with a hundred properties in ten packages.
func large() (lab.Row, error) {
	files := map[string]string{"scratch_test.go": "package scratch\n"}
	for i := range hundred / len(bodies) {
		var b strings.Builder
		fmt.Fprintf(&b, largeHead, i)
		for j, body := range bodies {
			fmt.Fprintf(&b, "\nfunc TestP%d(t *testing.T) {\n\tallele.Check(t, %s)\n}\n", j, body)
		}
		files[fmt.Sprintf("p%d/p_test.go", i)] = b.String()
	}
	m, err := scratch.New(files)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	row := lab.Row{lab.Col("module", "ten packages"), lab.Col("properties", hundred)}
	for _, c := range []struct {
		name  string
		flags []string
	}{{"first s", nil}, {"again s", nil}, {"-tests 1000 s", []string{"-tests", "1000"}}} {
		s, err := elapsed(m.Command(append(append([]string{"test"}, c.flags...), "./...")...))
		if err != nil {
			return nil, err
		}
		row = append(row, lab.Col(c.name, s))
	}
	return append(row, lab.Col("lines of go test", 0)), nil
}

const largeHead = `package p%d

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/allele-go/allele"
)
`

// bodies are properties that hold.
var bodies = []string{
	`func(t *allele.T, in []int) {
		s := slices.Sorted(slices.Values(in))
		if !slices.IsSorted(s) || len(s) != len(in) {
			t.Error(s)
		}
	}`,
	`func(t *allele.T, in string) {
		if s, err := strconv.Unquote(strconv.Quote(in)); err != nil || utf8.ValidString(in) && s != in {
			t.Error(s, err)
		}
	}`,
	`func(t *allele.T, in struct {
		A string
		B []int
		C map[string]bool
	}) {
		data, err := json.Marshal(in)
		if err != nil || !json.Valid(data) {
			t.Error(err)
		}
	}`,
	`func(t *allele.T, in []byte) {
		out, err := base64.StdEncoding.DecodeString(base64.StdEncoding.EncodeToString(in))
		if err != nil || !bytes.Equal(in, out) {
			t.Error(err)
		}
	}`,
	`func(t *allele.T, in []string) {
		if len(in) > 0 && strings.Count(strings.Join(in, "\x00"), "\x00") < len(in)-1 {
			t.Error("joined")
		}
	}`,
	`func(t *allele.T, in string) {
		if out, err := url.QueryUnescape(url.QueryEscape(in)); err != nil || out != in {
			t.Error(out, err)
		}
	}`,
	`func(t *allele.T, in struct{ X, Y int32 }) {
		if int64(in.X)+int64(in.Y) != int64(in.Y)+int64(in.X) {
			t.Error("sum")
		}
	}`,
	`func(t *allele.T, in []bool) {
		n := 0
		for _, b := range in {
			if b {
				n++
			}
		}
		if n > len(in) {
			t.Error(n)
		}
	}`,
	`func(t *allele.T, in map[int8]string) {
		for k, v := range in {
			if in[k] != v {
				t.Error(k)
			}
		}
	}`,
	`func(t *allele.T, in float64) {
		s := strconv.FormatFloat(in, 'g', -1, 64)
		if out, err := strconv.ParseFloat(s, 64); err != nil || out != in && in == in {
			t.Error(s, err)
		}
	}`,
}
