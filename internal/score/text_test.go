//go:build go1.25

package score

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/fate"
	"github.com/allele-go/allele/internal/site"
	"github.com/allele-go/allele/internal/testkit"
	"github.com/allele-go/allele/internal/words"
)

const treeFile = "/m/tree/tree.go"

func relative(file string) string { return strings.TrimPrefix(file, "/m/") }

func source(file string) ([]byte, error) {
	if file != treeFile {
		return nil, errors.New("no such file")
	}
	return os.ReadFile(filepath.Join("testdata", "tree", "tree.go.txt"))
}

// at returns a fault in the example: the place of a text in a line, and the change.
func at(t *testing.T, line int, function, from, to, operator string) site.Fault {
	data, err := source(treeFile)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(data), "\n")
	col := strings.Index(lines[line-1], from)
	if col < 0 {
		t.Fatalf("line %d: no %s", line, from)
	}
	edit := site.Edit{Offset: len(strings.Join(lines[:line-1], "")) + col, Old: from, New: to}
	for edit.Old != "" && edit.New != "" && edit.Old[0] == edit.New[0] { // as package fault does
		edit = site.Edit{Offset: edit.Offset + 1, Old: edit.Old[1:], New: edit.New[1:]}
	}
	if to == "" {
		to = deleted
	}
	return site.Fault{Package: "example.com/tree", File: treeFile, Line: line, Col: col + 1, EndLine: line, EndCol: col + 1 + len(from),
		Func: function, Operator: operator, From: from, To: to, Edit: edit}
}

// example returns a report with every kind of verdict.
func example(t *testing.T) Report {
	const insert, size, format, clear = "(*Tree).Insert", "(*Tree).Size", "(*Tree).Format", "(*Tree).Clear"
	type row struct {
		site.Fault
		property, tests fate.Verdict
	}
	none := fate.Verdict{Kind: fate.NotReached}
	rows := []row{
		{at(t, 11, insert, "t == nil", "t != nil", "negate"), fate.Verdict{Kind: fate.Killed, By: fate.ByProperty, Test: "3f9c2a", Runs: 1}, none},
		{at(t, 14, insert, "k < t.K", "k <= t.K", "boundary"), fate.Verdict{Kind: fate.Survived, Tests: 1500, Runs: 1204, Test: "3f9c2a",
			Input: "struct {\n\tTree *Tree\n\tKey  int\n}{\n\tTree: &Tree{K: 1, R: &Tree{K: 2, R: &Tree{K: 3, R: &Tree{K: 5}}}},\n\tKey:  1,\n}"},
			fate.Verdict{Kind: fate.Survived, Tests: 3, Runs: 2}},
		{at(t, 14, insert, "k < t.K", "k >= t.K", "negate"), fate.Verdict{Kind: fate.Killed, By: fate.ByDifference, Runs: 4}, none},
		{at(t, 15, insert, "t.L = t.L.Insert(k)", "", "delete"), none, fate.Verdict{Kind: fate.Killed, By: fate.ByTest, Test: "TestInsert"}},
		{at(t, 16, insert, "k > t.K", "k >= t.K", "boundary"), fate.Verdict{Kind: fate.NotInfected, Tests: 12},
			fate.Verdict{Kind: fate.NoVerdict, Detail: "wall-clock limit", Test: "TestSlow"}},
		{at(t, 25, size, "0", "1", "constant"), fate.Verdict{Kind: fate.Killed, By: fate.ByBudget, Detail: "200,412 steps"}, none},
		{at(t, 27, size, "1 + t.L.Size()", "1 - t.L.Size()", "math"), fate.Verdict{Kind: fate.Killed, By: fate.ByPanic, Detail: "index out of range"}, none},
		{at(t, 32, format, `"\t日本"`, `""`, "constant"), none, fate.Verdict{Kind: fate.Survived, Tests: 1, Runs: 1, Test: "TestFormat"}},
		{at(t, 32, format, `close`, `""`, "math"), none, fate.Verdict{Kind: fate.NoVerdict, Detail: "wall-clock limit"}},
		{at(t, 37, clear, "t.K < k", "t.K <= k", "boundary"), none, none},
		{at(t, 38, clear, "t.L = nil", "", "delete"), none, none},
		{at(t, 39, clear, `log.Printf("cleared %d", k)`, "", "delete"), none, none},
	}
	asked := func(pick func(row) fate.Verdict) func([]site.Fault, Answer) error {
		return func(faults []site.Fault, to Answer) error {
			for _, f := range faults {
				v := pick(rows[f.ID])
				v.Fault = f.ID
				to.Left("TestNetwork", "it fails on the original program")
				to.Empty()
				to.Verdict(v)
			}
			return nil
		}
	}
	tree := Package{Path: "example.com/tree",
		Members: []*Member{
			{Kind: Tests, Name: "example.com/tree", Ask: asked(func(r row) fate.Verdict { return r.tests })},
			{Kind: Property, Name: "TestInsertKeepsOrder", Ask: asked(func(r row) fate.Verdict { return r.property })},
		}}
	for i, r := range rows {
		r.Fault.ID, r.Fault.Variant = i, i
		tree.Faults = append(tree.Faults, r.Fault)
	}
	tree.Judge(Run{})
	lang := Package{Path: "example.com/lang", Err: errors.New("the tests fail without any fault; run: go test ./lang")}
	return Report{Set: "all", Packages: []Package{lang, tree},
		Declined: map[string]int{"a label in the function": 2, "an operand of a type parameter": 1}}
}

