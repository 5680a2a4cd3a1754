package text

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/allele-go/allele/eval/foreign"
	"github.com/allele-go/allele/eval/lab"
)

// Every target has a definition of valid inputs, and its tests are Go.
func TestTargets(t *testing.T) {
	for _, target := range slices.Concat(parsers, magic, planted) {
		if _, err := sources.ReadFile("testdata/" + target.name + ".go.txt"); err != nil {
			t.Error(err)
		}
		for _, kind := range []string{propertyKind, nativeKind, rapidKind, replayKind, matchKind} {
			text, err := sources.ReadFile("testdata/" + target.test(kind) + "_test.go.txt")
			if err != nil {
				t.Fatal(err)
			}
			filled := target.fill(kind, string(text))
			if _, err := parser.ParseFile(token.NewFileSet(), "", filled, 0); err != nil {
				t.Errorf("%s, %s: %v\n%s", target.name, kind, err, filled)
			}
			seeds := kind == propertyKind || kind == nativeKind
			if has := strings.Contains(filled, "Seeded("); has != (seeds && target.seed != "") {
				t.Errorf("%s, %s: a test with a seed: %v", target.name, kind, has)
			}
		}
	}
	if n := len(parsers); n < 14 {
		t.Errorf("%d parsers", n)
	}
	if n := len(quick(parsers)); n != 2 {
		t.Errorf("%d parsers in a quick run", n)
	}
}

// The format of five parsers is declared for the arm match, and matches their seeds. The arm has
// a package, a cache and a binary of its own: it must not change those of other arms.
func TestMatch(t *testing.T) {
	s, m := &study{targets: parsers, arms: []arm{now, match}}, &module{dir: "d"}
	s.add(nothing, 0, s.arms...)
	n := 0
	for _, tr := range s.trials {
		line := strings.Join(m.line(tr, time.Second, ""), " ")
		if want := "./" + tr.name + "/" + tr.Arm.kind(); !strings.HasSuffix(line, want) {
			t.Errorf("%s: %s", tr, line)
		}
		if tr.Arm == now {
			if got := m.cache(tr.target, tr.Arm.kind()); got != filepath.Join("d", "cache", tr.name) {
				t.Errorf("%s: %s", tr, got)
			}
			continue
		}
		n++
		seed, err := strconv.Unquote(tr.seed)
		if re, compiles := regexp.Compile("^(" + tr.format + ")$"); err != nil || compiles != nil || tr.format == "" || !re.MatchString(seed) {
			t.Errorf("%s: %v, %v", tr, err, compiles)
		}
		if !strings.Contains(tr.fill(matchKind, "FORMAT"), tr.format) {
			t.Errorf("%s: the format is not declared", tr)
		}
		if m.cache(tr.target, matchKind) == m.cache(tr.target, propertyKind) {
			t.Errorf("%s: the cache is shared", tr)
		}
	}
	if n != 5 {
		t.Errorf("%d targets", n)
	}
}

