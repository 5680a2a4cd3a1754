package page

import (
	"fmt"
	"strings"
	"testing"
)

// render writes steps as lines: line, kind, name, and what is shown.
func render(text string) string {
	p, err := Parse(text)
	if err != nil {
		return err.Error()
	}
	var out []string
	for _, s := range p.Steps {
		text, _, _ := strings.Cut(s.Text, "\n")
		line := fmt.Sprintln(s.Line, s.Kind, s.Name, s.Old, s.New, text, s.Shown)
		if s.Silent {
			line += " silent"
		}
		if s.Fails {
			line += " fails"
		}
		out = append(out, strings.Join(strings.Fields(strings.ReplaceAll(line, "[]", "")), " "))
	}
	return strings.Join(out, "; ")
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ name, page, want string }{
		{"a file has its name in the first line", "# A\n```go\n// a/b.go\npackage b\n```", "3 file a/b.go // a/b.go"},
		{"or before the block", "<!-- file b_test.go -->\n```go\nfunc f() {}\n```", "3 file b_test.go func f() {}"},
		{"a file of text", "<!-- file x.txt -->\n```text\nx\n```", "3 file x.txt x"},
		{"other code is a fragment", "<!-- with in int -->\n```go\nf(in)\n```", "3 fragment in int f(in)"},
		{"commands and outputs", "```console\n$ go test\nok\n\n$ ls\n```", "2 run go test [ok ]; 5 run ls"},
		{"in a list", "- x\n\n  ```sh\n  $ ls\n    a\n  ```", "4 run ls [ a]"},
		{"a failure without output", "<!-- fails -->\n<!-- no output shown -->\n```console\n$ a\n$ b\n```", "4 run a silent; 5 run b silent fails"},
		{"a module and a change", "<!-- module example.com/x -->\n<!-- edit a.go: x => y z -->", "1 module example.com/x; 2 edit a.go x y z"},
		{"hidden from readers", "<!-- hidden\n```go\n// a.go\n```\n-->", "3 file a.go // a.go"},
		{"left out", "<!-- skip: too slow -->\n```console\n$ sleep\n```", "2 skip too slow"},
		{"text", "```text\nx\n```\n\n<!-- eval:speed -->\n<!-- /eval -->\n", ""},

		{"no language", "\n```\nx\n```", `line 2: the language of the block is ""; it must be one of go, console, sh, text, yaml, json, c`},
		{"another language", "```go run\nx\n```", `line 1: the language of the block is "go run"; it must be one of go, console, sh, text, yaml, json, c`},
		{"no end", "```go\nx", "line 1: the block does not end"},
		{"indented code", "x\n\n    go test\n", "line 3: put code between lines of three backticks, and name its language"},
		{"quoted code", "> ```go\n", "line 1: put code between lines of three backticks, and name its language"},
		{"text in a list", "- x\n\n      y\n", ""},
		{"output without a command", "```console\ngo test\n```", `line 1: console block: this line is neither a command, which begins with "$ ", nor the output of a command: go test`},
		{"a comment of two lines", "<!-- note\nx -->", "line 1: a directive must be on one line; only <!-- hidden may span several lines"},
		{"a directive without its block", "<!-- fails -->\n", "line 2: the page ends, but the last directive has no block, or <!-- hidden is not closed"},
		{"an end of the comment in it", "<!-- hidden\n```go\ni-->0\n```\n-->", "line 2: a hidden block cannot contain -->, which would end the HTML comment"},
	} {
		if got := render(c.page); got != c.want {
			t.Errorf("%s:\n%s\nwanted:\n%s", c.name, got, c.want)
		}
	}
	if got := render("<!-- fail -->"); !strings.HasPrefix(got, "line 1: unknown directive <!-- fail -->; the directives are module PATH,") {
		t.Errorf("a typing mistake: %s", got)
	}
}

func TestRewrite(t *testing.T) {
	const text = "# A\n- x\n\n  ```console\n  $ a\n  old\n  older\n  $ b\n  ```\n\nend\n"
	p, err := Parse(text)
	if err != nil || p.String() != text {
		t.Fatalf("%v\n%s", err, p)
	}
	p.Steps[0].Shown, p.Steps[1].Shown = []string{"new"}, []string{"1", "", "2"}
	if got, want := p.String(), "# A\n- x\n\n  ```console\n  $ a\n  new\n  $ b\n  1\n\n  2\n  ```\n\nend\n"; got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestSplit(t *testing.T) {
	for command, want := range map[string]string{
		"go test -run '^TestX$' ./...": "go|test|-run|^TestX$|./...",
		`a "b c"d ''  e # f`:           "a|b cd||e",
		"a; b":                         "commands run without a shell and cannot contain ;",
		"a $HOME":                      "commands run without a shell and cannot contain $",
		"a 'b":                         "a quote is not closed",
	} {
		words, err := Split(command)
		got := strings.Join(words, "|")
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %s", command, got)
		}
	}
}