func style() Style {
	return Style{Relative: relative, Source: source, Test: "go tool allele test ",
		Where: func(pkg string) string { return "./" + words.PackageName(pkg) }}
}

func TestText(t *testing.T) {
	for _, c := range []struct {
		file   string
		change func(*Style)
	}{
		{"text-80", func(*Style) {}},
		{"text-120", func(s *Style) { s.Columns = 120 }},
		{"text-40", func(s *Style) { s.Columns = 40 }},
		{"text-all", func(s *Style) { s.All, s.Verbose = true, true }},
		{"text-colour", func(s *Style) { s.Colour = true }},
		{"text-moved", func(s *Style) { s.Source = func(string) ([]byte, error) { return []byte("package tree\n"), nil } }},
	} {
		s := style()
		c.change(&s)
		got := Text(example(t), s)
		testkit.Golden(t, filepath.Join("testdata", c.file+".txt"), []byte(got))
		for line := range strings.Lines(got) {
			if width := words.Width(strings.TrimSuffix(line, "\n")); !s.Colour && s.Columns != 40 && width > max(s.Columns, 80) {
				t.Errorf("%s: %d columns: %s", c.file, width, line)
			}
		}
	}
}

// many returns a report with survivors in several files.
func many(survived int) Report {
	p := Package{Path: "example.com/tree"}
	for i := range survived {
		p.Faults = append(p.Faults, site.Fault{ID: i, File: fmt.Sprintf("/m/tree/%c.go", 'a'+i%3), Line: i, Col: 1, Func: "f", From: "a", To: "b"})
	}
	p.Members = []*Member{{Kind: Tests, Name: p.Path, Ask: func(faults []site.Fault, to Answer) error {
		for _, f := range faults {
			kind := fate.Survived
			if f.ID < survived/2 {
				kind = fate.NotInfected
			}
			to.Verdict(fate.Verdict{Fault: f.ID, Kind: kind})
		}
		return nil
	}}}
	p.Judge(Run{})
	return Report{Packages: []Package{p}}
}

// Without -all at most shownMax survivors are printed, the most urgent ones.
func TestManySurvivors(t *testing.T) {
	for _, c := range []struct {
		survivors, shown, infected int
		all                        bool
		rest                       string
	}{
		{20, 20, 10, false, ""},
		{21, 20, 11, false, "and 1 more fault; -all prints all of them"},
		{60, 20, 20, false, "and 40 more faults; -all prints all of them"},
		{60, 60, 30, true, ""},
	} {
		s := style()
		s.All = c.all
		got := Text(many(c.survivors), s)
		if n := strings.Count(got, "  + b\n"); n != c.shown {
			t.Errorf("%d survivors: %d printed, want %d", c.survivors, n, c.shown)
		}
		if n := strings.Count(got, "survived: tests"); n != c.infected {
			t.Errorf("%d survivors: %d printed that survived, want %d", c.survivors, n, c.infected)
		}
		if strings.Contains(got, "-all") != (c.rest != "") || !strings.Contains(got, c.rest) {
			t.Errorf("%d survivors:\n%s", c.survivors, got)
		}
	}
}