// The copies of the standard library compile, and behave like the originals.
func TestLibrary(t *testing.T) {
	root, err := foreign.Go(t.TempDir(), nil, "env", "GOROOT")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	lib := newLibrary(strings.TrimSpace(root), dir, stdPath)
	for _, target := range parsers {
		if err := lib.copy(target.std...); err != nil {
			t.Fatal(err)
		}
		if target.extract[0] != "" {
			if err := lib.extract(target.extract[0], target.extract[1]); err != nil {
				t.Fatal(err)
			}
		}
	}
	const main = `package main

import (
	"fmt"

	"parsers/std/encoding/json"
	"parsers/std/go/parser"
	"parsers/std/net/netip"
	"parsers/std/net/url"
	"parsers/std/regexp/syntax"
	"parsers/std/text/template/parse"
	"parsers/std/time"
	"FLOAT"
)

func main() {
	fmt.Println(json.Valid([]byte("{}")), json.Valid([]byte("{")))
	_, err := parser.ParseExpr("f(")
	fmt.Println(err)
	fmt.Println(netip.MustParseAddr("fe80::1%eth0").Zone())
	u, err := url.Parse("http://a:b@c:1/?q#f")
	fmt.Println(u.Port(), u.User, err)
	re, err := syntax.Parse("(a){2}", syntax.Perl)
	fmt.Println(re, err)
	_, err = parse.New("t").Parse("{{if}}", "", "", map[string]*parse.Tree{})
	fmt.Println(err)
	d, err := time.ParseDuration("1h2m")
	fmt.Println(d, err)
	_, err = time.ParseDuration("1x")
	fmt.Println(err)
	fmt.Println(strconv.ParseFloat("1.5e3", 64))
}
`
	const want = `true false
1:3: expected ')', found 'EOF'
eth0
1 a:b <nil>
(a){2} <nil>
template: t:1: missing value for if
1h2m0s <nil>
time: unknown unit "x" in duration "1x"
1500 <nil>
`
	for name, text := range map[string]string{"go.mod": "module parsers\n\ngo 1.25\n", "main.go": strings.Replace(main, "FLOAT", copyPath(floatPackage), 1)} {
		if err := lab.WriteFile(filepath.Join(dir, name), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	got, err := foreign.Go(dir, foreign.UserCache, "run", ".")
	if err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
}

func TestBlocks(t *testing.T) {
	const profile = "mode: set\na.go:1.1,2.2 1 0\na.go:3.1,4.2 2 1\nb.go:1.1,2.2 1 1\na.go:1.1,2.2 1 0\n"
	if reached, all := blocks(profile); reached != 2 || all != 3 {
		t.Errorf("%d of %d", reached, all)
	}
}

// Outcomes are kept by target, start, arm, seed, budget and version.
func TestParts(t *testing.T) {
	m := &module{dir: t.TempDir()}
	tr := trial{target: target{name: "json"}, Start: nothing, Arm: now, Seed: 3, Budget: time.Second}
	want := outcome{Runs: 5, Valid: 1, FirstRun: 4, FirstCPU: 0.25}
	if err := lab.Keep(m.part(tr, "v"), want); err != nil {
		t.Fatal(err)
	}
	if got, ok := lab.Recall[outcome](m.part(tr, "v")); !ok || got != want {
		t.Errorf("%+v, %v", got, ok)
	}
	for _, change := range []func(*trial){func(tr *trial) { tr.name = "url" }, func(tr *trial) { tr.Start = seeded },
		func(tr *trial) { tr.Arm = before }, func(tr *trial) { tr.Seed++ }, func(tr *trial) { tr.Budget++ }} {
		other := tr
		change(&other)
		if _, ok := lab.Recall[outcome](m.part(other, "v")); ok {
			t.Errorf("%s has the outcome of another trial", other)
		}
	}
	if _, ok := lab.Recall[outcome](m.part(tr, "w")); ok {
		t.Error("another version has the outcome")
	}
}

// A search without a valid input counts with all its runs and its whole time.
func TestReport(t *testing.T) {
	s := &study{targets: []target{{name: "json"}, {name: "url", match: true}}, arms: []arm{now, native, match}, outcomes: map[string][]outcome{
		"json nothing now":    {{Runs: 100, CPU: 2, Valid: 50, FirstRun: 10, FirstCPU: 0.1, DistinctValid: 5, Blocks: 30, BlocksAll: 40}},
		"json nothing native": {{Runs: 2000, CPU: 2, Blocks: 15, BlocksAll: 40}, {Runs: 2000, CPU: 2, Valid: 1, FirstRun: 1500, FirstCPU: 1.5, Blocks: 15, BlocksAll: 40}, {Runs: 2000, CPU: 2, Valid: 1, FirstRun: 1000, FirstCPU: 1, Blocks: 15, BlocksAll: 40}},
		"url nothing match":   {{Runs: 10, CPU: 2, Valid: 10, FirstRun: 1, Blocks: 15, BlocksAll: 40}},
	}}
	res := &lab.Result{Summary: map[string]any{}}
	s.report(res)
	if len(res.Rows) != 3 || res.Rows[2].Get("arm") != "match" {
		t.Fatalf("%v", res.Rows)
	}
	for column, want := range map[string]any{"found": 1, "runs p50": 10.0, "cpu s p50": 0.1, "valid share": 0.5, "a12 runs": 1.0, "blocks of": 40} {
		if got := res.Rows[0].Get(column); got != want {
			t.Errorf("now, %s: %v, want %v", column, got, want)
		}
	}
	for column, want := range map[string]any{"found": 2, "of": 3, "runs p50": 1500.0, "cpu s p50": 1.5, "a12 runs": nil} {
		if got := res.Rows[1].Get(column); got != want {
			t.Errorf("native, %s: %v, want %v", column, got, want)
		}
	}
	for key, want := range map[string]any{
		"found, from nothing, native":          "2 of 3, on 0 of 2 targets in every trial",
		"found, from nothing, match":           "1 of 1, on 1 of 1 targets in every trial",
		"blocks, now to native, from nothing":  "geometric mean 2.00, least 2.00 (json)",
		"at most a tenth of native's CPU time": "1 of 1 targets where native finds one (by runs if both need less than 1000)",
		"searches that ended by themselves":    0,
	} {
		if got := res.Summary[key]; got != want {
			t.Errorf("%s: %v", key, got)
		}
	}
}

// A search that finds nothing is as good as another one that finds nothing, however many runs it
// has made, and worse than one that finds something. What is found after the budget does not count.
func TestReportNothing(t *testing.T) {
	nothing := func(runs int, cpu float64) outcome { return outcome{Runs: runs, CPU: cpu, First: true} }
	hit := func(run int, cpu float64) outcome {
		return outcome{Runs: run, CPU: cpu, FirstRun: run, FirstCPU: cpu, First: true}
	}
	for _, c := range []struct {
		name         string
		ours, theirs outcome
		found        int
		want         float64
	}{
		{"neither, they make more runs", nothing(1000, 20.01), nothing(5000, 20.02), 0, 0.5},
		{"neither, we make more runs", nothing(5000, 20.02), nothing(1000, 20.01), 0, 0.5},
		{"we, after more runs than they make", hit(5000, 10), nothing(1000, 20), 1, 1},
		{"they, after more runs than we make", nothing(1000, 20), hit(5000, 10), 0, 0},
		{"we, after the budget", hit(1000, 20.02), nothing(5000, 20.01), 0, 0.5},
	} {
		s := &study{targets: []target{{name: "json"}}, arms: []arm{now, native}, first: true, outcomes: map[string][]outcome{
			"json nothing now": {c.ours}, "json nothing native": {c.theirs}}}
		res := &lab.Result{Summary: map[string]any{}}
		s.report(res)
		row := res.Rows[0]
		if row.Get("found") != c.found || row.Get("a12 runs") != c.want || row.Get("a12 cpu") != c.want {
			t.Errorf("%s: found %v, a12 %v and %v, want %d and %v", c.name, row.Get("found"), row.Get("a12 runs"), row.Get("a12 cpu"), c.found, c.want)
		}
		if cpu := row.Get("cpu s p50").(float64); cpu > 20 {
			t.Errorf("%s: %v s, but the budget is 20 s", c.name, cpu)
		}
	}
}
