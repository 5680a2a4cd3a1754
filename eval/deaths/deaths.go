// Package deaths tests how allele handles inputs that crash their process.
//
// Each fault is triggered by an ordered search tree with at least five nodes. The real
// command searches for the fault in a fresh module; then plain go test runs the stored
// cases. The experiment checks that each fault is found, that its input is stored, and
// that the report shows where it happened. It also checks that go test fails because of
// the stored case, and still runs all tests.
package deaths

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/allele-go/allele/eval/lab"
	"github.com/allele-go/allele/eval/scratch"
)

// Experiment fails if a fault is not found, stored, shown and replayed.
var Experiment = lab.Experiment{
	Name: "deaths",
	Doc:  "faults that crash the test process, triggered by an ordered tree of 5 nodes: found, stored, shown, replayed by go test",
	Run:  run,
}

// kind is a fault: its usual name, the function in testdata/faults.go, and the
// beginning of its report.
type kind struct{ name, function, headline string }

// kinds lists all faults. Concurrent writes to a map are only found when all saved
// inputs are run again on several cores, so no single run is reported for them.
var kinds = []kind{
	{"panic", "Panic", "property panicked: out of order"},
	{"panic in a goroutine", "Goroutine", "a goroutine of the property panicked: out of reach"},
	{"stack overflow", "Overflow", "stack overflow in scratch.descend"},
	{"stack overflow in `fmt`", "First", "stack overflow in scratch."},
	{"`os.Exit(0)`", "Exit0", "property called os.Exit(0)"},
	{"`os.Exit(3)`", "Exit3", "property called os.Exit(3)"},
	{"deadlock", "Deadlock", "deadlock: every goroutine waits in scratch.Deadlock"},
	{"endless loop in `sort`", "Hang", "property did not end: it was still running after "},
	{"100 GB of memory", "Memory", "property ran out of memory in scratch.Memory"},
	{"concurrent map writes", "Maps", "concurrent map "},
	{"SIGKILL to itself", "Kill", "the property's process was killed by SIGKILL"},
}

const (
	runTimeout = "8s"   // more than the second that a busy machine needs to print a deep stack
	deadline   = "120s" // timeout of plain go test, which must exit earlier
	lastWord   = "the last test was run"
)

func run(cfg lab.Config) (*lab.Result, error) {
	m, err := scratch.New(map[string]string{"tree.go": tree, "faults.go": faults, "faults_test.go": tests()})
	if err != nil {
		return nil, err
	}
	defer m.Close()
	seeds := cfg.SeedsOr(lab.Default[int]{Full: 3, Quick: 1})
	res := &lab.Result{Seeds: seeds, Summary: map[string]any{"per-run timeout": runTimeout}}
	all := make([]trials, len(kinds))
	for _, seed := range res.Seeds {
		cfg.Logf("seed %d", seed)
		searched, err := m.Allele("-run-timeout", runTimeout, "-tests", "1000", "-seed", fmt.Sprint(seed))
		if err != nil {
			return nil, err
		}
		again, err := m.GoTest("-timeout", deadline, "-count=1")
		if err != nil {
			return nil, err
		}
		for i, k := range kinds {
			stored, err := k.stored(m.Dir())
			if err != nil {
				return nil, err
			}
			all[i].add(k, trial{
				searched: k.report(searched), stored: stored,
				again: k.replay(again), ended: strings.Contains(again, lastWord),
			})
		}
	}
	lost := 0
	for i, k := range kinds {
		res.Rows = append(res.Rows, all[i].row(k))
		lost += all[i].n - all[i].whole
	}
	res.Summary["lost"] = lost
	if lost > 0 {
		return res, fmt.Errorf("%d of %d faults were not found, stored, shown and replayed:\n%s",
			lost, len(kinds)*len(res.Seeds), lab.Text(res.Rows))
	}
	return res, nil
}

var (
	//go:embed testdata/tree.go
	tree string
	//go:embed testdata/faults.go
	faults string
)

