//go:build go1.25

package tidy

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/allele-go/allele/internal/testkit"
)

func TestPublicNamesAreListed(t *testing.T) {
	table(t, publicNames, []row{
		{"declarations, methods and fields that users can name", `-- a.go --
package allele

import "testing"

func Check[In any](t testing.TB) {}
func hidden() {}

type T struct {
	testing.TB
	Seed, size int
}

func (t *T) Assume(ok bool) {}
func (t *T) note()          {}

type List[E any] []E

func (l List[E]) Len() int { return 0 }

type secret struct{ Field int }

func (secret) Method() {}

type Option interface{ Apply(); seal() }

const (
	First, second = 1, 2
)

var Limit = 1
-- a_test.go --
package allele

func OnlyInTests() {}
-- internal/rng/rng.go --
package rng

func New() {}
`, `const First
field T.Seed
field T.TB
func Check
method List.Len
method Option.Apply
method T.Assume
type List
type Option
type T
var Limit`},
	})
}

func TestClosure(t *testing.T) {
	got := strings.Join(closure([]string{"net/http", "fmt", "go/types", "net/http/internal", modulePath + "/internal/score/suite", modulePath + "/internal/hook"}), "\n")
	want := "the root package links " + modulePath + "/internal/score/suite: only the allele command needs it\n" +
		"the root package links go/types: " + heavy["go/types"] + "\nthe root package links net/http: " + heavy["net/http"]
	if got != want {
		t.Errorf("got:\n%s", got)
	}
}

// A package that is linked indirectly is reported.
func TestClosureIsTransitive(t *testing.T) {
	dir := testkit.Module(t, map[string]string{
		"a.go":     "package a\n\nimport _ \"scratch/low\"\n",
		"low/b.go": "package low\n\nimport _ \"html/template\"\n",
	})
	if problems := closure(linked(t, dir)); len(problems) != 1 {
		t.Errorf("problems: %q", problems)
	}
}

func TestRequires(t *testing.T) {
	const problem = "the main module must not require other modules"
	table(t, requires, []row{
		{"no dependencies", "-- go.mod --\nmodule m\n\ngo 1.25\n", ""},
		{"one", "-- go.mod --\nmodule m\n\nrequire example.test/x v1.0.0\n", "go.mod:3: " + problem},
		{"a block", "-- go.mod --\nmodule m\nrequire (\n)\n", "go.mod:2: " + problem},
		{"nested modules may require others", "-- eval/go.mod --\nmodule m\nrequire x v1.0.0\n", ""},
		{"the word in a comment is fine", "-- go.mod --\nmodule m // require nothing\n", ""},
	})
}

func TestLanguages(t *testing.T) {
	const file, rest = "a.go: add the build constraint \"go1.25\", or combine it with the one there", "\n\npackage a\n"
	table(t, languages, []row{
		{"the constraint", "-- a.go --\n//go:build go1.25" + rest, ""},
		{"none", "-- a.go --" + rest, file},
		{"combined", "-- a.go --\n//go:build go1.25 && linux" + rest, ""},
		{"an alternative does not set the version", "-- a.go --\n//go:build go1.25 || linux" + rest, file},
		{"a newer version excludes a supported release", "-- a.go --\n//go:build go1.26" + rest, file},
		{"the file for old releases", "-- too_old.go --\n//go:build !go1.25" + rest, ""},
		{"nested modules have a go line of their own", "-- eval/go.mod --\nmodule m\n-- eval/a.go --\npackage a\n", ""},
		{"the go line", "-- go.mod --\nmodule m\n\ngo 1.18\n", ""},
		{"a newer go line", "-- go.mod --\nmodule m\n\ngo 1.25\n",
			"go.mod: want the line \"go 1.18\": a newer one changes modules that require this one"},
	})
}

