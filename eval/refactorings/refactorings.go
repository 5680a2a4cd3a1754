// Package refactorings changes modules that have stored cases, as people do, and looks whether
// a case dies in silence.
//
// Each module has a planted bug that no search finds, and a stored case that shows it. After
// the change, either the case still fails, or a line names it: in plain go test in the folder of
// the package, or in allele test ./... of the module. With ALLELE_STRICT=1 the line is a failure.
// If the line suggests a command, the experiment runs it as printed. Then the bug is found again,
// or, if the change removed it, nothing is said any more.
package refactorings

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/allele-go/allele/eval/lab"
)

// Experiment fails if a stored case dies in silence.
var Experiment = lab.Experiment{
	Name: "refactorings",
	Doc:  "changes of types and tests that have stored cases: does a case still fail, is it named, or does it die in silence",
	Run:  run,
}

// quick are the refactorings that CI makes.
var quick = []string{"rename a field", "split a test, one part keeps the name", "turn a test into a subtest", "rename a row of a table"}

// atOnce is the number of modules that are changed at the same time.
const atOnce = 2

func run(cfg lab.Config) (*lab.Result, error) {
	only, err := cfg.Match()
	if err != nil {
		return nil, err
	}
	list, err := all()
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(r refactoring) bool {
		return !only(r.name) || cfg.Quick && cfg.Only == "" && !slices.Contains(quick, r.name)
	})
	if len(list) == 0 {
		return nil, errors.New("-only matches no refactoring")
	}
	dir, err := os.MkdirTemp("", "refactorings")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	l := &laboratory{dir: dir, quick: cfg.Quick}
	if err := l.prepare(); err != nil {
		return nil, err
	}
	outcomes, errs := l.all(cfg, list)
	res := &lab.Result{Summary: map[string]any{"refactorings": len(list)}}
	count := map[string]int{}
	onlyAllele := 0
	for i, o := range outcomes {
		res.Rows = append(res.Rows, o.row(list[i]))
		count[o.class()]++
		if !o.first.strict && list[i].checkLeft() {
			onlyAllele++
		}
		errs[i] = errors.Join(errs[i], o.problems(list[i]))
	}
	res.Summary["still fail"], res.Summary["lines"], res.Summary["silent"] = count[stillFails], count[line], count[silent]
	res.Summary["red only in allele test, though the package has a Check"] = onlyAllele
	return res, errors.Join(errs...)
}

// all makes the refactorings, a few at the same time.
func (l *laboratory) all(cfg lab.Config, list []refactoring) ([]outcome, []error) {
	outcomes, errs := make([]outcome, len(list)), make([]error, len(list))
	var mu sync.Mutex // guards the log
	var wg sync.WaitGroup
	next := make(chan int)
	for range atOnce {
		wg.Go(func() {
			for i := range next {
				m := &module{laboratory: l, dir: filepath.Join(l.dir, fmt.Sprint(i)), refactoring: list[i]}
				o, err := m.try()
				if err != nil {
					errs[i] = fmt.Errorf("%s: %w", list[i].name, err)
				}
				mu.Lock()
				cfg.Logf("%-55s %s", list[i].name, o.summary(list[i]))
				for _, s := range append(o.first.lines(), o.last.lines()...) {
					cfg.Logf("    %s", s)
				}
				mu.Unlock()
				outcomes[i] = o
				os.RemoveAll(m.dir)
				os.RemoveAll(m.dir + "-cache")
			}
		})
	}
	for i := range list {
		next <- i
	}
	close(next)
	wg.Wait()
	return outcomes, errs
}
