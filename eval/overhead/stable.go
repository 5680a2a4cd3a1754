package overhead

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/source/build"
)

// Stable runs the same inputs in two processes. Where the paths differ, it names the
// place of the first difference. It fails if paths differ in a workload without a known
// reason, or at a line that is not marked with the reason.
var Stable = lab.Experiment{
	Name: "stable",
	Doc:  "whether the same inputs take the same paths in another process, and where they do not",
	Run:  stable,
}

// mapped loops over a map, whose order of keys is different in every process. routines
// starts goroutines; its runs are compared by the set of their sites.
var (
	mapped   = workload{name: "map iteration", pkg: "maps", quick: true}
	routines = workload{name: "goroutines", pkg: "routines", quick: true}
)

// reason is the comment on the source lines at which a path may differ.
const reason = "// by the order of keys"

func stable(cfg lab.Config) (*lab.Result, error) {
	all := []workload{mapped, routines}
	for _, w := range workloads {
		if slices.Contains([]string{"encoding/json any", "go/parser", "goldmark"}, w.name) {
			all = append(all, w)
		}
	}
	all, inputs := chosen(all, cfg.Quick), 10_000
	if cfg.Quick {
		inputs = 500
	}
	s, err := prepare(all)
	if err != nil {
		return nil, err
	}
	defer s.close()
	res := &lab.Result{Seeds: []uint64{inputSeed}}
	for _, w := range all {
		cfg.Logf("%s", w.name)
		row, err := s.twice(w, inputs)
		if err != nil {
			return nil, err
		}
		res.Rows = append(res.Rows, row)
	}
	return res, nil
}

// twice runs one workload in two processes.
func (s *scratch) twice(w workload, inputs int) (lab.Row, error) {
	o, err := s.instrumented(w, budgeted, build.Config{})
	if err != nil {
		return nil, err
	}
	a, b, err := s.pair(w, o, sequence{inputs: inputs})
	if err != nil {
		return nil, err
	}
	judged := "path"
	if w.name == routines.name {
		judged = "set of sites"
	}
	unstable := differ(a, b)
	where := ""
	if (len(unstable) > 0) != (w.name == mapped.name) {
		return nil, fmt.Errorf("%s: %d of %d runs took a different path in a second process, the first is run %d",
			w.name, len(unstable), inputs, first(unstable))
	}
	if len(unstable) > 0 {
		if where, err = s.locate(w, o, unstable[0]); err != nil {
			return nil, err
		}
	}
	return lab.Row{lab.Col("workload", w.name), lab.Col("judged by", judged), lab.Col("runs", inputs), lab.Col("paths", a.distinct),
		lab.Col("identical", inputs-len(unstable)), lab.Col("first unstable site", where)}, nil
}

// pair runs the same inputs in two processes.
func (s *scratch) pair(w workload, o *build.Overlay, q sequence) (a, b *generated, err error) {
	if a, err = s.generate(w, budgeted, o, q); err != nil {
		return nil, nil, err
	}
	b, err = s.generate(w, budgeted, o, q)
	return a, b, err
}

const (
	// window is the number of runs that are compared symbol by symbol, starting at the
	// first run that differed. One run is not enough: it may take the same path in the
	// next two processes.
	window = 50
	// attempts is how many times a window is compared.
	attempts = 5
)

// locate returns the place at which the paths of a run diverge in two processes.
func (s *scratch) locate(w workload, o *build.Overlay, run int) (string, error) {
	for range attempts {
		a, b, err := s.pair(w, o, sequence{inputs: run + window, from: run, to: run + window})
		if err != nil {
			return "", err
		}
		if other := differ(a, b); len(other) > 0 {
			return s.place(o, a.symbols[other[0]], b.symbols[other[0]])
		}
	}
	return "", fmt.Errorf("%s: run %d differed once and never again", w.name, run)
}

// place returns the site at which two paths diverge, as file:line, and checks that the
// line is marked with a reason.
func (s *scratch) place(o *build.Overlay, a, b []uint32) (string, error) {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	if i == len(a) {
		a = b // the shorter path ended: the site is the next one of the other path
	}
	if i == len(a) {
		return "", fmt.Errorf("two runs differ in their hits, but not in the first %d", i)
	}
	at, err := find(o, a[i])
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(at.File)
	if err != nil {
		return "", err
	}
	name, err := filepath.Rel(s.src, at.File)
	if err != nil {
		return "", err
	}
	where := fmt.Sprintf("%s:%d", filepath.ToSlash(name), at.Line)
	if line := strings.Split(string(text), "\n")[at.Line-1]; !strings.Contains(line, reason) {
		return "", fmt.Errorf("unstable at %s, a line without a known reason: %s", where, strings.TrimSpace(line))
	}
	return where, nil
}

// idMask selects the site's ID in a symbol. The bits above it are the kind of the
// site.
const idMask = 1<<22 - 1

func find(o *build.Overlay, symbol uint32) (site.Site, error) {
	i := slices.IndexFunc(o.Sites, func(s site.Site) bool { return s.ID == symbol&idMask })
	if i < 0 {
		return site.Site{}, fmt.Errorf("no site has the number %d", symbol&idMask)
	}
	return o.Sites[i], nil
}