func TestNoFaults(t *testing.T) {
	for _, c := range []struct {
		report Report
		want   string
	}{
		{Report{Since: "HEAD~1"}, "no faults on lines that have changed since HEAD~1; to judge all faults, leave -since out\n"},
		{Report{Declined: map[string]int{"x": 3}},
			"no faults: these packages have no code that allele can make faulty\ndeclined    3 places without faults; -v prints the reasons\n"},
	} {
		if got := Text(c.report, style()); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// Source and messages cannot move the cursor, whatever they contain, and places in the source
// may be wrong.
func TestStrangeText(t *testing.T) {
	evil := "\x1b[2J\r\u202e"
	for _, place := range [][4]int{{0, 0, 0, 0}, {1, 1, 1, 3}, {1, 999, 1, 3}, {-1, -1, -1, -1}, {1, 3, 1, 2}, {2, 1, 1, 1}, {1, 2, 9, 9}, {1, 1, 1, 1 << 40}} {
		p := Package{Path: evil, Err: errors.New(evil)}
		p.Faults = []site.Fault{{File: evil, Func: evil, From: evil + "\n" + evil, To: evil,
			Line: place[0], Col: place[1], EndLine: place[2], EndCol: place[3]}}
		p.Members = []*Member{{Kind: Property, Name: evil, left: map[string]string{evil: evil}}}
		for _, kind := range []string{fate.Survived, fate.NotInfected, fate.NotReached, fate.NoVerdict} {
			p.Results = []Result{{Verdict: fate.Verdict{Kind: kind, Detail: evil, Test: evil, Input: evil}, Unsure: evil}}
			s := style()
			s.All, s.Verbose = true, true
			s.Source = func(string) ([]byte, error) { return []byte(strings.Repeat(evil, 40) + "\xff\xfe"), nil }
			s.Where = func(string) string { return "." }
			if got := Text(Report{Packages: []Package{p}, Since: evil, Declined: map[string]int{evil: 1}}, s); strings.ContainsAny(got, "\x1b\r\u202e\xff") {
				t.Errorf("%v %s: %q", place, kind, got)
			}
		}
	}
}

// A few tests that are left out are named. Of many, only the reasons are printed.
func TestLeftOut(t *testing.T) {
	for _, c := range []struct {
		names int
		style Style
		want  string
	}{
		{0, Style{}, ""},
		{2, Style{}, "left out    a.Test0: it fails · a.Test1: it fails\n"},
		{4, Style{}, "left out    4 tests: it fails (4); -v prints their names\n"},
		{4, Style{Verbose: true}, "left out    a.Test0: it fails · a.Test1: it fails · a.Test2: it fails · a.Test3:\n            it fails\n"},
	} {
		m := &Member{Kind: Tests, Name: "example.com/a", left: map[string]string{}}
		for i := range c.names {
			m.left[fmt.Sprint("Test", i)] = "it fails\nwith more lines"
		}
		// With -of, the same tests judge two packages.
		x := &text{Style: c.style, report: Report{Packages: []Package{{Members: []*Member{m}}, {Members: []*Member{m}}}}}
		x.Columns = columnsDefault
		if x.leftOut(); x.String() != c.want {
			t.Errorf("%d tests: %q, want %q", c.names, x.String(), c.want)
		}
	}
}

// A property that a search has run without saving inputs needs no search: it has few inputs.
func TestGenerated(t *testing.T) {
	for _, searched := range []bool{false, true} {
		m := &Member{Kind: Property, Name: "TestA", Searched: searched, empty: true}
		x := &text{report: Report{Packages: []Package{{Members: []*Member{m}}}}}
		x.Columns = columnsDefault
		if x.empty(); strings.Contains(x.String(), "TestA has no saved inputs yet") == searched {
			t.Errorf("searched %v: %q", searched, x.String())
		}
	}
}

// If few inputs of a property show a change, more inputs come first, and only then a stronger property.
func TestFewInputs(t *testing.T) {
	const few, weak = "few inputs show these changes", "the property is too weak"
	for _, c := range []struct {
		runs       []int
		few, weak  bool
		ofProperty bool
	}{
		{[]int{3}, true, false, true}, {[]int{3, 500}, true, true, true}, {[]int{fewMax}, false, true, true}, {[]int{1}, false, false, false},
	} {
		p := Package{Path: "example.com/tree"}
		for i := range c.runs {
			p.Faults = append(p.Faults, site.Fault{ID: i, File: "/m/tree/a.go", Line: i + 1, Func: "f", From: "a", To: "b"})
		}
		kind := Tests
		if c.ofProperty {
			kind = Property
		}
		p.Members = []*Member{{Kind: kind, Name: "TestX", Ask: func(faults []site.Fault, to Answer) error {
			for _, f := range faults {
				to.Verdict(fate.Verdict{Fault: f.ID, Kind: fate.Survived, Runs: c.runs[f.ID]})
			}
			return nil
		}}}
		p.Judge(Run{})
		got := strings.Join(strings.Fields(Text(Report{Packages: []Package{p}}, style())), " ")
		if strings.Contains(got, few) != c.few || strings.Contains(got, weak) != c.weak {
			t.Errorf("%v: %s", c.runs, got)
		}
	}
}
