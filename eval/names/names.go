// Package names measures whether a search learns which names fit: how many of the programs that it runs use only
// names that they declare.
//
// The programs are Go files, which go/types checks, and templates of text/template. Their types are ordinary Go types
// with strings for names. The arms are the search of the command, the same search without copies of numbers and texts
// from one field to another ("without"), and the search with options that say where some names come from ("declared").
package names

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"os/exec"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/eval/papers"
	"github.com/allele-go/allele/eval/scratch"
	"github.com/allele-go/allele/internal/proc/event"
)

// Experiment measures shares of programs.
var Experiment = lab.Experiment{
	Name: "names",
	Doc:  "share of programs of two languages that use only names they declare, with copies from field to field and without",
	Run:  run,
}

//go:embed testdata
var files embed.FS

// languages are the properties of the module, by the name of the language.
var languages = []struct{ name, property string }{{"Go", "TestGo"}, {"text/template", "TestTemplate"}}

// arms are the strategies that are compared, and the end of the names of their properties.
var arms = []struct{ name, strategy, options string }{
	{"without", "guided-no-copies", ""},
	{"with", "guided", ""},
	{"declared", "guided", "Declared"},
}

// firstSeed is the first seed of the reported searches: smaller seeds were used for tuning.
const firstSeed = 5001

var (
	seeds  = lab.Default[int]{Full: 10, Quick: 1}
	passes = lab.Default[int]{Full: 5_000, Quick: 500} // a search ends after so many programs without an error
)

func run(cfg lab.Config) (*lab.Result, error) {
	code := map[string]string{}
	for _, name := range []string{"programs.go", "programs_test.go"} {
		text, err := files.ReadFile("testdata/" + name + ".txt")
		if err != nil {
			return nil, err
		}
		code[name] = string(text)
	}
	m, err := scratch.New(code)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	most := passes.Full
	if cfg.Quick {
		most = passes.Quick
	}
	res := &lab.Result{Summary: map[string]any{"programs without an error": most}}
	all := map[[2]string]*shares{}
	for _, seed := range cfg.SeedsOr(seeds) {
		seed += firstSeed - 1
		res.Seeds = append(res.Seeds, seed)
		for _, l := range languages {
			for _, a := range arms {
				f, cpu, err := search(m, l.property+a.options, a.strategy, seed, most)
				if err != nil {
					return nil, fmt.Errorf("%s, %s, seed %d: %w", l.name, a.name, seed, err)
				}
				s := all[[2]string{l.name, a.name}]
				if s == nil {
					s = &shares{}
					all[[2]string{l.name, a.name}] = s
				}
				s.add(f, cpu)
				cfg.Logf("%s, %s, seed %d: %d of %d programs", l.name, a.name, seed, f.Counts.Passed, f.Counts.Runs)
			}
		}
	}
	for _, l := range languages {
		for _, a := range arms {
			s := all[[2]string{l.name, a.name}]
			res.Rows = append(res.Rows, s.row(l.name, a.name))
		}
	}
	return res, nil
}

// search makes one search, and returns its last event and its CPU seconds with those of its processes.
func search(m *scratch.Module, property, strategy string, seed uint64, most int) (f event.Finished, cpu float64, err error) {
	cmd := m.Command("test", "-json", "-fresh", "-run", "^"+property+"$", "-seed", fmt.Sprint(seed), "-tests", fmt.Sprint(most),
		"-workers", "1", ".")
	cmd.Env = append(cmd.Env, papers.MustVariable(strategy))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return f, 0, err
	}
	for e, err := range event.Read(bytes.NewReader(out)) {
		if err != nil {
			return f, 0, err
		}
		if last, ok := e.Body.(event.Finished); ok {
			f = last
		}
	}
	if f.Counts.Runs < most { // a search also ends after ten times as many programs with errors
		return f, 0, fmt.Errorf("%d programs, want at least %d: %v\n%s", f.Counts.Runs, most, err, stderr.String())
	}
	return f, (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), nil
}

// shares are the shares of programs without an error, by how they were made, of each search.
type shares struct{ all, fresh, havoc, features, cpu []float64 }

func (s *shares) add(f event.Finished, cpu float64) {
	s.all = append(s.all, float64(f.Counts.Passed)/float64(f.Counts.Runs))
	s.features = append(s.features, float64(f.Counts.Features))
	s.cpu = append(s.cpu, cpu)
	for _, k := range f.Search.Kinds {
		share := float64(k.Passed) / float64(max(1, k.Tried))
		switch k.Kind {
		case "fresh":
			s.fresh = append(s.fresh, share)
		case "havoc":
			s.havoc = append(s.havoc, share)
		}
	}
}

func (s *shares) row(language, arm string) lab.Row {
	return lab.Row{lab.Col("language", language), lab.Col("arm", arm), lab.Col("searches", len(s.all)),
		lab.Col("fresh", lab.Median(s.fresh)), lab.Col("several changes", lab.Median(s.havoc)), lab.Col("all", lab.Median(s.all)),
		lab.Col("features", lab.Median(s.features)), lab.Col("cpu s", lab.Median(s.cpu))}
}