func TestLengths(t *testing.T) {
	body := func(n int) string { return "{\n" + strings.Repeat("\tprintln()\n", n-2) + "}\n" }
	table(t, lengths, []row{
		{"sixty lines are allowed", "-- a.go --\npackage a\nfunc f() " + body(60), ""},
		{"sixty-one are not", "-- low/a.go --\npackage a\nfunc f() " + body(61), "low.f: 61 lines, at most 60"},
		{"comments above do not count", "-- a.go --\npackage a\n// f does.\n// Much.\nfunc f() " + body(60), ""},
		{"methods are named by type", "-- a.go --\npackage a\nfunc (t *T[K, V]) f() " + body(70), "..T.f: 70 lines, at most 60"},
		{"functions of tests are exempt", "-- a_test.go --\npackage a\nfunc f() " + body(700), ""},
		{"files", "-- a.go --\npackage a\n" + strings.Repeat("\n", 500), "a.go: 501 lines, at most 500"},
		{"files of tests", "-- a_test.go --\npackage a\n" + strings.Repeat("\n", 800), "a_test.go: 801 lines, at most 800"},
	})
}

func TestExceptions(t *testing.T) {
	all := []length{{"long", 9, 5}, {"short", 3, 5}}
	for _, c := range []struct {
		name     string
		except   map[string]string
		problems string
	}{
		{"without one the long thing is a problem", nil, "long: 9 lines, at most 5"},
		{"an exception with a reason is accepted", map[string]string{"long": "one type switch"}, ""},
		{"a reason is needed", map[string]string{"long": ""}, "long: 9 lines, at most 5"},
		{"an exception must still be needed", map[string]string{"long": "one type switch", "short": "was long"},
			"short: exception no longer needed"},
		{"the function of an exception must exist", map[string]string{"long": "one type switch", "gone": "was long"},
			"gone: exception no longer needed"},
	} {
		if got := strings.Join(over(all, c.except), "\n"); got != c.problems {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

func TestSizes(t *testing.T) {
	fields := func(n int) string { return "struct {\n" + strings.Repeat("\tf int\n", n) + "}\n" }
	methods := func(n int) string { return strings.Repeat("func (x *s[T]) f() {}\n", n) }
	const too, limits = "..s: 16 fields and 0 methods", ", at most 15 and 25"
	for _, c := range []struct{ name, tree, listed, problems string }{
		{"15 fields and 25 methods are allowed", "-- a.go --\npackage a\ntype s " + fields(15) + methods(25), "", ""},
		{"16 fields are too many", "-- a.go --\npackage a\ntype s " + fields(16), "", too + limits},
		{"names on one line count each", "-- a.go --\npackage a\ntype s struct {\n\ta, b, c, d, e, f, g, h int\n\ti, j, k, l, m, n, o, p int\n}\n", "", too + limits},
		{"methods count over files", "-- x/a.go --\npackage a\ntype s struct{}\n" + methods(13) + "-- x/b.go --\npackage a\n" + methods(13), "", "x.s: 0 fields and 26 methods" + limits},
		{"embedded fields count", "-- a.go --\npackage a\nimport \"" + modulePath + "/x\"\ntype s struct{ *r; x.S; a, b int }\ntype r " + fields(7) + "-- x/a.go --\npackage x\ntype S " + fields(7), "", too + limits},
		{"embedded methods count", "-- a.go --\npackage a\ntype r struct { s }\ntype s int\n" + methods(25) + "func (r) f() {}\n", "", "..r: 0 fields and 26 methods" + limits},
		{"a type of another module counts as one field", "-- a.go --\npackage a\nimport \"sync\"\ntype s struct { sync.Mutex\n" + strings.Repeat("\tf int\n", 15) + "}\n", "", too + limits},
		{"a listed size is a ceiling", "-- a.go --\npackage a\ntype s " + fields(16), "..s 16 0", ""},
		{"a ceiling does not grow", "-- a.go --\npackage a\ntype s " + fields(17), "..s 16 0", "..s: 17 fields and 0 methods, at most 16 and 0"},
		{"the search has no exceptions", "-- internal/search/x/a.go --\npackage x\ntype s " + fields(16), "internal/search/x.s 16 0", "internal/search/x.s: 16 fields and 0 methods" + limits},
		{"tests and nested modules are exempt", "-- a_test.go --\npackage a\ntype s " + fields(50) + "-- eval/go.mod --\nmodule e\n-- eval/a.go --\npackage a\ntype s " + fields(50), "", ""},
	} {
		if got := strings.Join(sizes(fake(t, c.tree), readSizes(c.listed)), "\n"); got != c.problems {
			t.Errorf("%s: got\n%s\nwanted\n%s", c.name, got, c.problems)
		}
	}
	tree := fake(t, "-- a.go --\npackage a\ntype s "+fields(17)+"type r "+fields(17)+"type q "+fields(17))
	if got := lowerSizes(tree, readSizes("..s 16 0\n..r 18 0\n..gone 20 0\n")); got != "..r 17 0\n..s 16 0\n" {
		t.Errorf("the list becomes %q", got)
	}
}

func TestArrows(t *testing.T) {
	const down = "-- a.go --\npackage a\nfunc F() { g(); T{}.M() }\n-- b.go --\npackage a\nfunc g() {}\ntype T struct{}\nfunc (T) M() {}\n"
	const up = "-- x/a.go --\npackage a\nfunc f() { g(); h() }\n-- x/b.go --\npackage a\nfunc g() { h() }\n-- x/c.go --\npackage a\nfunc h() { var x t; x.back() }\n" +
		"-- x/d.go --\npackage a\ntype t struct{}\n-- x/e.go --\npackage a\nfunc (t) back() { f() }\n"
	for _, c := range []struct{ name, tree, listed, problems string }{
		{"arrows that run down", down, "", ""},
		{"an arrow that runs up", up, "", "x: 1 arrows between files run up, at most 0; new:\n    e.go -> a.go"},
		{"a listed one", up, "x: 1\n\te.go -> a.go\n", ""},
		{"a different one instead", up, "x: 1\n\te.go -> c.go\n", ""},
		{"local names and fields are no arrows", "-- a.go --\npackage a\ntype t struct{ f int }\nfunc f(x t) int { return x.g }\n-- b.go --\npackage a\nfunc g() { f := 1; _ = f }\n", "", ""},
	} {
		if got := strings.Join(arrows(fake(t, c.tree), readArrows(c.listed)), "\n"); got != c.problems {
			t.Errorf("%s: got\n%s\nwanted\n%s", c.name, got, c.problems)
		}
	}
	for _, c := range []struct{ name, tree, listed, lowered string }{
		{"fewer arrows", down, "x: 1\n\te.go -> a.go\n", ""},
		{"another arrow", up, "x: 1\n\te.go -> c.go\n", "x: 1\n\te.go -> a.go\n"},
		{"more arrows", up, "", ""},
	} {
		if got := lowerArrows(fake(t, c.tree), readArrows(c.listed)); got != c.lowered {
			t.Errorf("%s: the list becomes %q, wanted %q", c.name, got, c.lowered)
		}
	}
}

func TestMentions(t *testing.T) {
	const a = "-- a/a.go --\npackage a\nimport \"sync\"\ntype T struct{ F int; mu sync.Mutex }\nfunc (T) M() {}\ntype E struct{ sync.Mutex }\nfunc G() {}\n"
	table(t, mentions, []row{
		{"what exists", a + "// See a.go, a/b.go, a.G, T.M and T.F.\n-- a/b.go --\npackage a\n", ""},
		{"a file that does not exist", a + "\n// See c.go.\n", "a/a.go:8: the comment names c.go, which does not exist"},
		{"a file of a user", a + "// See x_test.go.\n", ""},
		{"a name that does not exist", a + "// First,\n// see a.H.\n", "a/a.go:8: the comment names a.H, which does not exist"},
		{"a method that does not exist", a + "// See T.N.\n", "a/a.go:7: the comment names T.N, which does not exist"},
		{"what is embedded may be meant", a + "// See E.Lock.\n", ""},
		{"other packages", a + "// See sync.X, x.Y and 1.5.\n", ""},
		{"examples", a + "//\n//\ta.H()\n", ""},
		{"a page", a + "-- docs/ARCHITECTURE.md --\nSee `a/a.go`, `a.G` and\n`c/a.go`, `a.H`; a.X is no code.\n",
			"docs/ARCHITECTURE.md:2: the page names c/a.go, which does not exist\ndocs/ARCHITECTURE.md:2: the page names a.H, which does not exist"},
	})
}

func TestColumns(t *testing.T) {
	table(t, columns, []row{
		{"a line of 140 columns", "-- a.go --\npackage a\n// " + strings.Repeat("x", 137) + "\n", ""},
		{"a line of 141 columns", "-- a.go --\npackage a\n// " + strings.Repeat("x", 138) + "\n", "a.go:2: 141 columns, at most 140"},
		{"a tab is four columns, a letter one", "-- a.go --\npackage a\n\t// " + strings.Repeat("ä", 134) + "\n", "a.go:2: 141 columns, at most 140"},
		{"tables of tests may be wide", "-- a_test.go --\npackage a\n// " + strings.Repeat("x", 138) + "\n", ""},
	})
}

func TestVariablesAreListed(t *testing.T) {
	table(t, variables, []row{
		{"each with its folders", "-- a.go --\npackage a\nvar x, y = \"ALLELE_SEED\", \"ALLELE_\"\n-- cmd/x/b.go --\npackage b\nvar x, y = \"ALLELE_SEED\", \"ALLELE_JOB\"\n-- a_test.go --\npackage a\nvar z = \"ALLELE_TEST\"\n",
			"ALLELE_JOB cmd/x\nALLELE_SEED . cmd/x"},
	})
}

func TestPackageNames(t *testing.T) {
	table(t, packageNames, []row{
		{"a name with a meaning", "-- queue/a.go --\npackage queue\n", ""},
		{"a name without one", "-- a/a.go --\npackage util\n", "a/a.go: package util: choose a name that says what the package does"},
		{"a test package", "-- a/a_test.go --\npackage helpers_test\n", "a/a_test.go: package helpers: choose a name that says what the package does"},
		{"a folder", "-- types/a.go --\npackage shapes\n", "types/a.go: package shapes: choose a name that says what the package does"},
	})
}

// The banned words are split here, because the rule checks this file too.
func TestWords(t *testing.T) {
	const to, mutant = "TO" + "DO", "mutant"
	named, fault := "write it with a name in parentheses and a condition", "a changed program is called a fault"
	table(t, words, []row{
		{"a promise with a name", "-- a.md --\n// " + to + "(ann): when the store is shared\n", ""},
		{"a promise without a name", "-- a.md --\n\n// " + to + ": fix it\n", "a.md:2: " + named},
		{"empty parentheses", "-- a.md --\n" + to + "() x\n", "a.md:1: " + named},
		{"at the end of a script", "-- .ci/run --\n#!/bin/sh\n# " + to, ".ci/run:2: " + named},
		{"context has a function of that name", "-- x/testdata/a.go --\nf(context." + to + "())\n", ""},
		{"a wrong name for a fault", "-- a.md --\nKills every " + mutant + " of the program.\n", "a.md:1: " + fault},
		{"also across lines of a comment", "-- testdata/a.go --\n// All " + mutant + "s of\n// the program.\n", "testdata/a.go:1: " + fault},
		{"terms have mutants", "-- a.md --\nEvery " + mutant + " of the term.\n", ""},
		{"data is not text", "-- a.json --\n" + to + "\n", ""},
		{"an old word", "-- a.md --\nIt is\nmen" + "ded.\n", "a.md:2: write fix, fixed"},
		{"an old word in capitals", "-- a.go --\npackage a // Ane" + "w it starts.\n", "a.go:1: write start over, from scratch, again"},
		{"an old phrase across lines of a comment", "-- a.go --\npackage a\n\n// A run under\n// w" + "ay.\n", "a.go:3: write current, in progress"},
		{"two old phrases", "-- a.txt --\nturned do" + "wn by several process" + "ors\n", "a.txt:1: write rejected\na.txt:1: write multicore, several cores"},
		{"a part of a longer word", "-- a.md --\nWe recom" + "men" + "d and a" + "men" + "d it; the hea" + "rse.\n", ""},
	})
	for _, w := range plainWords { // each rule alone is part of the common pattern
		if example := plainExample(w.pattern); !anyPlain.MatchString(example) {
			t.Errorf("%s: the common pattern does not match %q", w.pattern, example)
		}
	}
}

// plainExample returns a text that a pattern of plainWords matches: each group as its first
// alternative, and no optional group.
func plainExample(pattern string) string {
	pattern = regexp.MustCompile(`\(\?:[^()]*\)\?|s\?`).ReplaceAllString(pattern, "")
	pattern = regexp.MustCompile(`\(\?:([^()|]*)[^()]*\)`).ReplaceAllString(pattern, "$1")
	return strings.ReplaceAll(pattern, `\S+`, "int")
}

func TestReadme(t *testing.T) {
	page := func(lines int) string {
		return "-- README.md --\n# A\n" + strings.Repeat("x\n", lines) + "<!-- hidden\nx\nx\n-->\n\n## How it compares\n" + strings.Repeat("y\n", 200)
	}
	table(t, readme, []row{
		{"two screens", page(readmeMax - 1), ""},
		{"a line more", page(readmeMax), "README.md: 126 lines before \"How it compares\", want at most 125"},
		{"another page", strings.Replace(page(500), "README.md", "docs/README.md", 1), ""},
	})
}

func TestPackageComments(t *testing.T) {
	const missing = ": no package comment that says what it is for"
	table(t, packageComments, []row{
		{"one file of a package is enough", "-- q/a.go --\n// Package q is.\npackage q\n-- q/b.go --\npackage q\n", ""},
		{"none", "-- q/a.go --\npackage q\n", "q" + missing},
		{"about something else", "-- q/a.go --\n// Package queue is.\npackage q\n", "q" + missing},
		{"detached by an empty line", "-- q/a.go --\n// Package q is.\n\npackage q\n", "q" + missing},
		{"any comment will do for a command", "-- cmd/x/a.go --\n// X says hello.\npackage main\n", ""},
		{"a command needs one too", "-- cmd/x/a.go --\npackage main\n", "cmd/x" + missing},
		{"nested modules too", "-- eval/go.mod --\nmodule e\n-- eval/q/a_test.go --\npackage q\n", "eval/q" + missing},
	})
}

func TestDocComments(t *testing.T) {
	bad := func(at, name string) string { return at + ": the comment of " + name + " does not begin with its name" }
	table(t, docComments, []row{
		{"good", "-- a.go --\npackage a\n// Check runs.\nfunc Check() {}\n// T is.\ntype T int\n// Do does.\nfunc (T) Do() {}\n", ""},
		{"none", "-- a.go --\npackage a\nfunc Check() {}\n", bad("a.go:2:6", "Check")},
		{"of another name", "-- a.go --\npackage a\n// Checks all.\nfunc Check() {}\n", bad("a.go:3:6", "Check")},
		{"a method", "-- a.go --\npackage a\n// T is.\ntype T int\nfunc (T) Do() {}\n", bad("a.go:4:10", "Do")},
		{"in a group each has its own", "-- a.go --\npackage a\n// Both.\nconst (\n// A is.\nA = 1\nB = 2\n)\n", bad("a.go:6:1", "B")},
		{"unexported names are not checked", "-- a.go --\npackage a\nfunc check() {}\ntype t int\nfunc (t) Do() {}\n", ""},
		{"tests and other packages are not checked", "-- a_test.go --\npackage a\nfunc Check() {}\n-- q/a.go --\npackage q\nfunc Check() {}\n", ""},
	})
}

func TestWalks(t *testing.T) {
	const code = "-- a.go --\npackage a\nfunc F() {}\n-- low/b.go --\npackage b\ntype T int\nfunc (t *T) G() {}\n-- docs/ARCHITECTURE.md --\n"
	good := "# A\n\n## Follow one input\n\n1. `a.go` `F` begins.\n2. `low/b.go` `T.G` ends.\n"
	rest := "\n## Follow one x\n1. `a.go` `F` a\n\n## Follow one y\n1. `a.go` `F` a\n\n## Other\n1. not a stop\n"
	page := "docs/ARCHITECTURE.md: "
	table(t, walks, []row{
		{"stops that exist", code + good + rest, ""},
		{"a file that does not exist", code + strings.Replace(good, "a.go", "c.go", 1) + rest, page + "follow one input: c.go has no F"},
		{"a function that does not exist", code + strings.Replace(good, "T.G", "G", 1) + rest, page + "follow one input: low/b.go has no G"},
		{"a second stop in a package", code + good + "3. `a.go` `F` again.\n" + rest, page + "follow one input: . was a stop before; say why with (back: ...)"},
		{"a second stop with a reason", code + good + "3. `a.go` `F` again (back: it owns the file).\n" + rest, ""},
		{"too many stops", code + good + strings.Repeat("3. `a.go` `F` (back: x)\n", 9) + rest, page + "follow one input: 11 stops, want 1 to 10"},
		{"a stop without a function", code + good + "3. `a.go` ends.\n" + rest, page + "follow one input: want a stop in the form `file.go` `Function` description, got: 3. `a.go` ends."},
		{"too few walks", code + good, page + "1 walks, at least 3"},
		{"no page, as in a fake tree", "-- a.go --\npackage a\n", ""},
	})
	table(t, pageFiles, []row{
		{"files in tables", code + "| x | `a.go`, then `low/b.go` |\n`gone.go` in the text\n", ""},
		{"a file in a table that does not exist", code + "| x | `low/gone.go` |\n", page + "there is no low/gone.go"},
	})
}

func TestLinks(t *testing.T) {
	const b = "-- docs/b.md --\n# What `-v` says, and why?\n## Größe\n## It\n## It\n```sh\n# no heading\n```\n## See [a](../a.md)\n-- docs/x.svg --\n<svg/>\n"
	in := func(text string) string { return b + "-- a.md --\n# A\n" + text + "\n" }
	table(t, links, []row{
		{"a file, a picture and a folder", in("[b](docs/b.md) ![x](docs/x.svg \"a picture\") [d](docs) [d](docs/) [top](/docs/b.md)"), ""},
		{"headings", in("[a](#a) [v](docs/b.md#what--v-says-and-why) [g](docs/b.md#größe) [s](docs/b.md#see-a)"), ""},
		{"headings of the same text", in("[1](docs/b.md#it) [2](docs/b.md#it-1)"), ""},
		{"other places", in("[x](https://example.com/gone#x) [y](mailto:x@example.com)"), ""},
		{"code is not a link", in("`[x](gone.md)`\n```text\n[x](gone.md)\n```"), ""},
		{"a file that is gone", in("\n[a\nb](docs/gone.md#x)"), "a.md:4: link to docs/gone.md#x: there is no docs/gone.md"},
		{"a heading that is gone", in("[x](docs/b.md#gone) [y](#it)"), "a.md:2: link to docs/b.md#gone: docs/b.md has no such heading\na.md:2: link to #it: a.md has no such heading"},
		{"a third heading of the same text", in("[3](docs/b.md#it-2)"), "a.md:2: link to docs/b.md#it-2: docs/b.md has no such heading"},
		{"a comment is no heading", in("[x](docs/b.md#no-heading)"), "a.md:2: link to docs/b.md#no-heading: docs/b.md has no such heading"},
		{"outside of the repository", in("[x](../b.md)"), "a.md:2: link to ../b.md: there is no ../b.md"},
		{"definitions", in("[x][y]\n\n[y]: gone.md"), "a.md:4: link to gone.md: there is no gone.md"},
		{"pages only", "-- a.go --\npackage a // [x](gone.md)\n", ""},
	})
}

// No two rules of the list have the same name.
func TestRulesAreNamed(t *testing.T) {
	var names []string
	for _, r := range rules {
		names = append(names, r.name)
	}
	slices.Sort(names)
	if len(slices.Compact(names)) != len(rules) {
		t.Errorf("two rules share a name: %q", names)
	}
}