// tests returns a test file with a property for each kind.
func tests() string {
	var b strings.Builder
	b.WriteString(`package scratch

import (
	"fmt"
	"testing"

	"github.com/allele-go/allele"
)

func check(t *testing.T, fault func(size int)) {
	allele.Check(t, func(t *allele.T, in *Tree) {
		t.Assume(in.Ordered(-100, 100))
		fault(in.Size())
	})
}
`)
	for _, k := range kinds {
		fmt.Fprintf(&b, "\nfunc %s(t *testing.T) { check(t, %s) }\n", k.test(), k.function)
	}
	fmt.Fprintf(&b, "\nfunc TestZ(t *testing.T) { fmt.Println(%q) }\n", lastWord)
	return b.String()
}

func (k kind) test() string { return "Test" + k.function }

var (
	nextLine = regexp.MustCompile(`\nscratch\.Test`)
	nextTest = regexp.MustCompile(`\n--- (?:FAIL|PASS): `)
	runLine  = regexp.MustCompile(`(?m)^ +run ([0-9,]+), seed `)
	lastLine = regexp.MustCompile(`the last places before the end, the latest first:\n +.*\bfaults\.go:\d+\n`)
	stack    = regexp.MustCompile(`(?s)\n +stack(?: of the panic)?:\n.*\bfaults\.go:\d+\n`)
)

// report returns what the command printed about the property.
func (k kind) report(text string) string {
	return section(text, "\nscratch."+k.test()+" ", nextLine)
}

// replay returns what go test printed about the property.
func (k kind) replay(text string) string {
	return section("\n"+text, "\n--- FAIL: "+k.test()+" (", nextTest)
}

// section returns the text after an opening, up to the next match of next.
func section(text, opening string, next *regexp.Regexp) string {
	_, rest, _ := strings.Cut(text, opening)
	if end := next.FindStringIndex(rest); end != nil {
		return rest[:end[0]+1]
	}
	return rest
}

// stored returns the text of the property's stored case, or "".
func (k kind) stored(dir string) (string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "testdata", "allele", k.test(), "*.case"))
	if err != nil || len(files) == 0 {
		return "", err
	}
	data, err := os.ReadFile(files[0])
	return string(data), err
}

// trial is one search for a fault: what the command printed, the case that it
// stored, what go test printed about that case, and whether go test reached its
// last test.
type trial struct {
	searched, stored, again string
	ended                   bool
}

// trials counts the outcomes of trials. whole is the number of trials that succeeded in
// every respect.
type trials struct {
	n, found, kept, replayed, whole int
	runs                            []float64
	shown                           map[string]bool
	nodes                           int
}

func (t *trials) add(k kind, one trial) {
	found := strings.Contains(one.searched, "FAILED\n") && strings.Contains(one.searched, ": "+k.headline)
	kept := strings.Contains(one.stored, "// message  "+k.headline)
	replayed := one.ended && strings.Contains(one.again, ": "+k.headline) && strings.Contains(one.again, "testdata/allele/"+k.test()+"/")
	shown := place(one.searched)
	t.n++
	count(&t.found, found)
	count(&t.kept, kept)
	count(&t.replayed, replayed)
	count(&t.whole, found && kept && replayed && shown != "")
	if t.shown == nil {
		t.shown = map[string]bool{}
	}
	t.shown[shown] = true
	t.nodes = max(t.nodes, strings.Count(one.stored, "&Tree{"))
	if m := runLine.FindStringSubmatch(one.searched); m != nil {
		n, _ := strconv.Atoi(strings.ReplaceAll(m[1], ",", "")) // only digits match
		t.runs = append(t.runs, float64(n))
	}
}

func count(n *int, yes bool) {
	if yes {
		*n++
	}
}

// place returns how a report shows where the failure happened: "stack", "last places", or
// "" if it does not show this.
func place(report string) string {
	switch {
	case stack.MatchString(report):
		return "stack"
	case lastLine.MatchString(report):
		return "last places"
	}
	return ""
}

func (t *trials) row(k kind) lab.Row {
	of := func(n int) string { return fmt.Sprintf("%d of %d", n, t.n) }
	shown := "differs"
	if len(t.shown) == 1 {
		for shown = range t.shown {
		}
	}
	row := lab.Row{lab.Col("what a run does", k.name), lab.Col("found", of(t.found))}
	if len(t.runs) > 0 {
		row = append(row, lab.Col("runs p50", lab.Median(t.runs)))
	}
	return append(row, lab.Col("input kept", of(t.kept)), lab.Col("shown", shown), lab.Col("nodes at most", t.nodes),
		lab.Col("`go test` fails and goes on", of(t.replayed)))
}
