package main

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/allele-go/allele/eval/lab"
)

// fakes are an experiment that returns its configuration, and one that fails.
var fakes = []lab.Experiment{
	{Name: "echo", Doc: "returns its configuration", Run: func(c lab.Config) (*lab.Result, error) {
		c.Logf("echoing")
		return &lab.Result{
			Seeds:   c.SeedsOr(lab.Default[int]{Full: 4, Quick: 2}),
			Rows:    []lab.Row{{lab.Col("quick", c.Quick), lab.Col("budget s", c.Budget.Seconds())}},
			Summary: map[string]any{"verdict": "fine"},
		}, nil
	}},
	{Name: "broken-one", Doc: "fails", Run: func(lab.Config) (*lab.Result, error) {
		return nil, errors.New("out of luck")
	}},
}

func call(args ...string) (stdout, stderr string, exit int) {
	var out, errs strings.Builder
	exit = run(args, fakes, &out, &errs)
	return out.String(), errs.String(), exit
}

func TestCommandLine(t *testing.T) {
	for _, c := range []struct {
		name, args string
		exit       int
		stdout     string // a part of it
		stderr     string // a part of it
	}{
		{"a table", "echo", 0, "quick  budget s\nfalse         0\n\nverdict: fine\n", "echoing\n"},
		{"flags after the name", "echo -quick -budget 3s -seeds 1", 0, "echo: ", ""},
		{"flags before the name", "-quick echo", 0, "echo: 2 seeds; ", ""},
		{"flags on both sides", "-quick echo -budget 2m", 0, "true        120\n", ""},
		{"the list", "list", 0, "echo        returns its configuration\nbroken-one  fails\n", ""},
		{"an unknown name prints the list", "ecco", 2, "", "unknown experiment \"ecco\"; the experiments are:\necho  "},
		{"no name", "", 2, "", "eval list"},
		{"two names", "echo broken-one", 2, "", "unexpected arguments: broken-one"},
		{"an unknown flag", "echo -loud", 2, "", "-loud"},
		{"a negative number", "echo -seeds -1", 2, "", "negative"},
		{"a failed experiment", "broken-one", 1, "", "eval: experiment broken-one: out of luck\n"},
	} {
		stdout, stderr, exit := call(strings.Fields(c.args)...)
		if exit != c.exit || !strings.Contains(stdout, c.stdout) || !strings.Contains(stderr, c.stderr) {
			t.Errorf("%s: exit %d\nstdout: %s\nstderr: %s", c.name, exit, stdout, stderr)
		}
	}
}

// The plot of a result is written next to its JSON file.
func TestPlot(t *testing.T) {
	drawn := []lab.Experiment{{Name: "drawn", Doc: "has a picture", Run: func(lab.Config) (*lab.Result, error) {
		return &lab.Result{Plot: []byte("<svg/>")}, nil
	}}}
	dir := t.TempDir()
	if exit := run([]string{"drawn", "-json", filepath.Join(dir, "drawn.json")}, drawn, io.Discard, io.Discard); exit != 0 {
		t.Fatalf("exit %d", exit)
	}
	if data, err := os.ReadFile(filepath.Join(dir, "drawn.svg")); err != nil || string(data) != "<svg/>" {
		t.Errorf("%v: %s", err, data)
	}
}

// An experiment that fails because of its figures still prints and writes them.
func TestFailedWithFigures(t *testing.T) {
	grown := []lab.Experiment{{Name: "grown", Doc: "fails with figures", Run: func(lab.Config) (*lab.Result, error) {
		return &lab.Result{Rows: []lab.Row{{lab.Col("MB", 99)}}}, errors.New("too much")
	}}}
	var out, errs strings.Builder
	file := filepath.Join(t.TempDir(), "grown.json")
	exit := run([]string{"grown", "-json", file}, grown, &out, &errs)
	if exit != exitFailed || !strings.Contains(out.String(), "99") || errs.String() != "eval: experiment grown: too much\n" {
		t.Errorf("exit %d\nstdout: %s\nstderr: %s", exit, &out, &errs)
	}
	if data, err := os.ReadFile(file); err != nil || !strings.Contains(string(data), `"MB": 99`) {
		t.Errorf("%v: %s", err, data)
	}
}

// The command, the pages and the file names need unique names of one word, and
// descriptions of one line.
func TestExperimentsAreNamed(t *testing.T) {
	seen := map[string]bool{"list": true, "docs": true, "all": true}
	for _, e := range experiments {
		if seen[e.Name] || !opening.MatchString("<!-- eval:"+e.Name+" -->") {
			t.Errorf("name %q is taken or not one word", e.Name)
		}
		seen[e.Name] = true
		if e.Doc == "" || strings.Contains(e.Doc, "\n") {
			t.Errorf("%s: want a description of one line", e.Name)
		}
	}
}

func TestJSON(t *testing.T) {
	stdout, _, exit := call("echo", "-quick", "-json", "-")
	var result lab.Result
	if err := json.Unmarshal([]byte(stdout), &result); err != nil || exit != 0 {
		t.Fatalf("exit %d, %v: %s", exit, err, stdout)
	}
	if result.Experiment != "echo" || result.Machine == "" || result.Versions["go"] == "" || len(result.Seeds) != 2 {
		t.Errorf("result %+v", result)
	}
	if got := result.Rows[0].Get("quick"); got != true {
		t.Errorf("row %v", result.Rows)
	}
}

func TestJSONFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "results", "echo.json")
	for range 2 { // the second time it replaces the first
		stdout, stderr, exit := call("echo", "-json", file)
		if exit != 0 || !strings.Contains(stdout, "verdict: fine") {
			t.Fatalf("exit %d: %s%s", exit, stdout, stderr)
		}
	}
	data, err := os.ReadFile(file)
	if err != nil || !json.Valid(data) {
		t.Errorf("%v: %s", err, data)
	}
	left, _ := os.ReadDir(filepath.Dir(file))
	if len(left) != 1 {
		t.Errorf("temporary files were left: %v", left)
	}
}
