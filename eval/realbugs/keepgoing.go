package realbugs

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/allele-go/allele/eval/lab"
	tool "github.com/allele-go/allele/eval/trial"
)

// KeepGoing measures which failures a search reports that goes on after the first one. The properties are those of
// Experiment as a user writes them: inputs that fail in another way than the known bug fail too.
var KeepGoing = lab.Experiment{
	Name: "keepgoing",
	Doc:  "whether allele test -keep-going reports the known bug of a published module beside other failures",
	Run:  runKeepGoing,
}

var (
	goingBudget = lab.Default[time.Duration]{Full: 60 * time.Second, Quick: 10 * time.Second}
	goingSeeds  = lab.Default[int]{Full: 3, Quick: 1}
)

// going is the result of a search that goes on.
type going struct {
	Runs    int  `json:"runs"`
	Reports int  `json:"reports"`
	Known   int  `json:"known"` // reports about the known bug
	Other   bool `json:"other"` // the first report is about another failure
}

func runKeepGoing(cfg lab.Config) (*lab.Result, error) {
	// The place is that of Experiment, where the libraries may be compiled already.
	s := &study{Config: cfg, name: "full", rows: slices.Clone(rows), arms: []arm{guided}, budget: goingBudget}
	only, err := s.Match()
	if err != nil {
		return nil, err
	}
	s.rows = slices.DeleteFunc(s.rows, func(r row) bool { return !only(r.name) || r.heldOut || s.Quick && !r.quick })
	if len(s.rows) == 0 {
		return nil, errors.New("-only matches no row")
	}
	for i := range s.SeedsOr(goingSeeds) {
		for _, r := range s.rows {
			s.trials = append(s.trials, trial{row: r, Arm: guided, Seed: firstSeed + uint64(i), Budget: s.BudgetOr(s.budget)})
		}
	}
	all, err := s.goOn()
	if g := all[s.rows[0].name]; s.Quick && err == nil && (len(g) != 1 || g[0].Known == 0) {
		err = fmt.Errorf("%s: the known bug was not reported: %+v", s.rows[0].name, g)
	}
	res := &lab.Result{Summary: map[string]any{"first seed": firstSeed, "cpu s of a search": s.BudgetOr(s.budget).Seconds()}}
	hidden, shown := 0, 0
	for _, r := range s.rows {
		found := all[r.name]
		if len(found) == 0 {
			continue
		}
		other, both, known := 0, 0, 0
		var reports []float64
		for _, g := range found {
			reports = append(reports, float64(g.Reports))
			if g.Known > 0 {
				known++
			}
			if g.Other {
				other++
				if g.Known > 0 {
					both++
				}
			}
		}
		if other > 0 {
			hidden++
			if both == other {
				shown++
			}
		}
		res.Rows = append(res.Rows, lab.Row{lab.Col("row", r.name), lab.Col("searches", len(found)), lab.Col("known bug reported", known),
			lab.Col("another failure first", other), lab.Col("and then the known bug", both),
			lab.Col("reports p50", lab.Median(reports)), lab.Col("reports max", slices.Max(reports))})
	}
	res.Summary["rows where another failure came first"] = hidden
	res.Summary["of these, the known bug was reported in all such searches"] = shown
	return res, err
}

// goOn makes the searches, one on each core at a time.
func (s *study) goOn() (all map[string][]going, err error) {
	s.Logf("building the command")
	cores := runtime.NumCPU()
	if s.Quick {
		s.name, cores = "quick", 1 // the place of the quick run of Experiment, where the library is compiled already
	}
	m, err := prepare(s.name, cores)
	if err != nil {
		return nil, err
	}
	defer m.close()
	todo := make([]int, len(s.trials))
	for i := range todo {
		todo[i] = i
	}
	for _, r := range s.rows {
		s.Logf("building %s", r.name)
		if err := m.prepare(r, s.arms); err != nil {
			return nil, fmt.Errorf("%s: %w", r.name, err)
		}
	}
	if err := s.warm(m, todo); err != nil {
		return nil, err
	}
	all = map[string][]going{}
	var mu sync.Mutex
	left := tool.OnCores(todo, func(i, core int) {
		tr := s.trials[i]
		g, one := m.goOn(tr, core)
		mu.Lock()
		defer mu.Unlock()
		if one != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", tr, one))
			return
		}
		all[tr.name] = append(all[tr.name], g)
		s.Logf("%s: %+v", tr, g)
	})
	if left > 0 {
		s.Logf("interrupted: %d searches are left out", left)
	}
	return all, err
}

// goOn makes a search, and then asks which of the stored inputs show the known bug.
func (m *module) goOn(tr trial, core int) (g going, err error) {
	dir, err := os.MkdirTemp(m.dir, "trial")
	if err != nil {
		return g, err
	}
	defer os.RemoveAll(dir)
	if err := m.clear(tr.row, core); err != nil {
		return g, err
	}
	cmd := m.call(tr.row, core, "test", "-run", "^TestAny$", "-workers", "1", "-fresh", "-keep-going", "-scope", tr.packages(),
		"-seed", fmt.Sprint(tr.Seed), "-for", tool.Wall(tr.Budget).String(), ".")
	done, err := (&tool.Search{Cmd: cmd, Temp: dir, Core: core, Budget: tr.Budget}).Run()
	if err != nil {
		return g, err
	}
	g.Runs = done.Counts.Runs
	files, err := filepath.Glob(filepath.Join(m.src(tr.row, core), "testdata", "allele", "TestAny", "fail-*.case"))
	if err != nil || len(files) == 0 {
		return g, err
	}
	g.Reports = len(files)
	first := oldest(files)
	g.Other = true
	for _, f := range files {
		known, err := m.isKnown(tr, core, f)
		if err != nil {
			return g, err
		}
		if known {
			g.Known++
			g.Other = g.Other && f != first
		}
	}
	return g, nil
}

// isKnown reports whether a stored input of TestAny shows the known bug: whether TestKnown fails for it. The command
// asks, because a plain test binary does not know the variants of interfaces.
func (m *module) isKnown(tr trial, core int, file string) (bool, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return false, err
	}
	src := m.src(tr.row, core)
	cases := filepath.Join("testdata", "allele", "TestKnown")
	if err := os.RemoveAll(filepath.Join(src, cases)); err != nil {
		return false, err
	}
	text = bytes.Replace(text, []byte(" TestAny\n"), []byte(" TestKnown\n"), 1)
	if err := lab.WriteFile(filepath.Join(src, cases, "fail-1.case"), text); err != nil {
		return false, err
	}
	defer os.RemoveAll(filepath.Join(src, cases))
	// The command fails if the case does, or if little was checked.
	out, _ := m.call(tr.row, core, m.args(tr.row, "-seed", "1", "-tests", "1")...).CombinedOutput()
	place := filepath.ToSlash(filepath.Join(cases, "fail-1.case"))
	known := bytes.Contains(out, []byte("from     "+place))
	if !known && !bytes.Contains(out, []byte(place+" checks nothing: it was discarded")) {
		return false, fmt.Errorf("%s was not run:\n%s", file, out)
	}
	return known, nil
}

// oldest returns the file that was written first.
func oldest(files []string) string {
	return slices.MinFunc(files, func(a, b string) int {
		x, errX := os.Stat(a)
		y, errY := os.Stat(b)
		if errX != nil || errY != nil {
			return strings.Compare(a, b)
		}
		return cmp.Or(x.ModTime().Compare(y.ModTime()), strings.Compare(a, b))
	})
}
