//go:build go1.25

package outside

import (
	"context"
	"strings"
	"testing"
)

func TestEndings(t *testing.T) {
	usage := Ending{Program: "jq", Command: "jq /tmp @@", Code: 2, Output: "usage: line 1\n", Advice: "Correct it."}
	with := func(x Ending, change func(*Ending)) Ending {
		change(&x)
		return x
	}
	later := with(usage, func(x *Ending) { x.Output = "usage: line 22\n" })
	other := with(usage, func(x *Ending) { x.Output = "usage: row 1\n" })
	silent := with(usage, func(x *Ending) { x.Output = "" })
	code := with(usage, func(x *Ending) { x.Code = 3 })
	fine := with(usage, func(x *Ending) { x.Code = 0 })
	unread := with(fine, func(x *Ending) { x.Unread = true })
	second := with(other, func(x *Ending) { x.Program = "yq" })
	for _, c := range []struct {
		name   string
		all    []Ending
		varied bool
		want   string // the first line
	}{
		{"no run", nil, false, ""},
		{"one", []Ending{usage}, false, "vacuous: jq ended with exit code 2 and the same message in 1 run"},
		{"other numbers", []Ending{usage, later}, false, "vacuous: jq ended with exit code 2 and the same message in all 2 runs"},
		{"no message", []Ending{silent, silent}, false, "vacuous: jq ended with exit code 2 and no message in all 2 runs"},
		{"other words", []Ending{usage, other}, false, ""},
		{"another code", []Ending{usage, code, usage}, false, ""},
		{"it ended well", []Ending{fine, fine}, false, ""},
		{"it ended well at last", []Ending{usage, fine}, false, ""},
		{"other paths", []Ending{usage, usage}, true, ""},
		{"not read", []Ending{unread, unread}, true, "vacuous: jq has read its input in none of 2 runs"},
		{"not read at first", []Ending{unread, fine}, false, ""},
		{"not read, but other words", []Ending{unread, with(unread, func(x *Ending) { x.Output = "x" })}, false,
			"vacuous: jq has read its input in none of 2 runs"},
		{"two programs", []Ending{usage, second, usage, second}, false, "vacuous: yq ended with exit code 2 and the same message in all 4 runs"},
		{"two programs, and one is right", []Ending{usage, second, usage, fine}, false, ""},
		{"two programs, and one reads", []Ending{unread, with(fine, func(x *Ending) { x.Program = "yq" }), unread}, false, ""},
	} {
		var e Endings
		for _, x := range c.all {
			e.Add(x)
		}
		first, _, _ := strings.Cut(e.Vacuous(c.varied), "\n")
		if first != c.want {
			t.Errorf("%s: %q, want %q", c.name, first, c.want)
		}
	}
}

// The report has what the program printed, the command line and what to do.
func TestEndingsReport(t *testing.T) {
	var e Endings
	e.Add(Ending{Program: "jq", Command: "jq /tmp @@", Code: 3, Output: "error\n" + strings.Repeat("x\n", 20) + "1 compile error\n", Advice: "Correct it."})
	want := "vacuous: jq ended with exit code 3 and the same message in 1 run\n" + "    error\n" + strings.Repeat("    x\n", 3) + "    ...\n" + strings.Repeat("    x\n", 2) + "    1 compile error\n" +
		"This has checked nothing. The command line is:\n    jq /tmp @@\nCorrect it."
	if got := e.Vacuous(false); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestNote(t *testing.T) {
	fine := Ending{Program: "p"}
	for _, c := range []struct {
		name string
		all  []Ending
		want string
	}{
		{"no run", nil, ""},
		{"silent", []Ending{fine, fine}, "p ended with exit code 0 and printed nothing in all 2 runs, so nothing guides the search, and it finds only crashes"},
		{"not read", []Ending{{Program: "p", Unread: true}}, ""},
		{"an error too", []Ending{fine, {Program: "p", Code: 1}}, ""},
		{"words", []Ending{{Program: "p", Output: "a"}, {Program: "p", Output: "b"}}, ""},
	} {
		var e Endings
		for _, x := range c.all {
			e.Add(x)
		}
		if got := e.Note(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A program finds the Endings of the property that runs it by the context of the run. Elsewhere there are none.
func TestOf(t *testing.T) {
	var e Endings
	Of(With(t.Context(), &e)).Add(Ending{})
	if e.Runs() != 1 {
		t.Errorf("%d runs", e.Runs())
	}
	Of(context.Background()).Add(Ending{})
	Of(With(t.Context(), nil)).Add(Ending{})
}

func TestCommandLine(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"jq", ".", "@@"}, "jq . @@"},
		{[]string{"sh", "-c", "it's $1", "sh", "--file=@@"}, `sh -c 'it'\''s $1' sh --file=@@`},
		{[]string{"sort", ""}, "sort '' < @@"},
		{[]string{"a b@@"}, "'a b@@' < @@"},
	} {
		if got := CommandLine(c.args); got != c.want {
			t.Errorf("%q: %s, want %s", c.args, got, c.want)
		}
	}
}
