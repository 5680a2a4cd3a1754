// Package programs measures searches for failures of programs in other languages.
package programs

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"testing"

	"github.com/allele-go/allele"
	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/formats/code"
	"github.com/allele-go/allele/program"
)

// Coherence measures how many generated programs run without an error about a name.
var Coherence = lab.Experiment{
	Name: "coherence",
	Doc:  "share of generated programs that run without an error about a name, with coherent names and without",
	Run:  runCoherence,
}

// interpreter runs programs of a language.
type interpreter struct {
	language string
	commands []string       // the first one that is installed
	name     *regexp.Regexp // matches the message about a name
}

var interpreters = []interpreter{
	{"lua", []string{"lua5.1"}, regexp.MustCompile(`attempt to (call|index|perform|concatenate).*nil value|undefined`)},
	{"python", []string{"/usr/bin/python3", "python3"}, regexp.MustCompile(`NameError|UnboundLocalError`)},
	{"javascript", []string{"node"}, regexp.MustCompile(`ReferenceError`)},
	{"sh", []string{"sh"}, regexp.MustCompile(`not found`)},
}

// tested is how many programs of each seed are run.
var tested = lab.Default[int]{Full: 100, Quick: 20}

func runCoherence(cfg lab.Config) (*lab.Result, error) {
	res := &lab.Result{Summary: map[string]any{}}
	for i := range cfg.SeedsOr(lab.Default[int]{Full: 10, Quick: 1}) {
		res.Seeds = append(res.Seeds, uint64(i+1))
	}
	n := tested.Full
	if cfg.Quick {
		n = tested.Quick
	}
	for _, i := range interpreters {
		command := i.installed()
		if command == "" {
			cfg.Logf("%s is not installed", i.commands[0])
			continue
		}
		for _, coherent := range []bool{true, false} {
			var all counts
			for _, seed := range res.Seeds {
				c, err := i.run(command, coherent, seed, n)
				if err != nil {
					return res, err
				}
				if c.runs != n {
					return res, fmt.Errorf("%s: %d programs were run, not %d", i.language, c.runs, n)
				}
				all.add(c)
			}
			cfg.Logf("%s, coherent %v: %+v", i.language, coherent, all)
			res.Rows = append(res.Rows, lab.Row{lab.Col("language", i.language), lab.Col("coherent", fmt.Sprint(coherent)),
				lab.Col("programs", all.runs), lab.Col("bytes", all.bytes/max(1, all.runs)),
				lab.Col("run %", percent(all.runs-all.failed, all.runs)),
				lab.Col("without a name error %", percent(all.runs-all.names, all.runs))})
			if coherent && (all.runs == 0 || all.names > 0) {
				return res, fmt.Errorf("%s: %d of %d coherent programs have an error about a name", i.language, all.names, all.runs)
			}
		}
	}
	if len(res.Rows) == 0 {
		return res, errors.New("no interpreter is installed")
	}
	return res, nil
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(1, of)) }

func (i interpreter) installed() string {
	for _, c := range i.commands {
		if path, err := exec.LookPath(c); err == nil {
			return path
		}
	}
	return ""
}

type counts struct{ runs, failed, names, bytes int }

func (c *counts) add(o counts) {
	c.runs, c.failed, c.names, c.bytes = c.runs+o.runs, c.failed+o.failed, c.names+o.names, c.bytes+o.bytes
}

// run generates programs of one seed, and runs each.
func (i interpreter) run(command string, coherent bool, seed uint64, n int) (c counts, err error) {
	p := &program.Program{Args: []string{command, "@@"}}
	defer p.Close()
	options := []allele.Option{code.Statements, code.Expressions, allele.Seed(seed), allele.Tests(n), allele.AllowVacuous()}
	t := lab.Test("TestCoherence", func(t testing.TB) {
		allele.Check(t, func(t *allele.T, v code.Program) {
			source, err := code.Source(i.language, v, coherent)
			if err != nil {
				t.Fatal(err)
			}
			r, err := p.Run(source)
			if err != nil {
				t.Fatal(err)
			}
			c.runs, c.bytes = c.runs+1, c.bytes+len(source)
			if r.Code != 0 {
				c.failed++
			}
			if i.name.MatchString(r.Stderr) {
				c.names++
			}
		}, options...)
	})
	if t.Failed() {
		err = errors.Join(fmt.Errorf("%s: %v", i.language, t.Logged), os.RemoveAll("testdata"))
	}
	return c, err
}
