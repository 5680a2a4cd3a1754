// Package endless tests that allele tells runs that never end from runs that are only
// long.
//
// The long programs take more than five million steps for some inputs, and always end:
// none of them may fail. The endless programs do not end for some inputs: all of them must
// fail, and repetitions must print the same report, up to the step at which the run was
// stopped.
package endless

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/eval/scratch"
)

// Experiment fails if a long program is called endless, or an endless one is not found.
var Experiment = lab.Experiment{
	Name: "endless",
	Doc:  "long programs that end and endless ones: false alarms, findings, and whether repetitions print the same",
	Run:  run,
}

var (
	//go:embed testdata/long.go
	long string
	//go:embed testdata/endless.go
	endless string
)

// plan is what is run, and how often.
type plan struct {
	long, endless []string // names of programs
	tests         string   // runs of each long program
	repetitions   int      // searches of each endless program
	timeout       string   // per-run timeout of endless programs
}

func newPlan(quick bool) plan {
	if quick {
		return plan{[]string{"Interpreter", "Pipeline", "Far"}, []string{"Empty", "Ring", "Spin"},
			"40", 2, "1s"}
	}
	return plan{programs(long), programs(endless), "60", 10, "2s"}
}

func run(cfg lab.Config) (*lab.Result, error) {
	p := newPlan(cfg.Quick)
	tests := properties(append(p.long, p.endless...))
	m, err := scratch.New(map[string]string{"long.go": long, "endless.go": endless, "all_test.go": tests})
	if err != nil {
		return nil, err
	}
	defer m.Close()
	res := &lab.Result{Seeds: cfg.SeedsOr(lab.Default[int]{Full: 3, Quick: 1}), Summary: map[string]any{}}
	var all totals
	for _, name := range p.long {
		row, err := runLong(cfg, m, name, p.tests, res.Seeds, &all)
		if err != nil {
			return nil, err
		}
		res.Rows = append(res.Rows, row)
	}
	for _, name := range p.endless {
		row, err := runEndless(cfg, m, name, p, &all)
		if err != nil {
			return nil, err
		}
		res.Rows = append(res.Rows, row)
	}
	of := func(n int, names []string) string { return fmt.Sprintf("%d of %d", n, len(names)) }
	res.Summary["false alarms"] = of(all.alarms, p.long)
	res.Summary["long programs with runs over 5,000,000 steps"] = of(all.long, p.long)
	res.Summary["endless programs found"] = of(all.found, p.endless)
	res.Summary["endless programs with the same report each time"] = of(all.same, p.endless)
	if all != (totals{0, len(p.long), len(p.endless), len(p.endless)}) {
		return res, fmt.Errorf("a false alarm, or a program that was not as long or as endless as it should be:\n%s\n%v",
			lab.Text(res.Rows), res.Summary)
	}
	return res, nil
}

// totals counts programs.
type totals struct {
	alarms int // long programs that failed
	long   int // long programs with long runs
	found  int // endless programs that were found each time
	same   int // endless programs with the same report each time
}

// runLong searches a long program.
func runLong(cfg lab.Config, m *scratch.Module, name, tests string, seeds []uint64, all *totals) (lab.Row, error) {
	runs, many, failed := 0, 0, 0
	for _, seed := range seeds {
		cfg.Logf("%s, seed %d", name, seed)
		text, err := m.Allele("-run", "^Test"+name+"$", "-tests", tests, "-seed", fmt.Sprint(seed))
		if err != nil {
			return nil, err
		}
		r := read(text)
		runs, many = runs+r.runs, many+r.long
		if !r.ok {
			failed++
			cfg.Logf("%s", text)
		}
	}
	all.alarms += min(1, failed)
	all.long += min(1, many)
	return lab.Row{lab.Col("program", name), lab.Col("ends", "always"), lab.Col("runs", runs), lab.Col("over 5,000,000 steps", many),
		lab.Col("failed", fmt.Sprintf("%d of %d", failed, len(seeds)))}, nil
}

// runEndless searches an endless program several times.
func runEndless(cfg lab.Config, m *scratch.Module, name string, p plan, all *totals) (lab.Row, error) {
	reports, failed, most := map[string]int{}, 0, 0
	for i := range p.repetitions {
		cfg.Logf("%s, repetition %d", name, i+1)
		args := []string{"-run", "^Test" + name + "$", "-fresh"}
		if name != "Tokens" { // which is stopped by its memory, and takes longer than the timeout on a busy machine
			args = append(args, "-run-timeout", p.timeout)
		}
		text, err := m.Allele(args...)
		if err != nil {
			return nil, err
		}
		r := read(text)
		reports[r.report]++
		most = max(most, reports[r.report])
		if stopped.MatchString(r.report) {
			failed++
		} else {
			cfg.Logf("%s", text)
		}
	}
	all.found += failed / p.repetitions
	all.same += most / p.repetitions
	return lab.Row{lab.Col("program", name), lab.Col("ends", "not always"),
		lab.Col("failed", fmt.Sprintf("%d of %d", failed, p.repetitions)),
		lab.Col("same report", fmt.Sprintf("%d of %d", most, p.repetitions))}, nil
}

// programs returns the names of the exported functions of a file.
func programs(text string) (names []string) {
	file, err := parser.ParseFile(token.NewFileSet(), "", text, 0)
	if err != nil {
		panic("endless: " + err.Error()) // the file is embedded
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.IsExported() {
			names = append(names, f.Name.Name)
		}
	}
	return names
}

// properties returns a test file with a property for each program.
func properties(names []string) string {
	var b strings.Builder
	b.WriteString("package scratch\n\nimport (\n\t\"testing\"\n\n\t\"github.com/allele-go/allele\"\n)\n")
	for _, name := range names {
		fmt.Fprintf(&b, `
func Test%[1]s(t *testing.T) {
	allele.Check(t, func(t *allele.T, in []byte) {
		if %[1]s(in) < 0 {
			t.Error("negative")
		}
	})
}
`, name)
	}
	return b.String()
}

var (
	row      = regexp.MustCompile(`(?m)^scratch\.\S+ +([0-9,]+) .*  (ok|FAILED)$`)
	manyLong = regexp.MustCompile(`(?m)^ +([0-9,]+) runs? took more than 5,000,000 steps`)
	// The parts of a report that must not change: how it ended and after which step, the
	// shrunk input, and the loop.
	headline = regexp.MustCompile(`_test\.go:\d+: (.*)\n`)
	input    = regexp.MustCompile(`(?s)\n +(?:in := |var in ).*?\n *\n`)
	hottest  = regexp.MustCompile(`\n    hottest: .*`)
)

// stopped is the report of an endless program.
var stopped = regexp.MustCompile(`^property did not end: it was stopped after 5,000,000 steps\n(?s:.*)hottest: .*endless\.go:\d+$`)

// result is what the command printed about a property.
type result struct {
	ok         bool
	runs, long int
	report     string // the parts of the report that must not change
}

func read(text string) (r result) {
	if m := row.FindStringSubmatch(text); m != nil {
		r.runs, r.ok = number(m[1]), m[2] == "ok"
	}
	if m := manyLong.FindStringSubmatch(text); m != nil {
		r.long = number(m[1])
	}
	if m := headline.FindStringSubmatch(text); m != nil {
		r.report = m[1] + "\n" + input.FindString(text) + hottest.FindString(text)
	}
	return r
}

// number reads a number with commas.
func number(s string) int {
	n, _ := strconv.Atoi(strings.ReplaceAll(s, ",", "")) // only digits match
	return n
}
